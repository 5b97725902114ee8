import { z } from "zod";
import { camelPath } from "./casing";
import { InvalidInputError } from "./http/errors";
import { issueMessage } from "./issue-message";

/**
 * Checks what a call was given before anything is sent, and answers it as the
 * schema makes it.
 * @throws InvalidInputError naming every property that is wrong, in our spelling
 */
export function checkInput<S extends z.ZodType>(
  schema: S,
  input: unknown,
  operation: string,
): z.output<S> {
  const result = schema.safeParse(input, { error: issueMessage });
  if (result.success) return result.data;
  throw new InvalidInputError(
    operation,
    result.error.issues.flatMap((issue) =>
      issue.code === "unrecognized_keys"
        ? issue.keys.map((key) => ({
            property: pathOf([...issue.path, key]),
            message: "is not known",
          }))
        : { property: pathOf(issue.path), message: issue.message },
    ),
  );
}

function pathOf(path: readonly PropertyKey[]): string {
  return camelPath(z.core.toDotPath(path));
}
