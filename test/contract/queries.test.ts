import { parse } from "node:querystring";
import { camelPath } from "@devid/sdk";
import {
  EVENT_SEARCH_PARAMETERS,
  type ParameterTable,
  type SearchParameter,
} from "@devid/sdk/wire/events";
import fc from "fast-check";
import { expect, it } from "vitest";
import { queryOf } from "../../sdk/src/server-api/search-arguments";
import { querySchema } from "../../service/src/server-api/query-schema";
import {
  LEGACY_RELATED_PARAMETERS,
  LEGACY_SEARCH_PARAMETERS,
  LEGACY_VISITOR_PARAMETERS,
} from "../../service/src/server-api/version-3-until-2027-01-07/legacy-schemas";
import { ipRange } from "../../service/src/store/ip-range";

/** An argument of the client, and the value that the service has to read. */
type Pair = readonly [argument: unknown, read: unknown];

const same = (value: unknown): Pair => [value, value];
const text = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 200 })
  .filter((value) => /\S/.test(value) && !value.includes("\0"));

/** Valid arguments for a parameter. */
function argumentsFor(parameter: SearchParameter): fc.Arbitrary<Pair> {
  switch (parameter.kind) {
    case "text":
      return text.map(same);
    case "boolean":
      return fc.boolean().map(same);
    case "enum":
      return fc.constantFrom(...parameter.values).map(same);
    case "repeated": {
      const { values, maxItems = 5 } = parameter;
      const one = values ? fc.constantFrom(...values) : text;
      const many = { minLength: 1, maxLength: maxItems };
      return fc.array(one, many).map(same);
    }
    case "ip": {
      const network = fc
        .tuple(fc.ipV4(), fc.nat(32))
        .map(([base, bits]) => `${base}/${bits}`);
      return fc
        .oneof(fc.ipV4(), fc.ipV6(), network)
        .map((ip) => [ip, ipRange(ip)]);
    }
    case "time":
      return fc
        .tuple(fc.nat(4e12), fc.constantFrom("ms", "Date", "ISO"))
        .map(([ms, form]) => {
          const date = new Date(ms);
          const forms = { ms, Date: date, ISO: date.toISOString() };
          return [forms[form], ms];
        });
    case "number":
      // The text of -0 is 0.
      return fc
        .double({ noNaN: true, noDefaultInfinity: true })
        .map((value) => same(value + 0));
    case "integer": {
      const { minimum: min = 0, maximum: max = 1_000_000 } = parameter;
      return fc.integer({ min, max }).map(same);
    }
  }
}

const TABLES: Record<string, ParameterTable> = {
  EVENT_SEARCH_PARAMETERS,
  LEGACY_SEARCH_PARAMETERS,
  LEGACY_VISITOR_PARAMETERS,
  LEGACY_RELATED_PARAMETERS,
};

// contract: events-99
it.each(Object.entries(TABLES))(
  "the service reads every value that the client sends: %s",
  (_, table) => {
    const schema = querySchema(table);
    const any = fc.record(
      Object.fromEntries(
        Object.entries(table).map(([name, parameter]) => [
          name,
          argumentsFor(parameter),
        ]),
      ),
      {
        requiredKeys: Object.keys(table).filter(
          (name) => table[name]?.required,
        ),
      },
    );
    fc.assert(
      fc.property(any, ({ start, end, ...others }) => {
        // The client refuses a start after the end.
        const range = [start, end]
          .filter((given) => given !== undefined)
          .sort(([, a], [, b]) => Number(a) - Number(b));
        const [first, last] = start ? range : [undefined, range[0]];
        const given = Object.entries({
          ...others,
          start: first,
          end: last,
        }).filter((entry): entry is [string, Pair] => entry[1] !== undefined);
        const args = given.map(
          ([name, [value]]) => [camelPath(name), value] as const,
        );
        const query = new URLSearchParams(
          queryOf(table, Object.fromEntries(args), "Searching").map(
            ([name, value]) => [name, value],
          ),
        );
        const read = schema.parse({ ...parse(String(query)) });
        expect(read).toEqual(
          Object.fromEntries(given.map(([name, [, value]]) => [name, value])),
        );
      }),
      { numRuns: 300 },
    );
  },
);
