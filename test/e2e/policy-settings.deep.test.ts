import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { found, PACK, policiesIn, policyScene } from "./policy-scene";

const scene = policyScene();

describe("rules that the service evaluates differently", () => {
  beforeAll(async () => {
    await scene.open(scene.settings());
    const expression = "sdk.platform.is_ios";
    const rules = [{ name: "ios", expression, action: "deny" }];
    scene.stack.declare([
      { kind: "FilteringRuleSet", as: "rules", args: { rules } },
    ]);
    const tests = [
      { name: "a phone", request: { sdkPlatform: "ios" }, expect: "deny" },
    ];
    const file = join(scene.stack.workFolder, "rules.yaml");
    writeFileSync(file, JSON.stringify({ rules, tests }));
  });

  const config = () => ({
    "service-agrees": {
      ruleFiles: [join(scene.stack.workFolder, "rules.yaml")],
    },
    "deny-blast-radius": "disabled",
  });

  it("are stopped in a preview that shows both results", async () => {
    expect(found((await scene.preview(config())).text)).toEqual([]);
    const data = { result: "allow", deny_with: null, triggered_rule: null };
    await scene.workspace.fault({
      match: { path: "*/filtering-rules/test" },
      times: 1,
      then: { status: 200, body: { data } },
    });
    const { passes, text } = await scene.preview(config());
    expect(passes).toBe(false);
    expect(found(text)).toEqual(["mandatory service-agrees"]);
    expect(policiesIn(text)).toMatch(
      /here +deny by ios\nservice +allow, for no rule matches\nrule +ios matches here, and not/,
    );
  });

  it("cause no violation without a key, and the missing key is reported", async () => {
    scene.stack.set({ DEVID_MANAGEMENT_KEY: "" });
    const { text } = await scene.preview(config());
    expect(found(text)).toEqual(["advisory not-checked"]);
    expect(text).toContain("service-agrees: the service was not asked");
  });
});

describe("the configuration", () => {
  beforeAll(async () => {
    const events = { DEVID_EVENTS_URL: "http://127.0.0.1:9/us" };
    await scene.open({ ...scene.settings(), ...events });
    const expression = "sdk.platform.is_ios";
    const rules = [{ name: "ios", expression, action: "deny" }];
    scene.stack.declare([
      { kind: "FilteringRuleSet", as: "rules", args: { rules } },
    ]);
  });

  it("can turn a policy that needs the service into advice when the service is unreachable", async () => {
    const advised = await scene.preview({
      "deny-blast-radius": { whenUnreachable: "advise" },
    });
    expect(found(advised.text)).toEqual(["advisory not-checked"]);
    expect(advised.text).toContain(
      "deny-blast-radius: not checked: service unreachable.",
    );
    expect(advised.passes).toBe(true);
  });

  it("with a misspelt setting is refused in one sentence of its policy", async () => {
    const { passes, text } = await scene.preview({
      "deny-blast-radius": { maxPercnt: 5 },
    });
    expect(passes).toBe(false);
    expect(found(text)).toEqual(["mandatory deny-blast-radius"]);
    expect(text).toContain(
      "Policy deny-blast-radius has no setting maxPercnt: did you mean maxPercent?",
    );
    expect(text).not.toMatch(/^ +at .*:\d+:\d+/m);
  });

  it("with a misspelt policy is refused in one sentence when the pack reads the file", async () => {
    const file = join(scene.stack.workFolder, "policies.json");
    const config = { "deny-blast-radios": { maxPercent: 5 } };
    writeFileSync(file, JSON.stringify(config));
    scene.stack.set({ DEVID_POLICY_CONFIG: file });
    const said = await scene.stack.failing("preview", "--policy-pack", PACK);
    expect(said).toContain(
      "There is no policy deny-blast-radios: did you mean deny-blast-radius?",
    );
    expect(said).not.toMatch(/^ +at .*:\d+:\d+/m);
  });
});
