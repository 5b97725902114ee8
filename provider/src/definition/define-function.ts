import { InvalidInputError, type Client } from "@devid/sdk";
import { issueMessage } from "@devid/sdk/wire";
import { z } from "zod";

/** What a data source asks with. */
export interface FunctionRequest<Args> {
  readonly client: Client;
  readonly args: Args;
  readonly signal?: AbortSignal;
}

/**
 * A data source as data: a program's two forms of it, its reference, and what a
 * plugin needs are derived from this. Fields of the result that hold a secret
 * are marked so.
 */
export interface FunctionDefinition<
  A extends z.ZodObject = z.ZodObject,
  R extends z.ZodType = z.ZodType,
> {
  /** The name in programs: `getApiKeys`. */
  readonly name: string;
  /** One sentence for the reference and for editors. */
  readonly description: string;
  /** Why and until when it can be used, where a program should use another one. */
  readonly deprecated?: string;
  /** Names of the errors that it throws beside those of every call, and when. */
  readonly throws?: string;
  readonly args: A;
  readonly result: R;
  /** Asks the service. The arguments were checked against `args`. */
  run(request: FunctionRequest<z.output<A>>): Promise<z.output<R>>;
}

/** Defines a data source; the result is what the index and every adapter take. */
export function defineFunction<A extends z.ZodObject, R extends z.ZodType>(
  definition: FunctionDefinition<A, R>,
): FunctionDefinition<A, R> {
  return definition;
}

/**
 * Asks with arguments that a program gave.
 * @throws InvalidInputError naming every argument that is wrong or not known
 */
export async function callFunction(
  definition: FunctionDefinition,
  { args, ...request }: FunctionRequest<unknown>,
): Promise<unknown> {
  const { name, args: schema } = definition;
  const checked = schema.safeParse(args, { error: issueMessage });
  if (checked.success)
    return definition.run({ ...request, args: checked.data });
  throw new InvalidInputError(
    name,
    checked.error.issues.flatMap((issue) =>
      issue.code === "unrecognized_keys"
        ? issue.keys.map((property) => ({
            property,
            message: "is not known",
          }))
        : {
            property: z.core.toDotPath(issue.path) || "arguments",
            message: issue.message,
          },
    ),
  );
}
