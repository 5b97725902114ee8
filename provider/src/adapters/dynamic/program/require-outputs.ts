import type * as pulumi from "@pulumi/pulumi";
import { runtime } from "@pulumi/pulumi";
import { endProgram, runError } from "./program-errors";

/**
 * Makes reading certain outputs of a resource fail where they have no value. Only
 * a use of the value fails: an output that the program never uses does no harm,
 * and in a preview an unknown output stays unknown.
 *
 * @param title what messages call the resource: `ApiKey "shop"`
 * @param absences by the name of an output, why it can be missing and what to do
 */
export function requireOutputs(
  resource: pulumi.Resource,
  title: string,
  absences: Readonly<Record<string, string>>,
): void {
  const outputs = resource as unknown as Record<string, pulumi.Output<unknown>>;
  for (const [name, absence] of Object.entries(absences)) {
    const given = outputs[name];
    if (given)
      outputs[name] = required(given, () =>
        runError(
          `${title} has no ${name}: ${absence}${runtime.hasEngine() ? "" : IN_A_TEST}`,
        ),
      );
  }
}

/** Where an Output of `requireOutputs` has the one without the check; every copy of this package knows it. */
const GIVEN = Symbol.for("@devid/pulumi output that may have no value");

/**
 * An output of a resource, or undefined where it has no value. To read the output
 * itself fails then, as the token of an adopted key does. For a stack output, which is
 * left out where it has no value.
 *
 * @example
 * export const shopToken = devid.ifKnown(shop.token);
 */
export function ifKnown<T>(
  output: pulumi.Output<T>,
): pulumi.Output<T | undefined> {
  const { [GIVEN]: given } = output as { [GIVEN]?: pulumi.Output<T> };
  return given ?? output;
}

const IN_A_TEST =
  " In a unit test, put one into the state that your mocks answer.";

/** Members of an Output that Pulumi reads without using the value. */
const WITHOUT_VALUE = new Set<PropertyKey>([
  "resources",
  "allResources",
  "isKnown",
  "isSecret",
  "then",
]);

/**
 * An Output like the given one, which fails when its value is used and missing.
 * The check is an `apply`, which runs as soon as it is made, so it is made only
 * when a member that uses the value is read.
 */
function required<T>(
  given: pulumi.Output<T>,
  failure: () => Error,
): pulumi.Output<T> {
  let checked: pulumi.Output<unknown> | undefined;
  const check = () =>
    (checked ??= given.apply((value) => value ?? endProgram(failure())));
  return new Proxy(given, {
    get(target, property) {
      if (property === GIVEN) return target;
      const usesValue =
        typeof property === "string" &&
        !property.startsWith("__") &&
        !WITHOUT_VALUE.has(property);
      return Reflect.get(usesValue ? check() : target, property) as unknown;
    },
  });
}
