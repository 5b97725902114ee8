import type { Kind as ResourceKind } from "../helpers/dynamic-host";
import type { Form } from "./forms";
import type { Declaration } from "./program";
import type { Flags, Operation } from "./world";
import type { Step } from "./story";

/** The kinds of the page. A verification has no object of its own. */
type Kind = Exclude<ResourceKind, "WebhookVerification">;

/** A line of `docs/resource-options.md`, and the calls that it promises. */
export interface OptionRow {
  /** The heading above the line. */
  readonly option: string;
  readonly when: string;
  readonly kinds: readonly Kind[];
  /** The only form of the line. Default: both. */
  readonly form?: Form;
  /** The story. The row describes its last command. */
  readonly steps: (kind: Kind) => readonly Step[];
  /** The engine's operations in that command, such as `update it`. `it` is the resource. */
  readonly does: readonly string[];
  /** The calls of that command, such as `PATCH`. By kind, if kinds differ. */
  readonly sends:
    | readonly string[]
    | Readonly<Partial<Record<Kind, readonly string[]>>>;
  /** The error message, if the command fails. */
  readonly fails?: RegExp;
}

type Options = Omit<Declaration, "name" | "kind" | "args">;

const rules = (expression: string) => [
  { name: "all", expression, action: "deny" },
];
const IN_ENV = { environment: { ref: "env" } };
const IN_OTHER = { environment: { ref: "other" } };

/**
 * For each kind: the first arguments, updated arguments, and arguments that need a
 * replacement.
 */
const ARGS: Readonly<
  Record<
    Kind,
    { first: object; then: object; replaced?: object; input: string }
  >
> = {
  Environment: {
    first: { name: "One" },
    then: { name: "Two" },
    input: "name",
  },
  ApiKey: {
    first: { name: "One", type: "secret", ...IN_ENV },
    then: { name: "Two", type: "secret", ...IN_ENV },
    replaced: { name: "One", type: "proxy", ...IN_ENV },
    input: "name",
  },
  Webhook: {
    first: { url: "https://shop.example/1", ...IN_ENV },
    then: { url: "https://shop.example/2", ...IN_ENV },
    input: "url",
  },
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

/** The kinds of `docs/resource-options.md`. */
export const KINDS = Object.keys(ARGS) as readonly Kind[];

const declare = (resource: Declaration): Step => ({ do: "declare", resource });
const command = (operation: Operation, flags: Flags = {}): Step => ({
  do: operation,
  flags,
});
const environment = (name: string, title: string): Step =>
  declare({ name, kind: "Environment", args: { name: title } });
const it = (
  kind: Kind,
  state: "first" | "then" | "replaced",
  options: Options = {},
): Step =>
  declare({ name: "it", kind, args: { ...ARGS[kind][state] }, ...options });

const ENVIRONMENTS: readonly Step[] = [
  environment("env", "Staging"),
  environment("other", "Other"),
];

/** Two environments and the resource are up. */
const up = (kind: Kind, options: Options = {}): Step[] => [
  ...ENVIRONMENTS,
  it(kind, "first", options),
  command("up"),
];

/** The resource is declared when two environments are up. */
const added = (kind: Kind, options: Options): Step[] => [
  ...ENVIRONMENTS,
  command("up"),
  it(kind, "first", options),
  command("up"),
];

const changed = (
  kind: Kind,
  options: Options,
  state: "then" | "replaced" = "then",
): Step[] => [...up(kind, options), it(kind, state, options), command("up")];

const removed = (kind: Kind, options: Options): Step[] => [
  ...up(kind, options),
  { do: "remove", name: "it" },
  command("up"),
];

const renamed = (kind: Kind, isAliased: boolean): Step[] => [
  ...up(kind),
  { do: "rename", name: "it", to: "that", isAliased },
  command("up"),
];

const named = (kind: Kind) => ({ replaceOnChanges: [ARGS[kind].input] });
const CONTENTS = ["ApiKey", "Webhook", "FilteringRuleSet"] as const;
const OF_ENVIRONMENT = ["EncryptionKey", "FilteringRuleSet"] as const;
const NOT_EMPTY = /was not deleted, because it has objects/;
const PROTECTED = /protect/;

/** How one update of each kind is sent. */
const UPDATE = {
  Environment: ["POST"],
  ApiKey: ["PATCH"],
  Webhook: ["PATCH"],
  EncryptionKey: ["PATCH"],
  FilteringRuleSet: ["POST"],
};
/** How each kind is deleted or given back. */
const DELETE = {
  Environment: ["DELETE"],
  ApiKey: ["DELETE"],
  Webhook: ["DELETE"],
  EncryptionKey: ["PATCH"],
  FilteringRuleSet: ["POST"],
};
/** An environment in which a destroy deletes no other object. */
const OTHERS = ["DELETE"];

/** The rows of the page, in its order. */
export const OPTION_ROWS: readonly OptionRow[] = [
  {
    option: "ignoreChanges",
    when: "an ignored input changes",
    kinds: KINDS,
    steps: (kind) => changed(kind, { ignoreChanges: [ARGS[kind].input] }),
    does: [],
    sends: [],
  },
  {
    option: "replaceOnChanges",
    when: "a named input changes",
    kinds: ["Environment", "ApiKey", "Webhook"],
    steps: (kind) => changed(kind, named(kind)),
    does: ["create-replacement it", "delete-replaced it"],
    sends: ["POST", "DELETE"],
  },
  {
    option: "replaceOnChanges",
    when: "it is declared",
    kinds: OF_ENVIRONMENT,
    form: "dynamic",
    steps: (kind) => added(kind, named(kind)),
    does: [],
    sends: [],
    fails: /has the option replaceOnChanges, but it cannot be replaced/,
  },
  {
    option: "replaceOnChanges",
    when: "a named input changes",
    kinds: ["EncryptionKey"],
    form: "plugin",
    steps: (kind) => changed(kind, named(kind)),
    does: ["create-replacement it", "delete-replaced it"],
    sends: ["PATCH"],
  },
  {
    option: "replaceOnChanges",
    when: "a named input changes",
    kinds: ["FilteringRuleSet"],
    form: "plugin",
    steps: (kind) => changed(kind, named(kind)),
    does: [],
    sends: [],
    fails: /are not created, and the rules in force stay/,
  },
  {
    option: "deletedWith",
    when: "it names its environment",
    kinds: CONTENTS,
    form: "dynamic",
    steps: (kind) => added(kind, { deletedWith: "env" }),
    does: [],
    sends: [],
    fails: /has the option deletedWith/,
  },
  {
    option: "deletedWith",
    when: "both are destroyed",
    kinds: CONTENTS,
    form: "plugin",
    steps: (kind) => [...up(kind, { deletedWith: "env" }), command("destroy")],
    does: ["delete it", "delete env", "delete other"],
    sends: OTHERS,
    fails: NOT_EMPTY,
  },
  {
    option: "deletedWith",
    when: "both are destroyed",
    kinds: ["EncryptionKey"],
    steps: (kind) => [...up(kind, { deletedWith: "env" }), command("destroy")],
    does: ["delete it", "delete env", "delete other"],
    sends: ["DELETE", "DELETE"],
  },
  {
    option: "protect",
    when: "it is removed from the program",
    kinds: KINDS,
    steps: (kind) => removed(kind, { protect: true }),
    does: ["delete it"],
    sends: [],
    fails: PROTECTED,
  },
  {
    option: "protect",
    when: "the stack is destroyed",
    kinds: KINDS,
    steps: (kind) => [...up(kind, { protect: true }), command("destroy")],
    does: ["delete it"],
    sends: {
      ...Object.fromEntries(KINDS.map((kind) => [kind, OTHERS])),
      Environment: ["DELETE", "DELETE"],
    },
    fails: PROTECTED,
  },
  {
    option: "protect",
    when: "a change would replace it",
    kinds: ["ApiKey", "EncryptionKey", "FilteringRuleSet"],
    steps: (kind) => changed(kind, { protect: true }, "replaced"),
    does: [],
    sends: [],
    fails: PROTECTED,
  },
  {
    option: "protect",
    when: "another input changes",
    kinds: KINDS,
    steps: (kind) => changed(kind, { protect: true }),
    does: ["update it"],
    sends: UPDATE,
  },
  {
    option: "retainOnDelete",
    when: "it is removed from the program",
    kinds: KINDS,
    steps: (kind) => removed(kind, { retainOnDelete: true }),
    does: ["delete it"],
    sends: [],
  },
  {
    option: "retainOnDelete",
    when: "a change replaces it",
    kinds: ["ApiKey"],
    steps: (kind) => changed(kind, { retainOnDelete: true }, "replaced"),
    does: ["create-replacement it", "delete-replaced it"],
    sends: ["POST"],
  },
  {
    option: "retainOnDelete",
    when: "a change replaces it",
    kinds: OF_ENVIRONMENT,
    steps: (kind) => changed(kind, { retainOnDelete: true }, "replaced"),
    does: ["create-replacement it", "delete-replaced it"],
    sends: UPDATE,
  },
  {
    option: "retainOnDelete",
    when: "its environment is destroyed, too",
    kinds: CONTENTS,
    steps: (kind) => [
      ...up(kind, { retainOnDelete: true }),
      command("destroy"),
    ],
    does: ["delete it", "delete env", "delete other"],
    sends: OTHERS,
    fails: NOT_EMPTY,
  },
  {
    option: "retainOnDelete",
    when: "its environment is destroyed, too",
    kinds: ["EncryptionKey"],
    steps: (kind) => [
      ...up(kind, { retainOnDelete: true }),
      command("destroy"),
    ],
    does: ["delete it", "delete env", "delete other"],
    sends: ["DELETE", "DELETE"],
  },
  {
    option: "aliases",
    when: "renamed with an alias",
    kinds: KINDS,
    steps: (kind) => renamed(kind, true),
    does: [],
    sends: [],
  },
  {
    option: "aliases",
    when: "renamed without an alias",
    kinds: ["Environment", "ApiKey", "Webhook"],
    steps: (kind) => renamed(kind, false),
    does: ["create that", "delete it"],
    sends: ["POST", "DELETE"],
  },
  {
    option: "aliases",
    when: "renamed without an alias",
    kinds: ["EncryptionKey"],
    steps: (kind) => renamed(kind, false),
    does: ["create that", "delete it"],
    sends: [],
  },
  {
    option: "aliases",
    when: "renamed without an alias, in an environment of the program",
    kinds: ["FilteringRuleSet"],
    steps: (kind) => renamed(kind, false),
    does: ["create that", "delete it"],
    sends: ["POST"],
  },
  {
    option: "aliases",
    when: "renamed without an alias, in the default environment",
    kinds: ["FilteringRuleSet"],
    steps: (kind) => [
      declare({ name: "it", kind, args: { rules: rules("true") } }),
      command("up"),
      { do: "rename", name: "it", to: "that", isAliased: false },
      command("up"),
    ],
    does: [],
    sends: [],
    fails: /are not created, and the rules in force stay/,
  },
  {
    option: "deleteBeforeReplace",
    when: "a change replaces it",
    kinds: ["ApiKey"],
    steps: (kind) => changed(kind, { deleteBeforeReplace: true }, "replaced"),
    does: ["delete-replaced it", "create-replacement it"],
    sends: ["DELETE", "POST"],
  },
  {
    option: "deleteBeforeReplace",
    when: "a change replaces it",
    kinds: OF_ENVIRONMENT,
    steps: (kind) => changed(kind, { deleteBeforeReplace: true }, "replaced"),
    does: ["delete-replaced it", "create-replacement it"],
    sends: {
      EncryptionKey: ["PATCH", "PATCH"],
      FilteringRuleSet: ["POST", "POST"],
    },
  },
  {
    option: "deleteBeforeReplace",
    when: "it is named by `--replace`",
    kinds: ["Environment", "Webhook"],
    steps: (kind) => [
      ...up(kind, { deleteBeforeReplace: true }),
      command("up", { replace: ["it"] }),
    ],
    does: ["delete-replaced it", "create-replacement it"],
    sends: ["DELETE", "POST"],
  },
  {
    option: "--target",
    when: "`pulumi up --target` names it",
    kinds: KINDS,
    steps: (kind) => [
      ...up(kind),
      it(kind, "then"),
      environment("other", "Another"),
      command("up", { target: ["it"] }),
    ],
    does: ["update it"],
    sends: UPDATE,
  },
  {
    option: "--target",
    when: "`pulumi up --target` names others",
    kinds: KINDS,
    steps: (kind) => [
      ...up(kind),
      it(kind, "then"),
      environment("other", "Another"),
      command("up", { target: ["other"] }),
    ],
    does: ["update other"],
    sends: UPDATE.Environment,
  },
  {
    option: "--target",
    when: "`pulumi destroy --target`",
    kinds: KINDS,
    steps: (kind) => [...up(kind), command("destroy", { target: ["it"] })],
    does: ["delete it"],
    sends: DELETE,
  },
];
