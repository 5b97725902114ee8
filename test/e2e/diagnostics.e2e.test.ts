import type { Rule } from "@devid/rules";
import { afterAll, beforeAll, expect, it } from "vitest";
import { declared, EngineStack, type Declared } from "../helpers/engine-stack";
import { expectGolden } from "../helpers/golden";
import { LocalWorkspace } from "../helpers/local-workspace";
import { openForTests } from "../helpers/open-for-tests";
import { allow, rule } from "../rules/diff/rule";

// What a person sees on a terminal of refusals, warnings and changes of rules, and what the engine does
// then. Other tests have what is refused, and with which calls.

const workspace = openForTests(new LocalWorkspace());
let stack: EngineStack;
/** ID of the key that the stack adopts. */
let adopted: string;

beforeAll(async () => {
  stack = await EngineStack.open(workspace.env);
});
afterAll(() => stack?.close());

const key = (change: Record<string, unknown> = {}): Declared =>
  declared("ApiKey", "server", {
    name: "Server",
    type: "secret",
    adopt: { id: adopted },
    ...change,
  });
/** A resource with an output of the key among its arguments. */
const reader = (output: string): Declared =>
  declared("Environment", "reader", {
    name: "Reader",
    description: `$server.${output}`,
  });

// Each test continues from the state that the previous test left, because a stack has one history.

const WHY =
  'ApiKey "server" has no token: the key was adopted or imported, and the service shows a token only when it creates the key. If the program needs the token, give the resource a `rotation`, any text: this creates a new key in place of this one, and whoever uses this key then needs the new token.';

it("shows every mistake of a resource in the preview, without a request to the service", async () => {
  const mark = await workspace.mark();
  stack.declare([
    declared("ApiKey", "short", { name: "ab", type: "secret", rateLimit: 0 }),
  ]);
  const said = await stack.failing("preview");
  for (const text of [
    "problem: name: ",
    "must have at least 3 characters",
    "problem: rateLimit: ",
    "must be at least 0.1",
  ])
    expect(said).toContain(text);
  expect(await workspace.requestsSince(mark)).toEqual([]);
});

it("an adopted key is created in the stack when nobody reads its token", async () => {
  const server = { name: "Server", type: "secret" };
  ({ id: adopted } = await workspace.make("/api-keys", server));
  stack.declare([key()]);
  expect(await stack.up()).toEqual({ create: 2 });
});

it("a missing token passes a preview and fails an update", async () => {
  stack.declare([key(), reader("token")]);
  expect((await stack.preview()).changes).toEqual({ same: 2, create: 1 });
  const said = await stack.failingUp();
  // The error appears at once, and again among the diagnostics at the end.
  expect(said.split(WHY)).toHaveLength(3);
  expect(said).not.toMatch(/\n\s+at /);
});

it("a rotation creates a key whose token can be read", async () => {
  stack.declare([key({ rotation: "1" }), reader("token")]);
  expect(await stack.up()).toEqual({ same: 1, create: 1, replace: 1 });
});

it("an object that the program gets by its ID is read, and never changed or deleted", async () => {
  const made = await workspace.make("/webhooks", {
    url: "https://hooks.example/by-hand",
    description: "made by hand",
  });
  const before = await workspace.list("webhooks");
  const hook = declared("Webhook", "hook", {}, { get: made.id });
  const args = { name: "Copy", description: "$hook.description" };
  stack.declare([hook, declared("Environment", "copy", args)]);
  await stack.up();
  expect(
    (await workspace.list("environments")).map(
      ({ description }) => description,
    ),
  ).toContain("made by hand");
  stack.declare([{ ...hook, get: "wh_0" }]);
  expect(await stack.failingUp()).toContain("There is no webhook wh_0");
  stack.declare([]);
  await stack.up();
  expect(await workspace.list("webhooks")).toEqual(before);
});

it("an object that the program got by its ID is the same in each preview, and is adopted under the same name", async () => {
  const url = "https://hooks.example/got";
  const { id } = await workspace.make("/webhooks", { url });
  const before = await workspace.list("webhooks");
  stack.declare([declared("Webhook", "got", {}, { get: id })]);
  await stack.up();
  await stack.refresh();
  const { said } = await stack.preview();
  expect(said).not.toMatch(/claim|^ *[-+~] /m);
  stack.declare([declared("Webhook", "got", { url, adopt: { id } })]);
  await stack.up();
  expect(await workspace.list("webhooks")).toEqual(before);
  expect(await stack.outputs()).toMatchObject({ got: id });
});

it("a destroy with one worker deletes an environment whose ID the program writes out, as its error says", async () => {
  const found = await workspace.list("environments");
  const staging = declared("Environment", "staging", { name: "Staging" });
  stack.declare([staging]);
  await stack.up();
  const [made] = (await workspace.list("environments")).filter(
    ({ id }) => !found.some((one) => one.id === id),
  );
  const tills = Array.from({ length: 6 }, (_, n) =>
    declared("ApiKey", `till${n}`, {
      name: `Till ${n}`,
      type: "public",
      environment: made?.id,
    }),
  );
  stack.declare([staging, ...tills]);
  await stack.up();

  const destroy = ["destroy", "--yes", "--skip-preview", "--parallel", "1"];
  const first = await stack.operate(...destroy, "--continue-on-error");
  expect(first.said).not.toContain("does not delete");
  // The engine knows of no order among them. In one of seven runs, it happens to delete
  // the environment last.
  if (first.code !== 0) {
    expect(first.said).toContain(
      "Objects of this stack are deleted before the environment: run the same command without --parallel 1.",
    );
    const { code } = await stack.operate(...destroy);
    expect(code).toBe(0);
  }
  expect(await workspace.list("environments")).toEqual(found);
});

const CRAWLERS = rule("block-crawlers", "http.user_agent.is_crawler_bot");
const SHOP = allow(
  "allow-our-shop",
  "http.request.headers['Origin'][0] == 'https://shop.example'",
);
const BROWSERS = rule("block-browsers", "sdk.platform.is_browser");
const CURL = rule("block-curl", "http.user_agent.string startsWith 'curl/'");
const TOKEN = rule(
  "block-without-token",
  "secret:http.request.headers['X-Token'][0] != 'a token of ours'",
);

/** Each place has an environment of its own. One preview covers all places. */
const PLACES = ["inserted", "changed", "emptied"] as const;
type Place = (typeof PLACES)[number];
const NOW = [CRAWLERS, CURL, SHOP, BROWSERS];

const environments = {} as Record<Place, string>;

/** Declares a rule set for each environment, with other rules for some of them. */
const declare = (
  changes: Partial<
    Record<Place, { rules: readonly Rule[]; allowEmpty?: true }>
  > = {},
) =>
  stack.declare(
    PLACES.map((place) =>
      declared("FilteringRuleSet", place, {
        environment: environments[place],
        rules: place === "inserted" ? [CRAWLERS, SHOP, BROWSERS] : NOW,
        ...changes[place],
      }),
    ),
  );

/**
 * What `pulumi preview` without `--diff` prints about a rule set: under the stack, the changes of
 * an update to its rules; under the rule set, its mistakes.
 */
async function previewed(): Promise<(place: Place) => string> {
  const { text: printed } = await stack.operate("preview");
  const [, text = ""] = printed.split("Diagnostics:\n");
  const [diagnostics = ""] = text.split("\nResources:");
  return (place) => {
    const about = diagnostics
      .split(/^(?= {2}\S| {4}What an update does)/m)
      .filter((part) => part.includes(environments[place]));
    const wrong = diagnostics
      .split(/^(?= {2}\S)/m)
      .filter((part) => part.includes(`FilteringRuleSet (${place}):`));
    return [...about, ...wrong]
      .map((part) => `${part.trimEnd()}\n`)
      .join("")
      .replace(`(${place})`, "(rules)")
      .replace(`'${place}'`, "'rules'")
      .replaceAll(environments[place], "ae_0123456789abcdef");
  };
}

it("shows every kind of change by the names of rules, without secrets, and sends no request", async () => {
  for (const place of PLACES)
    environments[place] = await workspace.newEnvironment(`Shop ${place}`);
  declare();
  expect(await stack.up()).toEqual({ create: PLACES.length + 1 });
  declare({
    inserted: { rules: [CRAWLERS, CURL, SHOP, BROWSERS] },
    changed: {
      rules: [
        BROWSERS,
        { ...CRAWLERS, action: "allow" },
        { ...SHOP, expression: "sdk.platform.is_android" },
        // The change of a rule set with a secret in it is not described.
        { ...TOKEN, expression: TOKEN.expression.replace(/^secret:/, "") },
      ],
    },
    emptied: { rules: [], allowEmpty: true },
  });
  const mark = await workspace.mark();
  const said = await previewed();
  expect(await workspace.requestsSince(mark)).toEqual([]);
  expectGolden("rule-set/preview-insert.txt", said("inserted"));
  for (const line of said("inserted").split("\n"))
    expect(line.length).toBeLessThanOrEqual(80);
  expectGolden("rule-set/preview-changes.txt", said("changed"));
  expect(said("changed")).not.toContain("a token of ours");
  expect(said("emptied")).toMatch(/every\s+request is then allowed/);
});
