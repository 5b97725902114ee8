import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { declared } from "../helpers/engine-stack";
import { FormStack } from "../helpers/form-stack";
import { FORMS_OF_TIER } from "../helpers/forms-of-tier";
import { LocalWorkspace } from "../helpers/local-workspace";
import { openForTests } from "../helpers/open-for-tests";
import { allow, rule } from "../rules/diff/rule";

const RULES = [
  rule("crawlers", "http.user_agent.is_crawler_bot"),
  allow(
    "our shop",
    "http.request.headers['Origin'][0] == 'https://shop.example'",
  ),
  rule("browsers", "sdk.platform.is_browser"),
];

// Each test continues from the state that the previous test left, because a stack has one history.

describe.each(FORMS_OF_TIER)("a program in the %s form", (form) => {
  const workspace = openForTests(new LocalWorkspace());
  let stack: FormStack;
  let asFound: unknown;

  beforeAll(async () => {
    asFound = await workspace.contents();
    stack = await FormStack.open(form, workspace.env);
  });
  afterAll(() => stack?.close());

  /** One resource of each kind, in an environment of its own. */
  function declare(rules: readonly object[] = RULES, ofKey = {}): void {
    const environment = "$staging.id";
    stack.declare({
      resources: [
        declared("Environment", "staging", { name: "Staging" }),
        declared("ApiKey", "server", {
          name: "Server",
          type: "secret",
          environment,
          rateLimit: 7,
          ...ofKey,
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
      ],
    });
  }

  const named = async (collection: string, name: string) =>
    (await workspace.list(collection)).find((one) => one.name === name);

  it("creates one resource of each kind, with references that its preview does not know", async () => {
    declare();
    const { text } = await stack.engine.preview();
    expect(text).toMatch(/url *: "https:\/\/hooks.example\/a"/);
    if (form === "plugin") expect(text).toMatch(/environment *: \[unknown\]/);
    expect(await stack.engine.up()).toEqual({ create: 6 });

    const environment = (await named("environments", "Staging"))?.id;
    expect(await named("api-keys", "Server")).toMatchObject({
      environment,
      type: "secret",
      rate_limit: 7,
    });
    expect(await workspace.list("webhooks")).toMatchObject([
      { url: "https://hooks.example/a", environment },
    ]);
    const keys = await workspace.list("encryption-keys");
    expect(keys.find((key) => key.environment === environment)).toMatchObject({
      status: "enabled",
    });
    const rules = await workspace.list("filtering-rules");
    expect(rules.map(({ name }) => name)).toEqual([
      "crawlers",
      "our shop",
      "browsers",
    ]);
  });

  it("sends no request when nothing changed, nor for an output without a value", async () => {
    const mark = await workspace.mark();
    expect(await stack.engine.up()).toEqual({ same: 6 });
    declare(RULES, { description: "$staging.description" });
    expect(await stack.engine.up()).toEqual({ same: 6 });
    declare();
    expect(await workspace.writesSince(mark)).toEqual([]);
  });

  it("shows an inserted rule as one addition and one changed neighbour", async () => {
    const android = rule("android", "sdk.platform.is_android");
    declare([RULES[0] ?? {}, android, ...RULES.slice(1)]);
    const { text, changes } = await stack.engine.preview();
    expect(changes).toEqual({ same: 5, update: 1 });
    const [diff = ""] = text.split("Resources:");
    const marked = diff.split("\n").filter((line) => /^\s+[-+~] /.test(line));
    const lines = marked.map((line) =>
      line.trim().replace(/\s+/g, " ").replace(" :", ":"),
    );
    expect(lines.slice(1)).toEqual([
      "~ rules: {",
      "+ android: {",
      '+ action: "deny"',
      '+ after: "crawlers"',
      '+ denyWith: "Forbidden"',
      '+ expression: "sdk.platform.is_android"',
      '+ status: "enabled"',
      "~ our shop: {",
      '~ after: "crawlers" => "android"',
    ]);
    expect(lines[0]).toMatch(/^~ \S+FilteringRuleSet: \(update\)$/);
  });

  it("destroys everything that it made", async () => {
    await stack.engine.destroy();
    expect(await workspace.contents()).toEqual(asFound);
  });
});
