import type { Form } from "./forms";
import type { Wrong } from "./oracle/violation";
import type { Declaration } from "./program";
import type { Step } from "./story";

/** A story that once had a violation and must not have it again. */
export interface Regression {
  readonly title: string;
  readonly forms: readonly Form[];
  readonly steps: readonly Step[];
  /** Whether the trouble is tried at each effect in turn. */
  readonly isSwept?: boolean;
  /** The violation that the story once had. */
  readonly was: Wrong;
}

const BOTH = ["dynamic", "plugin"] as const;

const declare = (resource: Declaration): Step => ({ do: "declare", resource });

const rule = (name: string, expression: string) => ({
  name,
  expression,
  action: "deny",
});

const KEY = { name: "Shop", type: "public" };

/** The stories, the shortest that show their fault. */
export const REGRESSIONS: readonly Regression[] = [
  {
    title: "an imported key is adopted under a second name, which is removed",
    forms: BOTH,
    was: "declared object deleted",
    steps: [
      { do: "make by hand", label: "shop", kind: "ApiKey", body: KEY },
      { do: "import", name: "a", object: "shop" },
      declare({ name: "a", kind: "ApiKey", args: KEY }),
      { do: "up" },
      declare({
        name: "b",
        kind: "ApiKey",
        args: { ...KEY, adopt: { id: { object: "shop" } } },
      }),
      { do: "up" },
      { do: "remove", name: "b" },
      { do: "up" },
    ],
  },
  {
    title: "two imported objects are refreshed while the program runs",
    forms: BOTH,
    was: "preview with a refresh fails",
    steps: [
      { do: "make by hand", label: "shop", kind: "ApiKey", body: KEY },
      {
        do: "make by hand",
        label: "orders",
        kind: "Webhook",
        body: { url: "https://shop.example/a" },
      },
      { do: "import", name: "a", object: "shop" },
      { do: "import", name: "hook", object: "orders" },
      declare({ name: "a", kind: "ApiKey", args: KEY }),
      declare({
        name: "hook",
        kind: "Webhook",
        args: { url: "https://shop.example/a" },
      }),
      { do: "preview", flags: { refresh: true, runProgram: true } },
    ],
  },
  {
    title:
      "an environment is destroyed with its contents while a protected key is declared in it",
    forms: BOTH,
    was: "declared object deleted",
    steps: [
      {
        do: "make by hand",
        label: "staging",
        kind: "Environment",
        body: { name: "Staging" },
      },
      declare({
        name: "env",
        kind: "Environment",
        args: {
          name: "Staging",
          deleteContents: [],
          adopt: { id: { object: "staging" } },
        },
      }),
      declare({
        name: "key",
        kind: "ApiKey",
        args: { ...KEY, environment: { object: "staging" } },
        protect: true,
      }),
      { do: "up" },
      { do: "destroy", flags: { target: ["env"] } },
    ],
  },
  {
    title: "a protected key is named in the deleteContents of its environment",
    forms: BOTH,
    was: "declared object deleted",
    steps: [
      {
        do: "make by hand",
        label: "staging",
        kind: "Environment",
        body: { name: "Staging" },
      },
      declare({
        name: "key",
        kind: "ApiKey",
        args: { ...KEY, environment: { object: "staging" } },
        protect: true,
      }),
      declare({
        name: "env",
        kind: "Environment",
        args: {
          name: "Staging",
          deleteContents: [{ ref: "key" }],
          adopt: { id: { object: "staging" } },
        },
      }),
      { do: "up" },
      { do: "destroy", flags: { target: ["env"] } },
    ],
  },
  {
    title: "two encryption keys of one environment are declared at once",
    forms: BOTH,
    was: "preview after up fails",
    steps: [
      declare({
        name: "a",
        kind: "EncryptionKey",
        args: { status: "enabled" },
      }),
      declare({
        name: "b",
        kind: "EncryptionKey",
        args: { status: "enabled" },
      }),
    ],
  },
  {
    title: "a key is to be deleted with its environment",
    forms: BOTH,
    was: "object in no state",
    steps: [
      declare({ name: "env", kind: "Environment", args: { name: "Staging" } }),
      declare({
        name: "key",
        kind: "ApiKey",
        args: { ...KEY, environment: { ref: "env" } },
        deletedWith: "env",
      }),
      { do: "up" },
      { do: "destroy" },
    ],
  },
  {
    title:
      "a key is to be deleted with its environment, in which another one is protected",
    forms: BOTH,
    was: "object in no state",
    steps: [
      declare({ name: "env", kind: "Environment", args: { name: "Staging" } }),
      declare({
        name: "key",
        kind: "ApiKey",
        args: { ...KEY, environment: { ref: "env" } },
        deletedWith: "env",
      }),
      declare({
        name: "kept",
        kind: "ApiKey",
        args: { ...KEY, name: "Kept", environment: { ref: "env" } },
        protect: true,
      }),
      { do: "up" },
      { do: "destroy" },
    ],
  },
  {
    title: "a change of the first rule's expression is ignored",
    forms: BOTH,
    was: "ignored change sent",
    steps: [
      declare({
        name: "rules",
        kind: "FilteringRuleSet",
        args: { rules: [rule("all", "true")] },
        ignoreChanges: ["rules[0].expression"],
      }),
      { do: "up" },
      declare({
        name: "rules",
        kind: "FilteringRuleSet",
        args: { rules: [rule("all", "false")] },
        ignoreChanges: ["rules[0].expression"],
      }),
      { do: "up" },
    ],
  },
  {
    title:
      "a change of the first rule's expression is ignored, and then that of all rules",
    forms: BOTH,
    was: "ignored change sent",
    steps: [
      declare({
        name: "rules",
        kind: "FilteringRuleSet",
        args: { rules: [rule("all", "false")] },
      }),
      { do: "up" },
      declare({
        name: "rules",
        kind: "FilteringRuleSet",
        args: { rules: [rule("all", "true")] },
        ignoreChanges: ["rules[0].expression"],
      }),
      { do: "up" },
      declare({
        name: "rules",
        kind: "FilteringRuleSet",
        args: { rules: [rule("all", "true")] },
        ignoreChanges: ["rules"],
      }),
      { do: "up" },
    ],
  },
  {
    title:
      "a key that a data source is asked for is renamed, and secret keys are listed",
    forms: BOTH,
    was: "not as declared",
    steps: [
      declare({
        name: "a",
        kind: "ApiKey",
        args: { name: "Server", type: "secret" },
      }),
      declare({
        name: "found",
        kind: "DataSource",
        args: { source: "getApiKey", id: { ref: "a" } },
      }),
      declare({
        name: "b",
        kind: "ApiKey",
        args: { ...KEY, description: { ref: "found", field: "name" } },
      }),
      { do: "preview" },
      { do: "up" },
      declare({
        name: "a",
        kind: "ApiKey",
        args: { name: "Store", type: "secret" },
      }),
      { do: "preview" },
      { do: "up", flags: { target: ["b"] } },
    ],
  },
  {
    title: "a change of the first rule's expression is to replace the rule set",
    forms: BOTH,
    was: "replacement left out",
    steps: [
      declare({
        name: "rules",
        kind: "FilteringRuleSet",
        args: { rules: [rule("all", "true")] },
      }),
      { do: "up" },
      declare({
        name: "rules",
        kind: "FilteringRuleSet",
        args: { rules: [rule("all", "false")] },
        replaceOnChanges: ["rules[0].expression"],
      }),
      { do: "up" },
    ],
  },
  {
    title: "a rule set is to be deleted before it is replaced",
    forms: BOTH,
    was: "rules in force empty",
    steps: [
      declare({
        name: "rules",
        kind: "FilteringRuleSet",
        args: { rules: [rule("all", "true")] },
      }),
      { do: "up" },
      declare({
        name: "rules",
        kind: "FilteringRuleSet",
        args: { rules: [rule("all", "false")], takeOver: true },
        replaceOnChanges: ["*"],
        deleteBeforeReplace: true,
      }),
      { do: "up" },
    ],
  },
  {
    title:
      "a rule set that is to be deleted first moves to another environment, and the update fails between",
    forms: BOTH,
    was: "rules in force empty",
    steps: [
      {
        do: "make by hand",
        label: "staging",
        kind: "Environment",
        body: { name: "Staging" },
      },
      declare({
        name: "rules",
        kind: "FilteringRuleSet",
        args: { rules: [rule("all", "true")] },
      }),
      declare({
        name: "a",
        kind: "ApiKey",
        args: { ...KEY, adopt: { name: "Nobody has this name" } },
      }),
      { do: "up" },
      declare({
        name: "rules",
        kind: "FilteringRuleSet",
        args: {
          rules: [rule("all", "true")],
          environment: { object: "staging" },
        },
        deleteBeforeReplace: true,
      }),
      { do: "up" },
    ],
  },
  {
    title: "the answer to the creation of a secret key is lost",
    forms: BOTH,
    isSwept: true,
    was: "object in no state",
    steps: [
      declare({
        name: "key",
        kind: "ApiKey",
        args: { name: "Server", type: "secret" },
      }),
      {
        do: "up",
        trouble: {
          kind: "fault",
          fault: "reset done",
          at: 0,
          isForever: false,
        },
      },
    ],
  },
  {
    title: "an adopted key is renamed while the service does not list keys",
    forms: BOTH,
    was: "declared object deleted",
    isSwept: true,
    steps: [
      { do: "make by hand", label: "shop", kind: "ApiKey", body: KEY },
      declare({
        name: "a",
        kind: "ApiKey",
        args: { ...KEY, adopt: { id: { object: "shop" } } },
      }),
      { do: "up" },
      { do: "rename", name: "a", to: "b", isAliased: false },
      {
        do: "up",
        flags: { continueOnError: true },
        trouble: {
          kind: "fault",
          fault: "wrong body",
          at: 0,
          isForever: false,
        },
      },
    ],
  },
  {
    title:
      "an adopted key is renamed and changed, and the service does not change keys",
    forms: BOTH,
    was: "object in no state",
    isSwept: true,
    steps: [
      { do: "make by hand", label: "shop", kind: "ApiKey", body: KEY },
      declare({
        name: "a",
        kind: "ApiKey",
        args: { ...KEY, adopt: { id: { object: "shop" } } },
      }),
      { do: "up" },
      { do: "rename", name: "a", to: "b", isAliased: false },
      declare({
        name: "b",
        kind: "ApiKey",
        args: { ...KEY, name: "Store", adopt: { id: { object: "shop" } } },
      }),
      {
        do: "up",
        flags: { continueOnError: true },
        trouble: { kind: "fault", fault: "500", at: 0, isForever: true },
      },
    ],
  },
  {
    title:
      "an environment with rules and an encryption key is deleted before it is replaced",
    forms: BOTH,
    was: "rules in force empty",
    steps: ["Staging", "Testing"].flatMap((name): Step[] => [
      declare({
        name: "env",
        kind: "Environment",
        args: { name },
        replaceOnChanges: ["name"],
        deleteBeforeReplace: true,
      }),
      declare({
        name: "enc",
        kind: "EncryptionKey",
        args: { status: "enabled", environment: { ref: "env" } },
      }),
      declare({
        name: "rules",
        kind: "FilteringRuleSet",
        args: { rules: [rule("all", "true")], environment: { ref: "env" } },
      }),
      { do: "up" },
    ]),
  },
  {
    title:
      "a destroy with a refresh follows after somebody switched an encryption key",
    forms: BOTH,
    was: "foreign object changed",
    steps: [
      declare({
        name: "enc",
        kind: "EncryptionKey",
        args: { status: "enabled" },
      }),
      { do: "up" },
      { do: "edit by hand", object: "enc", body: { status: "disabled" } },
      { do: "edit by hand", object: "enc", body: { status: "enabled" } },
      { do: "destroy", flags: { refresh: true } },
    ],
  },
  {
    title: "another webhook has the same secret address",
    forms: BOTH,
    was: "secret printed",
    steps: [
      declare({ name: "key", kind: "ApiKey", args: KEY }),
      { do: "up" },
      {
        do: "make by hand",
        label: "twin",
        kind: "Webhook",
        body: { url: "https://hooks.example/T0ps3cretPath" },
      },
      declare({
        name: "hook",
        kind: "Webhook",
        args: { url: { secret: "https://hooks.example/T0ps3cretPath" } },
      }),
      { do: "up" },
    ],
  },
  {
    title: "a secret key is renamed without an alias, and adopts itself",
    forms: BOTH,
    was: "secret key that nobody holds",
    steps: [
      declare({
        name: "a",
        kind: "ApiKey",
        args: { name: "Server", type: "secret" },
      }),
      { do: "up" },
      declare({
        name: "a",
        kind: "ApiKey",
        args: { name: "Server", type: "secret", adopt: { name: "Server" } },
      }),
      { do: "rename", name: "a", to: "b", isAliased: false },
      { do: "up" },
    ],
  },
  {
    title:
      "an encryption key that names no environment any more stands beside a new one of the default environment",
    forms: BOTH,
    was: "preview after up fails",
    steps: [
      declare({ name: "env", kind: "Environment", args: { name: "Staging" } }),
      declare({
        name: "sealing",
        kind: "EncryptionKey",
        args: { environment: { ref: "env" }, name: "Results" },
      }),
      { do: "up" },
      declare({ name: "sealing", kind: "EncryptionKey", args: {} }),
      declare({ name: "sealing2", kind: "EncryptionKey", args: {} }),
      { do: "up" },
    ],
  },
  {
    title: "the program of a destroy retains an object",
    forms: BOTH,
    was: "object in no state",
    steps: [
      declare({ name: "a", kind: "ApiKey", args: KEY }),
      { do: "up" },
      declare({ name: "a", kind: "ApiKey", args: KEY, retainOnDelete: true }),
      { do: "destroy", flags: { runProgram: true } },
    ],
  },
  {
    title: "a resource is renamed with an alias in a preview that refreshes",
    forms: BOTH,
    was: "preview with a refresh fails",
    steps: [
      declare({ name: "a", kind: "ApiKey", args: KEY }),
      { do: "up" },
      declare({ name: "env", kind: "Environment", args: { name: "Staging" } }),
      { do: "rename", name: "a", to: "b", isAliased: true },
      { do: "preview", flags: { refresh: true, runProgram: true } },
    ],
  },
];
