import fc from "fast-check";
import { withKnownPaths } from "./kinds";
import type { Declaration, Kind } from "./program";
import type { Step } from "./story";

const declare = (...resources: Declaration[]): Step[] =>
  resources.map((resource) => ({ do: "declare", resource }));

const rule = (name: string, expression = "true") => ({
  name,
  expression,
  action: "deny",
});

const inEnv = { environment: { ref: "env" } };

/**
 * The story by which the model is compared with the engine. Each command is one
 * comparison, and shows a rule of the engine that the model imitates.
 */
export const ENGINE_STORY: readonly Step[] = [
  ...declare(
    { name: "group", kind: "Group", args: {} },
    { name: "env", kind: "Environment", args: { name: "Staging" } },
    {
      name: "key",
      kind: "ApiKey",
      args: { name: "Server", type: "secret", rotation: "1", ...inEnv },
    },
    {
      name: "inner",
      kind: "ApiKey",
      args: { name: "Inner", type: "public" },
      parent: "group",
    },
    {
      name: "hook",
      kind: "Webhook",
      args: { url: { secret: "https://hooks.example/T0ps3cret" } },
      ignoreChanges: ["description"],
    },
    {
      name: "rules",
      kind: "FilteringRuleSet",
      args: { rules: [rule("all"), rule("rest")], ...inEnv },
    },
    { name: "sealing", kind: "EncryptionKey", args: { status: "enabled" } },
  ),
  // Unknown values in a preview; a create of everything.
  { do: "preview" },
  { do: "up" },
  // Updates, an ignored change, a replacement with a second check, a rename with an alias.
  ...declare(
    {
      name: "key",
      kind: "ApiKey",
      args: { name: "Server", type: "secret", rotation: "2", ...inEnv },
    },
    {
      name: "hook",
      kind: "Webhook",
      args: {
        url: { secret: "https://hooks.example/T0ps3cret" },
        description: "Ignored",
        status: "disabled",
      },
      ignoreChanges: ["description"],
    },
  ),
  { do: "rename", name: "inner", to: "moved", isAliased: true },
  { do: "preview" },
  { do: "up", flags: { target: ["hook"] } },
  { do: "up", flags: { exclude: ["sealing"] } },
  // A refresh after changes by hand, and an update with one.
  { do: "edit by hand", object: "hook", body: { status: "enabled" } },
  { do: "delete by hand", object: "moved" },
  { do: "refresh" },
  { do: "up", flags: { refresh: true } },
  // A replacement by a flag; a deletion before the replacement; protection.
  { do: "up", flags: { replace: ["moved"] } },
  ...declare({
    name: "key",
    kind: "ApiKey",
    args: { name: "Server", type: "secret", rotation: "3", ...inEnv },
    deleteBeforeReplace: true,
  }),
  { do: "up" },
  // Deletes at the end of an update; a failing create with a continuing one.
  { do: "remove", name: "moved" },
  ...declare(
    {
      name: "wrong",
      kind: "ApiKey",
      args: { name: "Wrong", type: "public", environment: "ae_none" },
    },
    { name: "right", kind: "ApiKey", args: { name: "Right", type: "public" } },
  ),
  { do: "up", flags: { continueOnError: true } },
  { do: "remove", name: "wrong" },
  { do: "destroy", flags: { target: ["right"] } },
  { do: "destroy" },
];

/** Options that change what the engine does and let every command go well. */
const options = fc.constantFrom<Partial<Declaration>>(
  {},
  {},
  {},
  { ignoreChanges: ["description"] },
  { ignoreChanges: ["*"] },
  { deleteBeforeReplace: true },
  { parent: "group" },
);

const text = (...texts: string[]) =>
  fc.option(fc.constantFrom(...texts), { nil: undefined });

/**
 * A declaration of one of several stories side by side. `at` is the number of the
 * story.
 */
const declarationOf = (at: number): fc.Arbitrary<Declaration> => {
  const own = (name: string) => `${name}-${at}`;
  const inOwn = { ref: own("env") };
  const environment = fc.option(fc.constant(inOwn), { nil: undefined });
  const declared = <A extends object>(
    names: readonly string[],
    kind: Kind,
    args: { [K in keyof A]: fc.Arbitrary<A[K]> },
  ) =>
    fc
      .tuple(fc.constantFrom(...names), fc.record(args), options)
      .map(([name, given, opts]): Declaration => ({
        ...withKnownPaths(kind, opts),
        name: own(name),
        kind,
        args: Object.fromEntries(
          Object.entries(given).filter(([, value]) => value !== undefined),
        ),
      }));
  const status = text("enabled", "disabled");
  return fc.oneof(
    declared(["a", "b"], "ApiKey", {
      name: fc.constantFrom(`Shop ${at}`, `Store ${at}`),
      type: fc.constantFrom("public", "secret"),
      description: text("One page", "Another page"),
      rotation: text("1", "2"),
      environment,
      status,
    }),
    declared(["hook"], "Webhook", {
      url: fc.constantFrom<unknown>(`https://shop.example/${at}`, {
        secret: `https://shop.example/T0ps3cret${at}`,
      }),
      description: text("One page", "Another page"),
      environment,
      status,
    }),
    declared(["rules"], "FilteringRuleSet", {
      rules: fc.constantFrom(
        [rule("all")],
        [rule("all", "false"), rule("rest")],
        [rule("rest"), rule("all")],
      ),
      environment: fc.constant(inOwn),
      maxDeletedPercent: fc.constant(100),
    }).map(({ parent: _, deleteBeforeReplace: __, ...one }) => one),
    declared(["sealing"], "EncryptionKey", {
      environment: fc.constant(inOwn),
      rotation: text("1", "2"),
      status,
    }).map(({ parent: _, deleteBeforeReplace: __, ...one }) => one),
  );
};

/** Another step of one of several stories side by side. It does not let a command fail. */
const changeOf = (at: number): fc.Arbitrary<Step> => {
  const name = fc.constantFrom(`a-${at}`, `b-${at}`, `hook-${at}`);
  return fc.oneof(
    {
      weight: 4,
      arbitrary: declarationOf(at).map((resource) => ({
        do: "declare" as const,
        resource,
      })),
    },
    {
      weight: 1,
      arbitrary: name.map((one) => ({ do: "remove" as const, name: one })),
    },
    {
      weight: 1,
      // The resource is never declared again, because its alias would forbid that.
      arbitrary: fc.boolean().map((isAliased) => ({
        do: "rename" as const,
        name: `named-${at}`,
        to: `renamed-${at}`,
        isAliased,
      })),
    },
    {
      weight: 1,
      arbitrary: name.map((object) => ({
        do: "edit by hand" as const,
        object,
        body: { description: "By hand" },
      })),
    },
  );
};

/**
 * Several stories side by side in one story. Each has its own resources, and all share
 * the commands of the first story. A command of the engine takes seconds, and hardly
 * more for a hundred resources than for seven.
 */
export function sideBySide(
  story: readonly Step[],
  others: number,
  seed: number,
): Step[] {
  const commands = story.filter(isCommand).length;
  const beginnings: Step[] = [];
  const changes: Step[][] = Array.from({ length: commands }, () => []);
  for (let at = 1; at <= others; at++) {
    beginnings.push(
      ...declare(
        {
          name: `env-${at}`,
          kind: "Environment",
          args: { name: `Staging ${at}` },
        },
        {
          name: `named-${at}`,
          kind: "ApiKey",
          args: { name: `Named ${at}`, type: "secret" },
        },
      ),
    );
    const sampled = fc.sample(
      fc.array(fc.tuple(fc.nat(commands - 2), changeOf(at)), {
        minLength: 8,
        maxLength: 14,
        size: "max",
      }),
      { numRuns: 1, seed: seed + at },
    )[0];
    for (const [slot, step] of sampled ?? []) changes[slot]?.push(step);
  }
  let slot = 0;
  const merged = story.flatMap((step) =>
    isCommand(step) ? [...(changes[slot++] ?? []), step] : [step],
  );
  return [...merged.slice(0, 1), ...beginnings, ...merged.slice(1)];
}

const isCommand = (step: Step) =>
  ["up", "preview", "refresh", "destroy"].includes(step.do);
