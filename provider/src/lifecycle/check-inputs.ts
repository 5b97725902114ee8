import { issueMessage } from "@devid/sdk/wire";
import { z } from "zod";
import type { CheckFailure } from "../definition/define-resource";
import { fieldMeta, formsOf, unwrap } from "../definition/field";
import { NO_OUTPUT_VALUE, outputTexts } from "../definition/output-text";
import { containsUnknown, UNKNOWN, type Values } from "../definition/value";
import { Into, walk } from "../definition/walk";

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
  const values = walk(schema, inputs, (value, at, path) => {
    if (value === UNKNOWN || !at) return value;
    const inner = unwrap(at);
    if (path.length > 0 && (!containsUnknown(value) || !mayHaveParts(at)))
      return parsed(at, value, path, failures);
    if (Array.isArray(value)) return new Into(value);
    return inner instanceof z.ZodObject
      ? new Into(membersOf(inner, value as Values, path, failures))
      : value;
  }) as Record<string, unknown>;
  const open = newValues(schema, inputs).filter(
    (name) => found[name] === inputs[name],
  );
  for (const name of open) values[name] = inputs[name];
  return {
    values,
    failures: failures.filter(({ property }) => !open.includes(property)),
  };
}

const mayHaveParts = (schema: z.core.$ZodType) =>
  formsOf(schema).some(
    (form) =>
      form instanceof z.core.$ZodArray ||
      form instanceof z.core.$ZodObject ||
      form instanceof z.core.$ZodRecord,
  );

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

/** A value without unknown parts, with the defaults of its schema. */
function parsed(
  schema: z.core.$ZodType,
  value: unknown,
  path: readonly PropertyKey[],
  failures: InputFailure[],
): unknown {
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
  // The schema of an address removes line breaks, tabs and outer blanks, which are refused.
  if (result.success)
    return unwrap(schema) instanceof z.ZodURL ? value : result.data;
  const { issues } = result.error;
  // A list in place of a text is also told its length.
  const ofType = issues.find(
    (one) => one.code === "invalid_type" && one.path.length === 0,
  );
  for (const issue of ofType ? [ofType] : issues)
    failures.push(...failuresOf(issue, path));
  return value;
}

/** Every member that an object can have, also an absent one, which may have a default. */
function membersOf(
  { shape }: z.ZodObject,
  value: Values,
  path: readonly PropertyKey[],
  failures: InputFailure[],
): Values {
  const names = Object.keys(shape);
  for (const name of Object.keys(value))
    if (!names.includes(name))
      failures.push({
        ...placed([...path, name]),
        reason: `is not a property here; the properties are ${names.join(", ")}`,
      });
  return Object.fromEntries(names.map((name) => [name, value[name]]));
}

function failuresOf(
  issue: z.core.$ZodIssue,
  path: readonly PropertyKey[],
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
