import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { declared, EngineStack } from "../helpers/engine-stack";
import { LocalWorkspace } from "../helpers/local-workspace";
import { openForTests } from "../helpers/open-for-tests";
import { ROOT } from "../helpers/repository";

const POLICED = join(ROOT, "examples/policed");

// test/policy tests what each policy checks, and with which setting.

const PACK = join(ROOT, "policy");

const workspace = openForTests(new LocalWorkspace());
/** The stack of one group of tests. */
let stack: EngineStack;

/** Every stack that was opened. */
const stacks: EngineStack[] = [];
afterAll(() => stacks.forEach((one) => one.close()));

async function open(settings = workspace.env, program?: string) {
  stacks.push((stack = await EngineStack.open(settings, program)));
}

/** Runs a preview with a pack. Returns whether it passed, and its output. */
async function previewWith(pack: string, ...more: string[]) {
  const { code, text } = await stack.operate(
    "preview",
    ...["--policy-pack", pack, ...more],
  );
  return { passes: code === 0, text };
}

/** Runs a preview with our pack and a configuration. */
function preview(config: object = {}) {
  const file = join(stack.workFolder, "policies.json");
  writeFileSync(file, JSON.stringify(config));
  return previewWith(PACK, "--policy-pack-config", file);
}

/** The Policies section of a preview, without its margin. */
const policiesIn = (text: string) =>
  /^Policies:$([^]*?)^\S/m.exec(text)?.[1]?.replace(/^ +/gm, "") ?? "";

/** The policies with findings, each with its level. */
const found = (text: string) =>
  [...policiesIn(text).matchAll(/^- \[(\w+)\] +([\w-]+)/gm)].map(
    ([, level, name]) => `${level} ${name}`,
  );

/** Gives the workspace a recent event for each platform. */
const lately = (...platforms: string[]) =>
  workspace.control(
    "/us/events",
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
    await open(workspace.env, POLICED);
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
    await open();
    stack.declare([
      declared("ApiKey", "key", { name: "Shop", type: "public" }),
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
    await open({ ...workspace.env, DEVID_SECRET_KEY: KEY });
    const resources = [
      declared("Environment", "staging", { name: "Staging" }),
      declared("ApiKey", "key", { name: "Shop", type: "public" }),
      {
        kind: "Webhook",
        as: "hook",
        args: { url: `http://127.0.0.1:1/?key=${URL_KEY}`, description: KEY },
      },
      declared("EncryptionKey", "sealing", {}),
      declared("FilteringRuleSet", "none", {
        rules: [],
        allowEmpty: true,
        environment: "$staging.id",
      }),
      declared("FilteringRuleSet", "open", {
        environment: "$staging.id",
        rules: [{ name: "all", expression: "$staging.id", action: "deny" }],
      }),
      declared("FilteringRuleSet", "many", {
        environment: "$staging.id",
        rules: [
          { name: "a", expression: "true", action: "deny" },
          { name: "b", expression: "true", action: "deny" },
        ],
      }),
    ];
    stack.declare(resources);
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
