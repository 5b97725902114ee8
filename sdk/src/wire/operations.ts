import type * as z from "zod";
import * as management from "./management";

/**
 * One operation of the service. The client encodes calls with it and reads their answers.
 * The local service checks calls with it and answers them. The OpenAPI document is made
 * from it.
 */
export interface Operation {
  /** The `operationId` in the OpenAPI document. */
  readonly name: string;
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** Below the address of the API. `:id` and the like stand for the ID of the object. */
  readonly path: `/${string}`;
  /** For the client's messages: `Creating webhook`. The ID or a name follows. */
  readonly doing: string;
  readonly summary: string;
  readonly description?: string;
  readonly body?: z.ZodType;
}

/** An operation of the management API (docs/contract.md, "Management API"). */
export interface ManagementOperation extends Operation {
  /** For messages: `webhook`. */
  readonly kind: string;
  /** The record in the answer. */
  readonly record: z.ZodObject;
  /** The secret members of its bodies and records. Of `url`, the user-info and the query are secret. */
  readonly secrets: readonly string[];
  /** The filters in the query of a list. */
  readonly filter?: z.ZodObject;
  /** A record, a page of a list, a whole list, or an empty body. */
  readonly answers: "one" | "page" | "all" | "nothing";
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
 * What all operations of a kind of record have (`every`), and the operations that most
 * kinds have. Each takes the members that only this kind gives it.
 * @param name what the names of operations have for the kind: `ApiKey`
 * @param path that of the list
 */
function operationsOf<R extends z.ZodObject>(
  [kind, name, path]: readonly [string, string, `/${string}`],
  record: R,
  secrets: readonly string[],
) {
  const every = { kind, record, secrets };
  const usual =
    <U extends Partial<ManagementOperation>>(members: U) =>
    <const O extends Partial<ManagementOperation>>(own: O) => ({
      ...every,
      ...members,
      ...own,
    });
  const ofRecord = `${path}/:id` as const;
  const one = `${/^[aeiou]/i.test(kind) ? "an" : "a"} ${kind}`;
  return {
    every,
    list: usual({
      name: `list${name}s`,
      method: "GET",
      path,
      doing: `Listing ${kind}s`,
      summary: `List ${kind}s`,
      answers: "page",
    }),
    get: usual({
      name: `get${name}`,
      method: "GET",
      path: ofRecord,
      doing: `Reading ${kind}`,
      summary: `Get ${one}`,
      answers: "one",
    }),
    create: usual({
      name: `create${name}`,
      method: "POST",
      path,
      doing: `Creating ${kind}`,
      summary: `Create ${one}`,
      answers: "one",
      status: 201,
    }),
    update: usual({
      name: `update${name}`,
      method: "PATCH",
      path: ofRecord,
      doing: `Updating ${kind}`,
      summary: `Change ${one}`,
      answers: "one",
    }),
    delete: usual({
      name: `delete${name}`,
      method: "DELETE",
      path: ofRecord,
      doing: `Deleting ${kind}`,
      summary: `Delete ${one}`,
      answers: "nothing",
      status: 204,
    }),
  };
}

/** An update that the service takes by POST. The call sets values (docs/assumptions.md, A12). */
const BY_POST = { method: "POST", isIdempotent: true } as const;

const apiKey = operationsOf(
  ["API key", "ApiKey", "/api-keys"],
  management.ApiKeyRecord,
  ["token"],
);

/** Operations on API keys. */
export const API_KEY = {
  list: apiKey.list({
    filter: management.ApiKeyFilter,
    isDeprecated: true,
    // The contract shows these names, and the vendor's own client reads `next_cursor`
    // (docs/contract.md, "Pagination").
    hasCamelCaseCursors: true,
  }),
  get: apiKey.get({
    description:
      "The answer leaves out the token of a secret or proxy key, which only its creation shows.",
  }),
  create: apiKey.create({
    description: "No other answer shows the token of a secret or proxy key.",
    body: management.ApiKeyCreate,
  }),
  update: apiKey.update({ body: management.ApiKeyUpdate }),
  delete: apiKey.delete({ summary: "Delete an API key for good" }),
} as const satisfies Record<string, ManagementOperation>;

const encryptionKey = operationsOf(
  ["encryption key", "EncryptionKey", "/encryption-keys"],
  management.EncryptionKeyRecord,
  ["previous_token", "token", "next_token"],
);

/** Operations on encryption keys. */
export const ENCRYPTION_KEY = {
  list: encryptionKey.list({
    summary: "List encryption keys, one for each environment",
    filter: management.EncryptionKeyFilter,
  }),
  get: encryptionKey.get({}),
  update: encryptionKey.update({
    summary: "Change, activate or deactivate an encryption key",
    body: management.EncryptionKeyUpdate,
  }),
  rotate: {
    ...encryptionKey.every,
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
    ...encryptionKey.every,
    name: "revertEncryptionKey",
    method: "POST",
    path: "/encryption-keys/:id/revert",
    doing: "Reverting the rotation of encryption key",
    summary: "Revert the last rotation of an encryption key",
    answers: "one",
  },
} as const satisfies Record<string, ManagementOperation>;

const environment = operationsOf(
  ["environment", "Environment", "/environments"],
  management.EnvironmentRecord,
  [],
);

/** Operations on environments. */
export const ENVIRONMENT = {
  list: environment.list({
    summary: "List environments, the default one first",
    filter: management.EnvironmentFilter,
  }),
  create: environment.create({
    summary:
      "Create an environment and its encryption key, which starts disabled",
    body: management.EnvironmentCreate,
  }),
  update: {
    ...environment.update({ body: management.EnvironmentUpdate }),
    ...BY_POST,
  },
  delete: environment.delete({
    summary: "Delete an environment and everything in it",
    description:
      "Refused for the default environment, and while an enabled API key uses it.",
  }),
} as const satisfies Record<string, ManagementOperation>;

const filteringRule = operationsOf(
  ["filtering rule", "FilteringRule", "/filtering-rules"],
  management.FilteringRuleRecord,
  [],
);

/** Operations on filtering rules. */
export const FILTERING_RULE = {
  list: {
    ...filteringRule.list({
      summary: "List filtering rules in their order of evaluation",
      filter: management.FilteringRuleFilter,
    }),
    answers: "all",
  },
  get: filteringRule.get({}),
  create: filteringRule.create({
    description:
      "Without a placement it becomes the last rule of its environment.",
    body: management.FilteringRuleCreate,
  }),
  update: {
    ...filteringRule.update({ body: management.FilteringRuleUpdate }),
    ...BY_POST,
  },
  delete: filteringRule.delete({}),
  bulk: {
    ...filteringRule.every,
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
    ...filteringRule.every,
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
} as const satisfies Record<string, ManagementOperation>;

const webhook = operationsOf(
  ["webhook", "Webhook", "/webhooks"],
  management.WebhookRecord,
  ["url", "basic_auth", "signing_key"],
);

/** Operations on webhooks. */
export const WEBHOOK = {
  list: webhook.list({ filter: management.WebhookFilter }),
  get: webhook.get({}),
  create: webhook.create({
    description: "No other answer shows the signing key.",
    body: management.WebhookCreate,
  }),
  update: webhook.update({
    description: "Another url has to be verified again.",
    body: management.WebhookUpdate,
    repeatsEnvironment: true,
  }),
  delete: webhook.delete({}),
  verify: {
    ...webhook.every,
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
} as const satisfies Record<string, ManagementOperation>;
