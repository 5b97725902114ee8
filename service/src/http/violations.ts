import type { z } from "zod";
import type { Violation } from "./answer-error";

/** What is said of a field that no schema has. */
export const UNKNOWN = "is not known";

/**
 * Names every place that a schema found wrong: one violation for each issue,
 * and one for each unknown field. `whole` stands for the body or the query
 * itself.
 */
export function violationsOf(error: z.ZodError, whole: string): Violation[] {
  return error.issues.flatMap((issue) =>
    issue.code === "unrecognized_keys"
      ? issue.keys.map((key) => ({
          property: propertyPath([...issue.path, key], whole),
          message: UNKNOWN,
        }))
      : [
          {
            property: propertyPath(issue.path, whole),
            message: isMissing(issue) ? "is required" : issue.message,
          },
        ],
  );
}

/** `rules[2].expression` of `["rules", 2, "expression"]`. */
function propertyPath(path: readonly PropertyKey[], whole: string): string {
  return (
    path
      .map((part, index) =>
        typeof part === "number"
          ? `[${part}]`
          : index === 0
            ? String(part)
            : `.${String(part)}`,
      )
      .join("") || whole
  );
}

function isMissing(issue: z.core.$ZodIssue): boolean {
  return (
    (issue.code === "invalid_type" || issue.code === "invalid_value") &&
    issue.input === undefined
  );
}

/** A member of an input that no schema has passed yet; undefined where there is none. */
export function member(input: unknown, name: string): unknown {
  return typeof input === "object" &&
    input !== null &&
    Object.hasOwn(input, name)
    ? (input as Record<string, unknown>)[name]
    : undefined;
}

/** A body has to have one of two members, and not both. A body that is no object is refused by its schema. */
export function eitherViolations(
  body: unknown,
  one: string,
  other: string,
): Violation[] {
  if (typeof body !== "object" || body === null) return [];
  const isGiven = (name: string) => member(body, name) !== undefined;
  return isGiven(one) === isGiven(other)
    ? [{ property: "body", message: `takes either ${one} or ${other}` }]
    : [];
}
