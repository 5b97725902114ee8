import type { Event, Region } from "@devid/sdk";
import { seal } from "@devid/sdk/sealed-results";
import type { IdentificationAnswer } from "../agent/identification-wire";
import type { Context } from "../context";
import { AnswerError } from "../http/answer-error";
import { rulesInForce } from "../rules/evaluate-rules";
import {
  hiddenMembers,
  type Settings,
  settingsOf,
} from "../workspace/settings";
import { visibleText } from "../server-api/visible-events";
import type { EncryptionKeyRow } from "../store/schema";
import { announceEvent } from "./announce-event";
import { eventOfVisit } from "./event-of-visit";
import { recognise, type Recognised } from "./recognise";
import { ruleRequestOf, type Visit, withoutCredentials } from "./visit";

/**
 * Identifies a visitor: evaluates the rules in force, makes an event, queues it
 * for the webhooks and answers the agent (docs/contract.md, "Browser agent").
 * The decision of the rules is always stored. A denied request leaves nothing
 * else behind and throws AnswerError (docs/assumptions.md, A75).
 */
export function identify(
  context: Context,
  workspace: Region,
  visit: Visit,
): IdentificationAnswer {
  const { store, clock } = context;
  const { key } = visit;
  const environment =
    key.environment ?? store.environments.default(workspace)?.id ?? "";
  const request = ruleRequestOf(visit);
  const decide = rulesInForce(store, workspace, environment);
  const { result, decidedBy: rule } = decide(request);
  const isDenied = result === "deny";
  const denyWith = isDenied ? (rule?.deny_with ?? "Forbidden") : null;
  const note = (event_id: string | null) =>
    store.decisions.add(workspace, {
      environment,
      key: key.id,
      result,
      deny_with: denyWith,
      rule: rule
        ? { id: rule.id, name: rule.name, expression: rule.expression }
        : null,
      event_id,
      request: withoutCredentials(request),
    });
  if (denyWith !== null) {
    note(null);
    throw new AnswerError("forbidden", denyWith);
  }
  return store.transaction(() => {
    const settings = settingsOf(store, workspace);
    const nowMs = clock.nowMs();
    const who = recognise(store, workspace, visit, settings, nowMs);
    const { identification, highRecall } = who;
    const event = eventOfVisit(store, visit, {
      workspace,
      environment,
      nowMs,
      identification,
      highRecall,
    });
    store.events.insert(workspace, [event]);
    note(event.event_id);
    announceEvent(context, workspace, event);
    const encryptionKey = store.encryptionKeys.of(environment);
    return answerVisit(event, who, settings, encryptionKey);
  });
}

/**
 * The answer to the agent about an event (docs/contract.md,
 * "get()"). The settings decide what it holds. Where the encryption key of the
 * environment is enabled, or the settings ask for it, it also holds the event,
 * sealed with the key's current token (docs/assumptions.md, A84).
 */
function answerVisit(
  event: Event,
  { visitorId, storageId }: Recognised,
  { signals, zeroTrust, sealed }: Settings,
  encryptionKey: EncryptionKeyRow | undefined,
): IdentificationAnswer {
  const hidden = hiddenMembers(signals);
  const isSealed = sealed || encryptionKey?.status === "enabled";
  const score = hidden.has("suspect_score") ? undefined : event.suspect_score;
  return {
    event_id: event.event_id,
    ...(!zeroTrust && { visitor_id: visitorId }),
    ...(typeof score === "number" && { suspect_score: score }),
    storage_id: storageId,
    ...(isSealed &&
      encryptionKey && {
        sealed_result: seal(
          visibleText(JSON.stringify(event), { hidden }),
          encryptionKey.token,
        ).toString("base64"),
      }),
  };
}
