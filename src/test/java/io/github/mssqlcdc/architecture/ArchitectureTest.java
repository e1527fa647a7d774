package io.github.mssqlcdc.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** What each package may know. The picture of it is in {@code docs/architecture.md}. */
@AnalyzeClasses(packages = PackageMap.ROOT, importOptions = ImportOption.DoNotIncludeTests.class)
final class ArchitectureTest {
  private static final String ROOT = PackageMap.ROOT;
  private static final String SPARK = "org.apache.spark..";
  private static final String SPARK_TYPES = "org.apache.spark.sql.types";
  private static final String[] DELTA = {"io.delta..", "org.apache.spark.sql.delta.."};
  private static final String[] GROUND =
      PackageMap.GROUND.stream().map(name -> ROOT + "." + name + "..").toArray(String[]::new);
  private static final String[] SOURCE_DATABASE = {
    ROOT + ".type..", ROOT + ".keyrange..", ROOT + ".connection..", ROOT + ".sqlserver.."
  };

  @ArchTest
  static final ArchRule packagesHaveNoCycles =
      slices().matching(ROOT + ".(**)").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule dependenciesGoOneWay = classes().should(Conditions.useOnlyPackagesBelow());

  @ArchTest
  static final ArchRule theRootIsEmpty =
      noClasses().should().resideInAPackage(ROOT).because("every class has a home");

  @ArchTest
  static final ArchRule theApiSpeaksOfItselfOnly =
      classes()
          .that(Conditions.areApi())
          .should(Conditions.speakOfTheApiOnly())
          .because("docs/architecture.md says what a user's code may name");

  @ArchTest
  static final ArchRule everyPackageIsNullMarked = classes().should(Conditions.beNullMarked());

  @ArchTest
  static final ArchRule theGroundKnowsNoSparkJdbcOrDelta =
      noClasses()
          .that(resideInAnyPackage(GROUND))
          .should()
          .dependOnClassesThat(
              resideInAnyPackage(
                  SPARK, "io.delta..", "java.sql..", "javax.sql..", "com.microsoft.."));

  @ArchTest
  static final ArchRule theSourceDatabaseKnowsNoSparkButItsTypes =
      noClasses()
          .that(resideInAnyPackage(SOURCE_DATABASE))
          .should()
          .dependOnClassesThat(
              resideInAnyPackage(SPARK, "io.delta..").and(resideOutsideOfPackage(SPARK_TYPES)));

  @ArchTest
  static final ArchRule sparkTypesMeetTheDatabaseInTypeOnly =
      noClasses()
          .that(resideInAnyPackage(SOURCE_DATABASE))
          .and(resideOutsideOfPackage(ROOT + ".type.."))
          .should()
          .dependOnClassesThat(resideInAPackage(SPARK));

  @ArchTest
  static final ArchRule driverClassesAreUsedInSqlserverOnly =
      noClasses()
          .that(resideOutsideOfPackage(ROOT + ".sqlserver.."))
          .should()
          .dependOnClassesThat(resideInAPackage("com.microsoft.."));

  @ArchTest
  static final ArchRule deltaIsUsedInDeltaTableOnly =
      noClasses()
          .that(resideOutsideOfPackage(ROOT + ".delta.table"))
          .should()
          .dependOnClassesThat(resideInAnyPackage(DELTA));

  @ArchTest
  static final ArchRule catalystIsUsedUnderSourceOnly =
      noClasses()
          .that(resideOutsideOfPackage(ROOT + ".source.."))
          .should()
          .dependOnClassesThat(resideInAPackage("org.apache.spark.sql.catalyst.."));

  @ArchTest
  static final ArchRule sparkExecutionIsUsedForColumnVectorsInSourceRowOnly =
      noClasses()
          .should(
              Conditions.use(
                  resideInAPackage("org.apache.spark.sql.execution.."),
                  resideInAPackage(ROOT + ".source.row"),
                  resideInAPackage("org.apache.spark.sql.execution.vectorized")));

  @ArchTest
  static final ArchRule poolAndRetryAreUsedInConnectionOnly =
      noClasses()
          .that(resideOutsideOfPackage(ROOT + ".connection.."))
          .should()
          .dependOnClassesThat(resideInAnyPackage("com.zaxxer.hikari..", "dev.failsafe.."));

  @ArchTest
  static final ArchRule staticFieldsAreFinal = fields().that().areStatic().should().beFinal();

  @ArchTest
  static final ArchRule ownMethodsHaveNoGetPrefix =
      methods()
          .that(Conditions.areOwn())
          .should()
          .haveNameNotMatching("get[A-Z].*")
          .because("accessors are named as what they give");

  @ArchTest
  static final ArchRule ownMethodsTakeNoBoolean =
      methods()
          .that(Conditions.areOwn())
          .and()
          .areNotPrivate()
          .and()
          .haveNameNotStartingWith("put") // the value itself, on its way into a column
          .and(DescribedPredicate.not(Conditions.areFluent()))
          .should(Conditions.takeNoBoolean());
}
