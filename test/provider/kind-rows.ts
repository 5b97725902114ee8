import {
  ApiKeyRecord,
  EncryptionKeyRecord,
  EnvironmentRecord,
  FilteringRuleRecord,
  WebhookRecord,
} from "@devid/sdk/wire";
import { parse } from "yaml";
import type { z } from "zod";
import { cellsOf, rowsOf } from "../helpers/cells-of";
import type { Kind } from "../helpers/provider-host";
import type { Properties } from "../simulation/engine/property-value";

/** Where a test declares resources. */
interface Place {
  /** An address that answers webhooks. */
  readonly url: string;
  /** ID of a webhook with the address. */
  readonly webhook: string;
}

const rule = { expression: "true", action: "deny" };
const firstRule = { name: "first", ...rule };
const REST = { name: "rest", ...rule };
const SHOP = {
  name: "shop",
  expression: 'sdk.version == "1.2.3"',
  action: "allow",
};

/**
 * The inputs of each kind: a value, another one, and what its definition says of the input.
 * `immutable`: its change replaces the resource. `managedIfSet`: the service goes on choosing
 * the value, or keeps it, when a program leaves it out. `suppressDiff`: it is about one
 * operation, and no difference in it is a change. A test checks that no input is missing.
 */
const INPUTS = `
ApiKey
  name | Shop | Store
  description | Checkout page | Product page
  type | secret | proxy | immutable
  environment | ae_first | ae_second | immutable managedIfSet
  status | disabled | enabled
  rateLimit | 5 | 0.1 | managedIfSet
  rotation | 2026-10 | 2026-11 | immutable managedIfSet
  adopt | {id: tok_one} | {id: tok_found} | suppressDiff
EncryptionKey
  environment | ae_first | ae_second | immutable managedIfSet
  name | Results | Answers | managedIfSet
  description | Seals results | Seals answers | managedIfSet
  status | enabled | disabled | managedIfSet
  rotation | 2026-01 | 2026-02 | managedIfSet
Environment
  name | Staging | Production
  description | Before production | Behind staging
  limitMode | restrict | notify
  limitValue | 1000 | 1
  deleteContents | [tok_8QqDf2yEivktFwD9] | [wh_7el9easEFEkdHbjk]
  adopt | {id: ae_found} | {id: ae_one} | suppressDiff
FilteringRuleSet
  environment | ae_first | ae_second | immutable managedIfSet
  rules | ${JSON.stringify([SHOP, REST])} | ${JSON.stringify([REST])}
  takeOver | true | false
  allowEmpty | true | false
  maxDeletedPercent | 100 | 50
  onDrift | overwrite | fail
  expectedInForce | sha256:${"0".repeat(64)} | sha256:${"f".repeat(64)} | suppressDiff
Webhook
  url | https://shop.example/hook | https://store.example/hook
  description | Orders | Returns
  status | disabled | enabled
  environment | ae_first | ae_second
  adopt | {id: wh_one} | {id: wh_found} | suppressDiff
WebhookVerification
  webhookId | wh_first | wh_second | immutable
  url | https://shop.example/hook | https://store.example/hook | immutable
  timeoutSeconds | 5 | 6
`;

/** What else the tests of all kinds need of one. */
interface KindRow {
  /** The required inputs alone. */
  readonly least: Properties;
  /** The only outputs that may hold a secret. */
  readonly secretOutputs: readonly string[];
  /**
   * The inputs declared first, the inputs declared next, and perhaps others. Each leaves out
   * some optional inputs and sets others.
   */
  readonly life: (place: Place) => [Properties, Properties, ...Properties[]];
  /** The answer that has only the fields that the contract requires. */
  readonly answer: {
    readonly program: Properties;
    readonly path: string;
    readonly least: Properties;
    /** The schema of the whole answer. Its other fields may be null instead of absent. */
    readonly record: z.ZodObject;
  };
}

/** A row for each kind. */
const ROWS: Readonly<Record<Kind, KindRow>> = {
  ApiKey: {
    least: { name: "Shop", type: "public" },
    secretOutputs: ["token"],
    life: () => [
      { name: "Shop", type: "secret" },
      { name: "Store", type: "secret", description: "Till", rateLimit: 2 },
      { name: "Store", type: "secret", status: "disabled" },
      { name: "Store", type: "proxy" },
      { name: "Store", type: "public" },
    ],
    answer: {
      program: { name: "Shop", type: "secret", status: "disabled" },
      path: "/management/api-keys*",
      least: { id: "tok_1", name: "Shop", type: "secret", status: "disabled" },
      record: ApiKeyRecord,
    },
  },
  EncryptionKey: {
    least: {},
    secretOutputs: ["token", "previousToken", "nextToken", "tokenBefore"],
    life: () => [
      {},
      { name: "Results", status: "enabled" },
      { status: "enabled", rotation: "a" },
    ],
    answer: {
      program: { environment: "ae_first", status: "enabled" },
      path: "/management/encryption-keys*",
      least: { id: "ek_1", status: "enabled", environment: "ae_first" },
      record: EncryptionKeyRecord,
    },
  },
  Environment: {
    least: { name: "Staging" },
    secretOutputs: [],
    life: () => [
      { name: "Staging", limitMode: "restrict", limitValue: 5 },
      { name: "Production", description: "Live" },
    ],
    answer: {
      program: { name: "Staging" },
      path: "/management/environments*",
      least: { id: "ae_1", name: "Staging" },
      record: EnvironmentRecord,
    },
  },
  FilteringRuleSet: {
    least: { rules: [REST] },
    secretOutputs: [],
    life: () => [
      { rules: [{ name: "first", ...rule }] },
      {
        rules: [
          { name: "second", ...rule, action: "allow" },
          { name: "first", ...rule, status: "disabled" },
        ],
      },
    ],
    answer: {
      program: { environment: "ae_first", rules: [firstRule], takeOver: true },
      path: "/management/filtering-rules*",
      least: { id: "tr_1", ...firstRule, status: "enabled" },
      record: FilteringRuleRecord,
    },
  },
  Webhook: {
    least: { url: "https://shop.example/hook" },
    secretOutputs: ["signingKey", "basicAuth"],
    life: ({ url }) => [
      { url, description: "Orders" },
      { url: `${url}2`, status: "disabled" },
    ],
    answer: {
      program: { url: "https://shop.example/hook" },
      path: "/management/webhooks*",
      least: {
        id: "wh_1",
        url: "https://shop.example/hook",
        status: "enabled",
      },
      record: WebhookRecord,
    },
  },
  WebhookVerification: {
    least: { webhookId: "wh_first", url: "https://shop.example/hook" },
    secretOutputs: [],
    life: ({ url, webhook: webhookId }) => [
      { webhookId, url },
      { webhookId, url, timeoutSeconds: 30 },
    ],
    answer: {
      program: { webhookId: "wh_1", url: "https://shop.example/hook" },
      path: "/management/webhooks*",
      least: {
        id: "wh_1",
        url: "https://shop.example/hook",
        status: "enabled",
        verified: true,
      },
      record: WebhookRecord,
    },
  },
};

/** Every kind of resource. */
export const KINDS = Object.keys(ROWS) as readonly Kind[];

const ofEachKind = <Value>(valueOf: (kind: Kind) => Value) =>
  Object.fromEntries(KINDS.map((kind) => [kind, valueOf(kind)])) as Readonly<
    Record<Kind, Value>
  >;

const column = <Member extends keyof KindRow>(member: Member) =>
  ofEachKind((kind) => ROWS[kind][member]);

/** The lines of a kind's inputs. */
const linesOf = (kind: Kind) =>
  rowsOf(INPUTS)
    .find(([name]) => name === kind)
    ?.slice(1)
    .flatMap(cellsOf) ?? [];

const valuesIn = (cell: 1 | 2) =>
  ofEachKind((kind) => {
    const values: Properties = {};
    for (const line of linesOf(kind))
      values[line[0] ?? ""] = parse(line[cell] ?? "");
    return values;
  });

const marked = (mark: string) =>
  ofEachKind((kind): readonly string[] =>
    linesOf(kind)
      .filter(([, , , marks = ""]) => marks.includes(mark))
      .map(([name = ""]) => name),
  );

/** Every input of each kind. */
export const FULL_INPUTS = valuesIn(1);

/** Another valid value for each of them. */
export const OTHER_INPUTS = valuesIn(2);

/** `least` of each kind. */
export const LEAST_INPUTS = column("least");

/** The inputs of each kind that are `immutable`. */
export const IMMUTABLE = marked("immutable");

/** The inputs of each kind that are `managedIfSet`. */
export const MANAGED_IF_SET = marked("managedIfSet");

/** The inputs of each kind that are `suppressDiff`. */
export const SUPPRESS_DIFF = marked("suppressDiff");

/** `secretOutputs` of each kind. */
export const SECRET_OUTPUTS = column("secretOutputs");

/** `life` of each kind. */
export const LIFE = column("life");

/** `answer` of each kind. */
export const ANSWERS = column("answer");
