import { POLICIES, noSecretInPlainConfig } from "@devid/policy/policies";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { parse } from "yaml";
import type { PolicyCase } from "@devid/policy/testing";
import { cellsOf } from "../helpers/cells-of";
import { ask, inState, rule, UNKNOWN } from "./ask";

const LOOKS_LIKE_KEY = "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE";
const CONFIGURED = "warbler-secret-key";
const STACK = "pulumi:pulumi:Stack";

beforeEach(() => {
  vi.stubEnv("DEVID_SECRET_KEY_EU", CONFIGURED);
});

const check = (asked: PolicyCase) => ask(noSecretInPlainConfig, asked);
const stackConfig = (config: object, encrypted: string[] = []) => {
  vi.stubEnv("PULUMI_CONFIG", JSON.stringify(config));
  vi.stubEnv("PULUMI_CONFIG_SECRET_KEYS", JSON.stringify(encrypted));
};

describe("in the inputs of a resource, no-secret-in-plain-config", () => {
  const PASSED = `
nothing | {}
ordinary texts | {url: https://hooks.example/identified, description: Orders}
an unknown value | {url: ${UNKNOWN}, rules: [${UNKNOWN}]}
a digest | {description: 0123456789abcdef0123456789abcdef}
a UUID | {description: A3bB8f0e-1c2d-4E5f-8a9b-0c1d2e3f4a5b}
a longer text that begins like a key | {description: ${LOOKS_LIKE_KEY}x}
the text of the provider | {__provider: ${LOOKS_LIKE_KEY}}
`;

  it.each(cellsOf(PASSED))("passes %s", async (_, text = "") => {
    const inputs = parse(text) as Record<string, unknown>;
    expect(await check({ kind: "Webhook", inputs })).toEqual([]);
  });

  const STOPPED = `
by its form | {url: "https://h.example/?k=${LOOKS_LIKE_KEY}"} | url holds what looks like
as configured | {description: "key: ${CONFIGURED}!"} | description holds a key that devid is configured with
in a rule | {rules: {a: {expression: "'${LOOKS_LIKE_KEY}' == ''"}}} | rules.a.expression holds
in a list | {rules: [{expression: "true"}, {expression: ${CONFIGURED}}]} | rules[1].expression holds
in a name | {rules: {${LOOKS_LIKE_KEY}: {expression: "true"}}} | the name of a member of rules holds
`;

  it.each(cellsOf(STOPPED))(
    "stops a key %s, without printing it",
    async (...row) => {
      const [, text = "", said] = row;
      const inputs = parse(text) as Record<string, unknown>;
      const reported = (await check({ inputs })).join("\n");
      expect(reported).toContain(said);
      expect(reported).not.toContain(LOOKS_LIKE_KEY);
      expect(reported).not.toContain(CONFIGURED);
    },
  );

  it("recognises the key of an explicit provider, but not a short word", async () => {
    const provider = { "devid.Provider:managementKey": "heron-management-key" };
    const inputs = { name: "heron-management-key" };
    expect(await check({ kind: "ApiKey", inputs, provider })).toHaveLength(1);
    expect(await check({ kind: "ApiKey", inputs })).toEqual([]);
    const short = { "devid.Provider:managementKey": "heron" };
    expect(await check({ kind: "ApiKey", inputs, provider: short })).toEqual(
      [],
    );
  });

  it("ignores placeholders for secrets", async () => {
    const provider = {
      "devid:secretKey": "[secret]",
      "devid.Provider:secretKey": UNKNOWN,
    };
    const inputs = {
      description: "a [secret]",
      rules: [rule(UNKNOWN, UNKNOWN)],
    };
    expect(await check({ inputs, provider })).toEqual([]);
  });

  it("uses a configured pattern, and skips excepted inputs", async () => {
    const inputs = { description: "key-12", url: "key-34" };
    const config = { pattern: "key-\\d+", except: ["url"] };
    expect(await check({ kind: "Webhook", inputs, config })).toEqual([
      expect.stringContaining("description holds"),
    ]);
    const named = { rules: inState(rule("key-56", "key-78")) };
    const said = (await check({ inputs: named, config })).join("\n");
    expect(said).toContain('rules["[redacted]"].expression holds');
    expect(said).not.toMatch(/key-\d/);
    expect(await check({ type: STACK, config: { pattern: "(" } })).toSay(
      "policy/pattern-not-valid",
    );
  });

  it("checks other resources only if configured, and never providers", async () => {
    const inputs = { environment: { KEY: LOOKS_LIKE_KEY } };
    const type = "aws:lambda/function:Function";
    const config = { otherResources: true };
    expect(await check({ type, inputs })).toEqual([]);
    expect(await check({ type, inputs, config })).toHaveLength(1);
    const provider = "pulumi:providers:pulumi-nodejs";
    expect(await check({ type: provider, inputs, config })).toEqual([]);
  });
});

describe("in stack config, no-secret-in-plain-config", () => {
  it("passes ordinary and encrypted values", async () => {
    const config = {
      "devid:region": "eu",
      "devid:secretKey": "[secret]",
      "shop:token": LOOKS_LIKE_KEY,
    };
    stackConfig(config, ["devid:secretKey", "shop:token"]);
    expect(await check({ type: STACK })).toEqual([]);
  });

  it("passes a stack without config", async () => {
    expect(await check({ type: STACK })).toEqual([]);
  });

  it.each([
    ["devid:secretKey", "short"],
    ["devid:managementKey", LOOKS_LIKE_KEY],
    ["shop:token", LOOKS_LIKE_KEY],
    ["shop:list", JSON.stringify([{ key: CONFIGURED }])],
  ])(
    "stops a plain %s, and prints the command that encrypts it",
    async (name, value) => {
      stackConfig({ [name]: value });
      const reported = await check({ type: STACK });
      expect(reported).toEqual([
        expect.stringContaining(`pulumi config set --secret ${name}.`),
      ]);
      expect(reported.join()).not.toContain(value);
    },
  );
});

it("no policy prints a key from any place", async () => {
  vi.stubEnv("DEVID_ENDPOINT", "http://127.0.0.1:9");
  stackConfig({
    [CONFIGURED]: CONFIGURED,
    "devid:managementKey": LOOKS_LIKE_KEY,
  });
  const keys = [CONFIGURED, LOOKS_LIKE_KEY];
  const inputs = {
    type: "public",
    url: `http://h.example/${CONFIGURED}`,
    rateLimit: 1e9,
    description: LOOKS_LIKE_KEY,
    environment: CONFIGURED,
    rules: inState(rule(CONFIGURED, "true"), rule(LOOKS_LIKE_KEY, "true")),
  };
  const config: Record<string, object> = {
    "max-rules": { max: 0 },
    "deny-blast-radius": { whenUnreachable: "advise" },
  };
  let count = 0;
  for (const policy of POLICIES)
    for (const type of [
      STACK,
      ...["ApiKey", "EncryptionKey", "FilteringRuleSet", "Webhook"].map(
        (kind) => `pulumi-nodejs:dynamic/devid:${kind}`,
      ),
    ]) {
      const reported = await ask(policy, {
        type,
        inputs,
        config: config[policy.name],
      });
      count += reported.length;
      for (const key of keys) expect(reported.join("\n")).not.toContain(key);
    }
  expect(count).toBeGreaterThan(10);
});
