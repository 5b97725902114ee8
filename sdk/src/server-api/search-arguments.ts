import * as z from "zod";
import {
  LEGACY_RELATED_PARAMETERS,
  LEGACY_SEARCH_PARAMETERS,
  LEGACY_VISITOR_PARAMETERS,
} from "../wire/legacy";
import { checkInput } from "../http/check-input";
import { InvalidInputError } from "../http/errors";
import { camelPath, type CamelKeys, camelKeys } from "../wire/casing";
import {
  type SearchParameter,
  EVENT_PAGE_PARAMETERS,
  EVENT_SEARCH_PARAMETERS,
} from "../wire/event-search";
import { type Moment, parameterSchema } from "../wire/search-parameter";

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

/** A query: one pair for each value. A repeated parameter has several pairs. */
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

/**
 * The arguments of a search: every parameter of `GET /events` (docs/contract.md, "GET
 * /events"), in camelCase. A parameter that may be repeated is an array. `start` and
 * `end` are a Date, an RFC 3339 date-time or Unix milliseconds.
 */
export type EventSearchArgs = ArgumentsOf<typeof EVENT_SEARCH_PARAMETERS>;

/** The arguments of a search of all pages. */
export type EventSearchAllArgs = Omit<EventSearchArgs, "totalHits">;

const toQuery = queryArguments(EVENT_SEARCH_PARAMETERS);

/**
 * The query of a search.
 * @throws InvalidInputError naming every argument that is wrong or not known
 */
export function searchQuery(args: EventSearchArgs, operation: string): Query {
  const query = toQuery(args, operation);
  const { start, end } = Object.fromEntries(query);
  if (start !== undefined && end !== undefined && Number(start) > Number(end))
    throw new InvalidInputError(operation, [
      { property: "start", message: "must not be after end" },
    ]);
  return query;
}

/**
 * For messages: `Searching events by visitorId, start`. The values of filters are left
 * out.
 */
export function searchOperation(args: EventSearchArgs): string {
  const paging = camelKeys(EVENT_PAGE_PARAMETERS);
  const filters = Object.entries(args)
    .filter(([name, value]) => value !== undefined && !(name in paging))
    .map(([name]) => name);
  return filters.length > 0
    ? `Searching events by ${filters.join(", ")}`
    : "Searching events without a filter";
}

/** The query of a read of one event with the verdict of a ruleset. */
export const rulesetQuery = queryArguments({
  ruleset_id: { kind: "text", matches: "the ruleset that judges the event" },
});

/** The query of a search of version 3. */
export const legacySearchQuery = queryArguments(LEGACY_SEARCH_PARAMETERS);

/** The query of a list of visits of version 3. */
export const legacyVisitorQuery = queryArguments(LEGACY_VISITOR_PARAMETERS);

/** The query of a list of related visitors of version 3. */
export const legacyRelatedQuery = queryArguments(LEGACY_RELATED_PARAMETERS);
