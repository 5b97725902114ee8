import { issueMessage } from "@devid/sdk/wire";
import { z } from "zod";
import type { CheckFailure } from "../definition/define-resource";
import { unwrap } from "../definition/field";
import { containsUnknown, UNKNOWN } from "../definition/value";

/** Inputs with their defaults, and what is wrong with them. */
export interface CheckedInputs {
  readonly values: Record<string, unknown>;
  readonly failures: readonly CheckFailure[];
}

/**
 * Checks inputs field by field. Unknown values pass; everything around them, down
 * to the other members of the same object, is checked.
 */
export function checkInputs(
  schema: z.ZodObject,
  inputs: Readonly<Record<string, unknown>>,
): CheckedInputs {
  const failures: CheckFailure[] = [];
  const values = checkObject(schema, inputs, [], failures);
  return { values, failures };
}

function checkValue(
  schema: z.core.$ZodType,
  value: unknown,
  path: PropertyKey[],
  failures: CheckFailure[],
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
  failures: CheckFailure[],
): Record<string, unknown> {
  const fields = Object.entries(schema.shape) as [string, z.ZodType][];
  for (const name of Object.keys(value))
    if (!(name in schema.shape))
      failures.push({
        property: z.core.toDotPath([...path, name]),
        reason: `is not a property here; there are ${Object.keys(schema.shape).join(", ")}`,
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
): CheckFailure[] {
  // A union reports every form; the one whose mistake lies deepest is the one that the user meant.
  if (issue.code === "invalid_union" && issue.errors.length > 0) {
    const closest = issue.errors.reduce((a, b) =>
      depth(b) > depth(a) ? b : a,
    );
    return closest.flatMap((inner) =>
      failuresOf(inner, [...path, ...issue.path]),
    );
  }
  return [
    {
      property: z.core.toDotPath([...path, ...issue.path]),
      reason: issue.message,
    },
  ];
}

const depth = (issues: readonly z.core.$ZodIssue[]) =>
  Math.max(0, ...issues.map((issue) => issue.path.length));

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
