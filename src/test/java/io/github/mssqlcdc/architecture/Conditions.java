package io.github.mssqlcdc.architecture;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;

/** What ArchUnit's own vocabulary doesn't say. */
final class Conditions {
  private Conditions() {}

  static ArchCondition<JavaClass> useOnlyPackagesBelow() {
    return new ArchCondition<>("use only the packages that the package map allows") {
      @Override
      public void check(JavaClass type, ConditionEvents events) {
        String from = PackageMap.nameOf(type.getPackageName()).orElse("");
        if (!from.isEmpty() && !PackageMap.isKnown(from)) {
          violated(events, type, type.getName() + " is in a package that the map doesn't have");
        }
        for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
          Optional<String> to =
              PackageMap.nameOf(
                  dependency.getTargetClass().getBaseComponentType().getPackageName());
          if (to.isPresent() && !PackageMap.mayUse(from, to.get())) {
            violated(events, type, from + " may not use " + to.get() + ": " + text(dependency));
          }
        }
      }
    };
  }

  static ArchCondition<JavaClass> beNullMarked() {
    return new ArchCondition<>("be in a package marked @NullMarked") {
      @Override
      public void check(JavaClass type, ConditionEvents events) {
        if (!type.getPackage().isAnnotatedWith(NullMarked.class)) {
          violated(events, type, type.getPackageName() + " lacks a package-info with @NullMarked");
        }
      }
    };
  }

  /** Satisfied, and so forbidden, by a use of {@code what} but for {@code part} by {@code user}. */
  static ArchCondition<JavaClass> use(
      DescribedPredicate<JavaClass> what,
      DescribedPredicate<JavaClass> user,
      DescribedPredicate<JavaClass> part) {
    return new ArchCondition<>(
        "use classes that " + what + ", but for those that " + part + " by classes that " + user) {
      @Override
      public void check(JavaClass type, ConditionEvents events) {
        for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
          JavaClass target = dependency.getTargetClass().getBaseComponentType();
          if (what.test(target) && !(user.test(type) && part.test(target))) {
            events.add(SimpleConditionEvent.satisfied(dependency, text(dependency)));
          }
        }
      }
    };
  }

  /** Methods whose name is our choice: written by us, and prescribed by nobody above. */
  static DescribedPredicate<JavaMethod> areOwn() {
    return DescribedPredicate.describe(
        "are own",
        method ->
            !method.getModifiers().contains(JavaModifier.SYNTHETIC)
                && ancestors(method.getOwner())
                    .filter(type -> PackageMap.nameOf(type.getPackageName()).isEmpty())
                    .flatMap(type -> type.getMethods().stream())
                    .noneMatch(inherited -> inherited.getName().equals(method.getName())));
  }

  /** A setting of a fluent request, which its name stands for. */
  static DescribedPredicate<JavaMethod> areFluent() {
    return DescribedPredicate.describe(
        "give back what they are called on",
        method -> method.getRawReturnType().equals(method.getOwner()));
  }

  static ArchCondition<JavaMethod> takeNoBoolean() {
    return new ArchCondition<>("take no boolean") {
      @Override
      public void check(JavaMethod method, ConditionEvents events) {
        if (method.getRawParameterTypes().stream()
            .anyMatch(type -> type.isEquivalentTo(boolean.class))) {
          events.add(
              SimpleConditionEvent.violated(
                  method, method.getFullName() + " takes a boolean: use two methods or an enum"));
        }
      }
    };
  }

  static DescribedPredicate<JavaClass> areApi() {
    return DescribedPredicate.describe("are listed as the API", PublishedApi::has);
  }

  /** Parameters and results of public methods, and what stands in their type arguments. */
  static ArchCondition<JavaClass> speakOfTheApiOnly() {
    return new ArchCondition<>("speak of the API only") {
      @Override
      public void check(JavaClass type, ConditionEvents events) {
        type.getMethods().stream()
            .filter(method -> method.getModifiers().contains(JavaModifier.PUBLIC))
            .flatMap(
                method ->
                    Stream.concat(
                        Stream.of(method.getReturnType()), method.getParameterTypes().stream()))
            .flatMap(involved -> involved.getAllInvolvedRawTypes().stream())
            .map(JavaClass::getBaseComponentType)
            .filter(
                named ->
                    PackageMap.nameOf(named.getPackageName()).isPresent()
                        && !PublishedApi.has(named))
            .forEach(
                named -> violated(events, type, type.getName() + " speaks of " + named.getName()));
      }
    };
  }

  private static Stream<JavaClass> ancestors(JavaClass type) {
    return Stream.concat(
        type.getAllRawSuperclasses().stream(), type.getAllRawInterfaces().stream());
  }

  private static void violated(ConditionEvents events, JavaClass type, String message) {
    events.add(SimpleConditionEvent.violated(type, message));
  }

  private static String text(Dependency dependency) {
    return dependency.getDescription();
  }
}
