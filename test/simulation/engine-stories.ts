import fc from "fast-check";
import { KINDS } from "../provider/kind-rows";
import { argsOf, inEnvironment, withKnownPaths } from "./kinds";
import type { Declaration } from "./program";
import { SINGLETONS } from "./random-steps";
import { stepsOf } from "./story-language";
import { isCommand, type Step } from "./story";

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
const OPTIONS: readonly Partial<Declaration>[] = [
  {},
  {},
  {},
  { ignoreChanges: ["description"] },
  { ignoreChanges: ["*"] },
  { deleteBeforeReplace: true },
  { parent: "group" },
];

/** Kinds that an environment has one of, and several of. */
const ONE = KINDS.filter((kind) => kind in SINGLETONS);
const SEVERAL = KINDS.filter(
  (kind) =>
    !ONE.includes(kind) &&
    kind !== "WebhookVerification" &&
    kind !== "Environment",
);

/**
 * A declaration of one of several stories side by side, with arguments of `kind-rows.ts`. `at`
 * is the number of the story.
 */
function declarationOf(at: number): fc.Arbitrary<Declaration> {
  const ofKind = (name: string, kind: (typeof KINDS)[number]) =>
    fc
      .tuple(fc.constantFrom(...argsOf(kind)), fc.constantFrom(...OPTIONS))
      .map(
        ([args, { parent, deleteBeforeReplace, ...others }]): Declaration => ({
          ...withKnownPaths(kind, others),
          // A second object would be made before the first is deleted.
          ...(SEVERAL.includes(kind) && { parent, deleteBeforeReplace }),
          name: `${name}-${at}`,
          kind,
          args: inEnvironment(kind, args, { ref: `env-${at}` }),
        }),
      );
  return fc.oneof(
    ...SEVERAL.flatMap((kind) => [
      ofKind(kind, kind),
      ofKind(`${kind}2`, kind),
    ]),
    ...ONE.map((kind) => ofKind(kind, kind)),
  );
}

/** Another step of one of several stories side by side. It does not let a command fail. */
function changeOf(at: number): fc.Arbitrary<Step> {
  const names = SEVERAL.flatMap((kind) => [`${kind}-${at}`, `${kind}2-${at}`]);
  const others = [
    ...names.map((name) => `remove ${name}`),
    ...names.map((name) => `edit ${name} {description: By hand}`),
    // The resource is never declared again, because its alias would forbid that.
    `rename named-${at} to renamed-${at}`,
    `rename named-${at} to renamed-${at} with an alias`,
  ];
  return fc.oneof(
    {
      weight: 4,
      arbitrary: declarationOf(at).map((resource): Step => ({
        do: "declare",
        resource,
      })),
    },
    { weight: 3, arbitrary: fc.constantFrom(...stepsOf(others.join("\n"))) },
  );
}

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
