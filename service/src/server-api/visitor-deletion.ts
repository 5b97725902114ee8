import type { Context } from "../context";
import { AnswerError } from "../http/answer-error";
import { secretKeyOf } from "../http/caller";
import type { Call } from "../http/operation";
import { settingsOf } from "../workspace/settings";
import { ERASED_AFTER_MS } from "../visitor-eraser";

/** The form of a visitor ID (docs/assumptions.md, A187). */
export const VISITOR_ID = /^[\w.-]{1,64}$/;

const HOUR_MS = 60 * 60 * 1000;

/**
 * How many deletions a workspace may ask for (docs/contract.md, "DELETE
 * /visitors/{visitor_id}").
 */
const QUOTA = [
  { most: 30, withinMs: HOUR_MS, span: "an hour" },
  { most: 500, withinMs: 24 * HOUR_MS, span: "a day" },
];

/**
 * Asks for the deletion of a visitor's data (docs/contract.md, "DELETE
 * /visitors/{visitor_id}"). Throws AnswerError.
 */
export function requestDeletion({ store, clock }: Context, call: Call): void {
  const { workspace, id } = call;
  const { visitorDeletion } = settingsOf(store, workspace);
  if (!visitorDeletion)
    throw new AnswerError(
      "feature_not_enabled",
      `feature not enabled: deleting visitors; POST /_local/${workspace}/settings with {"visitorDeletion": true} enables it`,
    );
  // The visitors of a workspace belong to all its environments.
  if ((secretKeyOf(call.caller)?.environment ?? null) !== null)
    throw new AnswerError(
      "workspace_key_required",
      "deleting visitors takes a secret API key of the whole workspace; this one belongs to one environment",
    );
  const nowMs = clock.nowMs();
  for (const { most, withinMs, span } of QUOTA) {
    const asked = store.visitors.deletionAskedAt(workspace, most, nowMs);
    if (asked === undefined || asked <= nowMs - withinMs) continue;
    throw new AnswerError(
      "quota_used_up",
      `too many requests: a workspace may delete ${most} visitors ${span}`,
    );
  }
  if (!VISITOR_ID.test(id))
    throw new AnswerError("request_cannot_be_parsed", "invalid visitor id");
  const anyTime = { workspace, visitorId: id, sinceMs: 0 };
  if (!store.visitors.has(workspace, id) && !store.events.has(anyTime))
    throw new AnswerError("visitor_not_found", "visitor not found");
  store.visitors.askDeletion(workspace, id, nowMs, nowMs + ERASED_AFTER_MS);
}
