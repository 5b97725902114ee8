import { beforeAll, expect, it } from "vitest";
import { openForTests } from "../helpers/open-for-tests";
import { WorkspaceStack } from "../helpers/workspace-stack";
import { declared } from "../helpers/engine-stack";
import { allow, rule } from "../rules/diff/rule";

const local = openForTests(new WorkspaceStack());
const { workspace } = local;
let asFound: unknown;

const RULES = [
  rule("crawlers", "http.user_agent.is_crawler_bot"),
  allow(
    "our shop",
    "http.request.headers['Origin'][0] == 'https://shop.example'",
  ),
  rule("browsers", "sdk.platform.is_browser"),
];

/** One resource of each kind, in an environment of its own. */
function declare(rules: readonly object[] = RULES): void {
  const environment = "$staging.id";
  local.stack.declare([
    declared("Environment", "staging", { name: "Staging" }),
    declared("ApiKey", "server", {
      name: "Server",
      type: "secret",
      environment,
      rateLimit: 7,
    }),
    declared("Webhook", "hook", {
      url: "https://hooks.example/a",
      environment,
    }),
    declared("EncryptionKey", "sealing", {
      environment,
      status: "enabled",
      rotation: "1",
    }),
    declared("FilteringRuleSet", "rules", { environment, rules }),
  ]);
}

const named = async (collection: string, name: string) => {
  const found = (await workspace.list(collection)).find((r) => r.name === name);
  return found ?? expect.fail(`no ${name} in ${collection}`);
};

const ruleNames = async () =>
  (await workspace.list("filtering-rules")).map((rule) => rule.name);

beforeAll(async () => {
  asFound = await workspace.contents();
});

// Each test continues from the state that the previous test left, because a stack has one history.

it("creates one resource of each kind, with references between them", async () => {
  declare();
  expect(await local.stack.up()).toEqual({ create: 6 });

  const { id } = await named("environments", "Staging");
  expect(await named("api-keys", "Server")).toMatchObject({
    environment: id,
    type: "secret",
    rate_limit: 7,
  });
  const [webhook] = await workspace.list("webhooks");
  expect(webhook).toMatchObject({
    url: "https://hooks.example/a",
    environment: id,
  });
  const keys = await workspace.list("encryption-keys");
  expect(keys.find((key) => key.environment === id)).toMatchObject({
    status: "enabled",
  });
  expect(await ruleNames()).toEqual(["crawlers", "our shop", "browsers"]);
});

it("sends no request when nothing changed", async () => {
  const mark = await workspace.mark();
  expect(await local.stack.up()).toEqual({ same: 6 });
  expect(await workspace.requestsSince(mark)).toEqual([]);
});

it("shows an inserted rule as one addition and one changed neighbour", async () => {
  const android = rule("android", "sdk.platform.is_android");
  declare([RULES[0] ?? {}, android, ...RULES.slice(1)]);
  const { text, changes } = await local.stack.preview();
  expect(changes).toEqual({ same: 5, update: 1 });
  const [diff = ""] = text.split("Resources:");
  const marked = diff.split("\n").filter((line) => /^\s+[-+~] /.test(line));
  expect(marked.map((line) => line.trim().replace(/\s+/g, " "))).toEqual([
    "~ pulumi-nodejs:dynamic/devid:FilteringRuleSet: (update)",
    "~ rules : {",
    "+ android : {",
    '+ action : "deny"',
    '+ after : "crawlers"',
    '+ denyWith : "Forbidden"',
    '+ expression: "sdk.platform.is_android"',
    '+ status : "enabled"',
    "~ our shop: {",
    '~ after : "crawlers" => "android"',
  ]);
});

it("destroys everything that it made", async () => {
  await local.stack.destroy();
  expect(await workspace.contents()).toEqual(asFound);
});
