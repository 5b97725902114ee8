import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { cellsOf } from "../../helpers/cells-of";
import { pluginResourceSettings } from "../../../provider/src/adapters/plugin-settings";
import {
  resourceSettings,
  type Overrides,
} from "../../../provider/src/session/resource-settings";
import {
  Secret,
  UNKNOWN,
  type Properties,
} from "../../../provider/src/definition/value";
import type { Kind } from "../../helpers/provider-host";
import { sharedForTests } from "../../helpers/local-for-tests";
import { folderForTests } from "../../helpers/test-folder";
import { lifecycleOf } from "../lifecycle-of";
import { sessionOf } from "../session-of";

const workspace = sharedForTests();
const folder = folderForTests();

/** What the check of a resource called `shop` answers. */
async function check(kind: Kind, overrides: Overrides, news: Properties) {
  const { session } = sessionOf(workspace, {}, { overrides });
  const urn = `urn:pulumi:test::shop::devid:index:${kind}::shop`;
  const { inputs, failures } = await lifecycleOf(kind, session).check({
    urn,
    news,
  });
  return { inputs, reasons: failures.map(({ reason }) => reason) };
}

const rule = (name: string) => ({
  name,
  expression: `http.request.ip in cidr("203.0.113.${name.length}/32")`,
  action: "deny",
});

const namesOf = ({ inputs }: { inputs: Properties }) => {
  const rules = inputs.rules as Record<string, { after: string }>;
  const names: string[] = [];
  for (let last = ""; ;) {
    const next = Object.keys(rules).find((name) => rules[name]?.after === last);
    if (next === undefined) return names;
    names.push((last = next));
  }
};

const RULES = { rules: [rule("a"), rule("office"), rule("b")] };

describe("overrides that are a secret argument of the plugin's provider", () => {
  const canary = "canary-of-an-override";
  const checked = async (kind: Kind, shop: object, news: Properties) => {
    const overrides = new Secret(JSON.stringify({ [kind]: { shop } }));
    const settings = pluginResourceSettings({ overrides });
    const { session } = sessionOf(workspace, {}, settings);
    const urn = `urn:pulumi:test::shop::devid:index:${kind}::shop`;
    return await lifecycleOf(kind, session).check({ urn, news });
  };

  it("make the inputs secret that they replace, and no other", async () => {
    const url = `https://shop.example/${canary}`;
    const news = { url: "https://shop.example/", description: "Shop" };
    const { inputs } = await checked("Webhook", { url }, news);
    expect(inputs).toMatchObject({
      url: new Secret(url),
      description: "Shop",
    });
    const { rules } = (
      await checked("FilteringRuleSet", { last: [rule("z")] }, RULES)
    ).inputs;
    expect(rules).toBeInstanceOf(Secret);
  });

  it.each<[Kind, object, Properties]>([
    ["Webhook", { url: `ftp://${canary}` }, {}],
    ["FilteringRuleSet", { without: [canary] }, RULES],
    ["FilteringRuleSet", { first: `${canary}.yaml` }, RULES],
    ["FilteringRuleSet", { rulesFile: `${canary}.yaml` }, RULES],
  ])("of a %s are in no message: %j", async (kind, shop, news) => {
    const { failures } = await checked(kind, shop, news);
    expect(failures).toHaveLength(1);
    expect(JSON.stringify(failures)).not.toContain(canary);
  });
});

describe("overrides of inputs", () => {
  it.each<[string, Properties, Properties]>([
    ["a value of the program", { rateLimit: 20 }, { rateLimit: 20 }],
    ["a missing value", { description: "A shop" }, { description: "A shop" }],
    ["nothing", {}, { rateLimit: 5 }],
  ])("replace %s", async (_, shop, expected) => {
    const { inputs, reasons } = await check(
      "ApiKey",
      { ApiKey: { shop, other: { rateLimit: 99 } } },
      { name: "Shop", type: "secret", rateLimit: 5 },
    );
    expect(reasons).toEqual([]);
    expect(inputs).toMatchObject({ name: "Shop", ...expected });
  });

  it("leave an input out for null, and replace a value that is not known yet", async () => {
    const { inputs } = await check(
      "ApiKey",
      { ApiKey: { shop: { rateLimit: null, name: "Store" } } },
      { name: UNKNOWN, type: "secret", rateLimit: 5 },
    );
    expect(inputs).not.toHaveProperty("rateLimit");
    expect(inputs.name).toBe("Store");
  });

  it("are checked as values of the program are, and named as the place of a mistake", async () => {
    const { reasons } = await check(
      "ApiKey",
      { ApiKey: { shop: { rateLimit: -1 } } },
      { name: "Sh", type: "secret" },
    );
    expect(reasons).toEqual([
      "must have at least 3 characters",
      expect.toSay("overrides/wrong-value"),
    ]);
  });

  it("refuse an input that the kind does not have, of any resource, once in a run", async () => {
    const overrides = { ApiKey: { other: { rateLimits: 5 } } };
    const { session } = sessionOf(workspace, {}, { overrides });
    const news = { name: "Shop", type: "secret" };
    const lifecycle = lifecycleOf("ApiKey", session);
    const [first, second] = [
      await lifecycle.check({ urn: "urn:pulumi:t::p::x::one", news }),
      await lifecycle.check({ urn: "urn:pulumi:t::p::x::two", news }),
    ];
    expect(first.failures[0]?.reason).toSay("overrides/no-such-input");
    expect(second.failures).toEqual([]);
  });
});

describe("overrides of rules", () => {
  const of = (shop: Properties, news: Properties = RULES) =>
    check("FilteringRuleSet", { FilteringRuleSet: { shop } }, news);

  it("leave rules out, and put others first and last", async () => {
    const found = await of({
      without: ["office"],
      first: [rule("eu-first")],
      last: [rule("eu-last")],
    });
    expect(found.reasons).toEqual([]);
    expect(namesOf(found)).toEqual(["eu-first", "a", "b", "eu-last"]);
  });

  it("read rules from a rule file", async () => {
    const path = join(folder, "eu.yaml");
    writeFileSync(path, JSON.stringify({ rules: [rule("eu")] }));
    const read = await of({ first: path });
    expect(namesOf(read)).toEqual(["eu", "a", "office", "b"]);
    const missing = await of({ last: join(folder, "no.yaml") });
    expect(missing.reasons[0]).toSay("overrides/no-such-file");
    // The same for a program whose rules are in a file.
    const file = await of(
      { without: ["eu"], last: [rule("z")] },
      { rulesFile: path },
    );
    expect(namesOf(file)).toEqual(["z"]);
  });

  it("are named in the failure of a rule, whose place they may have changed", async () => {
    const wrong = { ...rule("wrong"), action: "denied" };
    const { reasons } = await of({ first: [rule("z")] }, { rules: [wrong] });
    expect(reasons).toEqual([expect.toSay("overrides/wrong-rule")]);
  });

  it("refuse to leave out a rule that the program does not have", async () => {
    const { reasons } = await of({ without: ["ofice"] });
    expect(reasons[0]).toSay("overrides/leaves-out-no-rule");
  });

  it("wait for rules that are not known yet, and are applied once they are", async () => {
    const unknown = await of({ without: ["office"] }, { rules: UNKNOWN });
    expect(unknown.reasons).toEqual([]);
    expect(unknown.inputs.rules).toBe(UNKNOWN);
    expect(namesOf(await of({ without: ["office"] }))).toEqual(["a", "b"]);
    const partly = await of(
      { without: ["office"] },
      { rules: [rule("office"), { ...rule("a"), name: UNKNOWN }] },
    );
    expect(partly.reasons).toEqual([]);
    expect(JSON.stringify(partly.inputs)).not.toContain("office");
  });

  it("replace all rules", async () => {
    const found = await of({ rules: [rule("only")] }, RULES);
    expect(namesOf(found)).toEqual(["only"]);
  });
});

describe("the settings", () => {
  const load = () => Promise.resolve();
  const KINDS = { ApiKey: load, Webhook: load };
  const REFUSED = `
an unknown mode | {adopt: byname} | adopt is "byname"; it can only be "byName"
no JSON | {overrides: "{"} | another form
a list | {overrides: []} | another form
a value in place of inputs | {overrides: {ApiKey: {a: 1}}} | at ApiKey.a
an unknown kind | {overrides: {ApiKeys: {}}} | the kind "ApiKeys", which does not exist; the kinds are ApiKey, Webhook
`;

  it.each(cellsOf(REFUSED))("refuse %s", (_, text = "", message) => {
    const given = parse(text) as object;
    expect(() => resourceSettings(given, KINDS, {})).toThrow(message);
  });

  it("come as text from stack config, and adopt from the environment", () => {
    const overrides = { ApiKey: { shop: { rateLimit: 20 } } };
    expect(
      resourceSettings({ overrides: JSON.stringify(overrides) }, KINDS, {
        DEVID_ADOPT: "byName",
      }),
    ).toEqual({ kinds: KINDS, adopt: "byName", overrides });
    expect(resourceSettings({}, KINDS, {})).toEqual({
      kinds: KINDS,
      overrides: {},
    });
  });
});
