import * as z from "zod";
import type { SearchParameter } from "./event-search";

const MESSAGE =
  "must be a Date, Unix milliseconds, or a date-time such as 2026-01-31T00:00:00Z";

const DateTime = z.iso
  .datetime({ offset: true })
  .transform((text) => Date.parse(text));

/**
 * A point in time as a call takes it: a Date, an RFC 3339 date-time, or Unix
 * milliseconds. Parsing turns it into Unix milliseconds and cuts off finer parts.
 */
export const Moment = z.union(
  [
    z.date().transform((date) => date.getTime()),
    DateTime,
    z.int().min(0, MESSAGE),
  ],
  MESSAGE,
);

/** A checked value. The query contains its text, or the text of each of its items. */
export type ParameterValue = string | number | boolean | readonly string[];

/** A text that is more than white space. */
const filled = z.string("must be a text").regex(/\S/, "must not be empty");

const address = z.union(
  [z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()],
  "must be an IP address or a CIDR range",
);

/** The schema of the value that a caller passes for a query parameter. */
export function parameterSchema(
  parameter: SearchParameter,
): z.ZodType<ParameterValue> {
  switch (parameter.kind) {
    case "text":
      return filled;
    case "boolean":
      return z.boolean("must be true or false");
    case "ip":
      return address;
    case "time":
      return Moment;
    case "enum":
      return oneOf(parameter.values);
    case "number":
    case "integer":
      return bounded(parameter);
    case "repeated": {
      const { values, maxItems = Infinity } = parameter;
      return z
        .array(values ? oneOf(values) : filled, "must be an array")
        .min(1, "must not be empty; leave it out instead")
        .max(maxItems, `takes ${maxItems} value`);
    }
  }
}

/** The schema of an enumeration. The message of a refusal names all values. */
export function oneOf(values: readonly string[]) {
  return z.enum(values, `must be one of ${values.join(", ")}`);
}

type NumberParameter = Extract<SearchParameter, { kind: "number" | "integer" }>;

/** The numbers that a parameter takes, such as `a whole number from 1 to 100`. */
export function describeNumbers({
  kind,
  minimum = -Infinity,
  maximum = Infinity,
}: NumberParameter): string {
  const what = kind === "integer" ? "a whole number" : "a number";
  if (minimum === -Infinity) return what;
  return maximum === Infinity
    ? `${what} of at least ${minimum}`
    : `${what} from ${minimum} to ${maximum}`;
}

function bounded(parameter: NumberParameter) {
  const { kind, minimum = -Infinity, maximum = Infinity } = parameter;
  const message = `must be ${describeNumbers(parameter)}`;
  return z
    .number(message)
    .refine(
      (value) =>
        (kind === "number" || Number.isSafeInteger(value)) &&
        value >= minimum &&
        value <= maximum,
      message,
    );
}
