import { InvalidInputError } from "@devid/sdk";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { rowsOf } from "../../helpers/cells-of";
import { rejection, Workspace } from "../workspace";
import { openForTests } from "../../helpers/open-for-tests";

const workspace = openForTests(new Workspace());

const long = (length: number) => "x".repeat(length);
// JavaScript programs may pass values that TypeScript refuses.
const any = (value: unknown) => value as never;

const RULE = 'name: a, expression: "true", action: deny';

type Call = (...given: readonly unknown[]) => Promise<unknown>;

/** Properties, and the calls that are refused for them. */
const REFUSED = `
limit
  webhooks.list {limit: 102}
  apiKeys.list {limit: -1}
  environments.list {limit: 1.5}
  encryptionKeys.list {limit: .nan}
isLegacy
  webhooks.list {isLegacy: true}
environment
  encryptionKeys.list {environment: ""}
  webhooks.create {url: https://a.example, environment: ""}
status
  filteringRules.list {status: "on"}
name
  environments.create {name: "shop \\ud83d"}
  encryptionKeys.update ek_1, {name: ""}
name description
  apiKeys.create {type: secret, name: ab, description: ab}
type name description
  apiKeys.create {type: master, name: ${long(256)}, description: ${long(256)}}
tags.deep[0].a tags
  events.update e1, {tags: {deep: [{a: "\\udc00"}], "b\\ud800": 1}}
rateLimit
  apiKeys.update tok_1, {rateLimit: 0.05}
rateLimit foo
  apiKeys.create {type: secret, name: abc, rateLimit: 5, foo: 1}
type name
  apiKeys.create
url
  webhooks.create {url: a.example}
  webhooks.update wh_1, {url: ftp://a.example}
  webhooks.create {}
// The parser of URLs would drop the ends of these.
url
  webhooks.create {url: "https://a.example/a\\nb"}
  webhooks.create {url: "https://a.example/a\\tb"}
  webhooks.create {url: "https://a.example/\\r\\n"}
  webhooks.create {url: "https://a.example/ "}
  webhooks.create {url: "https://a.example/a b"}
  webhooks.create {url: "https://a.example/\\u0085"}
name description limitMode limitValue
  environments.create {name: ab, description: ${long(257)}, limitMode: stop, limitValue: 0}
name environment expression action denyWith placement.position
  filteringRules.create {name: "", environment: "", expression: " ", action: block, denyWith: Gone, placement: {position: -1}}
placement
  filteringRules.create {${RULE}, environment: a, placement: {position: 0, after: x}}
rules
  filteringRules.bulk {}
rules[1].expression rules[1].denyWith
  filteringRules.bulk {rules: [{${RULE}}, {name: a, expression: " ", action: deny, denyWith: Gone}]}
rulesetId
  events.get e1, {rulesetId: ""}
testRequestPayload.userAgent testRequestPayload.cookies
  filteringRules.test {environment: ae_1, testRequestPayload: {userAgent: 1, cookies: none}}
`;

const CALLS = rowsOf(REFUSED).flatMap(([names = "", ...lines]) =>
  lines.map((line) => {
    const [, collection = "", method = "", given] =
      /^(\w+)\.(\w+)(.*)$/.exec(line) ?? [];
    const args = parse(`[${given}]`) as unknown[];
    const call = (client: Record<string, Record<string, Call>>) =>
      client[collection]?.[method]?.(...args) ?? expect.fail(line);
    return { names, collection, method, call };
  }),
);

describe("invalid input is refused before it is sent:", () => {
  it.each(CALLS)("$collection.$method: $names", async ({ names, call }) => {
    const properties = names.split(" ");
    await workspace.reset();
    const error = await rejection(call(any(workspace.client())));
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
