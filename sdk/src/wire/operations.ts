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

/** The operations of a kind of record, each with the kind, its record and its secret members. */
export function operationsOf<
  R extends z.ZodObject,
  const O extends Readonly<Record<string, OwnMembers>>,
>(kind: string, record: R, secrets: readonly string[], own: O) {
  const all = Object.entries(own).map(([name, members]) => [
    name,
    { kind, record, secrets, ...members },
  ]);
  // The type names the same members.
  return Object.fromEntries(all) as {
    readonly [N in keyof O]: Omit<O[N], "record"> & {
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

/** Operations on API keys. */
export const API_KEY = operationsOf(
  "API key",
  management.ApiKeyRecord,
  ["token"],
  {
    list: {
      name: "listApiKeys",
      method: "GET",
      path: "/api-keys",
      doing: "Listing API keys",
      summary: "List API keys",
      filter: management.ApiKeyFilter,
      answers: "page",
      isDeprecated: true,
      // The contract shows these names, and the vendor's own client reads `next_cursor`
      // (docs/contract.md, "Pagination").
      hasCamelCaseCursors: true,
    },
    get: {
      name: "getApiKey",
      method: "GET",
      path: "/api-keys/:id",
      doing: "Reading API key",
      summary: "Get an API key",
      description:
        "The answer leaves out the token of a secret or proxy key, which only its creation shows.",
      answers: "one",
    },
    create: {
      name: "createApiKey",
      method: "POST",
      path: "/api-keys",
      doing: "Creating API key",
      summary: "Create an API key",
      description: "No other answer shows the token of a secret or proxy key.",
      body: management.ApiKeyCreate,
      answers: "one",
      status: 201,
    },
    update: {
      name: "updateApiKey",
      method: "PATCH",
      path: "/api-keys/:id",
      doing: "Updating API key",
      summary: "Change an API key",
      body: management.ApiKeyUpdate,
      answers: "one",
    },
    delete: {
      name: "deleteApiKey",
      method: "DELETE",
      path: "/api-keys/:id",
      doing: "Deleting API key",
      summary: "Delete an API key for good",
      answers: "nothing",
      status: 204,
    },
  },
);

/** Operations on encryption keys. */
export const ENCRYPTION_KEY = operationsOf(
  "encryption key",
  management.EncryptionKeyRecord,
  ["previous_token", "token", "next_token"],
  {
    list: {
      name: "listEncryptionKeys",
      method: "GET",
      path: "/encryption-keys",
      doing: "Listing encryption keys",
      summary: "List encryption keys, one for each environment",
      filter: management.EncryptionKeyFilter,
      answers: "page",
    },
    get: {
      name: "getEncryptionKey",
      method: "GET",
      path: "/encryption-keys/:id",
      doing: "Reading encryption key",
      summary: "Get an encryption key",
      answers: "one",
    },
    update: {
      name: "updateEncryptionKey",
      method: "PATCH",
      path: "/encryption-keys/:id",
      doing: "Updating encryption key",
      summary: "Change, activate or deactivate an encryption key",
      body: management.EncryptionKeyUpdate,
      answers: "one",
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
  "environment",
  management.EnvironmentRecord,
  [],
  {
    list: {
      name: "listEnvironments",
      method: "GET",
      path: "/environments",
      doing: "Listing environments",
      summary: "List environments, the default one first",
      filter: management.EnvironmentFilter,
      answers: "page",
    },
    create: {
      name: "createEnvironment",
      method: "POST",
      path: "/environments",
      doing: "Creating environment",
      summary:
        "Create an environment and its encryption key, which starts disabled",
      body: management.EnvironmentCreate,
      answers: "one",
      status: 201,
    },
    update: {
      name: "updateEnvironment",
      method: "POST",
      path: "/environments/:id",
      doing: "Updating environment",
      summary: "Change an environment",
      body: management.EnvironmentUpdate,
      answers: "one",
      // The call sets values (docs/assumptions.md, A12).
      isIdempotent: true,
    },
    delete: {
      name: "deleteEnvironment",
      method: "DELETE",
      path: "/environments/:id",
      doing: "Deleting environment",
      summary: "Delete an environment and everything in it",
      description:
        "Refused for the default environment, and while an enabled API key uses it.",
      answers: "nothing",
      status: 204,
    },
  },
);

/** Operations on filtering rules. */
export const FILTERING_RULE = operationsOf(
  "filtering rule",
  management.FilteringRuleRecord,
  [],
  {
    list: {
      name: "listFilteringRules",
      method: "GET",
      path: "/filtering-rules",
      doing: "Listing filtering rules",
      summary: "List filtering rules in their order of evaluation",
      filter: management.FilteringRuleFilter,
      answers: "all",
    },
    get: {
      name: "getFilteringRule",
      method: "GET",
      path: "/filtering-rules/:id",
      doing: "Reading filtering rule",
      summary: "Get a filtering rule",
      answers: "one",
    },
    create: {
      name: "createFilteringRule",
      method: "POST",
      path: "/filtering-rules",
      doing: "Creating filtering rule",
      summary: "Create a filtering rule",
      description:
        "Without a placement it becomes the last rule of its environment.",
      body: management.FilteringRuleCreate,
      answers: "one",
      status: 201,
    },
    update: {
      name: "updateFilteringRule",
      method: "POST",
      path: "/filtering-rules/:id",
      doing: "Updating filtering rule",
      summary: "Change a filtering rule",
      body: management.FilteringRuleUpdate,
      answers: "one",
      // The call sets values (docs/assumptions.md, A12).
      isIdempotent: true,
    },
    delete: {
      name: "deleteFilteringRule",
      method: "DELETE",
      path: "/filtering-rules/:id",
      doing: "Deleting filtering rule",
      summary: "Delete a filtering rule",
      answers: "nothing",
      status: 204,
    },
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
  "webhook",
  management.WebhookRecord,
  ["url", "basic_auth", "signing_key"],
  {
    list: {
      name: "listWebhooks",
      method: "GET",
      path: "/webhooks",
      doing: "Listing webhooks",
      summary: "List webhooks",
      filter: management.WebhookFilter,
      answers: "page",
    },
    get: {
      name: "getWebhook",
      method: "GET",
      path: "/webhooks/:id",
      doing: "Reading webhook",
      summary: "Get a webhook",
      answers: "one",
    },
    create: {
      name: "createWebhook",
      method: "POST",
      path: "/webhooks",
      doing: "Creating webhook",
      summary: "Create a webhook",
      description: "No other answer shows the signing key.",
      body: management.WebhookCreate,
      answers: "one",
      status: 201,
    },
    update: {
      name: "updateWebhook",
      method: "PATCH",
      path: "/webhooks/:id",
      doing: "Updating webhook",
      summary: "Change a webhook",
      description: "Another url has to be verified again.",
      body: management.WebhookUpdate,
      answers: "one",
      repeatsEnvironment: true,
    },
    delete: {
      name: "deleteWebhook",
      method: "DELETE",
      path: "/webhooks/:id",
      doing: "Deleting webhook",
      summary: "Delete a webhook",
      answers: "nothing",
      status: 204,
    },
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
