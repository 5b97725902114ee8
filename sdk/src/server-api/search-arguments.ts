import * as z from "zod";
import { checkInput } from "../http/check-input";
import { InvalidInputError } from "../http/errors";
import { camelPath, type CamelKeys, camelKeys } from "../wire/casing";
import {
  type ParameterTable,
  type SearchParameter,
  EVENT_PAGE_PARAMETERS,
  type EVENT_SEARCH_PARAMETERS,
} from "../wire/event-search";
import {
  type Moment,
  parameterSchema,
  type ParameterValue,
} from "../wire/search-parameter";

/** The type of the argument for one parameter. */
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

/** The arguments for a table of query parameters, in our spelling. */
type ArgumentsOf<T extends ParameterTable> = CamelKeys<{
  readonly [N in keyof T]?: ArgumentOf<T[N]> | undefined;
}>;

/** A query: one pair for each value. A repeated parameter has several pairs. */
export type Query = readonly (readonly [name: string, value: string])[];

/** The schema of the arguments for each table that was used. */
const compiled = new WeakMap<ParameterTable, ArgumentsSchema>();

type ArgumentsSchema = z.ZodType<
  Readonly<Record<string, ParameterValue | undefined>>
>;

function argumentsSchema(table: ParameterTable): ArgumentsSchema {
  const schemas = Object.entries(table).map(([name, parameter]) => {
    const schema = parameterSchema(parameter);
    return [
      camelPath(name),
      parameter.required ? schema : schema.optional(),
    ] as const;
  });
  return z.strictObject(Object.fromEntries(schemas));
}

/**
 * Checks the arguments for a table of parameters, and spells them as a query.
 * @throws InvalidInputError naming every argument that is wrong or not known
 */
export function queryOf(
  table: ParameterTable,
  args: object,
  operation: string,
): Query {
  const schema = compiled.get(table) ?? argumentsSchema(table);
  compiled.set(table, schema);
  const checked = checkInput(schema, args, operation);
  if (Number(checked.start) > Number(checked.end))
    throw new InvalidInputError(operation, [
      { property: "start", message: "must not be after end" },
    ]);
  return Object.keys(table).flatMap((name) =>
    [checked[camelPath(name)] ?? []]
      .flat()
      .map((value) => [name, String(value)] as const),
  );
}

/**
 * The arguments of a search: every parameter of `GET /events` (docs/contract.md, "GET
 * /events"), in camelCase. A parameter that may be repeated is an array. `start` and
 * `end` are a Date, an RFC 3339 date-time or Unix milliseconds.
 */
export type EventSearchArgs = ArgumentsOf<typeof EVENT_SEARCH_PARAMETERS>;

/** The arguments of a search of all pages. */
export type EventSearchAllArgs = Omit<EventSearchArgs, "totalHits">;

/** For messages: `by visitorId, start`. The values of filters are left out. */
export function filtersIn(args: EventSearchArgs): string {
  const paging = camelKeys(EVENT_PAGE_PARAMETERS);
  const filters = Object.entries(args)
    .filter(([name, value]) => value !== undefined && !(name in paging))
    .map(([name]) => name);
  return filters.length > 0 ? `by ${filters.join(", ")}` : "without a filter";
}
