import { InvalidInputError, type Client } from "@devid/sdk";
import { describe, expect, it } from "vitest";
import { rejection, Workspace } from "../workspace";
import { openForTests } from "../../helpers/open-for-tests";

const workspace = openForTests(new Workspace());

const long = (length: number) => "x".repeat(length);
// JavaScript programs may pass values that TypeScript refuses.
const any = (value: unknown) => value as never;

const RULE = { name: "a", expression: "true", action: "deny" } as const;

type Refused = readonly [
  properties: string,
  call: (client: Client) => Promise<unknown>,
];

/** The properties that each call is refused for. */
const LISTS: readonly Refused[] = [
  ["limit", (c) => c.webhooks.list({ limit: 102 })],
  ["limit", (c) => c.apiKeys.list({ limit: -1 })],
  ["limit", (c) => c.environments.list({ limit: 1.5 })],
  ["limit", (c) => c.encryptionKeys.list({ limit: NaN })],
  ["isLegacy", (c) => c.webhooks.list(any({ isLegacy: true }))],
  ["environment", (c) => c.encryptionKeys.list({ environment: "" })],
  ["status", (c) => c.filteringRules.list({ status: any("on") })],
];
const TEXTS: readonly Refused[] = [
  [
    "name description",
    (c) => c.apiKeys.create({ type: "secret", name: "ab", description: "ab" }),
  ],
  [
    "type name description",
    (c) => {
      const texts = { name: long(256), description: long(256) };
      return c.apiKeys.create({ type: any("master"), ...texts });
    },
  ],
  ["name", (c) => c.environments.create({ name: "shop \ud83d" })],
  [
    "tags.deep[0].a tags",
    (c) => {
      const tags = { deep: [{ a: "\udc00" }], "b\ud800": 1 };
      return c.events.update("e1", { tags });
    },
  ],
  ["name", (c) => c.encryptionKeys.update("ek_1", { name: "" })],
];
const RECORDS: readonly Refused[] = [
  [
    "rateLimit foo",
    (c) => {
      const more = { rateLimit: 5, foo: 1 };
      return c.apiKeys.create(any({ type: "secret", name: "abc", ...more }));
    },
  ],
  ["rateLimit", (c) => c.apiKeys.update("tok_1", { rateLimit: 0.05 })],
  ["type name", (c) => c.apiKeys.create(any(undefined))],
  ["url", (c) => c.webhooks.create({ url: "a.example" })],
  ["url", (c) => c.webhooks.update("wh_1", { url: "ftp://a.example" })],
  ["url", (c) => c.webhooks.create(any({}))],
  // The parser of URLs would drop these.
  ...["/a\nb", "/a\tb", "/\r\n", "/ ", "/a b", "/\u0085"].map(
    (end): [string, (c: Client) => Promise<unknown>] => [
      "url",
      (c) => c.webhooks.create({ url: `https://a.example${end}` }),
    ],
  ),
  [
    "environment",
    (c) => c.webhooks.create({ url: "https://a.example", environment: "" }),
  ],
  [
    "name description limitMode limitValue",
    (c) => {
      const bounds = { limitMode: any("stop"), limitValue: 0 };
      const texts = { name: "ab", description: long(257) };
      return c.environments.create({ ...texts, ...bounds });
    },
  ],
  [
    "name environment expression action denyWith placement.position",
    (c) =>
      c.filteringRules.create({
        ...{ name: "", environment: "", expression: " " },
        ...{ action: any("block"), denyWith: any("Gone") },
        placement: { position: -1 },
      }),
  ],
  [
    "placement",
    (c) => {
      const placement = { position: 0, after: "x" };
      return c.filteringRules.create({ ...RULE, environment: "a", placement });
    },
  ],
  ["rules", (c) => c.filteringRules.bulk(any({}))],
  [
    "rules[1].expression rules[1].denyWith",
    (c) => {
      const wrong = { ...RULE, expression: " ", denyWith: any("Gone") };
      return c.filteringRules.bulk({ rules: [RULE, wrong] });
    },
  ],
  ["rulesetId", (c) => c.events.get("e1", { rulesetId: "" })],
  ["deadlineMs", (c) => c.events.update("e1", {}, { deadlineMs: -1 })],
  ["deadlineMs", (c) => c.events.update("e1", {}, { deadlineMs: NaN })],
  [
    "testRequestPayload.userAgent testRequestPayload.cookies",
    (c) => {
      const payload = any({ userAgent: 1, cookies: "none" });
      const test = { environment: "ae_1", testRequestPayload: payload };
      return c.filteringRules.test(test);
    },
  ],
];

describe("invalid input is refused before it is sent:", () => {
  it.each([...LISTS, ...TEXTS, ...RECORDS])("%s", async (names, call) => {
    const properties = names.split(" ");
    await workspace.reset();
    const error = await rejection(call(workspace.client()));
    expect(error).toBeInstanceOf(InvalidInputError);
    expect(error.name).toBe("InvalidInputError");
    const { violations, message } = error as InvalidInputError;
    expect(violations.map(({ property }) => property)).toEqual(properties);
    expect(message).toContain(" was not sent, because its input is invalid:");
    for (const property of properties)
      expect(message).toContain(`\n  ${property}: `);
    expect(await workspace.requests()).toEqual([]);
  });

  it("an unknown name comes with the name that was meant, in our spelling", async () => {
    const change = any({ rateLimt: 5 });
    const call = workspace.client().apiKeys.update("tok_1", change);
    expect((await rejection(call)).message).toContain(
      "\n  rateLimt: is not known; did you mean rateLimit?",
    );
  });

  it.each([null, undefined, "all", [1]])(
    "%j in place of an object is refused by every call",
    async (wrong) => {
      const client = workspace.client({ secretKey: "local-secret-us" });
      const calls: readonly (() => Promise<unknown>)[] = [
        () => client.apiKeys.update("tok_1", any(wrong)),
        () => client.encryptionKeys.update("ek_1", any(wrong)),
        () => client.environments.update("ae_1", any(wrong)),
        () => client.filteringRules.update("tr_1", any(wrong)),
        () => client.webhooks.update("wh_1", any(wrong)),
        // Without an argument, a search has no filter.
        ...(wrong === undefined
          ? []
          : [
              () => client.events.update("e", any(wrong)),
              () => client.events.search(any(wrong)),
              () => client.events.searchAll(any(wrong)).next(),
            ]),
      ];
      await workspace.reset();
      for (const call of calls)
        expect(await rejection(call())).toBeInstanceOf(InvalidInputError);
      expect(await workspace.requests()).toEqual([]);
    },
  );

  it.each([0, 1, 100, 101])("a page size of %i is accepted", async (limit) => {
    const { data } = await workspace.client().apiKeys.list({ limit });
    expect(data.length).toBe(Math.min(limit, 2));
  });
});
