import fc from "fast-check";
import { withKnownPaths } from "./kinds";
import type { Declaration, Kind } from "./program";
import { stepsOf } from "./steps-of";
import { isCommand, type Step } from "./story";

const rule = (name: string, expression = "true") => ({
  name,
  expression,
  action: "deny",
});

/**
 * The story by which the model is compared with the engine. Each command is one
 * comparison, and shows a rule of the engine that the model imitates: unknown values in a
 * preview and a create of everything; updates, an ignored change, a replacement with a
 * second check, a rename with an alias; a refresh after changes by hand, and an update with
 * one; a replacement by a flag, and a deletion before the replacement; deletes at the end of
 * an update, and a failing create with a continuing one.
 */
export const ENGINE_STORY: readonly Step[] = stepsOf(
  `declare group: Group {}
   declare env: Environment {name: Staging}
   declare key: ApiKey {name: Server, type: secret, rotation: "1", environment: {ref:
     env}}
   declare inner: ApiKey {name: Inner, type: public} with {parent: group}
   declare hook: Webhook {url: {secret: https://hooks.example/T0ps3cret}} with
     {ignoreChanges: [description]}
   declare rules: FilteringRuleSet {rules: [{name: all, expression: "true", action:
     deny}, {name: rest, expression: "true", action: deny}], environment: {ref: env}}
   declare sealing: EncryptionKey {status: enabled}
   preview
   up
   declare key: ApiKey {name: Server, type: secret, rotation: "2", environment: {ref:
     env}}
   declare hook: Webhook {url: {secret: https://hooks.example/T0ps3cret}, description:
     Ignored, status: disabled} with {ignoreChanges: [description]}
   rename inner to moved with an alias
   preview
   up {target: [hook]}
   up {exclude: [sealing]}
   edit hook {status: enabled}
   delete moved
   refresh
   up {refresh: true}
   up {replace: [moved]}
   declare key: ApiKey {name: Server, type: secret, rotation: "3", environment: {ref:
     env}} with {deleteBeforeReplace: true}
   up
   remove moved
   declare wrong: ApiKey {name: Wrong, type: public, environment: ae_none}
   declare right: ApiKey {name: Right, type: public}
   up {continueOnError: true}
   remove wrong
   destroy {target: [right]}
   destroy`,
);

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
      ...stepsOf(
        `declare env-${at}: Environment {name: Staging ${at}}
         declare named-${at}: ApiKey {name: Named ${at}, type: secret}`,
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
