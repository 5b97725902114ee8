import { issueMessage } from "@devid/sdk/wire";
import { z } from "zod";
import type { CheckFailure } from "../definition/define-resource";
import { fieldMeta, unwrap } from "../definition/field";
import { NO_OUTPUT_VALUE, outputTexts } from "../definition/output-text";
import { containsUnknown, UNKNOWN } from "../definition/value";

/** Why an input is refused, and which part of it. */
export interface InputFailure extends CheckFailure {
  readonly path: readonly PropertyKey[];
}

/** Inputs with their defaults, and what is wrong with them. */
export interface CheckedInputs {
  readonly values: Record<string, unknown>;
  readonly failures: readonly InputFailure[];
}

/**
 * Checks inputs field by field. Unknown values pass; all other values are checked, also
 * in the same object. If this version does not know the value of an enumeration, the
 * value passes only if `found` has the same value, because it then comes from the
 * service.
 *
 * @param found the values that the service is known to have, such as the last inputs
 */
export function checkInputs(
  schema: z.ZodObject,
  inputs: Readonly<Record<string, unknown>>,
  found: Readonly<Record<string, unknown>> = {},
): CheckedInputs {
  const ofOutputs = outputTexts(inputs);
  if (ofOutputs.length > 0)
    return {
      values: { ...inputs },
      failures: ofOutputs.map((path) => ({
        ...placed(path),
        reason: NO_OUTPUT_VALUE,
      })),
    };
  const failures: InputFailure[] = [];
  const values = checkObject(schema, inputs, [], failures);
  const open = newValues(schema, inputs).filter(
    (name) => found[name] === inputs[name],
  );
  for (const name of open) values[name] = inputs[name];
  return {
    values,
    failures: failures.filter(({ property }) => !open.includes(property)),
  };
}

/** The enumerations with a value that this version does not know. */
export function newValues(
  schema: z.ZodObject,
  values: Readonly<Record<string, unknown>>,
): string[] {
  return Object.entries(schema.shape)
    .filter(([name, field]) => {
      const inner = unwrap(field as z.ZodType);
      const value = values[name];
      return (
        inner instanceof z.ZodEnum &&
        typeof value === "string" &&
        !inner.options.includes(value)
      );
    })
    .map(([name]) => name);
}

function checkValue(
  schema: z.core.$ZodType,
  value: unknown,
  path: PropertyKey[],
  failures: InputFailure[],
): unknown {
  if (value === UNKNOWN) return value;
  if (containsUnknown(value)) {
    const inner = unwrap(schema);
    if (inner instanceof z.ZodObject && isRecord(value))
      return checkObject(inner, value, path, failures);
    if (inner instanceof z.ZodArray && Array.isArray(value))
      return value.map((item, index) =>
        checkValue(inner.def.element, item, [...path, index], failures),
      );
    if (inner instanceof z.ZodUnion && Array.isArray(value)) {
      const list = inner.def.options.find((o) => o instanceof z.ZodArray);
      if (list) return checkValue(list, value, path, failures);
    }
    return value;
  }
  const { references } = fieldMeta(schema);
  // A resource that --target leaves out is not created and has no ID.
  if (references !== undefined && value === "") {
    failures.push({
      ...placed(path),
      reason: `is empty, because the ${references} that it refers to does not exist yet. If --target leaves that ${references} out, add its URN as another --target; pulumi preview without --target shows the URN`,
    });
    return value;
  }
  const result = z.core.safeParse(schema, value, { error: issueMessage });
  if (result.success) return result.data;
  for (const issue of result.error.issues)
    failures.push(...failuresOf(issue, path));
  return value;
}

function checkObject(
  schema: z.ZodObject,
  value: Readonly<Record<string, unknown>>,
  path: PropertyKey[],
  failures: InputFailure[],
): Record<string, unknown> {
  const fields = Object.entries(schema.shape) as [string, z.ZodType][];
  for (const name of Object.keys(value))
    if (!(name in schema.shape))
      failures.push({
        ...placed([...path, name]),
        reason: `is not a property here; the properties are ${Object.keys(schema.shape).join(", ")}`,
      });
  return Object.fromEntries(
    fields.map(([name, field]) => [
      name,
      checkValue(field, value[name], [...path, name], failures),
    ]),
  );
}

function failuresOf(
  issue: z.core.$ZodIssue,
  path: PropertyKey[],
): InputFailure[] {
  // A union reports every form; the one whose mistake lies deepest is the one that the user meant.
  if (issue.code === "invalid_union" && issue.errors.length > 0) {
    const closest = issue.errors.reduce((a, b) =>
      depth(b) > depth(a) ? b : a,
    );
    return closest.flatMap((inner) =>
      failuresOf(inner, [...path, ...issue.path]),
    );
  }
  return [{ ...placed([...path, ...issue.path]), reason: issue.message }];
}

const placed = (path: readonly PropertyKey[]) => ({
  path,
  property: z.core.toDotPath([...path]),
});

const depth = (issues: readonly z.core.$ZodIssue[]) =>
  Math.max(0, ...issues.map((issue) => issue.path.length));

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
