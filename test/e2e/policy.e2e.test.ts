import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EngineStack, type Declared } from "../helpers/engine-stack";
import { LocalWorkspace } from "../helpers/local-workspace";

const ROOT = resolve(__dirname, "../..");
const PACK = join(ROOT, "policy");
const POLICED = join(ROOT, "examples/policed");

let workspace: LocalWorkspace;
/** The stack of one group of tests. */
let stack: EngineStack;
const stacks: EngineStack[] = [];

beforeAll(async () => {
  workspace = await LocalWorkspace.start();
});

afterAll(async () => {
  for (const one of stacks) one.close();
  await workspace?.close();
});

async function open(
  settings: Record<string, string>,
  program?: string,
): Promise<void> {
  stack = await EngineStack.open(settings, program);
  stacks.push(stack);
}

const settings = () => ({
  DEVID_ENDPOINT: workspace.url,
  DEVID_MANAGEMENT_KEY: workspace.service.workspaces.us.managementKey,
  DEVID_SECRET_KEY: workspace.service.workspaces.us.secretKey,
});

// test/policy tests what each policy checks, and with which setting.

/** Runs a preview with the pack. Returns whether it passed, and its output. */
async function preview(
  config: object = {},
): Promise<{ passes: boolean; text: string }> {
  const file = join(stack.workFolder, "policies.json");
  writeFileSync(file, JSON.stringify(config));
  return previewWith(PACK, "--policy-pack-config", file);
}

async function previewWith(pack: string, ...more: string[]) {
  const { code, text } = await stack.operate(
    "preview",
    ...["--policy-pack", pack, ...more],
  );
  return { passes: code === 0, text };
}

/** The Policies section of a preview, without its margin. */
const policiesIn = (text: string) =>
  /^Policies:$([^]*?)^\S/m.exec(text)?.[1]?.replace(/^ +/gm, "") ?? "";

/** The policies with findings, each with its level. */
const found = (text: string) =>
  [...policiesIn(text).matchAll(/^- \[(\w+)\] +([\w-]+)/gm)].map(
    ([, level, name]) => `${level} ${name}`,
  );

async function control(path: string, body: unknown): Promise<void> {
  const answer = await fetch(`${workspace.url}/_local/us${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(await answer.text());
}

/** Gives the workspace a recent event for each platform. */
const lately = (...platforms: string[]) =>
  control(
    "/events",
    platforms.map((platform) => ({
      user_agent: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0",
      sdk: { platform, version: "4.0.0" },
    })),
  );

describe("the example program", () => {
  const config = JSON.parse(
    readFileSync(join(POLICED, "policies.json"), "utf8"),
  ) as Record<string, object>;

  beforeAll(async () => {
    await open(settings(), POLICED);
    await lately("js", "js", "ios");
  });

  it("passes the policies unchanged", async () => {
    const { passes, text } = await preview(config);
    expect(text).toContain("devid@v0.1.0");
    expect(found(text)).toEqual([]);
    expect(passes).toBe(true);
  });

  it("is stopped in an update when its rules deny everybody", async () => {
    await stack.configure("rulesFile", "everybody.yaml");
    const file = join(stack.workFolder, "policies.json");
    writeFileSync(file, JSON.stringify(config));
    const pack = ["--policy-pack", PACK, "--policy-pack-config", file];
    // An update shows its preview first, and a violation in the preview stops the update.
    const text = await stack.failing("up", "--yes", ...pack);
    expect(found(text)).toEqual([
      "mandatory deny-blast-radius",
      "mandatory no-deny-all",
    ]);
    expect(text).toContain(
      'deny rules in force: "block-crawlers", "block-other-apps"',
    );
    expect(text).toContain(
      "would newly deny 3 of the 3 newest events of the last 24 h (100.0 %); at most 5 %",
    );
    expect(text).toContain("Narrow the deny rule");
    expect(await workspace.list("filtering-rules")).toEqual([]);
  });
});

describe("a user's own policy pack", () => {
  const OWN = join(ROOT, "examples/own-policies");

  beforeAll(async () => {
    await open(settings());
    stack.declare([
      { kind: "ApiKey", as: "key", args: { name: "Shop", type: "public" } },
      { kind: "Webhook", as: "hook", args: { url: "https://shop.example/a" } },
    ]);
  });

  it("sets a missing value in an update, and reads the events", async () => {
    const pack = ["--policy-pack", OWN];
    const { code, text } = await stack.operate("up", "--yes", ...pack);
    expect(code).toBe(0);
    expect(text).toContain("key-is-limited");
    const keys = await workspace.list("api-keys");
    const key = keys.find(({ name }) => name === "Shop");
    expect(key).toMatchObject({ rate_limit: 50 });
    // The state has the value as well, so the next preview changes nothing.
    const { passes, text: next } = await previewWith(OWN);
    expect(passes).toBe(true);
    expect(next).toContain("unchanged");
    expect(next).not.toMatch(/to (update|replace)/);
  });

  it("turns on remedies by a level in the configuration", async () => {
    const { text } = await preview({
      "public-key-has-rate-limit": { enforcementLevel: "remediate" },
    });
    expect(text).toContain("rateLimit");
    expect(found(text)).not.toContain("mandatory public-key-has-rate-limit");
  });
});

describe("a program that breaks every policy", () => {
  const KEY = "warbler-secret-key";
  const URL_KEY = "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE";

  it("gets all violations at once, without a key in them and without verdicts on unknown values", async () => {
    await open({ ...settings(), DEVID_SECRET_KEY: KEY });
    const declared: Declared[] = [
      { kind: "Environment", as: "staging", args: { name: "Staging" } },
      { kind: "ApiKey", as: "key", args: { name: "Shop", type: "public" } },
      {
        kind: "Webhook",
        as: "hook",
        args: { url: `http://127.0.0.1:1/?key=${URL_KEY}`, description: KEY },
      },
      { kind: "EncryptionKey", as: "sealing", args: {} },
      {
        kind: "FilteringRuleSet",
        as: "none",
        args: { rules: [], allowEmpty: true, environment: "$staging.id" },
      },
      {
        kind: "FilteringRuleSet",
        as: "open",
        args: {
          environment: "$staging.id",
          rules: [{ name: "all", expression: "$staging.id", action: "deny" }],
        },
      },
      {
        kind: "FilteringRuleSet",
        as: "many",
        args: {
          environment: "$staging.id",
          rules: [
            { name: "a", expression: "true", action: "deny" },
            { name: "b", expression: "true", action: "deny" },
          ],
        },
      },
    ];
    stack.declare(declared);
    await stack.configure("devid:managementKey", "plain");
    const { passes, text } = await preview({ "max-rules": { max: 1 } });
    expect(passes).toBe(false);
    expect(found(text).sort()).toEqual([
      "mandatory encryption-key-protected",
      "mandatory max-rules",
      "mandatory no-deny-all",
      "mandatory no-secret-in-plain-config",
      "mandatory no-secret-in-plain-config",
      "mandatory no-secret-in-plain-config",
      "mandatory public-key-has-rate-limit",
      "mandatory rule-set-not-empty",
      "mandatory webhook-https-and-verified",
      "mandatory webhook-https-and-verified",
    ]);
    expect(text).toContain("pulumi config set --secret devid:managementKey");
    expect(policiesIn(text)).not.toContain(URL_KEY);
    expect(text).not.toContain(KEY);
  });
});

describe("rules that the service evaluates differently", () => {
  beforeAll(async () => {
    await open(settings());
    const expression = "sdk.platform.is_ios";
    const rules = [{ name: "ios", expression, action: "deny" }];
    stack.declare([{ kind: "FilteringRuleSet", as: "rules", args: { rules } }]);
    const tests = [
      { name: "a phone", request: { sdkPlatform: "ios" }, expect: "deny" },
    ];
    const file = join(stack.workFolder, "rules.yaml");
    writeFileSync(file, JSON.stringify({ rules, tests }));
  });

  const config = () => ({
    "service-agrees": { ruleFiles: [join(stack.workFolder, "rules.yaml")] },
    "deny-blast-radius": "disabled",
  });

  it("are stopped in a preview that shows both results", async () => {
    expect(found((await preview(config())).text)).toEqual([]);
    const data = { result: "allow", deny_with: null, triggered_rule: null };
    await workspace.fault({
      match: { path: "*/filtering-rules/test" },
      times: 1,
      then: { status: 200, body: { data } },
    });
    const { passes, text } = await preview(config());
    expect(passes).toBe(false);
    expect(found(text)).toEqual(["mandatory service-agrees"]);
    expect(policiesIn(text)).toMatch(
      /here +deny by ios\nservice +allow, for no rule matches\nrule +ios matches here, and not/,
    );
  });

  it("cause no violation without a key, and the missing key is reported", async () => {
    stack.set({ DEVID_MANAGEMENT_KEY: "" });
    const { text } = await preview(config());
    expect(found(text)).toEqual(["advisory not-checked"]);
    expect(text).toContain("service-agrees: the service was not asked");
  });
});

describe("the configuration", () => {
  beforeAll(async () => {
    const events = { DEVID_EVENTS_URL: "http://127.0.0.1:9/us" };
    await open({ ...settings(), ...events });
    const expression = "sdk.platform.is_ios";
    const rules = [{ name: "ios", expression, action: "deny" }];
    stack.declare([{ kind: "FilteringRuleSet", as: "rules", args: { rules } }]);
  });

  it("can turn a policy that needs the service into advice when the service is unreachable", async () => {
    const advised = await preview({
      "deny-blast-radius": { whenUnreachable: "advise" },
    });
    expect(found(advised.text)).toEqual(["advisory not-checked"]);
    expect(advised.text).toContain(
      "deny-blast-radius: not checked: service unreachable.",
    );
    expect(advised.passes).toBe(true);
  });

  it("with a misspelt setting is refused in one sentence of its policy", async () => {
    const { passes, text } = await preview({
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
    const file = join(stack.workFolder, "policies.json");
    const config = { "deny-blast-radios": { maxPercent: 5 } };
    writeFileSync(file, JSON.stringify(config));
    stack.set({ DEVID_POLICY_CONFIG: file });
    const said = await stack.failing("preview", "--policy-pack", PACK);
    expect(said).toContain(
      "There is no policy deny-blast-radios: did you mean deny-blast-radius?",
    );
    expect(said).not.toMatch(/^ +at .*:\d+:\d+/m);
  });
});
