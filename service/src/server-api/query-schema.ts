import { describeNumbers, oneOf } from "@devid/sdk/wire";
import type { ParameterTable, SearchParameter } from "@devid/sdk/wire/events";
import { z } from "zod";
import type { ParameterValue } from "../store/event-conditions";
import { ipRange, type IpRange } from "../store/ip-range";

/** The values of a checked query. */
type QueryOf<T> = {
  readonly [Name in keyof T]:
    | ParameterValue<Extract<T[Name], SearchParameter>>
    | (T[Name] extends { required: true } ? never : undefined);
};

/** Parameters that every query may have and that have no effect. */
const IGNORED = { ii: "Name and version of the client; ignored." };

/**
 * Makes the schema of a query from a table, when a query is first checked. Parameters outside
 * of the table are refused, except those of `ignored`, which maps names to descriptions.
 */
export function querySchema<const T extends ParameterTable>(
  table: T,
  ignored: Readonly<Record<string, string>> = {},
): z.ZodType<QueryOf<T>> {
  // The schema has the members of the table, and so has the type.
  return z.lazy(() => schemaOfTable(table, ignored)) as z.ZodType<QueryOf<T>>;
}

function schemaOfTable(
  table: ParameterTable,
  ignored: Readonly<Record<string, string>>,
): z.ZodType {
  const shape = Object.entries(table).map(([name, parameter]) => {
    const schema = z.preprocess(
      valueOf(parameter),
      schemaOf(parameter).describe(parameter.matches),
    );
    return [name, parameter.required ? schema : schema.optional()] as const;
  });
  const others = Object.entries({ ...IGNORED, ...ignored }).map(
    ([name, text]) => [name, z.unknown().optional().describe(text)] as const,
  );
  return z
    .strictObject(Object.fromEntries([...shape, ...others]))
    .transform((query) =>
      Object.fromEntries(
        Object.entries(query).filter(([name]) => Object.hasOwn(table, name)),
      ),
    );
}

/**
 * Reads the text of a parameter, or the texts of a repeated one, as a value of
 * its kind. A text that is no such value is left to the schema to refuse.
 */
function valueOf({ kind }: SearchParameter): (given: unknown) => unknown {
  return (given) => {
    if (given === undefined) return undefined;
    if (kind === "repeated") return [given].flat();
    if (typeof given !== "string") return given;
    switch (kind) {
      case "boolean":
        return BOOLEANS.get(given) ?? given;
      case "number":
        return NUMBER.test(given) ? Number(given) : given;
      case "integer":
        return INTEGER.test(given) ? Number(given) : given;
      default:
        return given;
    }
  };
}

/** JavaScript writes `true`; Python writes `True`. */
const BOOLEANS = new Map([
  ["true", true],
  ["True", true],
  ["false", false],
  ["False", false],
]);

/** A number as JavaScript writes it: `0.1`, `1e-7`. No longer text is one of a double. */
const NUMBER = /^-?\d{1,25}(\.\d{1,25})?(e[+-]?\d{1,3})?$/;
const INTEGER = /^-?\d{1,15}$/;
const INT64 = /^-?\d{1,19}$/;

function schemaOf(parameter: SearchParameter): z.ZodType {
  switch (parameter.kind) {
    case "text": {
      const text = z.string(ONCE).regex(/\S/, "must not be empty");
      const { maxLength } = parameter;
      return maxLength === undefined
        ? text
        : text.max(
            maxLength,
            `can't be greater than ${maxLength} characters long`,
          );
    }
    case "boolean":
      return z.boolean("must be true or false, once");
    case "enum":
      return oneOf(parameter.values);
    case "repeated": {
      const { maxItems = MAX_ITEMS } = parameter;
      return z
        .array(
          parameter.values
            ? oneOf(parameter.values)
            : z.string().regex(/\S/, "must not be empty"),
        )
        .max(maxItems, `takes no more than ${maxItems}`);
    }
    case "ip":
      return z.string(ONCE).transform(rangeOf);
    case "time":
      return z.string(ONCE).transform(momentOf);
    case "number":
    case "integer":
      return bounded(parameter);
    default:
      throw new Error(
        `Unknown parameter: ${JSON.stringify(parameter satisfies never)}`,
      );
  }
}

const ONCE = "must be given once";
const MAX_ITEMS = 1000;

function bounded(
  parameter: Extract<SearchParameter, { kind: "number" | "integer" }>,
) {
  const { kind, minimum, maximum } = parameter;
  const message = `must be ${describeNumbers(parameter)}, once`;
  const number = kind === "integer" ? z.int(message) : z.number(message);
  // A bound that is infinite would be null in the OpenAPI document.
  const least = minimum === undefined ? number : number.min(minimum, message);
  return maximum === undefined ? least : least.max(maximum, message);
}

function rangeOf(text: string, context: z.RefinementCtx): IpRange {
  const range = ipRange(text);
  if (range) return range;
  context.addIssue("must be an IP address or a CIDR range");
  return z.NEVER;
}

/** A time as RFC 3339 writes it, with seconds and an offset. */
const DateTime = z.iso
  .datetime({ offset: true })
  .regex(/T\d\d:\d\d:\d\d/)
  .transform((text) => Date.parse(text));

/**
 * The earliest and the latest time that a Date can hold; the int64 of the
 * contract reaches further.
 */
const MAX_TIME_MS = 8.64e15;

function momentOf(text: string, context: z.RefinementCtx): number {
  if (INT64.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text))
    return Math.max(-MAX_TIME_MS, Math.min(MAX_TIME_MS, Number(text)));
  const { success, data } = DateTime.safeParse(text.toUpperCase());
  if (success) return data;
  context.addIssue(
    "must be a date-time such as 2026-01-31T00:00:00Z, or Unix milliseconds",
  );
  return z.NEVER;
}
