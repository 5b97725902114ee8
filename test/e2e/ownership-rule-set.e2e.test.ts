import { afterEach, expect, it } from "vitest";
import { openForTests } from "../helpers/open-for-tests";
import { WorkspaceStack } from "../helpers/workspace-stack";
import { type Declared, type DeclaredOptions } from "../helpers/engine-stack";

const CRAWLERS = {
  name: "block-crawlers",
  expression: "http.user_agent.is_crawler_bot",
  action: "deny",
};
const CURL = {
  name: "block-curl",
  expression: "http.user_agent.string startsWith 'curl/'",
  action: "deny",
};
const IOS = {
  name: "block-ios",
  expression: "sdk.platform.is_ios",
  action: "deny",
};
const RULES = [CRAWLERS, CURL];
const NAMES = RULES.map(({ name }) => name);

/** Each place has an environment of its own. One engine run covers all places. */
const PLACES = [
  "renamed",
  "changed",
  "moved",
  "replaced",
  "tainted",
  "edited",
] as const;
type Place = (typeof PLACES)[number];

const local = openForTests(new WorkspaceStack(PLACES));
const { environments, workspace } = local;

afterEach(() => workspace.forgetFaults());

// test/provider/resources/filtering-rule-set tests what a rule set does with its rules. This file tests what
// the engine makes of it. Each test continues from the state that the previous test left, because a stack has
// one history.

const ruleSet = (
  place: Place,
  more: Record<string, unknown> = {},
  opts: DeclaredOptions = {},
  as: string = place,
): Declared => ({
  kind: "FilteringRuleSet",
  as,
  args: { environment: environments[place], rules: RULES, ...more },
  opts,
});
const BOX: Declared = { kind: "Component", as: "box", args: {} };

/** The rules in force in an environment, read from the service: their IDs by name, in order. */
async function inForce(place: Place): Promise<Record<string, unknown>> {
  const rules = await workspace.list("filtering-rules");
  const own = rules.filter((r) => r.environment === environments[place]);
  return Object.fromEntries(own.map(({ name, id }) => [String(name), id]));
}
const allInForce = async () =>
  Object.fromEntries(
    await Promise.all(
      PLACES.map(async (place) => [place, await inForce(place)] as const),
    ),
  );

/** The rules that the state of a resource says it wrote. */
async function written(name: string): Promise<unknown> {
  const found = (await local.stack.resources()).filter(({ urn }) =>
    urn.endsWith(`::${name}`),
  );
  return found.length === 1
    ? found[0]?.outputs?.ruleIds
    : `${found.length} resources are named ${name}`;
}

async function bulkWritesOf(work: () => Promise<unknown>): Promise<number> {
  const mark = await workspace.mark();
  await work();
  const calls = await workspace.requestsSince(mark);
  return calls.filter(({ path }) => path.endsWith("/bulk")).length;
}

/** The declarations of the places that the first three do not affect. */
const untouched = () =>
  (["replaced", "tainted", "edited"] as const).map((place) =>
    ruleSet(place, { takeOver: true }),
  );

it("refuses a rename without an alias in the preview, and names the ways out", async () => {
  const first = (["renamed", "changed", "moved"] as const).map((place) =>
    ruleSet(place),
  );
  local.stack.declare([...first, ...untouched()]);
  expect(await local.stack.up()).toEqual({ create: PLACES.length + 1 });
  const before = await allInForce();
  for (const place of PLACES)
    expect(before[place]).toEqual(await written(place));

  const [, changed, moved] = first as [Declared, Declared, Declared];
  const renamed = ruleSet("renamed", {}, {}, "renamed2");
  local.stack.declare([renamed, changed, moved, ...untouched()]);
  const { code, said } = await local.stack.operate("preview");
  expect.soft(code).not.toBe(0);
  for (const words of [
    environments.renamed,
    /aliases: \[\{ name: /,
    /takeOver: true/,
    /another stack/i,
  ])
    expect.soft(said).toMatch(words);

  // An update that continues after an error deletes nothing either.
  const replace = ["--replace", await local.stack.urn("replaced")];
  const failed = await local.stack.failingUp("--continue-on-error", ...replace);
  expect.soft(failed).toContain("takeOver: true");
  expect.soft(failed).not.toContain("pulumi refresh");
  // The program may end before or after the replacement, which writes the same rules.
  const { replaced, ...after } = await allInForce();
  const { replaced: last, ...others } = before;
  expect(after).toEqual(others);
  expect(Object.keys(replaced ?? {})).toEqual(Object.keys(last ?? {}));
});

it("keeps the rules in force through a rename and a move with an alias", async () => {
  const before = await allInForce();
  local.stack.declare([
    BOX,
    ruleSet("renamed", {}, { aliases: [{ name: "renamed" }] }, "renamed2"),
    ruleSet(
      "changed",
      { rules: [...RULES, IOS] },
      {
        aliases: [
          "urn:pulumi:test::declared::pulumi-nodejs:dynamic/devid:FilteringRuleSet::changed",
        ],
      },
      "changed2",
    ),
    ruleSet("moved", {}, { parent: "$box", aliases: [{ parent: "root" }] }),
    ...untouched(),
  ]);
  expect(await local.stack.up()).toEqual({ create: 1, update: 1, same: 6 });
  const { changed, ...others } = await allInForce();
  expect(Object.keys(changed ?? {})).toEqual([...NAMES, IOS.name]);
  expect(changed).toEqual(await written("changed2"));
  expect({ ...others, changed: before.changed }).toEqual(before);
});

it("passes rules on to the new owner with takeOver, through a rename, a move, --replace and a taint", async () => {
  local.stack.declare([
    BOX,
    ruleSet("renamed", { takeOver: true }, {}, "renamed3"),
    ruleSet(
      "changed",
      { takeOver: true, rules: [IOS, CRAWLERS] },
      {},
      "changed3",
    ),
    ruleSet("moved", { takeOver: true }),
    ...untouched(),
  ]);
  await local.stack.taint("tainted");
  const flags = ["--replace", await local.stack.urn("replaced")];
  const said = local.stack.output.length;
  // One write for each of the five new owners, and none for the old owners.
  expect
    .soft(
      await bulkWritesOf(async () =>
        expect(await local.stack.up(...flags)).toEqual({
          create: 3,
          delete: 3,
          replace: 2,
          same: 3,
        }),
      ),
    )
    .toBe(5);
  const rules = await allInForce();
  expect
    .soft(Object.keys(rules.changed ?? {}))
    .toEqual([IOS.name, CRAWLERS.name]);
  for (const [place, name] of [
    ["renamed", "renamed3"],
    ["changed", "changed3"],
    ["moved", "moved"],
    ["replaced", "replaced"],
    ["tainted", "tainted"],
  ] as const) {
    expect.soft(Object.keys(rules[place] ?? {})).not.toEqual([]);
    expect.soft(await written(name)).toEqual(rules[place]);
  }
  // The delete of the old owner says that it left the rules in force.
  expect
    .soft(local.stack.output.slice(said))
    .toMatch(/nothing was deleted|stays? in force|are left/i);
});

it("keeps rules in force when the new owner could not be created and the update continues", async () => {
  await workspace.fault({
    match: { path: "/management/filtering-rules/bulk" },
    times: 1,
    then: {
      status: 400,
      body: { error: { code: "validation_error", message: "not today" } },
    },
  });
  const before = await allInForce();
  local.stack.declare([
    BOX,
    ruleSet("renamed", { takeOver: true }, {}, "renamed4"),
    ruleSet(
      "changed",
      { takeOver: true, rules: [IOS, CRAWLERS] },
      {},
      "changed3",
    ),
    ruleSet("moved", { takeOver: true }),
    ...untouched(),
  ]);
  const said = await local.stack.failingUp("--continue-on-error");
  expect.soft(said).toContain("not today");
  expect(await allInForce()).toEqual(before);
});

it("keeps rules in force when the update is killed between create and delete", async () => {
  await workspace.fault({
    match: { method: "POST", path: "/management/webhooks" },
    then: "hang",
  });
  const program = (more: Declared[]): Declared[] => [
    BOX,
    ruleSet("renamed", { takeOver: true }, {}, "renamed4"),
    ruleSet("changed", { takeOver: true }, {}, "changed3"),
    ruleSet("moved", { takeOver: true }),
    ...untouched(),
    ...more,
  ];
  // The webhook is created after its rule sets, so they are written when its request arrives.
  const last: Declared = {
    kind: "Webhook",
    as: "last",
    args: {
      url: "https://hooks.example/a",
      description: "$renamed4.id",
      environment: "$replaced.id",
    },
  };
  local.stack.declare(program([last]));
  const mark = await workspace.mark();
  await local.stack.killedUp(
    async () =>
      (await workspace.requestsSince(mark)).some(
        ({ method, path }) => method === "POST" && path.endsWith("/webhooks"),
      ),
    ...["--replace", await local.stack.urn("replaced")],
  );
  await workspace.forgetFaults();
  const before = await allInForce();
  const pending = (await local.stack.resources()).filter(
    ({ delete: gone }) => gone,
  );
  expect(pending).toHaveLength(1);

  local.stack.declare(program([]));
  await local.stack.up();
  const rules = await allInForce();
  expect.soft(rules).toEqual(before);
  expect.soft(await written("renamed4")).toEqual(rules.renamed);
  expect.soft(await written("replaced")).toEqual(rules.replaced);
  expect.soft(Object.keys(rules.renamed ?? {})).toEqual(NAMES);
  expect(Object.keys(rules.replaced ?? {})).toEqual(NAMES);
});

it("destroys only rules that it wrote, and none that somebody edited", async () => {
  const byHand = { ...IOS, environment: environments.moved };
  await workspace.call("POST", "/filtering-rules", byHand);
  const [first = ""] = Object.values(await inForce("edited")).map(String);
  await workspace.call("POST", `/filtering-rules/${first}`, {
    expression: "sdk.platform.is_android",
  });
  const edited = await inForce("edited");

  const said = await local.stack.failing(
    ...["destroy", "--yes", "--skip-preview", "--continue-on-error"],
  );
  expect.soft(said).toContain(environments.edited);
  expect.soft(said).toContain("sdk.platform.is_android");
  expect.soft(said).toMatch(/stays? in force|are left/i);
  const { moved, ...left } = await allInForce();
  expect.soft(Object.keys(moved ?? {})).toEqual([IOS.name]);
  expect(left).toEqual({
    renamed: {},
    changed: {},
    replaced: {},
    tainted: {},
    edited,
  });
});
