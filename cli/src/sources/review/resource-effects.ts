import { UNKNOWN_TEXT, type PreviewedResource } from "@devid/pulumi/state";
import type { PlannedResource } from "@devid/review";
import type { ChangedOption } from "./planned-options";

type Effect = NonNullable<PlannedResource["effects"]>[number];
type Inputs = Readonly<Record<string, unknown>>;

/**
 * A deployment's change of one resource. The inputs before are empty for a new
 * resource, the inputs after for a deleted one.
 */
interface Change {
  readonly was: Inputs;
  readonly is: Inputs;
}

type Effects = Readonly<
  Partial<Record<PreviewedResource["operation"], (change: Change) => Effect[]>>
>;

const high = (text: string): Effect => ({ risk: "high", text });
const medium = (text: string): Effect => ({ risk: "medium", text });
const low = (text: string): Effect => ({ risk: "low", text });

/** Who needs a key, and what happens to requests with it. */
const USERS: Readonly<Record<string, string>> = {
  public: "pages and apps with this key",
  secret: "servers with this key",
  proxy: "the proxy integration with this key",
};

const usersOf = ({ type }: Inputs) =>
  USERS[String(type)] ?? "those who use this key";

const eventsOf = ({ environment }: Inputs) =>
  environment === undefined
    ? "all events of the workspace"
    : "all events of its environment";

/**
 * The effects of each operation on the users of a resource, by kind. Text between
 * backquotes comes from the program.
 */
export const EFFECTS: Readonly<Record<string, Effects>> = {
  ApiKey: {
    create: () => [low("a new key, which is accepted from now on")],
    delete: ({ was }) => [high(`${usersOf(was)} are refused from now on`)],
    replace: ({ was }) => [
      high(
        `a new key is made, and ${usersOf(was)} are refused until they have it`,
      ),
    ],
    update: ({ was, is }) => [
      ...switched(was, is, {
        off: high(`${usersOf(is)} are refused from now on`),
        on: medium("the key is accepted again"),
      }),
      ...(was.rateLimit !== is.rateLimit && typeof is.rateLimit === "number"
        ? [medium(`at most ${is.rateLimit} requests a second`)]
        : []),
    ],
  },
  Webhook: {
    create: ({ is }) => [
      is.status === "disabled"
        ? low("receives no events while it is disabled")
        : medium(`\`${hostOf(is.url)}\` receives ${eventsOf(is)} from now on`),
    ],
    delete: ({ was }) => [
      medium(`\`${hostOf(was.url)}\` receives no events from now on`),
    ],
    replace: ({ is }) => [
      high(
        `\`${hostOf(is.url)}\` receives ${eventsOf(is)}, signed with another key`,
      ),
    ],
    update({ was, is }) {
      const [from, to] = [hostOf(was.url), hostOf(is.url)];
      const moved =
        from === to
          ? medium("another path of the same host receives the events")
          : high(
              `\`${to}\` receives ${eventsOf(is)} from now on, not \`${from}\``,
            );
      return [
        ...(was.url === is.url ? [] : [moved]),
        ...(was.environment === is.environment
          ? []
          : [medium(`receives ${eventsOf(is)} from now on`)]),
        ...switched(was, is, {
          off: medium("receives no events from now on"),
          on: medium("receives events again"),
        }),
      ];
    },
  },
  WebhookVerification: {
    create: ({ is }) => [verifying(is)],
    delete: () => [low("the webhook stays verified")],
    replace: ({ is }) => [verifying(is)],
  },
  EncryptionKey: {
    create: () => [
      medium("results may be sealed with this key; readers need its secret"),
    ],
    delete: () => [
      high(
        "results are no longer sealed with this key, and those that are cannot be opened with a new one",
      ),
    ],
    replace: () => [
      high("results are sealed with another key; readers need its secret"),
    ],
    update: ({ was, is }) =>
      switched(was, is, {
        off: high("results are no longer sealed with this key"),
        on: medium("results are sealed with this key"),
      }),
  },
  Environment: {
    create: () => [low("a new environment, without rules and keys of its own")],
    delete: () => [high("its rules, keys and webhooks go with it")],
    replace: () => [
      high("the rules, keys and webhooks of the old one go with it"),
    ],
  },
};

const changesWorkspace = () => [
  medium("changes which workspace its resources are in, or how"),
];

const OF_PROVIDER: Effects = {
  create: changesWorkspace,
  delete: changesWorkspace,
  replace: changesWorkspace,
  update: changesWorkspace,
};

const OF_OTHERS: Effects = {
  delete: () => [medium("is deleted")],
  replace: () => [medium("is deleted and created again")],
};

/**
 * The effects of a deployment's change of a resource: by kind, by changed options, and
 * for unknown kinds by operation.
 */
export function effectsOn(
  { kind = "", type, operation, before, after }: PreviewedResource,
  options: readonly ChangedOption[],
): Effect[] {
  const { retainOnDelete } = (before ?? {}) as { retainOnDelete?: unknown };
  if (operation === "delete" && retainOnDelete === true)
    return [medium("stays in the service, and nobody manages it any more")];
  const isProvider = type.startsWith("pulumi:providers:");
  const effects = EFFECTS[kind] ?? (isProvider ? OF_PROVIDER : OF_OTHERS);
  const change = { was: before?.inputs ?? {}, is: after?.inputs ?? {} };
  return [
    ...(effects[operation]?.(change) ?? []),
    ...options.flatMap(ofOption),
  ];
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

const verifying = ({ url }: Inputs) =>
  low(
    `\`${hostOf(url)}\` gets a test event, and the deployment fails if its answer is not 200`,
  );

function hostOf(url: unknown): string {
  if (url === UNKNOWN_TEXT) return "an address that is not known yet";
  const text = typeof url === "string" ? url : "";
  // Only a host may stand between the backquotes.
  return URL.canParse(text) ? new URL(text).host : "an address without a host";
}
