import type * as z from "zod";
import * as management from "./management";

/** What an operation answers: a record, a page of a list, a whole list, or an empty body. */
type Answers = "one" | "page" | "all" | "nothing";

/** The members of an operation that its kind does not give. */
interface OwnMembers {
  /** The `operationId` in the OpenAPI document. */
  readonly name: string;
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** Below the management URL. `:id` stands for the ID of the record. */
  readonly path: `/${string}`;
  /** For the client's messages: `Creating webhook`. The ID or a name follows. */
  readonly doing: string;
  readonly summary: string;
  readonly description?: string;
  /** The filters in the query of a list. */
  readonly filter?: z.ZodObject;
  readonly body?: z.ZodType;
  readonly answers: Answers;
  /** The record in the answer, if it is not of the kind. */
  readonly record?: z.ZodObject;
  /** Status of success; 200 unless given. */
  readonly status?: 201 | 204;
  /** Whether a repetition changes nothing more. Default: true for every method but POST. */
  readonly isIdempotent?: boolean;
  readonly isDeprecated?: boolean;
  /** Whether the answer may also be the record itself, without `data`. */
  readonly mayBeBare?: boolean;
  /** Whether the answer has the environment of the record also beside `data`. */
  readonly repeatsEnvironment?: boolean;
  /** Whether a page has the cursors also as `nextCursor` and `prevCursor`. */
  readonly hasCamelCaseCursors?: boolean;
}

/**
 * One operation of the management API (docs/contract.md, "Management API"). The client
 * encodes calls with it and reads their answers. The local service checks calls with it
 * and answers them. The OpenAPI document is made from it.
 */
export type ManagementOperation = OwnMembers & {
  /** For messages: `webhook`. */
  readonly kind: string;
  readonly record: z.ZodObject;
  /** The secret members of its bodies and records. Of `url`, the user-info and the query are secret. */
  readonly secrets: readonly string[];
};

/** The operations that most kinds have, with their usual names and messages. `path` is that of the list. */
function usual(kind: string, name: string, path: `/${string}`) {
  const ofRecord = `${path}/:id` as const;
  const one = `${/^[aeiou]/i.test(kind) ? "an" : "a"} ${kind}`;
  return {
    list: {
      name: `list${name}s`,
      method: "GET",
      path,
      doing: `Listing ${kind}s`,
      summary: `List ${kind}s`,
      answers: "page",
    },
    get: {
      name: `get${name}`,
      method: "GET",
      path: ofRecord,
      doing: `Reading ${kind}`,
      summary: `Get ${one}`,
      answers: "one",
    },
    create: {
      name: `create${name}`,
      method: "POST",
      path,
      doing: `Creating ${kind}`,
      summary: `Create ${one}`,
      answers: "one",
      status: 201,
    },
    update: {
      name: `update${name}`,
      method: "PATCH",
      path: ofRecord,
      doing: `Updating ${kind}`,
      summary: `Change ${one}`,
      answers: "one",
    },
    delete: {
      name: `delete${name}`,
      method: "DELETE",
      path: ofRecord,
      doing: `Deleting ${kind}`,
      summary: `Delete ${one}`,
      answers: "nothing",
      status: 204,
    },
  } as const;
}
type Usual = ReturnType<typeof usual>;

/** An operation with the members of the usual one of its name, in so far as it has not its own. */
type Completed<N, O> = N extends keyof Usual ? Omit<Usual[N], keyof O> & O : O;

/**
 * The operations of a kind of record, each with the kind, its record and its secret members.
 * @param name what the names of operations have for the kind: `ApiKey`
 * @param path that of the list
 * @param own what differs from the usual operations, and further operations
 */
export function operationsOf<
  R extends z.ZodObject,
  const O extends Readonly<Record<string, Partial<OwnMembers>>>,
>(
  [kind, name, path]: readonly [string, string, `/${string}`],
  record: R,
  secrets: readonly string[],
  own: O & { readonly [N in Exclude<keyof O, keyof Usual>]: OwnMembers },
) {
  const known: Readonly<Record<string, object>> = usual(kind, name, path);
  const all = Object.entries<object>(own).map(([name, members]) => [
    name,
    { kind, record, secrets, ...known[name], ...members },
  ]);
  // The type names the same members.
  return Object.fromEntries(all) as {
    readonly [N in keyof O]: Omit<Completed<N, O[N]>, "record"> & {
      readonly kind: string;
      readonly secrets: readonly string[];
      readonly record: O[N] extends {
        readonly record: infer Own extends z.ZodObject;
      }
        ? Own
        : R;
    };
  };
}

/** An update that the service takes by POST. The call sets values (docs/assumptions.md, A12). */
const BY_POST = { method: "POST", isIdempotent: true } as const;

/** Operations on API keys. */
export const API_KEY = operationsOf(
  ["API key", "ApiKey", "/api-keys"],
  management.ApiKeyRecord,
  ["token"],
  {
    list: {
      filter: management.ApiKeyFilter,
      isDeprecated: true,
      // The contract shows these names, and the vendor's own client reads `next_cursor`
      // (docs/contract.md, "Pagination").
      hasCamelCaseCursors: true,
    },
    get: {
      description:
        "The answer leaves out the token of a secret or proxy key, which only its creation shows.",
    },
    create: {
      description: "No other answer shows the token of a secret or proxy key.",
      body: management.ApiKeyCreate,
    },
    update: { body: management.ApiKeyUpdate },
    delete: { summary: "Delete an API key for good" },
  },
);

/** Operations on encryption keys. */
export const ENCRYPTION_KEY = operationsOf(
  ["encryption key", "EncryptionKey", "/encryption-keys"],
  management.EncryptionKeyRecord,
  ["previous_token", "token", "next_token"],
  {
    list: {
      summary: "List encryption keys, one for each environment",
      filter: management.EncryptionKeyFilter,
    },
    get: {},
    update: {
      summary: "Change, activate or deactivate an encryption key",
      body: management.EncryptionKeyUpdate,
    },
    rotate: {
      name: "rotateEncryptionKey",
      method: "POST",
      path: "/encryption-keys/:id/rotate",
      doing: "Rotating encryption key",
      summary: "Rotate an encryption key",
      description:
        "The current token becomes the previous one, the next one becomes the current one, and a new next one is made.",
      answers: "one",
    },
    revert: {
      name: "revertEncryptionKey",
      method: "POST",
      path: "/encryption-keys/:id/revert",
      doing: "Reverting the rotation of encryption key",
      summary: "Revert the last rotation of an encryption key",
      answers: "one",
    },
  },
);

/** Operations on environments. */
export const ENVIRONMENT = operationsOf(
  ["environment", "Environment", "/environments"],
  management.EnvironmentRecord,
  [],
  {
    list: {
      summary: "List environments, the default one first",
      filter: management.EnvironmentFilter,
    },
    create: {
      summary:
        "Create an environment and its encryption key, which starts disabled",
      body: management.EnvironmentCreate,
    },
    update: { ...BY_POST, body: management.EnvironmentUpdate },
    delete: {
      summary: "Delete an environment and everything in it",
      description:
        "Refused for the default environment, and while an enabled API key uses it.",
    },
  },
);

/** Operations on filtering rules. */
export const FILTERING_RULE = operationsOf(
  ["filtering rule", "FilteringRule", "/filtering-rules"],
  management.FilteringRuleRecord,
  [],
  {
    list: {
      summary: "List filtering rules in their order of evaluation",
      filter: management.FilteringRuleFilter,
      answers: "all",
    },
    get: {},
    create: {
      description:
        "Without a placement it becomes the last rule of its environment.",
      body: management.FilteringRuleCreate,
    },
    update: { ...BY_POST, body: management.FilteringRuleUpdate },
    delete: {},
    bulk: {
      name: "writeFilteringRules",
      method: "POST",
      path: "/filtering-rules/bulk",
      doing: "Writing",
      summary: "Create, update or replace many filtering rules, all or none",
      description:
        "Mode merge updates the rules with an ID and creates the others. Mode overwrite replaces all rules of the environment by the given ones, in their order, unless a placement moves one, and with new IDs. Without an environment the call is about the default one. The answer holds the written rules in the given order.",
      body: management.FilteringRulesBulk,
      answers: "all",
    },
    test: {
      name: "testFilteringRules",
      method: "POST",
      path: "/filtering-rules/test",
      doing: "Testing filtering rules",
      summary: "Test what rules decide about a request",
      description:
        "Takes either rules or an environment, whose rules in force are then evaluated, and either a request or the ID of a past event. The first rule that matches decides; a request that no rule matches is allowed. triggered_rule is the expression of the rule that decided.",
      body: management.FilteringRulesTest,
      answers: "one",
      record: management.FilteringRulesTestResult,
      // It changes nothing.
      isIdempotent: true,
      // Sources differ (docs/assumptions.md, A36).
      mayBeBare: true,
    },
  },
);

/** Operations on webhooks. */
export const WEBHOOK = operationsOf(
  ["webhook", "Webhook", "/webhooks"],
  management.WebhookRecord,
  ["url", "basic_auth", "signing_key"],
  {
    list: { filter: management.WebhookFilter },
    get: {},
    create: {
      description: "No other answer shows the signing key.",
      body: management.WebhookCreate,
    },
    update: {
      description: "Another url has to be verified again.",
      body: management.WebhookUpdate,
      repeatsEnvironment: true,
    },
    delete: {},
    verify: {
      name: "verifyWebhook",
      method: "POST",
      path: "/webhooks/:id/verification",
      doing: "Starting the verification of webhook",
      summary: "Send a test event to a webhook",
      description:
        "The call answers at once. The webhook is verified when its url answers the test event with HTTP 200 within 3 s.",
      answers: "one",
      // Another test event does no harm.
      isIdempotent: true,
    },
  },
);
