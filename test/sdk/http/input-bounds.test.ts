import { InvalidInputError, type Client } from "@devid/sdk";
import { describe, expect, it } from "vitest";
import { rejection, Workspace } from "../workspace";
import { openForTests } from "../../helpers/open-for-tests";

const workspace = openForTests(new Workspace());

const long = (length: number) => "x".repeat(length);
// JavaScript programs may pass values that TypeScript refuses.
const any = (value: unknown) => value as never;

describe("invalid input is refused before it is sent:", () => {
  it.each<[string, (client: Client) => Promise<unknown>, string[]]>([
    ["a page above 101", (c) => c.webhooks.list({ limit: 102 }), ["limit"]],
    ["a page below 0", (c) => c.apiKeys.list({ limit: -1 }), ["limit"]],
    [
      "a page size that is not whole",
      (c) => c.environments.list({ limit: 1.5 }),
      ["limit"],
    ],
    [
      "a page size that is not a number",
      (c) => c.encryptionKeys.list({ limit: NaN }),
      ["limit"],
    ],
    [
      "an unknown filter",
      (c) => c.webhooks.list(any({ isLegacy: true })),
      ["isLegacy"],
    ],
    [
      "an empty filter",
      (c) => c.encryptionKeys.list({ environment: "" }),
      ["environment"],
    ],
    [
      "a wrong value for a filter",
      (c) => c.filteringRules.list({ status: any("on") }),
      ["status"],
    ],
    [
      "short texts",
      (c) =>
        c.apiKeys.create({ type: "secret", name: "ab", description: "ab" }),
      ["name", "description"],
    ],
    [
      "half a surrogate pair",
      (c) => c.environments.create({ name: "shop \ud83d" }),
      ["name"],
    ],
    [
      "half a surrogate pair in tags, and in the name of a tag",
      (c) =>
        c.events.update("e1", {
          tags: { deep: [{ a: "\udc00" }], "b\ud800": 1 },
        }),
      ["tags.deep[0].a", "tags"],
    ],
    [
      "long texts",
      (c) =>
        c.apiKeys.create({
          type: any("master"),
          name: long(256),
          description: long(256),
        }),
      ["type", "name", "description"],
    ],
    [
      "members that a create does not accept",
      (c) =>
        c.apiKeys.create(
          any({ type: "secret", name: "abc", rateLimit: 5, foo: 1 }),
        ),
      ["rateLimit", "foo"],
    ],
    [
      "a low rate",
      (c) => c.apiKeys.update("tok_1", { rateLimit: 0.05 }),
      ["rateLimit"],
    ],
    ["an invalid url", (c) => c.webhooks.create({ url: "a.example" }), ["url"]],
    [
      "a url with another protocol",
      (c) => c.webhooks.update("wh_1", { url: "ftp://a.example" }),
      ["url"],
    ],
    [
      "an empty environment",
      (c) => c.webhooks.create({ url: "https://a.example", environment: "" }),
      ["environment"],
    ],
    [
      "bounds of an environment",
      (c) =>
        c.environments.create({
          name: "ab",
          description: long(257),
          limitMode: any("stop"),
          limitValue: 0,
        }),
      ["name", "description", "limitMode", "limitValue"],
    ],
    [
      "an empty name of an encryption key",
      (c) => c.encryptionKeys.update("ek_1", { name: "" }),
      ["name"],
    ],
    [
      "a rule with empty members",
      (c) =>
        c.filteringRules.create({
          name: "",
          environment: "",
          expression: " ",
          action: any("block"),
          denyWith: any("Gone"),
          placement: { position: -1 },
        }),
      [
        "name",
        "environment",
        "expression",
        "action",
        "denyWith",
        "placement.position",
      ],
    ],
    [
      "an API key without anything",
      (c) => c.apiKeys.create(any(undefined)),
      ["type", "name"],
    ],
    [
      "a webhook without an address",
      (c) => c.webhooks.create(any({})),
      ["url"],
    ],
    [
      "a bulk call without rules",
      (c) => c.filteringRules.bulk(any({})),
      ["rules"],
    ],
    [
      "a test without rules or request",
      (c) =>
        c.filteringRules.test({
          environment: "ae_1",
          testRequestPayload: any({ userAgent: 1, cookies: "none" }),
        }),
      ["testRequestPayload.userAgent", "testRequestPayload.cookies"],
    ],
  ])("%s", async (_, call, properties) => {
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
              () => client.legacy.update("e", any(wrong)),
              () => client.events.search(any(wrong)),
              () => client.events.searchAll(any(wrong)).next(),
              () => client.legacy.search(any(wrong)),
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
