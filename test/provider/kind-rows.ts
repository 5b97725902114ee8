import {
  ApiKeyRecord,
  EncryptionKeyRecord,
  EnvironmentRecord,
  FilteringRuleRecord,
  WebhookRecord,
} from "@devid/sdk/wire";
import type { z } from "zod";
import type { Kind } from "../helpers/provider-host";
import type { Properties } from "../simulation/engine/property-value";

/** Where a test declares resources. */
interface Place {
  /** An address that answers webhooks. */
  readonly url: string;
  /** ID of the default environment. */
  readonly environment: string;
  /** ID of a webhook with the address. */
  readonly webhook: string;
}

/** What the tests of all kinds need of one. */
interface KindRow {
  /** Every input. A test checks that none is missing. */
  readonly full: Properties;
  /** Another valid value for each of them. */
  readonly other: Properties;
  /** The required inputs alone. */
  readonly least: Properties;
  /** Inputs whose change replaces the resource. */
  readonly immutable: readonly string[];
  /** Inputs that the service goes on choosing, or keeps as they are, when a program leaves them out. */
  readonly managedIfSet: readonly string[];
  /** Inputs that are about one operation: no difference in them is a change. */
  readonly suppressDiff: readonly string[];
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

const rule = { expression: "true", action: "deny" };
const firstRule = { name: "first", ...rule };

/** A row for each kind. */
const ROWS: Readonly<Record<Kind, KindRow>> = {
  ApiKey: {
    full: {
      name: "Shop",
      description: "Checkout page",
      type: "secret",
      environment: "ae_first",
      status: "disabled",
      rateLimit: 5,
      rotation: "2026-10",
      adopt: { name: "Shop" },
    },
    other: {
      name: "Store",
      description: "Product page",
      type: "proxy",
      environment: "ae_second",
      status: "enabled",
      rateLimit: 0.1,
      rotation: "2026-11",
      adopt: { id: "tok_found" },
    },
    least: { name: "Shop", type: "public" },
    immutable: ["type", "environment", "rotation"],
    managedIfSet: ["environment", "rateLimit", "rotation"],
    suppressDiff: ["adopt"],
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
    full: {
      environment: "ae_first",
      name: "Results",
      description: "Seals results",
      status: "enabled",
      rotation: "2026-01",
    },
    other: {
      environment: "ae_second",
      name: "Answers",
      description: "Seals answers",
      status: "disabled",
      rotation: "2026-02",
    },
    least: {},
    immutable: ["environment"],
    managedIfSet: ["environment", "name", "description", "status", "rotation"],
    suppressDiff: [],
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
    full: {
      name: "Staging",
      description: "Before production",
      limitMode: "restrict",
      limitValue: 1000,
      deleteContents: ["tok_8QqDf2yEivktFwD9"],
      adopt: { id: "ae_found" },
    },
    other: {
      name: "Production",
      description: "Behind staging",
      limitMode: "notify",
      limitValue: 1,
      deleteContents: ["wh_7el9easEFEkdHbjk"],
      adopt: { name: "Staging" },
    },
    least: { name: "Staging" },
    immutable: [],
    managedIfSet: [],
    suppressDiff: ["adopt"],
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
    full: {
      environment: "ae_first",
      rules: [
        {
          name: "shop",
          expression: 'sdk.version == "1.2.3"',
          action: "allow",
        },
        { name: "rest", ...rule },
      ],
      takeOver: true,
      allowEmpty: true,
      maxDeletedPercent: 100,
      onDrift: "overwrite",
      expectedInForce: `sha256:${"0".repeat(64)}`,
    },
    other: {
      environment: "ae_second",
      rules: [{ name: "rest", ...rule }],
      takeOver: false,
      allowEmpty: false,
      maxDeletedPercent: 50,
      onDrift: "fail",
      expectedInForce: `sha256:${"f".repeat(64)}`,
    },
    least: { rules: [{ name: "rest", ...rule }] },
    immutable: ["environment"],
    managedIfSet: ["environment"],
    suppressDiff: ["expectedInForce"],
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
    full: {
      url: "https://shop.example/hook",
      description: "Orders",
      status: "disabled",
      environment: "ae_first",
      adopt: { url: "https://shop.example/hook" },
    },
    other: {
      url: "https://store.example/hook",
      description: "Returns",
      status: "enabled",
      environment: "ae_second",
      adopt: { id: "wh_found" },
    },
    least: { url: "https://shop.example/hook" },
    immutable: [],
    managedIfSet: [],
    suppressDiff: ["adopt"],
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
    full: {
      webhookId: "wh_first",
      url: "https://shop.example/hook",
      timeoutSeconds: 5,
    },
    other: {
      webhookId: "wh_second",
      url: "https://store.example/hook",
      timeoutSeconds: 6,
    },
    least: { webhookId: "wh_first", url: "https://shop.example/hook" },
    immutable: ["webhookId", "url"],
    managedIfSet: [],
    suppressDiff: [],
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

const column = <Member extends keyof KindRow>(member: Member) =>
  Object.fromEntries(
    KINDS.map((kind) => [kind, ROWS[kind][member]]),
  ) as Readonly<Record<Kind, KindRow[Member]>>;

/** `full` of each kind. */
export const FULL_INPUTS = column("full");

/** `other` of each kind. */
export const OTHER_INPUTS = column("other");

/** `least` of each kind. */
export const LEAST_INPUTS = column("least");

/** `immutable` of each kind. */
export const IMMUTABLE = column("immutable");

/** `managedIfSet` of each kind. */
export const MANAGED_IF_SET = column("managedIfSet");

/** `suppressDiff` of each kind. */
export const SUPPRESS_DIFF = column("suppressDiff");

/** `secretOutputs` of each kind. */
export const SECRET_OUTPUTS = column("secretOutputs");

/** `life` of each kind. */
export const LIFE = column("life");

/** `answer` of each kind. */
export const ANSWERS = column("answer");
