import fc from "fast-check";
import { KINDS } from "../provider/kind-rows";
import {
  argsOf,
  inEnvironment,
  ofWebhook,
  RECEIVERS,
  withKnownPaths,
} from "./kinds";
import { FAULTS, MOMENTS, VICTIMS, type Trouble } from "./network";
import type { Declaration, Kind } from "./program";
import { stepsOf } from "./story-language";
import type { Step } from "./story";
import type { Flags } from "./world";

const some = fc.constantFrom;
/** Half of the time undefined. */
const maybe = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.option(arbitrary, { nil: undefined, freq: 2 });

/** A record without the members that are undefined. */
const record = <T extends object>(model: {
  [K in keyof T]: fc.Arbitrary<T[K] | undefined>;
}): fc.Arbitrary<Partial<T>> =>
  fc
    .record(model as never)
    .map(
      (value) =>
        Object.fromEntries(
          Object.entries(value).filter(([, member]) => member !== undefined),
        ) as Partial<T>,
    );

/** Mostly undefined. */
const seldom = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary },
  );

const place = fc.oneof(
  { weight: 4, arbitrary: fc.constant(undefined) },
  { weight: 3, arbitrary: fc.constant({ ref: "env" }) },
  { weight: 1, arbitrary: fc.constant({ object: "staging" }) },
);

const status = seldom(some("enabled", "disabled"));

/** A description: a text, or the name of an object that a data source has found. */
const text = some<unknown>("One page", "Another page", {
  ref: "found",
  field: "name",
});

const options = record<Omit<Declaration, "name" | "kind" | "args">>({
  protect: seldom(fc.constant(true)),
  retainOnDelete: seldom(fc.constant(true)),
  deletedWith: seldom(fc.constant("env")),
  ignoreChanges: seldom(some(["description"], ["name"], ["status"], ["*"])),
  replaceOnChanges: seldom(some(["name"], ["description"], ["*"])),
  deleteBeforeReplace: seldom(fc.constant(true)),
  parent: seldom(fc.constant("group")),
  // Of another region, or a second one of the same workspace.
  provider: seldom(some("eu", "second")),
});

const declaration = (
  names: readonly string[],
  kind: Kind,
  args: fc.Arbitrary<object>,
  more: fc.Arbitrary<object> = fc.constant({}),
): fc.Arbitrary<Declaration> =>
  fc
    .tuple(some(...names), args, options, more)
    .map(([name, given, opts, others]) =>
      apartIfSecond({
        ...withKnownPaths(kind, opts),
        ...others,
        name,
        kind,
        args: given as Declaration["args"],
      }),
    );

/**
 * Two providers of one workspace are two processes, which do not know of each other.
 * Nothing is promised for an object that resources of both declare.
 */
function apartIfSecond(resource: Declaration): Declaration {
  if (resource.provider !== "second") return resource;
  const { provider: _, ...others } = resource;
  return isOnlyHere(resource) ? others : apart(resource, "second");
}

/** A verification and its webhook are in one workspace. */
const ofOneProvider = ({ provider: _, ...declared }: Declaration) => declared;

const rule = (name: string, expression: string) => ({
  name,
  expression,
  action: "deny",
});

const LISTS = [
  [rule("all", "true")],
  [rule("all", "false")],
  [rule("all", "true"), rule("rest", "true")],
  [rule("rest", "false"), rule("all", "false")],
];

/** The name of the only resource of a kind that exists once in an environment. */
export const SINGLETONS: Readonly<Partial<Record<Kind, string>>> = {
  FilteringRuleSet: "rules",
  EncryptionKey: "sealing",
};

/** A webhook whose address answers test events, and its verification. */
const RECEIVING = "receiving";
const VERIFIED = "verified";

/** Whether a declaration belongs into the first stack, and to one provider of a workspace. */
const isOnlyHere = ({ kind, name }: Declaration) =>
  kind in SINGLETONS || name === RECEIVING || name === VERIFIED;

/** The resources that `kind-rows.ts` has of each kind, so that a new kind is in the stories. */
const fromRows = KINDS.filter((kind) => kind !== "WebhookVerification").map(
  (kind) =>
    declaration(
      [SINGLETONS[kind] ?? `some-${kind}`],
      kind,
      fc.tuple(some(...argsOf(kind)), place).map(([args, where]) => {
        const given = where ?? (args.environment && { ref: "env" });
        return given ? inEnvironment(kind, args, given) : args;
      }),
    ),
);

const declarations: readonly fc.Arbitrary<Declaration>[] = [
  declaration(
    ["env"],
    "Environment",
    record({
      name: some("Staging", "Testing"),
      description: seldom(some("One place", "Another place")),
      deleteContents: seldom(some([], [{ object: "shop" }])),
      adopt: seldom(some({ id: { object: "staging" } }, { id: "ae_none" })),
    }),
  ),
  ...[0, 1].map(() =>
    declaration(
      ["a", "b", "c"],
      "ApiKey",
      record({
        name: some("Shop", "Store"),
        type: some("public", "secret"),
        environment: place,
        status,
        description: seldom(text),
        rotation: seldom(some("2026-10", "2026-11")),
        rateLimit: seldom(some(1, 2)),
        adopt: seldom(some({ id: { object: "shop" } }, { id: "tok_none" })),
      }),
    ),
  ),
  declaration(
    ["hook", "hook2"],
    "Webhook",
    record({
      url: some<unknown>("https://shop.example/a", "https://shop.example/b", {
        secret: "https://hooks.example/T0ps3cretPath",
      }),
      environment: place,
      status,
      description: seldom(text),
      adopt: seldom(fc.constant({ id: { object: "orders" } })),
    }),
  ),
  declaration(
    [RECEIVING],
    "Webhook",
    record({
      url: some(...RECEIVERS.map((object) => ({ object }))),
      environment: place,
      status,
      description: seldom(text),
    }),
  ).map(ofOneProvider),
  declaration(
    [VERIFIED],
    "WebhookVerification",
    some(...argsOf("WebhookVerification")).map((args) =>
      ofWebhook(args, RECEIVING),
    ),
  ).map(ofOneProvider),
  declaration(
    ["server"],
    "RotatingApiKey",
    record({
      name: fc.constant("Server"),
      type: some("public", "secret"),
      environment: place,
      generations: some(["1"], ["1", "2"], ["2"], ["2", "3"]),
    }),
  ).map(({ name, kind, args }) => ({ name, kind, args })),
  declaration(
    ["rules"],
    "FilteringRuleSet",
    record({
      rules: some(...LISTS),
      environment: place,
      takeOver: maybe(fc.constant(true)),
      onDrift: seldom(fc.constant("overwrite")),
      maxDeletedPercent: fc.constant(100),
    }),
    record({
      ignoreChanges: seldom(
        some(
          ["rules[0].expression"],
          ['rules["all"].expression'],
          ["rules[*].expression"],
          ["rules"],
        ),
      ),
      replaceOnChanges: seldom(
        some(["rules[0].expression"], ['rules["all"].expression'], ["rules"]),
      ),
    }),
  ),
  declaration(
    ["sealing", "sealing2"],
    "EncryptionKey",
    record({
      status: maybe(some("enabled", "disabled")),
      environment: place,
      name: seldom(some("Results", "Answers")),
      rotation: seldom(some("2026-10", "2026-11")),
    }),
  ),
];

/** Data sources that read objects of the program, and objects that may be missing. */
const dataSource = fc
  .tuple(
    some<Declaration["args"][]>(
      { source: "getEnvironment", id: { ref: "env" } },
      { source: "getEnvironment", default: true },
      // Names that no environment has. Environments of the program may change while
      // the data source reads them.
      { source: "getEnvironment", name: "Lost" },
      { source: "getEnvironment", name: { secret: "T0ps3cretLost" } },
    ),
    seldom(some("eu", "second")),
  )
  .map(([args, provider]): Declaration => ({
    name: "found",
    kind: "DataSource",
    args,
    ...(provider !== undefined && { provider }),
  }));

const NAMES = [
  "env",
  "a",
  "b",
  "c",
  "hook",
  "hook2",
  RECEIVING,
  VERIFIED,
  "rules",
  "sealing",
  "sealing2",
  "server",
  "server-1",
  "server-2",
  ...KINDS.map((kind) => `some-${kind}`),
] as const;

const name = some(...NAMES);

const stack = fc.oneof(
  { weight: 8, arbitrary: fc.constant({}) },
  { weight: 1, arbitrary: fc.constant({ stack: "prod" }) },
);

const flags: fc.Arbitrary<Flags> = record<Flags>({
  target: seldom(name.map((one) => [one])),
  exclude: seldom(name.map((one) => [one])),
  replace: seldom(name.map((one) => [one])),
  targetDependents: seldom(fc.constant(true)),
  refresh: seldom(fc.constant(true)),
  runProgram: seldom(fc.constant(true)),
  continueOnError: seldom(fc.constant(true)),
}).map((given) =>
  given.target && given.exclude ? { ...given, exclude: undefined } : given,
);

/** The flags of an update with a refresh. */
const refreshing = maybe(fc.constant(true)).map((runProgram): Flags => ({
  refresh: true,
  ...(runProgram && { runProgram }),
}));

const trouble: fc.Arbitrary<Trouble> = fc.oneof(
  fc.record({
    kind: fc.constant("crash" as const),
    victim: some(...VICTIMS),
    at: fc.nat(15),
    moment: some(...MOMENTS),
  }),
  fc.record({ kind: fc.constant("interrupt" as const), at: fc.nat(15) }),
  fc.record({
    kind: fc.constant("fault" as const),
    fault: some(...FAULTS),
    at: fc.nat(12),
    isForever: fc.boolean(),
  }),
);

const step = (arbitrary: fc.Arbitrary<object>): fc.Arbitrary<Step> =>
  fc
    .tuple(arbitrary, stack)
    .map(([one, where]) => ({ ...one, ...where }) as Step)
    // Nothing is promised for an object that two stacks declare.
    .map((one) => {
      if (one.do !== "declare" || one.stack === undefined) return one;
      const { stack: _, ...ofFirst } = one;
      return isOnlyHere(one.resource)
        ? ofFirst
        : { ...one, resource: apart(one.resource, "prod") };
    });

/** A declaration that has nothing in common with those of others. */
function apart(resource: Declaration, where: string): Declaration {
  // A data source declares no object. It looks objects up.
  if (resource.kind === "DataSource") return resource;
  const { adopt: _adopt, deleteContents: _contents, ...args } = resource.args;
  const { name, url } = args;
  return {
    ...resource,
    args: {
      ...args,
      // No other resource may find the object by its name or address.
      ...(typeof name === "string" && { name: `${name} of ${where}` }),
      ...(url !== undefined && { url: `https://${where}.example/hook` }),
    },
  };
}

/** A step with these members, without those that are undefined. */
const does = (
  what: Step["do"],
  members: Record<string, fc.Arbitrary<unknown>>,
) => step(record(members).map((given) => ({ do: what, ...given })));

/** The steps of random stories. */
export const steps: readonly fc.Arbitrary<Step>[] = [
  ...[
    ...[...declarations, ...declarations, ...fromRows],
    ...[dataSource, dataSource],
  ].map((resource) => does("declare", { resource })),
  ...[0, 1, 2, 3].map(() => does("up", {})),
  ...[0, 1].map(() => does("up", { flags })),
  does("up", { flags, trouble }),
  does("up", { trouble }),
  does("preview", {}),
  does("preview", { flags: refreshing }),
  does("up", { flags: refreshing }),
  does("refresh", {}),
  does("refresh", { flags: fc.constant({ runProgram: true }) }),
  does("destroy", { flags, trouble: maybe(trouble) }),
  ...[0, 1].map(() => does("remove", { name })),
  ...(["rename", "rename with an alias"] as const).map((how) =>
    does(how, { name: some("a", "b", "hook"), to: some("c", "hook2") }),
  ),
  does("take form", { form: some("dynamic", "plugin") }),
  step(
    some<object>(
      ...stepsOf(
        `make shop: ApiKey {name: Shop, type: public}
         make orders: Webhook {url: https://shop.example/a}
         make staging: Environment {name: Staging}`,
      ),
    ),
  ),
  does("edit by hand", {
    object: some("shop", "orders", "a", "hook", RECEIVING, "sealing"),
    body: some({ status: "disabled" }, { status: "enabled" }),
  }),
  does("delete by hand", {
    object: some("shop", "orders", "staging", "a", "hook", RECEIVING),
  }),
  does("write rules by hand", {
    rules: fc.constant([rule("by-hand", "false")]),
  }),
  step(
    some(["a", "shop"], ["hook", "orders"], ["env", "staging"]).map(
      ([one, object]) => ({ do: "import", name: one, object }),
    ),
  ),
  does("state delete", { name }),
  step(
    some(["a", "b"], ["hook", "hook2"]).map(([one, to]) => ({
      do: "state rename",
      name: one,
      to,
    })),
  ),
  does("state move", { name: some("a", "hook"), to: fc.constant("prod") }),
];
