import type * as pulumi from "@pulumi/pulumi";
import { all, CustomResource, runtime, unknown } from "@pulumi/pulumi";
import type { AbsenceBy } from "../definition/field";
import { endProgram, runError } from "./program-errors";
import type { OutputMembers } from "./pulumi-members";

/** By the name of an output, why it can be missing and what to do. */
export type Absences = Readonly<Record<string, string | AbsenceBy>>;

/**
 * Makes reading certain outputs of a resource fail if they have no value. Only a use of
 * the value fails: a program that never uses the output works. An output of a resource
 * that does not exist is unknown: in a preview, and in a refresh or a destroy of a
 * resource that the state lacks.
 *
 * @param title what messages call the resource: `ApiKey "shop"`
 * @param absences by the name of an output, why it can be missing and what to do; the
 * value of another output may choose the reason
 */
export function requireOutputs(
  resource: pulumi.Resource,
  title: string,
  absences: Absences,
): void {
  const outputs = resource as unknown as Record<string, pulumi.Output<unknown>>;
  for (const [name, absence] of Object.entries(absences)) {
    const output = outputs[name];
    if (!output) continue;
    const fail = (reason: string | undefined) =>
      endProgram(
        runError(
          `${title} has no ${name}: ${reason ?? "nothing has read it"}${runtime.hasEngine() ? "" : IN_A_TEST}`,
        ),
      );
    // The reason of a component wins over the reason of its resource.
    const given = givenIn(output) ?? unknownIfMissing(output, resource);
    outputs[name] = required(given, () =>
      typeof absence === "string"
        ? fail(absence)
        : outputs[absence.output]?.apply((value) =>
            fail(absence.reasons[String(value)]),
          ),
    );
  }
}

/**
 * The output, or an unknown Output if the resource does not exist. A refresh and a
 * destroy that run the program return such a resource without an ID.
 */
function unknownIfMissing(
  output: pulumi.Output<unknown>,
  resource: pulumi.Resource,
): pulumi.Output<unknown> {
  if (!CustomResource.isInstance(resource)) return output;
  return all([output, resource.id]).apply(([value, id]) =>
    id ? valueOf(value) : unknown,
  );
}

/**
 * The member in which an Output of `requireOutputs` has the Output without the check.
 * All copies of this package share it.
 */
const GIVEN = Symbol.for("@devid/pulumi output that may have no value");

/**
 * An output of a resource, or undefined if it has no value, such as the token of an
 * adopted key. Reading the output itself would fail. For stack outputs, which are left
 * out if they have no value.
 *
 * @example
 * export const shopToken = devid.ifKnown(shop.token);
 */
export function ifKnown<T>(
  output: pulumi.Output<T>,
): pulumi.Output<T | undefined> {
  return givenIn(output) ?? output;
}

const givenIn = <T>(output: pulumi.Output<T>) =>
  (output as { [GIVEN]?: pulumi.Output<T | undefined> })[GIVEN];

/** In the plugin, an output without a value is an empty text. */
const valueOf = <T>(value: T): T | undefined =>
  value === "" ? undefined : value;

/**
 * The stack outputs that have a value. Pulumi warns in each update about any other. The
 * program waits here for the resources that the outputs come from.
 *
 * @example
 * export = devid.knownOutputs({ shopToken: devid.ifKnown(shop.token) });
 */
export async function knownOutputs(
  outputs: Readonly<Record<string, unknown>>,
): Promise<Record<string, unknown>> {
  const isAbsent = async (value: unknown) => {
    if (typeof value !== "object" || value === null || !("isKnown" in value))
      return value === undefined;
    const output = value as OutputMembers;
    const [isKnown, plain] = await Promise.all([
      output.isKnown,
      output.promise(),
    ]);
    return isKnown && plain === undefined;
  };
  const entries = await Promise.all(
    Object.entries(outputs).map(async ([name, value]) =>
      (await isAbsent(value)) ? [] : [[name, value] as const],
    ),
  );
  return Object.fromEntries(entries.flat());
}

const IN_A_TEST =
  " In a unit test, put one into the state that your mocks return.";

/**
 * An Output that fails if its value is used but missing. The check is an `apply`, which
 * runs at once, so it is made only when the value is used.
 */
function required<T>(
  given: pulumi.Output<T>,
  fail: () => unknown,
): pulumi.Output<T> {
  type Members = pulumi.Output<unknown> & OutputMembers;
  let checked: Members | undefined;
  const check = () =>
    (checked ??= given.apply((value) => value ?? fail()) as Members);
  // Programs and Pulumi use a value through these two members.
  const apply: Members["apply"] = (...args: Parameters<Members["apply"]>) =>
    check().apply(...args);
  const promise: Members["promise"] = (...args) => check().promise(...args);
  return Object.create(given, {
    [GIVEN]: { value: given },
    apply: { value: apply },
    promise: { value: promise },
  }) as pulumi.Output<T>;
}
