import { KINDS } from "../provider/kind-rows";
import { argsOf, inEnvironment, ofWebhook, RECEIVERS } from "./kinds";
import type { Properties } from "./engine/property-value";
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

const UP: Step = { do: "up" };

/**
 * A resource of each kind, in an environment of the program: as `life` of `kind-rows.ts`
 * declares it first, and next.
 */
const ofEachKind = (turn: 0 | 1): Step[] =>
  declare(
    ...[...new Set(["Environment" as const, ...KINDS])].map(
      (kind): Declaration => {
        const rotation = kind === "EncryptionKey" && {
          rotation: `2026-1${turn}`,
        };
        const args: Properties = { ...argsOf(kind)[turn], ...rotation };
        // The first address answers test events, and so does the next one.
        if (kind === "Webhook") args.url = { object: RECEIVERS[turn] };
        return {
          name: kind,
          kind,
          args:
            kind === "WebhookVerification"
              ? ofWebhook(args, "Webhook")
              : inEnvironment(kind, args, { ref: "Environment" }),
        };
      },
    ),
  );

/** The table. */
export const CRASH_STORIES: readonly CrashStory[] = [
  {
    title: "everything is made",
    before: ofEachKind(0),
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
    before: [...ofEachKind(0), UP, ...ofEachKind(1)],
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
    before: [...ofEachKind(0), UP],
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
