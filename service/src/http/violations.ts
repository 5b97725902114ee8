import type { z } from "zod";
import type { Violation } from "./answer-error";

/** The message for a field that the schema does not have. */
export const UNKNOWN = "is not known";

/**
 * Turns the issues of a schema into violations, one for each place and one for
 * each unknown field. `whole` is the name for the body or query as a whole.
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

/** The path `["rules", 2, "expression"]` as `rules[2].expression`. */
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

/** A list of one violation. */
export const violation = (property: string, message: string): Violation[] => [
  { property, message },
];

/** A member of unchecked input; undefined when it is missing. */
export function member(input: unknown, name: string): unknown {
  return typeof input === "object" &&
    input !== null &&
    Object.hasOwn(input, name)
    ? (input as Record<string, unknown>)[name]
    : undefined;
}

/**
 * The violation of a body that needs exactly one of two members and has both or
 * none. A body that is no object is left to its schema.
 */
export function eitherViolations(
  body: unknown,
  one: string,
  other: string,
): Violation[] {
  if (typeof body !== "object" || body === null) return [];
  const isGiven = (name: string) => member(body, name) !== undefined;
  return isGiven(one) === isGiven(other)
    ? violation("body", `takes either ${one} or ${other}`)
    : [];
}
