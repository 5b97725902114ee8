import { InvalidInputError, type Client } from "@devid/sdk";
import { issueMessage } from "@devid/sdk/wire";
import { z } from "zod";
import { NO_OUTPUT_VALUE, outputTexts } from "./output-text";

/** A call of a data source. */
interface FunctionRequest<Args> {
  readonly client: Client;
  readonly args: Args;
  readonly signal?: AbortSignal;
}

/**
 * A data source. `npm run gen` makes its two functions for programs and its page
 * of the reference from this. The result is an object, which holds no secrets.
 */
export interface FunctionDefinition<
  A extends z.ZodObject = z.ZodObject,
  R extends z.ZodType = z.ZodType,
> {
  /** The name in programs: `getEvents`. */
  readonly name: string;
  /** One sentence for the reference and for editors. */
  readonly description: string;
  /** The errors that it throws besides those of every call, and when. */
  readonly throws?: string;
  readonly args: A;
  readonly result: R;
  /** Asks the service. The arguments have been checked against `args`. */
  run(request: FunctionRequest<z.output<A>>): Promise<z.output<R>>;
}

/** Defines a data source, for the index and the adapters. */
export function defineFunction<A extends z.ZodObject, R extends z.ZodType>(
  definition: FunctionDefinition<A, R>,
): FunctionDefinition<A, R> {
  return definition;
}

/**
 * Checks the arguments of a program, and asks the data source.
 * @throws InvalidInputError naming every argument that is wrong or not known
 */
export async function callFunction(
  definition: FunctionDefinition,
  { args, ...request }: FunctionRequest<unknown>,
): Promise<unknown> {
  const { name, args: schema } = definition;
  const ofOutputs = outputTexts(args).map((path) => ({
    property: z.core.toDotPath([...path]),
    message: NO_OUTPUT_VALUE,
  }));
  if (ofOutputs.length > 0) throw new InvalidInputError(name, ofOutputs);
  const checked = schema.safeParse(args, { error: issueMessage });
  if (checked.success)
    return withoutMarks(
      await definition.run({ ...request, args: checked.data }),
    );
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

/**
 * Names of members by which Pulumi tells its own objects, such as Outputs and secrets,
 * from plain values.
 */
const MARK = /^(__pulumi|4dabf18193072939515e22adb298388d$)/;

/**
 * An answer without members that Pulumi would take for marks. The tags of an event,
 * which any visitor of a page can choose, could otherwise end every program that reads it.
 */
function withoutMarks(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutMarks);
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !MARK.test(name))
      .map(([name, part]) => [name, withoutMarks(part)]),
  );
}

/** The name of the TypeScript type of a schema's values. */
export interface TypeName {
  readonly name: string;
  /** The package that exports the type; absent: the type is generated. */
  readonly from?: "@devid/sdk";
}

const registry = z.registry<TypeName>();

/** Gives a schema the name that its type has in generated code and in the reference. */
export function named<S extends z.ZodType>(
  name: string,
  schema: S,
  from?: TypeName["from"],
): S {
  const copy = schema.clone();
  registry.add(copy, { name, ...(from && { from }) });
  return copy;
}

/** The name that a schema, or the schema below its `describe`, was given. */
export function typeName(schema: z.core.$ZodType): TypeName | undefined {
  return registry.get(schema);
}
