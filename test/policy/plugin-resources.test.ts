import {
  denyBlastRadius,
  encryptionKeyProtected,
  maxRules,
  noDenyAll,
  noSecretInPlainConfig,
  publicKeyHasRateLimit,
  ruleSetNotEmpty,
  webhookHttpsAndVerified,
} from "@devid/policy/policies";
import type { ResourceValidationPolicy } from "@pulumi/policy";
import { describe, expect, it } from "vitest";
import type { PolicyCase } from "@devid/policy/testing";
import { ask, inState, rule, UNKNOWN } from "./ask";

const PROVIDER = "pulumi:providers:devid";
const KEY = "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE";
const everybody = rule("everybody", "true");

/** Asks a policy about a resource of the provider plugin. */
const check = (
  policy: ResourceValidationPolicy,
  { kind, ...asked }: PolicyCase & { readonly kind: string },
) => ask(policy, { type: `devid:index:${kind}`, ...asked });

describe("a policy checks a plugin resource like a dynamic resource:", () => {
  it.each<[ResourceValidationPolicy, PolicyCase & { readonly kind: string }]>([
    [
      webhookHttpsAndVerified,
      { kind: "Webhook", inputs: { url: "http://127.0.0.1:1/" } },
    ],
    [
      publicKeyHasRateLimit,
      { kind: "ApiKey", inputs: { name: "Shop", type: "public" } },
    ],
    [encryptionKeyProtected, { kind: "EncryptionKey" }],
    [ruleSetNotEmpty, { kind: "FilteringRuleSet", inputs: { rules: {} } }],
    [
      maxRules,
      {
        kind: "FilteringRuleSet",
        inputs: { rules: inState(everybody) },
        config: { max: 0 },
      },
    ],
    [
      noDenyAll,
      { kind: "FilteringRuleSet", inputs: { rules: inState(everybody) } },
    ],
    [
      noSecretInPlainConfig,
      { kind: "Webhook", inputs: { description: `key ${KEY}` } },
    ],
  ])("$name", async (policy, asked) => {
    const reported = await check(policy, asked);
    expect(reported).toHaveLength(1);
    expect(await ask(policy, asked)).toEqual(reported);
  });
});

describe("the settings of the plugin's provider", () => {
  const asked = (
    provider: Record<string, unknown>,
    name: string,
  ): PolicyCase => ({
    inputs: { rules: inState(everybody) },
    provider,
    providerAs: { type: PROVIDER, name },
  });
  const settings = (more: object) => ({
    endpoint: "http://127.0.0.1:9",
    managementKey: "heron-management-key",
    secretKey: "heron-secret-key",
    timeoutMs: '"250"',
    maxAttempts: 1,
    ...more,
  });

  it.each(["europe", "default_0_1_0"])(
    "are used by the client of a policy: %s",
    async (name) => {
      const [reported, ...more] = await check(denyBlastRadius, {
        kind: "FilteringRuleSet",
        ...asked(settings({ region: "eu" }), name),
      });
      expect(more).toEqual([]);
      expect(reported).toContain("http://127.0.0.1:9");
      expect(reported).toContain("the service is unreachable");
    },
  );

  it("are reported with their names in the program if they are wrong", async () => {
    const named = (name: string) =>
      check(denyBlastRadius, {
        kind: "FilteringRuleSet",
        ...asked(settings({ region: "mars" }), name),
      });
    expect((await named("europe")).join()).toContain(
      "devid.Provider argument region",
    );
    expect((await named("default_0_1_0")).join()).toContain(
      "stack config devid:region",
    );
  });

  it("are waited for if they are unknown", async () => {
    const unknown = asked(settings({ region: UNKNOWN }), "europe");
    expect(
      await check(denyBlastRadius, { kind: "FilteringRuleSet", ...unknown }),
    ).toEqual([]);
  });

  it("contain keys that must not be in any input", async () => {
    const provider = asked(settings({}), "europe");
    const reported = await check(noSecretInPlainConfig, {
      kind: "ApiKey",
      ...provider,
      inputs: { name: "heron-management-key" },
    });
    expect(reported.join()).toContain("a key that devid is configured with");
    expect(reported.join()).not.toContain("heron");
  });
});
