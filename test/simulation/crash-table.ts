import type { Declaration } from "./program";
import type { Step } from "./story";

/** A command that is stopped at every point, and the steps before the command. */
export interface CrashStory {
  readonly title: string;
  readonly before: readonly Step[];
  readonly command: Step;
  /** The step after the trouble. Default: only the `up` that ends every story. */
  readonly again?: Step;
}

const declare = (...resources: Declaration[]): Step[] =>
  resources.map((resource) => ({ do: "declare", resource }));

const rule = (name: string, expression = "true") => ({
  name,
  expression,
  action: "deny",
});

const env = (args = {}): Declaration => ({
  name: "env",
  kind: "Environment",
  args: { name: "Staging", ...args },
});

const key = (name: string, args = {}): Declaration => ({
  name,
  kind: "ApiKey",
  args: { name: `Server ${name}`, type: "secret", ...args },
});

const hook = (args = {}): Declaration => ({
  name: "hook",
  kind: "Webhook",
  args: { url: "https://shop.example/events", ...args },
});

const rules = (list: readonly object[], args = {}): Declaration => ({
  name: "rules",
  kind: "FilteringRuleSet",
  args: { rules: list, ...args },
});

const sealing = (args = {}): Declaration => ({
  name: "sealing",
  kind: "EncryptionKey",
  args: { status: "enabled", ...args },
});

const inEnv = { environment: { ref: "env" } };

const UP: Step = { do: "up" };

/** The table. */
export const CRASH_STORIES: readonly CrashStory[] = [
  {
    title: "everything is made",
    before: declare(
      env(),
      key("key", inEnv),
      hook(inEnv),
      rules([rule("all")], inEnv),
      sealing(inEnv),
    ),
    command: UP,
  },
  {
    title: "six secret keys are made at once beside one that is there",
    before: [
      ...declare(key("first")),
      UP,
      ...declare(...["a", "b", "c", "d", "e", "f"].map((name) => key(name))),
    ],
    command: UP,
  },
  {
    title: "everything is changed",
    before: [
      ...declare(
        key("key"),
        hook(),
        rules([rule("all")]),
        sealing({ rotation: "2026-10" }),
      ),
      UP,
      ...declare(
        key("key", { name: "Other", status: "disabled" }),
        hook({ description: "Orders" }),
        rules([rule("all", "false"), rule("rest")]),
        sealing({ rotation: "2026-11", name: "Results" }),
      ),
    ],
    command: UP,
  },
  {
    title: "a secret key is rotated",
    before: [
      ...declare(key("key", { rotation: "2026-10" })),
      UP,
      ...declare(key("key", { rotation: "2026-11" })),
    ],
    command: UP,
  },
  {
    title: "a secret key is replaced after its deletion",
    before: [
      ...declare({ ...key("key"), deleteBeforeReplace: true }),
      UP,
      ...declare({
        ...key("key", { type: "proxy" }),
        deleteBeforeReplace: true,
      }),
    ],
    command: UP,
  },
  {
    title: "a key with a status of its own is made",
    before: declare(key("key", { status: "disabled", rateLimit: 2 })),
    command: UP,
  },
  {
    title: "existing objects are adopted and changed",
    before: [
      {
        do: "make by hand",
        label: "shop",
        kind: "ApiKey",
        body: { name: "Shop", type: "secret" },
      },
      {
        do: "make by hand",
        label: "orders",
        kind: "Webhook",
        body: { url: "https://shop.example/orders" },
      },
      ...declare(
        key("key", { name: "Shop key", adopt: { id: { object: "shop" } } }),
        hook({ adopt: { id: { object: "orders" } }, description: "Orders" }),
      ),
    ],
    command: UP,
  },
  {
    title: "an adopted key is renamed without an alias",
    before: [
      {
        do: "make by hand",
        label: "shop",
        kind: "ApiKey",
        body: { name: "Shop", type: "secret" },
      },
      ...declare(key("old", { name: "Shop", adopt: { name: "Shop" } })),
      UP,
      { do: "rename", name: "old", to: "new", isAliased: false },
    ],
    command: UP,
  },
  {
    title: "rules of somebody else are taken over",
    before: [
      { do: "write rules by hand", rules: [rule("by-hand")] },
      ...declare(rules([rule("all")], { takeOver: true })),
    ],
    command: UP,
  },
  {
    title: "an environment and all in it are destroyed",
    before: [
      ...declare(
        env(),
        key("key", inEnv),
        hook(inEnv),
        rules([rule("all")], inEnv),
      ),
      UP,
    ],
    command: { do: "destroy" },
    again: { do: "destroy" },
  },
  {
    title: "the state is refreshed after changes by hand",
    before: [
      ...declare(key("key"), hook(), rules([rule("all")])),
      UP,
      { do: "edit by hand", object: "key", body: { name: "By hand" } },
      { do: "delete by hand", object: "hook" },
    ],
    command: { do: "up", flags: { refresh: true } },
    again: { do: "up", flags: { refresh: true } },
  },
];
