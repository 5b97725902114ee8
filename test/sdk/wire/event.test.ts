import { EVENT_ERROR_CODES } from "@devid/sdk/wire";
import { EVENT_SEARCH_PARAMETERS, EventRecord } from "@devid/sdk/wire/events";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { LEGACY_CODES } from "../../../service/src/server-api/version-3-until-2027-01-07/legacy-errors";
import { LEGACY_PRODUCTS } from "../../../service/src/server-api/version-3-until-2027-01-07/legacy-event";
import { textOf } from "../../helpers/repository";

const CONTRACT = textOf("docs/contract.md");

/** The text below a heading, up to the next heading. */
function section(heading: string): string {
  const [, text] = CONTRACT.split(`\n${heading}\n`);
  return text?.split(/\n#+ /)[0] ?? "";
}

const quoted = (text: string) =>
  [...text.matchAll(/`([^`]+)`/g)].map(([, name]) => name ?? "");

/** The names at the beginning of the items of a list. */
const listed = (text: string) =>
  [...text.matchAll(/^- (`.*?`):/gm)].flatMap(([, names = ""]) =>
    quoted(names),
  );

describe("the wire schemas have everything in docs/contract.md:", () => {
  // contract: events-74, events-88
  it("the parameters of a search", () => {
    const text = section("### GET /events");
    const [, further = ""] = /^- Further signals: (.*?)\.$/m.exec(text) ?? [];
    const names = [
      ...listed(text.split("\nNames and values")[0] ?? ""),
      ...quoted(further),
    ];
    expect(names.length).toBeGreaterThan(50);
    expect(Object.keys(EVENT_SEARCH_PARAMETERS).sort()).toEqual(names.sort());
  });

  it.each([
    // contract: events-89
    "bot_info_category",
    // contract: events-90
    "bot_info_identity",
    // contract: events-91
    "bot_info_confidence",
  ] as const)("the values of %s", (name) => {
    const line = new RegExp(`^- \`${name}\`: (.*?)\\. The`, "m");
    const [, values = ""] = line.exec(section("### GET /events")) ?? [];
    expect([...EVENT_SEARCH_PARAMETERS[name].values]).toEqual(quoted(values));
  });

  // contract: events-34
  it("the error codes", () => {
    const codes = listed(section("### Events errors"));
    expect([...EVENT_ERROR_CODES].sort()).toEqual(codes.sort());
  });

  // contract: legacy-14, legacy-41
  it("the names of version 3", () => {
    const [, named = "", more = ""] =
      /^- Names .*?: (.*?)\. Also (.*?) \[/m.exec(
        section("### Legacy event"),
      ) ?? [];
    expect([...LEGACY_PRODUCTS]).toEqual(quoted(named).concat(quoted(more)));
    const [, codes = ""] =
      /^- Error codes: (.*?);/m.exec(section("### Legacy operations")) ?? [];
    const documented = quoted(codes);
    for (const code of [
      ...Object.values(LEGACY_CODES),
      "RequestCannotBeParsed",
    ])
      expect(documented).toContain(code);
  });
});

describe("the schema of an event", () => {
  const whole = {
    event_id: "e1",
    timestamp: 1,
    bot_info: {
      category: "c",
      provider: "p",
      name: "n",
      identity: "i",
      confidence: "x",
    },
    ip_info: { v4: { address: "192.0.2.1" } },
    labels: [{ label: "l" }],
    raw_device_attributes: { plugins: [{ name: "p" }] },
  };

  /** The value with an unknown member added to every object. */
  const grown = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(grown)
      : typeof value === "object" && value !== null
        ? {
            ...Object.fromEntries(
              Object.entries(value).map(([key, member]) => [
                key,
                grown(member),
              ]),
            ),
            member_of_tomorrow: { deep: [1] },
          }
        : value;

  // contract: events-119
  it("accepts new members at every level, and new values", () => {
    expect(EventRecord.parse(grown(whole))).toEqual(grown(whole));
  });

  // contract: events-106
  it("refuses an event without an ID, and a signal of another type", () => {
    expect(EventRecord.safeParse({ timestamp: 1 }).success).toBe(false);
    for (const wrong of [{ vpn: "true" }, { tags: [] }, { sdk: {} }])
      expect(EventRecord.safeParse({ ...whole, ...wrong }).success).toBe(false);
  });

  it("is documented with its bounds", () => {
    const { properties = {} } = z.toJSONSchema(EventRecord);
    expect(properties.timestamp).toEqual({ type: "integer", format: "int64" });
    expect(properties.vpn_ml_score).toEqual({
      anyOf: [{ type: "number", minimum: 0, maximum: 1 }, { type: "null" }],
    });
  });
});
