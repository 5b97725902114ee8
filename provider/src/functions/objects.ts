import { noDefaultEnvironment } from "../session/environment-choice";
import {
  ApiKeyFilter,
  ApiKeyRecord,
  camelKeys,
  EncryptionKeyFilter,
  EncryptionKeyRecord,
  EnvironmentRecord,
  FilteringRuleFilter,
  FilteringRuleRecord,
  WebhookFilter,
  WebhookRecord,
} from "@devid/sdk/wire";
import { z } from "zod";
import {
  defineFunction,
  named,
  type FunctionDefinition,
  type FunctionRequest,
} from "../definition/define-function";
import { LookupError } from "../definition/errors";
import { secret, unwrap } from "../definition/field";
import { withoutNulls } from "../session/answers";
import { exactlyOneOf, listed, lookUp, type CollectionOf } from "./look-up";

/** Texts by the names of fields. */
type Texts = Readonly<Record<string, string>>;

/** A kind of objects with two data sources: one lists them, the other finds one of them. */
interface Row {
  /** The name in programs: `ApiKey`. */
  readonly name: string;
  /** What messages call such an object: `API key`. */
  readonly singular: string;
  readonly result: z.ZodObject;
  readonly collection: CollectionOf;
  /** What the data sources answer: a sentence for each. */
  readonly lists: string;
  readonly finds: string;
  /** The filters of the list. */
  readonly filters: z.ZodRawShape;
  /** The arguments that find one object, of which a program gives one. */
  readonly by: z.ZodRawShape;
  /** Finds the object in another way than by the value of a field. */
  readonly find?: (
    request: FunctionRequest<Readonly<Record<string, unknown>>>,
  ) => Promise<Record<string, unknown>> | undefined;
}

/** The two data sources of a row: list and look-up. */
function bothOf(row: Row): readonly [FunctionDefinition, FunctionDefinition] {
  const { name, singular, result, collection } = row;
  const found = lookUp(singular, collection);
  return [
    defineFunction({
      name: `get${name}s`,
      description: row.lists,
      args: z.strictObject(row.filters),
      result: z.array(result),
      run: listed(collection),
    }),
    defineFunction({
      name: `get${name}`,
      description: row.finds,
      throws: "LookupError if there is none, or more than one",
      args: exactlyOneOf(row.by),
      result,
      run: (request) => row.find?.(request) ?? found(request),
    }),
  ] as unknown as [FunctionDefinition, FunctionDefinition];
}

/**
 * What a data source answers: the fields of a record of the service that have a text
 * here, with names in camelCase and without nulls.
 */
function resultOf(
  name: string,
  description: string,
  record: z.ZodObject,
  texts: Texts,
  secrets: readonly string[] = [],
): z.ZodObject {
  const fields: Readonly<Record<string, z.ZodType>> = camelKeys(record.shape);
  const shape = Object.entries(texts).map(([field, text]) => {
    const given = fields[field];
    if (!given) throw new Error(`A ${name} has no field ${field}.`);
    const inner = unwrap(given) as z.ZodType;
    const type = secrets.includes(field) ? secret(inner) : inner;
    const isOptional = given.safeParse(undefined).success;
    return [field, (isOptional ? type.optional() : type).describe(text)];
  });
  return named(
    `${name}Result`,
    z.object(Object.fromEntries(shape) as z.ZodRawShape).describe(description),
  );
}

/** Some fields of a schema of filters, each with a text. */
const described = ({ shape }: z.ZodObject, texts: Texts): z.ZodRawShape =>
  Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [
      name,
      (shape[name] as z.ZodType).describe(text),
    ]),
  );

/** Arguments that are texts. */
const texts = (fields: Texts): z.ZodRawShape =>
  Object.fromEntries(
    Object.entries(fields).map(([name, text]) => [
      name,
      z.string().min(1).optional().describe(text),
    ]),
  );

const CREATED = "Time of creation, ISO 8601.";
const CHANGED = "Time of the last change, ISO 8601.";

/** API keys (docs/contract.md, "GET /api-keys" and "GET /api-keys/{id}"). */
export const [getApiKeys, getApiKey] = bothOf({
  name: "ApiKey",
  singular: "API key",
  collection: (client) => client.apiKeys,
  result: resultOf(
    "ApiKey",
    "An API key.",
    ApiKeyRecord,
    {
      id: "ID.",
      name: "Name.",
      description: "Description.",
      type: "`public` for agents, `secret` for the events and device reputation APIs, `proxy` for proxy integrations.",
      status: "Whether the service accepts it.",
      environment: "Environment ID; absent for a key of the whole workspace.",
      rateLimit: "Requests per second.",
      token: "The key itself, where the service shows it again.",
      createdAt: CREATED,
      disabledAt: "Time of disabling, ISO 8601; absent while enabled.",
    },
    ["token"],
  ),
  lists: "API keys of the workspace, oldest first.",
  finds: "One API key, by its ID or by a name that no other key has.",
  filters: described(ApiKeyFilter, {
    type: "Only keys of this type.",
    status: "Only keys with this status.",
    environment: "Environment ID: only keys of this environment.",
  }),
  by: texts({ id: "ID.", name: "Name, exactly." }),
});

/** Webhooks (docs/contract.md, "GET /webhooks" and "GET /webhooks/{id}"). */
export const [getWebhooks, getWebhook] = bothOf({
  name: "Webhook",
  singular: "webhook",
  collection: (client) => client.webhooks,
  result: resultOf(
    "Webhook",
    "A webhook.",
    WebhookRecord,
    {
      id: "ID.",
      url: "Address that receives the events.",
      description: "Description.",
      status: "Whether events are delivered.",
      verified: "Whether the address answered a test event.",
      environment:
        "Environment ID; absent for every environment of the workspace.",
      legacy: "Whether deliveries have the old, version 3 form.",
      basicAuth: "Basic authentication of a legacy webhook.",
      createdAt: CREATED,
      signingKey:
        "Key of the signature of each delivery; the service shows it on creation only.",
      lastEnabledAt: "ISO 8601.",
      lastDisabledAt: "ISO 8601.",
    },
    ["basicAuth", "signingKey"],
  ),
  lists: "Webhooks of the workspace, oldest first.",
  finds: "One webhook, by its ID or by an address that no other webhook has.",
  filters: described(WebhookFilter, {
    status: "Only webhooks with this status.",
    environment: "Environment ID: only webhooks of this environment.",
  }),
  by: texts({ id: "ID.", url: "Address, exactly." }),
});

/** Encryption keys (docs/contract.md, "GET /encryption-keys" and "GET /encryption-keys/{id}"). */
export const [getEncryptionKeys, getEncryptionKey] = bothOf({
  name: "EncryptionKey",
  singular: "encryption key",
  collection: (client) => client.encryptionKeys,
  result: resultOf(
    "EncryptionKey",
    "An encryption key.",
    EncryptionKeyRecord,
    {
      id: "ID.",
      name: "Name.",
      description: "Description.",
      status: "Whether it seals client results.",
      environment: "ID of the environment that it belongs to.",
      createdAt: CREATED,
      lastActivatedAt: "ISO 8601.",
      lastDeactivatedAt: "ISO 8601.",
      lastRotatedAt: "ISO 8601.",
      previousToken: "Key before the last rotation.",
      token: "Current key, base64 of 32 bytes.",
      nextToken: "Key after the next rotation.",
    },
    ["previousToken", "token", "nextToken"],
  ),
  lists: "Encryption keys of the workspace, oldest first.",
  finds:
    "One encryption key, by its ID, its environment, or a name that no other key has.",
  filters: described(EncryptionKeyFilter, {
    status: "Only keys with this status.",
    environment: "Environment ID: only keys of this environment.",
  }),
  by: texts({
    id: "ID.",
    environment: "ID of the environment whose key it is.",
    name: "Name, exactly.",
  }),
});

/** Environments. The service has no call that reads a single one (docs/contract.md, "GET /environments"). */
export const [getEnvironments, getEnvironment] = bothOf({
  name: "Environment",
  singular: "environment",
  collection: (client) => client.environments,
  result: resultOf("Environment", "An environment.", EnvironmentRecord, {
    id: "ID.",
    name: "Name.",
    description: "Description.",
    limitMode:
      "What happens at the limit: nothing, the environment is restricted, or a notification.",
    limitValue: "The limit; absent where there is none.",
    isRestricted:
      "Whether the limit was reached and restricts the environment.",
    restrictedAt: "Time since which it is restricted, ISO 8601.",
    createdAt: CREATED,
    updatedAt: CHANGED,
  }),
  lists:
    "Environments of the workspace, oldest first: the first is the default one.",
  finds:
    "One environment: by its ID, by a name that no other environment has, or the default one.",
  filters: {},
  by: {
    ...texts({ id: "ID.", name: "Name, exactly." }),
    default: z
      .literal(true)
      .optional()
      .describe("`true`: the default environment of the workspace."),
  },
  find: ({ client, args, signal }) =>
    args.default === undefined
      ? undefined
      : client.environments.findDefault({ signal }).then((found) => {
          if (found) return withoutNulls(found);
          const { region } = client.configuration;
          throw new LookupError(noDefaultEnvironment(region), []);
        }),
});

/** Filtering rules in the order in force (docs/contract.md, "GET /filtering-rules"). */
export const getFilteringRules = defineFunction({
  name: "getFilteringRules",
  description: "Filtering rules in the order in which they are evaluated.",
  args: z.strictObject(
    described(FilteringRuleFilter, {
      environment: "Environment ID: only rules of this environment.",
      status: "Only rules with this status.",
      name: "Only rules with this in their name.",
    }),
  ),
  result: z.array(
    resultOf("FilteringRule", "A filtering rule.", FilteringRuleRecord, {
      id: "ID.",
      name: "Name.",
      environment: "Environment ID.",
      expression: "Expression that decides whether the rule matches a request.",
      action: "What happens to a request that the rule matches.",
      status: "Whether it is in force.",
      denyWith: "How a denied request is answered.",
      createdAt: CREATED,
      updatedAt: CHANGED,
    }),
  ),
  async run({ client, args, signal }) {
    const found = await client.filteringRules.list({ ...args, signal });
    return found.map(withoutNulls);
  },
});
