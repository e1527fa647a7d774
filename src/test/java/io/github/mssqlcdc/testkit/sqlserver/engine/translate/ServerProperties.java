package io.github.mssqlcdc.testkit.sqlserver.engine.translate;

import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.backend.Product;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlTypeName;
import io.github.mssqlcdc.testkit.sqlserver.engine.value.Types;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** SERVERPROPERTY. SQL Server's result is a sql_variant; here it is the type inside it. */
final class ServerProperties {
  private ServerProperties() {}

  static Typed translate(FunctionCall call) throws SqlServerError {
    call.require(1, 1);
    String property = call.constantText(0);
    Product product = call.environment().product();
    return switch (property == null ? "" : property.toLowerCase(Locale.ROOT)) {
      case "productmajorversion" -> text(Integer.toString(product.majorVersion()));
      case "productversion" -> text(product.majorVersion() + ".0.4000.0");
      case "productlevel" -> text("RTM");
      case "edition" -> text(product.edition());
      case "engineedition" -> Typed.bound(product.engineEdition(), Types.INT);
      case "servername", "machinename" -> text("STANDIN");
      case "instancename" -> text(null);
      case "collation" -> text(call.environment().catalog().collation());
      case "ishadrenabled" -> Typed.bound(0, Types.INT);
      default -> text(null);
    };
  }

  private static Typed text(@Nullable String value) {
    return Typed.bound(value, DataType.of(SqlTypeName.NVARCHAR, 128));
  }
}
