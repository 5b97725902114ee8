import { z } from "zod";
import { camelPath, type CamelKeys } from "../casing";
import { checkInput } from "../check-input";
import type { Moment } from "./moment";
import { parameterSchema } from "./parameter-schema";
import type { SearchParameter } from "./wire";

/** What one parameter takes. */
type ArgumentOf<P extends SearchParameter> = P extends { kind: "boolean" }
  ? boolean
  : P extends { kind: "number" | "integer" }
    ? number
    : P extends { kind: "time" }
      ? z.input<typeof Moment>
      : P extends { kind: "repeated" }
        ? readonly TextOf<P>[]
        : TextOf<P>;

type TextOf<P> = P extends { values: readonly (infer V)[] } ? V : string;

/** A table of query parameters. */
export type ParameterTable = Readonly<Record<string, SearchParameter>>;

type RequiredIn<T extends ParameterTable> = {
  [N in keyof T]: T[N] extends { required: true } ? N : never;
}[keyof T];

/** The arguments for a table of query parameters, in our spelling. */
export type ArgumentsOf<T extends ParameterTable> = CamelKeys<
  { readonly [N in RequiredIn<T>]: ArgumentOf<T[N]> } & {
    readonly [N in Exclude<keyof T, RequiredIn<T>>]?: ArgumentOf<T[N]>;
  }
>;

/** A query, a pair for each value; a repeated parameter has several. */
export type Query = readonly (readonly [name: string, value: string])[];

/**
 * Makes the function that checks the arguments for a table of parameters and
 * spells them as a query.
 */
export function queryArguments<const T extends ParameterTable>(table: T) {
  const rows = Object.entries(table).map(([name, parameter]) => {
    const schema = parameterSchema(parameter);
    return {
      name,
      argument: camelPath(name),
      schema: parameter.required ? schema : schema.optional(),
    };
  });
  const Arguments = z.strictObject(
    Object.fromEntries(rows.map(({ argument, schema }) => [argument, schema])),
  );
  /** @throws InvalidInputError naming every argument that is wrong or not known */
  return (args: ArgumentsOf<T>, operation: string): Query => {
    const checked = checkInput(Arguments, args, operation);
    return rows.flatMap(({ name, argument }) =>
      [checked[argument] ?? []]
        .flat()
        .map((value) => [name, String(value)] as const),
    );
  };
}
