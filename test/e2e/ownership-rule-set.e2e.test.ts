import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import {
  EngineStack,
  type Declared,
  type DeclaredOptions,
} from "../helpers/engine-stack";
import { LocalWorkspace } from "../helpers/local-workspace";

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

/** Each has an environment of its own, so that one engine run tells of many. */
const PLACES = [
  "renamed",
  "changed",
  "moved",
  "replaced",
  "tainted",
  "edited",
  "foreign",
  "rewritten",
] as const;
type Place = (typeof PLACES)[number];

let workspace: LocalWorkspace;
let stack: EngineStack;
let other: EngineStack;
const environments = {} as Record<Place, string>;

const open = () =>
  EngineStack.open({
    DEVID_ENDPOINT: workspace.url,
    DEVID_MANAGEMENT_KEY: workspace.service.workspaces.us.managementKey,
  });

beforeAll(async () => {
  workspace = await LocalWorkspace.start();
  for (const place of PLACES) {
    const body = { name: `Shop ${place}` };
    const made = await workspace.call("POST", "/environments", body);
    environments[place] = (made as { id: string }).id;
  }
  [stack, other] = await Promise.all([open(), open()]);
});

afterEach(() => workspace.forgetFaults());

afterAll(async () => {
  stack?.close();
  other?.close();
  await workspace?.close();
});

// Each test goes on where the one before it stopped: a stack has one history.

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

/** The rules in force in an environment, seen at the service: their IDs by name, in order. */
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

/** The rules that a resource of a stack says it wrote. */
async function written(of: EngineStack, name: string): Promise<unknown> {
  const found = (await of.resources()).filter(({ urn }) =>
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

const rewriteByHand = (place: Place, rules: readonly object[]) =>
  workspace.call("POST", "/filtering-rules/bulk", {
    environment: environments[place],
    mode: "overwrite",
    rules,
  });

/** All rule sets, with that of one place declared in another way. */
const instead = (
  place: Place,
  one: Declared,
  ...more: Declared[]
): Declared[] => [
  ...PLACES.filter((other) => other !== place).map((other) => ruleSet(other)),
  ...more,
  one,
];
const untouched = (more: Record<string, unknown> = {}) =>
  (["replaced", "tainted", "edited", "foreign", "rewritten"] as const).map(
    (place) => ruleSet(place, more),
  );

it("refuses a rename and a move without an alias in the preview, and names the ways out", async () => {
  stack.declare(PLACES.map((place) => ruleSet(place)));
  expect(await stack.up()).toEqual({ create: PLACES.length + 1 });
  const before = await allInForce();
  for (const place of PLACES)
    expect(before[place]).toEqual(await written(stack, place));

  stack.declare(instead("renamed", ruleSet("renamed", {}, {}, "renamed2")));
  const renamed = await stack.operate("preview");
  expect.soft(renamed.code).not.toBe(0);
  for (const words of [
    environments.renamed,
    /aliases: \[\{ name: /,
    /takeOver: true/,
    /another stack/i,
  ])
    expect.soft(renamed.said).toMatch(words);

  stack.declare(
    instead("moved", ruleSet("moved", {}, { parent: "$box" }), BOX),
  );
  const moved = await stack.operate("preview");
  expect.soft(moved.code).not.toBe(0);
  expect
    .soft(moved.said)
    .toMatch(/aliases: \[\{ parent: pulumi\.rootStackResource \}\]/);

  // Nothing is deleted, either, by an update that goes on behind an error.
  const rules = [...RULES, IOS];
  stack.declare(
    instead("changed", ruleSet("changed", { rules }, {}, "changed2")),
  );
  const replace = ["--replace", await stack.urn("replaced")];
  const said = await stack.failingUp("--continue-on-error", ...replace);
  expect.soft(said).toContain("takeOver: true");
  expect.soft(said).not.toContain("pulumi refresh");
  expect(await allInForce()).toEqual(before);
});

it("keeps the rules in force through a rename and a move with an alias", async () => {
  const before = await allInForce();
  stack.declare([
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
  expect(await stack.up()).toEqual({ create: 1, update: 1, same: 8 });
  const { changed, ...others } = await allInForce();
  expect(Object.keys(changed ?? {})).toEqual([...NAMES, IOS.name]);
  expect(changed).toEqual(await written(stack, "changed2"));
  expect({ ...others, changed: before.changed }).toEqual(before);
});

it("writes no rule for another takeOver, onDrift, allowEmpty or maxDeletedPercent", async () => {
  const settings = {
    takeOver: true,
    onDrift: "overwrite",
    allowEmpty: true,
    maxDeletedPercent: 90,
  };
  const before = await allInForce();
  stack.declare([
    BOX,
    ruleSet("renamed", settings, {}, "renamed2"),
    ruleSet("changed", { rules: [...RULES, IOS] }, {}, "changed2"),
    ruleSet("moved", settings, { parent: "$box" }),
    ...untouched({ takeOver: true }),
  ]);
  expect
    .soft(
      await bulkWritesOf(async () =>
        expect(await stack.up()).toEqual({ same: 3, update: 7 }),
      ),
    )
    .toBe(0);
  expect(await allInForce()).toEqual(before);
});

it("passes rules on to the new owner with takeOver, through a rename, a move, --replace and a taint", async () => {
  stack.declare([
    BOX,
    ruleSet("renamed", { takeOver: true }, {}, "renamed3"),
    ruleSet(
      "changed",
      { takeOver: true, rules: [IOS, CRAWLERS] },
      {},
      "changed3",
    ),
    ruleSet("moved", { takeOver: true }),
    ...untouched({ takeOver: true }),
  ]);
  await stack.taint("tainted");
  const flags = ["--replace", await stack.urn("replaced")];
  const said = stack.output.length;
  // One write for each of the five that are new owners, none for the old ones.
  expect
    .soft(
      await bulkWritesOf(async () =>
        expect(await stack.up(...flags)).toEqual({
          create: 3,
          delete: 3,
          replace: 2,
          same: 5,
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
    expect.soft(await written(stack, name)).toEqual(rules[place]);
  }
  // The old owner's delete says that it left them.
  expect
    .soft(stack.output.slice(said))
    .toMatch(/nothing was deleted|stays? in force|are left/i);
  expect((await stack.preview()).changes).toEqual({ same: 10 });
});

it("keeps rules in force when their new owner could not be made and the update goes on", async () => {
  await workspace.fault({
    match: { path: "/management/filtering-rules/bulk" },
    times: 1,
    then: {
      status: 400,
      body: { error: { code: "validation_error", message: "not today" } },
    },
  });
  const before = await allInForce();
  stack.declare([
    BOX,
    ruleSet("renamed", { takeOver: true }, {}, "renamed4"),
    ruleSet(
      "changed",
      { takeOver: true, rules: [IOS, CRAWLERS] },
      {},
      "changed3",
    ),
    ruleSet("moved", { takeOver: true }),
    ...untouched({ takeOver: true }),
  ]);
  const said = await stack.failingUp("--continue-on-error");
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
    ...untouched({ takeOver: true }),
    ...more,
  ];
  // Made after its rule sets: when its request comes, they are written.
  const last: Declared = {
    kind: "Webhook",
    as: "last",
    args: {
      url: "https://hooks.example/a",
      description: "$renamed4.id",
      environment: "$replaced.id",
    },
  };
  stack.declare(program([last]));
  const mark = await workspace.mark();
  await stack.killedUp(
    async () =>
      (await workspace.requestsSince(mark)).some(
        ({ method, path }) => method === "POST" && path.endsWith("/webhooks"),
      ),
    ...["--replace", await stack.urn("replaced")],
  );
  await workspace.forgetFaults();
  const before = await allInForce();
  const pending = (await stack.resources()).filter(({ delete: gone }) => gone);
  expect(pending).toHaveLength(1);

  stack.declare(program([]));
  await stack.up();
  const rules = await allInForce();
  expect.soft(rules).toEqual(before);
  expect.soft(await written(stack, "renamed4")).toEqual(rules.renamed);
  expect.soft(await written(stack, "replaced")).toEqual(rules.replaced);
  expect.soft(Object.keys(rules.renamed ?? {})).toEqual(NAMES);
  expect(Object.keys(rules.replaced ?? {})).toEqual(NAMES);
});

it("shows rules that somebody else wrote again, though they are equal, and takes over no ID", async () => {
  await rewriteByHand("rewritten", RULES);
  const own = await written(stack, "rewritten");
  await stack.refresh("--clear-pending-creates");
  expect(await written(stack, "rewritten")).toEqual(own);
  const { changes, text } = await stack.preview();
  expect.soft(changes).toMatchObject({ update: 1 });
  expect.soft(text).toContain(environments.rewritten);
  expect.soft(text).toMatch(/\bIDs?\b|someone else|somebody else|by others/i);

  stack.declare([
    BOX,
    ruleSet("renamed", { takeOver: true }, {}, "renamed4"),
    ruleSet("changed", { takeOver: true }, {}, "changed3"),
    ruleSet("moved", { takeOver: true }),
    ...untouched({ takeOver: true }).slice(0, -1),
    ruleSet("rewritten", { onDrift: "overwrite" }),
  ]);
  await stack.up();
  expect(await written(stack, "rewritten")).toEqual(await inForce("rewritten"));
});

it("refuses a second stack, which with takeOver owns the rules from then on", async () => {
  const before = await allInForce();
  other.declare([ruleSet("foreign")]);
  expect.soft(await other.failing("preview")).toMatch(/another stack/i);
  expect.soft(await other.failingUp()).toContain(environments.foreign);
  expect(await allInForce()).toEqual(before);

  other.declare([ruleSet("foreign", { takeOver: true })]);
  expect(await other.up()).toEqual({ create: 1, same: 1 });
  const after = await inForce("foreign");
  expect(after).toEqual(await written(other, "foreign"));
  expect(after).not.toEqual(before.foreign);

  // Nor has one program two rule sets of an environment.
  const one = ruleSet("foreign", { takeOver: true });
  const twice = ruleSet("foreign", { takeOver: true }, {}, "twice");
  other.declare([one, twice]);
  expect.soft(await other.failingUp()).toContain(environments.foreign);
  expect(await inForce("foreign")).toEqual(after);
});

it("destroys only what it wrote itself, and nothing that somebody edited", async () => {
  const foreign = await inForce("foreign");
  const byHand = { ...IOS, environment: environments.moved };
  await workspace.call("POST", "/filtering-rules", byHand);
  const [first = ""] = Object.values(await inForce("edited")).map(String);
  await workspace.call("POST", `/filtering-rules/${first}`, {
    expression: "sdk.platform.is_android",
  });
  const edited = await inForce("edited");

  const said = await stack.failing(
    ...["destroy", "--yes", "--skip-preview", "--continue-on-error"],
  );
  expect.soft(said).toContain(environments.edited);
  expect.soft(said).toContain("sdk.platform.is_android");
  expect.soft(said).toMatch(/stays? in force|are left/i);
  const { moved, ...left } = await allInForce();
  expect.soft(Object.keys(moved ?? {})).toEqual([IOS.name]);
  expect.soft(left).toEqual({
    renamed: {},
    changed: {},
    replaced: {},
    tainted: {},
    rewritten: {},
    edited,
    foreign,
  });

  stack.declare([ruleSet("edited", { onDrift: "overwrite" })]);
  await stack.up();
  await stack.destroy();
  expect.soft(await inForce("edited")).toEqual({});
  await other.destroy();
  expect(await inForce("foreign")).toEqual({});
});

it("says in the preview that it would leave an environment without rules", async () => {
  other.declare([ruleSet("foreign", { takeOver: true })]);
  await other.up();
  other.declare([ruleSet("foreign", { rules: [], allowEmpty: true })]);
  // Without --diff, which shows no messages.
  const { said } = await other.operate("preview");
  expect(said).toMatch(/without (filtering )?rules|no rules?\b|every request/i);
});

it("checks each rule that it knows, where another is still unknown", async () => {
  const staging: Declared = {
    kind: "Environment",
    as: "staging",
    args: { name: "Staging" },
  };
  const program = (more: object): Declared[] => [
    staging,
    ruleSet("foreign", {
      rules: [
        { ...CURL, denyWith: "$staging.id" },
        CRAWLERS,
        { ...IOS, ...more },
      ],
    }),
  ];
  other.declare(program({ expression: "sdk.platfrm.is_ios" }));
  const said = await other.failing("preview");
  expect.soft(said).toContain("rules[2].expression");
  expect.soft(said).toContain("sdk.platfrm");
  other.declare(program({}));
  await other.preview();
});
