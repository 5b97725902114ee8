import { parseUrl } from "@devid/sdk/errors";
import { isIP } from "node:net";
import { API_KEY, ENCRYPTION_KEY, ENVIRONMENT } from "@devid/sdk/wire";
import { isLoopback, WEBHOOK } from "@devid/sdk/wire";
import type { Context } from "../context";
import { AnswerError, type Violation } from "../http/answer-error";
import type { Call, Operation } from "../http/operation";
import { member, violation } from "../http/violations";
import { newEventId } from "../identity";
import type { ApiKeyRow, EnvironmentRow, WebhookRow } from "../store/schema";
import { serve, serveList } from "./serve-operation";

/**
 * The most that a workspace may hold with `--limits documented`
 * (docs/contract.md, "Account limits").
 */
const DOCUMENTED = {
  "API keys": 10,
  webhooks: 5,
  "filtering rules": 15,
} as const;

/**
 * Refuses a write that would leave the workspace with more than `--limits`
 * allows. Throws AnswerError.
 */
export function checkLimit(
  { limits }: Context,
  what: keyof typeof DOCUMENTED,
  count: number,
): void {
  if (limits === "off" || count <= DOCUMENTED[what]) return;
  throw new AnswerError(
    "limit_reached",
    `A workspace may have ${DOCUMENTED[what]} ${what}; this would make ${count}. Start the service with --limits off to go beyond.`,
  );
}

/** `/api-keys`: docs/contract.md, "GET /api-keys" to "DELETE /api-keys/{id}". */
export function apiKeyOperations(context: Context): Operation[] {
  const { apiKeys, environments } = context.store;
  return [
    serveList(context, apiKeys, API_KEY.list, hideToken),
    serve(API_KEY.get, (call) => hideToken(apiKeys.get(call))),
    serve(
      API_KEY.create,
      ({ workspace, body }) => {
        checkLimit(context, "API keys", apiKeys.count(workspace) + 1);
        const fallback =
          body.type === "public" ? environments.default(workspace)?.id : null;
        const environment = body.environment ?? fallback ?? null;
        return apiKeys.create(workspace, { ...body, environment });
      },
      { check: (call) => environmentViolations(context, call) },
    ),
    serve(API_KEY.update, (call) => hideToken(apiKeys.update(call, call.body))),
    serve(API_KEY.delete, (call) => apiKeys.remove(call)),
  ];
}

/**
 * A key without the token of a secret or proxy key, which only its creation shows. The
 * token of a public key may always be read.
 */
const hideToken = <Row extends ApiKeyRow | undefined>(row: Row) =>
  row && row.type !== "public" ? { ...row, token: undefined } : row;

/** `/encryption-keys`: docs/contract.md, "GET /encryption-keys" to "POST /encryption-keys/{id}/revert". */
export function encryptionKeyOperations(context: Context): Operation[] {
  const { encryptionKeys } = context.store;
  return [
    serveList(context, encryptionKeys, ENCRYPTION_KEY.list),
    serve(ENCRYPTION_KEY.get, (call) => encryptionKeys.get(call)),
    serve(ENCRYPTION_KEY.update, (call) =>
      encryptionKeys.update(call, call.body),
    ),
    serve(ENCRYPTION_KEY.rotate, (call) => encryptionKeys.rotate(call)),
    serve(
      ENCRYPTION_KEY.revert,
      (call) => {
        const reverted = encryptionKeys.revert(call);
        if (reverted || !encryptionKeys.get(call)) return reverted;
        throw new AnswerError(
          "conflict",
          `Encryption key ${call.id} has no rotation to revert.`,
        );
      },
      { errors: [409] },
    ),
  ];
}

/** `/environments`: docs/contract.md, "GET /environments" to "DELETE /environments/{id}". */
export function environmentOperations(context: Context): Operation[] {
  const { apiKeys, environments } = context.store;
  return [
    serveList(context, environments, ENVIRONMENT.list),
    serve(
      ENVIRONMENT.create,
      ({ workspace, body }) => environments.create(workspace, body),
      { check: ({ body }) => limitViolations(body) },
    ),
    serve(ENVIRONMENT.update, (call) => environments.update(call, call.body), {
      check: (call) => {
        const old = environments.get(call);
        return old ? limitViolations(call.body, old) : [];
      },
    }),
    serve(
      ENVIRONMENT.delete,
      (call) => {
        const { workspace, id } = call;
        if (environments.get(call)?.is_default)
          throw new AnswerError(
            "conflict",
            "The default environment cannot be deleted.",
          );
        const status = "enabled";
        const keys = apiKeys.count(workspace, { environment: id, status });
        if (keys > 0)
          throw new AnswerError(
            "environment_in_use",
            `Environment ${id} is used by ${keys} enabled API key${keys === 1 ? "" : "s"}. Delete or disable ${keys === 1 ? "it" : "them"} first.`,
          );
        return environments.remove(call);
      },
      { errors: [409] },
    ),
  ];
}

/**
 * The violation of a missing `limit_value`, which every mode but `none` needs.
 * What the body leaves out keeps its old value.
 */
function limitViolations(body: unknown, old?: EnvironmentRow): Violation[] {
  const mode = member(body, "limit_mode") ?? old?.limit_mode ?? "none";
  const given = member(body, "limit_value");
  const value = given === undefined ? old?.limit_value : given;
  if (mode === "none" || (value !== null && value !== undefined)) return [];
  return violation("limit_value", "is required unless limit_mode is none");
}

/** The violation of an `environment` that the workspace does not have. */
export function environmentViolations(
  { store }: Context,
  { workspace, body }: Call,
): Violation[] {
  const environment = member(body, "environment");
  if (typeof environment !== "string" || environment === "") return [];
  if (store.environments.get({ workspace, id: environment })) return [];
  return violation("environment", "is not an environment of this workspace");
}

/** `/webhooks`: docs/contract.md, "GET /webhooks" to "POST /webhooks/{id}/verification". */
export function webhookOperations(context: Context): Operation[] {
  const { webhooks } = context.store;
  const check = (call: Call) => webhookViolations(context, call);
  return [
    serveList(context, webhooks, WEBHOOK.list, hideSigningKey),
    serve(WEBHOOK.get, (call) => hideSigningKey(webhooks.get(call))),
    serve(
      WEBHOOK.create,
      ({ workspace, body }) => {
        checkLimit(context, "webhooks", webhooks.count(workspace) + 1);
        return webhooks.create(workspace, body);
      },
      { check },
    ),
    serve(
      WEBHOOK.update,
      (call) => hideSigningKey(webhooks.update(call, call.body)),
      { check },
    ),
    serve(WEBHOOK.delete, (call) => webhooks.remove(call)),
    serve(WEBHOOK.verify, (call) => {
      const found = webhooks.get(call);
      if (found) startVerification(context, found);
      return hideSigningKey(found);
    }),
  ];
}

/**
 * The violations of a webhook that no schema finds: an unknown environment, or
 * an unencrypted url.
 */
export function webhookViolations(context: Context, call: Call): Violation[] {
  return [...urlViolations(call), ...environmentViolations(context, call)];
}

/**
 * A url has to be https, and to name its host. Plain http and IP addresses are for
 * this machine only, where no network can be listened in on.
 */
function urlViolations({ body }: Call): Violation[] {
  const url = member(body, "url");
  const parsed = typeof url === "string" ? parseUrl(url) : undefined;
  if (!parsed) return [];
  const { protocol, hostname } = parsed;
  if (isLoopback(hostname)) return [];
  const messages = [
    ...(protocol === "http:"
      ? [
          "must start with https:// (http:// is for 127.0.0.1, [::1] and localhost only)",
        ]
      : []),
    ...(isIP(hostname.replace(/^\[|\]$/g, ""))
      ? ["must name its host (IP addresses are for 127.0.0.1 and [::1] only)"]
      : []),
  ];
  return messages.map((message) => ({ property: "url", message }));
}

/** A webhook without its signing key, which only its creation shows. */
const hideSigningKey = <Row extends WebhookRow | undefined>(row: Row) =>
  row && { ...row, signing_key: undefined };

/**
 * Queues the test event of a webhook (docs/contract.md, "POST
 * /webhooks/{id}/verification"). The event is not stored, so no call can read
 * it; its form is our own choice (docs/assumptions.md, A47).
 */
export function startVerification(
  { clock, courier }: Pick<Context, "clock" | "courier">,
  { workspace, id: webhook, environment }: WebhookRow,
): void {
  const timestamp = clock.nowMs();
  const event_id = newEventId(timestamp);
  courier.take({
    workspace,
    webhook,
    kind: "test",
    event_id,
    body: JSON.stringify({
      event_id,
      timestamp,
      ...(environment !== null && { environment_id: environment }),
      replayed: false,
    }),
    made_at: timestamp,
  });
}
