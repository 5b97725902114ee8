import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { declared } from "../helpers/engine-stack";
import { found, PACK, policiesIn, policyScene } from "./policy-scene";
import { ROOT } from "../helpers/repository";

const POLICED = join(ROOT, "examples/policed");

// test/policy tests what each policy checks, and with which setting.

const scene = policyScene();

/** Gives the workspace a recent event for each platform. */
const lately = (...platforms: string[]) =>
  scene.workspace.control(
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
    await scene.open(scene.settings(), POLICED);
    await lately("js", "js", "ios");
  });

  it("passes the policies unchanged", async () => {
    const { passes, text } = await scene.preview(config);
    expect(text).toContain("devid@v0.1.0");
    expect(found(text)).toEqual([]);
    expect(passes).toBe(true);
  });

  it("is stopped in an update when its rules deny everybody", async () => {
    await scene.stack.configure("rulesFile", "everybody.yaml");
    const file = join(scene.stack.workFolder, "policies.json");
    writeFileSync(file, JSON.stringify(config));
    const pack = ["--policy-pack", PACK, "--policy-pack-config", file];
    // An update shows its preview first, and a violation in the preview stops the update.
    const text = await scene.stack.failing("up", "--yes", ...pack);
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
    expect(await scene.workspace.list("filtering-rules")).toEqual([]);
  });
});

describe("a user's own policy pack", () => {
  const OWN = join(ROOT, "examples/own-policies");

  beforeAll(async () => {
    await scene.open(scene.settings());
    scene.stack.declare([
      declared("ApiKey", "key", { name: "Shop", type: "public" }),
      { kind: "Webhook", as: "hook", args: { url: "https://shop.example/a" } },
    ]);
  });

  it("sets a missing value in an update, and reads the events", async () => {
    const pack = ["--policy-pack", OWN];
    const { code, text } = await scene.stack.operate("up", "--yes", ...pack);
    expect(code).toBe(0);
    expect(text).toContain("key-is-limited");
    const keys = await scene.workspace.list("api-keys");
    const key = keys.find(({ name }) => name === "Shop");
    expect(key).toMatchObject({ rate_limit: 50 });
    // The state has the value as well, so the next preview changes nothing.
    const { passes, text: next } = await scene.previewWith(OWN);
    expect(passes).toBe(true);
    expect(next).toContain("unchanged");
    expect(next).not.toMatch(/to (update|replace)/);
  });

  it("turns on remedies by a level in the configuration", async () => {
    const { text } = await scene.preview({
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
    await scene.open({ ...scene.settings(), DEVID_SECRET_KEY: KEY });
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
    scene.stack.declare(resources);
    await scene.stack.configure("devid:managementKey", "plain");
    const { passes, text } = await scene.preview({ "max-rules": { max: 1 } });
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
