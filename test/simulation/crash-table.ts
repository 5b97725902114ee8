import { KINDS } from "../provider/kind-rows";
import { argsOf, inEnvironment, ofWebhook, RECEIVERS } from "./kinds";
import type { Properties } from "./engine/property-value";
import { stepsOf } from "./story-language";
import type { Step } from "./story";

/** A command that is stopped at every point, and the steps before the command. */
export interface CrashStory {
  readonly title: string;
  readonly before: readonly Step[];
  readonly command: Step;
  /** The step after the trouble. Default: only the `up` that ends every story. */
  readonly again?: Step;
}

/**
 * A resource of each kind, in an environment of the program: as `life` of `kind-rows.ts`
 * declares it first, and next.
 */
const ofEachKind = (turn: 0 | 1): Step[] =>
  [...new Set(["Environment" as const, ...KINDS])].map((kind): Step => {
    const rotation = kind === "EncryptionKey" && {
      rotation: `2026-1${turn}`,
    };
    const args: Properties = { ...argsOf(kind)[turn], ...rotation };
    // The first address answers test events, and so does the next one.
    if (kind === "Webhook") args.url = { object: RECEIVERS[turn] };
    const given =
      kind === "WebhookVerification"
        ? ofWebhook(args, "Webhook")
        : inEnvironment(kind, args, { ref: "Environment" });
    return { do: "declare", resource: { name: kind, kind, args: given } };
  });

const UP: Step = { do: "up" };

/** A story. A command that is no `up` is repeated after the trouble. */
function crash(
  title: string,
  before: string | readonly Step[],
  command = "up",
): CrashStory {
  const [stopped = UP] = stepsOf(command);
  return {
    title,
    before: typeof before === "string" ? stepsOf(before) : before,
    command: stopped,
    ...(command !== "up" && { again: stopped }),
  };
}

const DENY_ALL = `{name: all, expression: "true", action: deny}`;

/** The table. */
export const CRASH_STORIES: readonly CrashStory[] = [
  crash("everything is made", ofEachKind(0)),
  crash(
    "six secret keys are made at once beside one that is there",
    ["first", "", "a", "b", "c", "d", "e", "f"]
      .map((name) =>
        name === ""
          ? "up\n"
          : `declare ${name}: ApiKey {name: Server ${name}, type: secret}\n`,
      )
      .join(""),
  ),
  crash("everything is changed", [...ofEachKind(0), UP, ...ofEachKind(1)]),
  crash(
    "a secret key is rotated",
    `declare key: ApiKey {name: Server key, type: secret, rotation: "2026-10"}
     up
     declare key: ApiKey {name: Server key, type: secret, rotation: "2026-11"}`,
  ),
  crash(
    "a secret key is replaced after its deletion",
    `declare key: ApiKey {name: Server key, type: secret} with {deleteBeforeReplace: true}
     up
     declare key: ApiKey {name: Server key, type: proxy} with {deleteBeforeReplace: true}`,
  ),
  crash(
    "a key with a status of its own is made",
    `declare key: ApiKey {name: Server key, type: secret, status: disabled, rateLimit: 2}`,
  ),
  crash(
    "existing objects are adopted and changed",
    `make shop: ApiKey {name: Shop, type: secret}
     make orders: Webhook {url: https://shop.example/orders}
     declare key: ApiKey {name: Shop key, type: secret, adopt: {id: {object: shop}}}
     declare hook: Webhook {url: https://shop.example/events, adopt: {id: {object:
       orders}}, description: Orders}`,
  ),
  crash(
    "an adopted key is renamed without an alias",
    `make shop: ApiKey {name: Shop, type: secret}
     declare old: ApiKey {name: Shop, type: secret, adopt: {id: {object: shop}}}
     up
     rename old to new`,
  ),
  crash(
    "rules of somebody else are taken over",
    `write [{name: by-hand, expression: "true", action: deny}]
     declare rules: FilteringRuleSet {rules: [${DENY_ALL}], takeOver: true}`,
  ),
  crash(
    "an environment and all in it are destroyed",
    [...ofEachKind(0), UP],
    "destroy",
  ),
  crash(
    "the state is refreshed after changes by hand",
    `declare key: ApiKey {name: Server key, type: secret}
     declare hook: Webhook {url: https://shop.example/events}
     declare rules: FilteringRuleSet {rules: [${DENY_ALL}]}
     up
     edit key {name: By hand}
     delete hook`,
    "up {refresh: true}",
  ),
];
