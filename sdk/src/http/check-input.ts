import * as z from "zod";
import { toDotPath } from "zod/v4/core";
import { InvalidInputError } from "./errors";
import { nearest } from "./nearest";
import { camelPath } from "../wire/casing";
import { issueMessage } from "../wire/open-enum";

/**
 * Checks the input of a call before anything is sent, and returns the output of the
 * schema.
 * @throws InvalidInputError naming every property that is wrong, in our spelling
 */
export function checkInput<S extends z.core.$ZodType>(
  schema: S,
  input: unknown,
  operation: string,
): z.output<S> {
  const result = z.safeParse(schema, input, { error: issueMessage });
  if (result.success) {
    const halves = halvesIn(result.data, []);
    if (halves.length === 0) return result.data;
    throw new InvalidInputError(
      operation,
      halves.map((path) => ({ property: pathOf(path), message: HALF })),
    );
  }
  throw new InvalidInputError(
    operation,
    result.error.issues.flatMap((issue) =>
      issue.code === "unrecognized_keys"
        ? issue.keys.map((key) =>
            unknownKey(schema, [...issue.path, key].map(String)),
          )
        : { property: pathOf(issue.path), message: issue.message },
    ),
  );
}

const HALF = "contains half of a surrogate pair, which is not a character";

/** The paths of the texts and names in a value that UTF-8 cannot encode. */
function halvesIn(
  value: unknown,
  path: readonly PropertyKey[],
): (readonly PropertyKey[])[] {
  const isHalf = (text: string) => /\p{Surrogate}/u.test(text);
  if (typeof value === "string") return isHalf(value) ? [path] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    isHalf(name)
      ? [path]
      : halvesIn(member, [...path, Array.isArray(value) ? Number(name) : name]),
  );
}

/** A key that the schema does not have. If it is at the top, the most similar name is suggested. */
function unknownKey(schema: z.core.$ZodType, path: readonly string[]) {
  const { shape = {} } = schema._zod.def as Partial<z.core.$ZodObjectDef>;
  const given = toDotPath(path);
  const meant = camelPath(nearest(given, Object.keys(shape)) ?? "");
  // The name that was meant, in the spelling of the service, is shown as it is.
  const property = camelPath(given) === meant ? given : camelPath(given);
  return meant === ""
    ? { property, message: "is not known" }
    : { property, message: `is not known; did you mean ${meant}?` };
}

function pathOf(path: readonly PropertyKey[]): string {
  return camelPath(toDotPath(path));
}

/**
 * The mismatches of an answer with its schema, in lines for people; undefined if it
 * fits.
 */
export function mismatchIn(
  schema: z.core.$ZodType,
  answer: unknown,
): string | undefined {
  const { error } = z.safeParse(schema, answer);
  return error && z.prettifyError(error);
}
