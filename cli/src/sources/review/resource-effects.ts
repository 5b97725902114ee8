import { UNKNOWN_TEXT, type PreviewedResource } from "@devid/pulumi/state";
import type { PlannedResource } from "@devid/review";
import type { ChangedOption } from "./planned-options";

type Effect = NonNullable<PlannedResource["effects"]>[number];
type Inputs = Readonly<Record<string, unknown>>;

/** A deployment's change of one resource. */
interface Change {
  readonly operation: PreviewedResource["operation"];
  /** Empty for a new resource. */
  readonly was: Inputs;
  /** Empty for a deleted resource. */
  readonly is: Inputs;
}

const high = (text: string): Effect => ({ risk: "high", text });
const medium = (text: string): Effect => ({ risk: "medium", text });
const low = (text: string): Effect => ({ risk: "low", text });

/** Who needs a key, and what happens to requests with it. */
const USERS: Readonly<Record<string, string>> = {
  public: "pages and apps with this key",
  secret: "servers with this key",
  proxy: "the proxy integration with this key",
};

/**
 * The effects of each operation on the users of a resource, by kind. Text between
 * backquotes comes from the program.
 */
export const EFFECTS: Readonly<Record<string, (change: Change) => Effect[]>> = {
  ApiKey({ operation, was, is }) {
    const users = (inputs: Inputs) =>
      USERS[String(inputs.type)] ?? "those who use this key";
    switch (operation) {
      case "create":
        return [low("a new key, which is accepted from now on")];
      case "delete":
        return [high(`${users(was)} are refused from now on`)];
      case "replace":
        return [
          high(
            `a new key is made, and ${users(was)} are refused until they have it`,
          ),
        ];
      default:
        return [
          ...switched(was, is, {
            off: high(`${users(is)} are refused from now on`),
            on: medium("the key is accepted again"),
          }),
          ...(was.rateLimit !== is.rateLimit && typeof is.rateLimit === "number"
            ? [medium(`at most ${is.rateLimit} requests a second`)]
            : []),
        ];
    }
  },
  Webhook({ operation, was, is }) {
    const all =
      is.environment === undefined
        ? "all events of the workspace"
        : "all events of its environment";
    switch (operation) {
      case "create":
        return is.status === "disabled"
          ? [low("receives no events while it is disabled")]
          : [medium(`\`${hostOf(is.url)}\` receives ${all} from now on`)];
      case "delete":
        return [
          medium(`\`${hostOf(was.url)}\` receives no events from now on`),
        ];
      case "replace":
        return [
          high(
            `\`${hostOf(is.url)}\` receives ${all}, signed with another key`,
          ),
        ];
      default: {
        const [from, to] = [hostOf(was.url), hostOf(is.url)];
        const isMoved = was.url !== is.url;
        return [
          ...(isMoved && from !== to
            ? [high(`\`${to}\` receives ${all} from now on, not \`${from}\``)]
            : []),
          ...(isMoved && from === to
            ? [medium("another path of the same host receives the events")]
            : []),
          ...(was.environment === is.environment
            ? []
            : [medium(`receives ${all} from now on`)]),
          ...switched(was, is, {
            off: medium("receives no events from now on"),
            on: medium("receives events again"),
          }),
        ];
      }
    }
  },
  EncryptionKey({ operation, was, is }) {
    switch (operation) {
      case "create":
        return [
          medium(
            "results may be sealed with this key; readers need its secret",
          ),
        ];
      case "delete":
        return [
          high(
            "results are no longer sealed with this key, and those that are cannot be opened with a new one",
          ),
        ];
      case "replace":
        return [
          high("results are sealed with another key; readers need its secret"),
        ];
      default:
        return switched(was, is, {
          off: high("results are no longer sealed with this key"),
          on: medium("results are sealed with this key"),
        });
    }
  },
  Environment({ operation }) {
    switch (operation) {
      case "create":
        return [low("a new environment, without rules and keys of its own")];
      case "delete":
        return [high("its rules, keys and webhooks go with it")];
      case "replace":
        return [high("the rules, keys and webhooks of the old one go with it")];
      default:
        return [];
    }
  },
};

/**
 * The effects of a deployment's change of a resource: by kind, by changed options, and
 * for unknown kinds by operation.
 */
export function effectsOn(
  { kind, type, operation, before, after }: PreviewedResource,
  options: readonly ChangedOption[],
): Effect[] {
  const isKept =
    operation === "delete" &&
    (before as { retainOnDelete?: unknown } | undefined)?.retainOnDelete ===
      true;
  if (isKept)
    return [medium("stays in the service, and nobody manages it any more")];
  const change = {
    operation,
    was: before?.inputs ?? {},
    is: after?.inputs ?? {},
  };
  const own = kind === undefined ? undefined : EFFECTS[kind];
  return [
    ...(own && operation !== "same" ? own(change) : []),
    ...(own || !type.startsWith("pulumi:providers:") || operation === "same"
      ? []
      : [medium("changes which workspace its resources are in, or how")]),
    ...(own || type.startsWith("pulumi:providers:")
      ? []
      : byOperation(operation)),
    ...options.flatMap(ofOption),
  ];
}

function byOperation(operation: PreviewedResource["operation"]): Effect[] {
  if (operation === "delete") return [medium("is deleted")];
  return operation === "replace"
    ? [medium("is deleted and created again")]
    : [];
}

function ofOption({ name, isLoosened }: ChangedOption): Effect[] {
  if (!isLoosened) return [];
  switch (name) {
    case "protect":
      return [medium("a later deployment may delete it")];
    case "retainOnDelete":
      return [medium("a later deletion leaves it in the service")];
    case "ignoreChanges":
      return [medium("changes of some inputs are ignored from now on")];
    case "provider":
      return [medium("another provider manages it, perhaps in another region")];
  }
}

function switched(
  was: Inputs,
  is: Inputs,
  effects: { readonly off: Effect; readonly on: Effect },
): Effect[] {
  if (was.status === is.status) return [];
  return [is.status === "disabled" ? effects.off : effects.on];
}

/** The host of an address. */
function hostOf(url: unknown): string {
  if (url === UNKNOWN_TEXT) return "an address that is not known yet";
  const text = typeof url === "string" ? url : "";
  // Only a host may stand between the backquotes.
  return URL.canParse(text) ? new URL(text).host : "an address without a host";
}
