import type * as pulumi from "@pulumi/pulumi";
import { runtime } from "@pulumi/pulumi";
import { endProgram } from "./end-program";
import { runError } from "./run-error";

/**
 * Makes outputs of a resource such that reading one fails where there is none.
 * Only a use of the value counts: an output that nobody uses ends no program,
 * and in a preview an unknown one stays unknown.
 *
 * @param title the resource in messages: `ApiKey "shop"`
 * @param absences why an output can be missing and what to do, by its name
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

const IN_A_TEST =
  " In a unit test, put one into the state that your mocks answer.";

/** What is asked of an Output by who does not want its value. */
const WITHOUT_VALUE = new Set<PropertyKey>([
  "resources",
  "allResources",
  "isKnown",
  "isSecret",
  "then",
]);

/**
 * An Output like the one given, which fails where its value is used and is
 * missing. An `apply` runs at once, so that it waits here for the first use.
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
      const usesValue =
        typeof property === "string" &&
        !property.startsWith("__") &&
        !WITHOUT_VALUE.has(property);
      return Reflect.get(usesValue ? check() : target, property) as unknown;
    },
  });
}
