import * as registry from "../../provider/src/registry";
import type { Kind } from "../helpers/provider-host";
import {
  FULL_INPUTS,
  IMMUTABLE,
  LEAST_INPUTS,
  OTHER_INPUTS,
  KINDS as ALL,
} from "../provider/kind-rows";
import type { Form } from "../helpers/program-form";
import { inEnvironment } from "./kinds";
import { rowsOf } from "../helpers/cells-of";
import { stepsOf } from "./story-language";
import type { Step } from "./story";

/** A line of `docs/resource-options.md`, and the calls that it promises. */
export interface OptionRow {
  /** What stands before the colon of the line, with the heading above it. */
  readonly subject: string;
  readonly kinds: readonly Kind[];
  /** The only form of the line. Default: both. */
  readonly form?: Form;
  /** The story. The row describes its last command. */
  readonly steps: (kind: Kind) => readonly Step[];
  /** The engine's operations in that command, such as `update it`. `it` is the resource. */
  readonly does: readonly string[];
  /** The calls of that command, such as `PATCH`. */
  readonly sends: (kind: Kind) => readonly string[];
  /** The error message, if the command fails. */
  readonly fails?: RegExp;
}

const rules = (expression: string) => [
  { name: "all", expression, action: "deny" },
];
const IN_ENV = { environment: { ref: "env" } };
const IN_OTHER = { environment: { ref: "other" } };

interface Args {
  readonly first: object;
  /** With another value of `input`. */
  readonly then: object;
  /** That need a replacement, for a kind with such an input. */
  readonly replaced?: object;
  readonly input: string;
}

/** Arguments of kinds whose rows in `kind-rows.ts` give none for these stories. */
const OWN_ARGS: Readonly<Partial<Record<Kind, Args>>> = {
  EncryptionKey: {
    first: { status: "enabled", ...IN_ENV },
    then: { status: "disabled", ...IN_ENV },
    replaced: { status: "enabled", ...IN_OTHER },
    input: "status",
  },
  FilteringRuleSet: {
    first: { rules: rules("true"), ...IN_ENV },
    then: { rules: rules("sdk.platform.is_ios"), ...IN_ENV },
    replaced: { rules: rules("true"), ...IN_OTHER },
    input: "rules",
  },
};

/** Arguments of a kind: the least, with other values of the first inputs that can and cannot change. */
function usualArgs(kind: Kind): Args {
  const least = LEAST_INPUTS[kind];
  const other = OTHER_INPUTS[kind];
  const first = inEnvironment(kind, least, IN_ENV.environment);
  const [fixed] = IMMUTABLE[kind];
  const [input = ""] = Object.keys(least).filter(
    (name) => !IMMUTABLE[kind].includes(name),
  );
  return {
    first,
    then: { ...first, [input]: other[input] },
    ...(fixed && { replaced: { ...first, [fixed]: other[fixed] } }),
    input,
  };
}

const argsOf = (kind: Kind) => OWN_ARGS[kind] ?? usualArgs(kind);

/** The kinds of `docs/resource-options.md`: those with objects of their own. */
export const KINDS = ALL.filter((kind) => !("isPartOf" in registry[kind]));

/** Parts of the stories; the others are steps, or the resource with one of its `Args`. */
const PARTS: Readonly<Record<string, string>> = {
  environments: `declare env: Environment {name: Staging}
    declare other: Environment {name: Other}`,
  another: "declare other: Environment {name: Another}",
  "rules of the default environment": `declare it: FilteringRuleSet ${JSON.stringify({ rules: rules("true") })}`,
};

/** How a story goes, by the words of the table. */
const STORIES: Readonly<Record<string, string>> = {
  changed: "environments; first; up; then; up",
  "changed to replace": "environments; first; up; replaced; up",
  added: "environments; up; first; up",
  removed: "environments; first; up; remove it; up",
  "renamed with an alias":
    "environments; first; up; rename it to that with an alias; up",
  renamed: "environments; first; up; rename it to that; up",
  "renamed in the default environment":
    "rules of the default environment; up; rename it to that; up",
  destroyed: "environments; first; up; destroy",
  "replaced by the command": "environments; first; up; up {replace: [it]}",
  "changed as the target":
    "environments; first; up; then; another; up {target: [it]}",
  "changed beside the target":
    "environments; first; up; then; another; up {target: [other]}",
  "destroyed as the target": "environments; first; up; destroy {target: [it]}",
};

/** The steps of a story about a resource called `it`, with its options in YAML. */
function storyOf(name: string, kind: Kind, options: string): Step[] {
  const states: Readonly<Record<string, unknown>> = { ...argsOf(kind) };
  const parts = (STORIES[name] ?? `no story: ${name}`)
    .split("; ")
    .map((part) =>
      part in states
        ? `declare it: ${kind} ${JSON.stringify(states[part])} with ${options}`
        : (PARTS[part] ?? part),
    );
  return stepsOf(parts.join("\n"));
}

/** How a kind is updated, and how it is deleted or given back, if not as usual. */
const CALLS: Readonly<
  Record<string, Readonly<Partial<Record<Kind | "usual", string>>>>
> = {
  UPDATE: { usual: "PATCH", Environment: "POST", FilteringRuleSet: "POST" },
  DELETION: {
    usual: "DELETE",
    EncryptionKey: "PATCH",
    FilteringRuleSet: "POST",
  },
};

/**
 * The lines of the page, in its order. Below each: the story with the options of the resource,
 * `INPUT` being an input that changes; what the engine does -> what is sent; and the error.
 */
const TABLE = `
ignoreChanges: an ignored input changes
  changed {ignoreChanges: [INPUT]}
  ->
replaceOnChanges: a named input changes (Environment, ApiKey, Webhook)
  changed {replaceOnChanges: [INPUT]}
  create-replacement it, delete-replaced it -> POST DELETE
replaceOnChanges: it is declared (EncryptionKey, FilteringRuleSet; TypeScript)
  added {replaceOnChanges: [INPUT]}
  ->
  has the option replaceOnChanges, but it cannot be replaced
replaceOnChanges: a named input changes (EncryptionKey; plugin)
  changed {replaceOnChanges: [INPUT]}
  create-replacement it, delete-replaced it -> PATCH
replaceOnChanges: a named input changes (FilteringRuleSet; plugin)
  changed {replaceOnChanges: [INPUT]}
  ->
  are not created, and the rules in force stay
deletedWith: it names its environment (ApiKey, Webhook, FilteringRuleSet; TypeScript)
  added {deletedWith: env}
  ->
  has the option deletedWith
deletedWith: both are destroyed (ApiKey, Webhook, FilteringRuleSet; plugin)
  destroyed {deletedWith: env}
  delete it, delete env, delete other -> DELETE
  was not deleted, because it has objects
deletedWith: both are destroyed (EncryptionKey)
  destroyed {deletedWith: env}
  delete it, delete env, delete other -> DELETE DELETE
protect: it is removed from the program
  removed {protect: true}
  delete it ->
  protect
protect: the stack is destroyed
  destroyed {protect: true}
  delete it -> DELETE, without an environment DELETE DELETE
  protect
protect: a change would replace it (ApiKey, EncryptionKey, FilteringRuleSet)
  changed to replace {protect: true}
  ->
  protect
protect: another input changes
  changed {protect: true}
  update it -> UPDATE
retainOnDelete: it is removed from the program
  removed {retainOnDelete: true}
  delete it ->
retainOnDelete: a change replaces it (ApiKey)
  changed to replace {retainOnDelete: true}
  create-replacement it, delete-replaced it -> POST
retainOnDelete: a change replaces it (EncryptionKey, FilteringRuleSet)
  changed to replace {retainOnDelete: true}
  create-replacement it, delete-replaced it -> UPDATE
retainOnDelete: its environment is destroyed, too (ApiKey, Webhook, FilteringRuleSet)
  destroyed {retainOnDelete: true}
  delete it, delete env, delete other -> DELETE
  was not deleted, because it has objects
retainOnDelete: its environment is destroyed, too (EncryptionKey)
  destroyed {retainOnDelete: true}
  delete it, delete env, delete other -> DELETE DELETE
aliases: renamed with an alias
  renamed with an alias {}
  ->
aliases: renamed without an alias (Environment, ApiKey, Webhook)
  renamed {}
  create that, delete it -> POST DELETE
aliases: renamed without an alias (EncryptionKey)
  renamed {}
  create that, delete it ->
aliases: renamed without an alias, in an environment of the program (FilteringRuleSet)
  renamed {}
  create that, delete it -> POST
aliases: renamed without an alias, in the default environment (FilteringRuleSet)
  renamed in the default environment {}
  ->
  are not created, and the rules in force stay
deleteBeforeReplace: a change replaces it (ApiKey)
  changed to replace {deleteBeforeReplace: true}
  delete-replaced it, create-replacement it -> DELETE POST
deleteBeforeReplace: a change replaces it (EncryptionKey, FilteringRuleSet)
  changed to replace {deleteBeforeReplace: true}
  delete-replaced it, create-replacement it -> UPDATE UPDATE
deleteBeforeReplace: it is named by \`--replace\` (Environment, Webhook)
  replaced by the command {deleteBeforeReplace: true}
  delete-replaced it, create-replacement it -> DELETE POST
--target: \`pulumi up --target\` names it
  changed as the target {}
  update it -> UPDATE
--target: \`pulumi up --target\` names others
  changed beside the target {}
  update other -> POST
--target: \`pulumi destroy --target\`
  destroyed as the target {}
  delete it -> DELETION
`;

export const OPTION_ROWS: readonly OptionRow[] = rowsOf(TABLE).map(
  ([subject = "", story = "", effects = "", fails]): OptionRow => {
    const [, named, form] =
      /\((\w+(?:, \w+)*)(?:; (\w+))?\)$/.exec(subject) ?? [];
    const [, name = "", options = ""] = /^(.*) (\{.*\})$/.exec(story) ?? [];
    const [does = "", sends = ""] = effects.split(/ ?-> ?/);
    const [usual = "", withoutEnvironment = usual] = sends.split(
      ", without an environment ",
    );
    return {
      subject,
      kinds: named === undefined ? KINDS : (named.split(", ") as Kind[]),
      ...(form && { form: form === "plugin" ? "plugin" : "dynamic" }),
      steps: (kind) =>
        storyOf(name, kind, options.replace("INPUT", argsOf(kind).input)),
      does: does === "" ? [] : does.split(", "),
      sends: (kind) =>
        ("environment" in FULL_INPUTS[kind] ? usual : withoutEnvironment)
          .split(" ")
          .flatMap((call) =>
            call === ""
              ? []
              : (CALLS[call]?.[kind] ?? CALLS[call]?.usual ?? call),
          ),
      ...(fails !== undefined && { fails: new RegExp(fails) }),
    };
  },
);
