import { denyBlastRadius, noSecretInPlainConfig } from "@devid/policy/policies";
import { describe, expect, it } from "vitest";
import { ask, inState, rule, UNKNOWN } from "./ask";

const everybody = rule("everybody", "true");

describe("the settings of the plugin's provider", () => {
  const check = (
    provider: Record<string, unknown>,
    name: string,
    inputs: Record<string, unknown> = { rules: inState(everybody) },
    policy = denyBlastRadius,
  ) =>
    ask(policy, {
      ...{ type: "devid:index:FilteringRuleSet", inputs, provider },
      providerAs: { type: "pulumi:providers:devid", name },
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
      const reported = await check(settings({ region: "eu" }), name);
      expect(reported).toHaveLength(1);
      expect(reported[0]).toContain("http://127.0.0.1:9");
      expect(reported[0]).toContain("the service is unreachable or failing:");
    },
  );

  it.each([
    ["europe", "devid.Provider argument region"],
    ["default_0_1_0", "stack config devid:region"],
  ])(
    "are reported with their names in the program if they are wrong: %s",
    async (name, setting) => {
      const reported = await check(settings({ region: "mars" }), name);
      expect(reported.join()).toContain(setting);
    },
  );

  it("are waited for if they are unknown", async () => {
    expect(await check(settings({ region: UNKNOWN }), "europe")).toEqual([]);
  });

  it("contain keys that must not be in any input", async () => {
    const inputs = { name: "heron-management-key" };
    const reported = (
      await check(settings({}), "europe", inputs, noSecretInPlainConfig)
    ).join();
    expect(reported).toContain("a key that devid is configured with");
    expect(reported).not.toContain("heron");
  });
});
