import type { IdentificationAnswer } from "../agent/identification-wire";
import type { Region } from "@devid/sdk";
import type { Rule } from "@devid/rules";
import type { Context } from "../context";
import { eventMade } from "../deliveries/event-made";
import { settingsOf } from "../events/settings";
import { AnswerError } from "../http/answer-error";
import { rulesInForce } from "../rules";
import type { Decision } from "../store/decisions";
import type { Store } from "../store/store";
import { answerVisit } from "./answer-visit";
import { eventOfVisit } from "./event-of-visit";
import { recognise } from "./recognise";
import { ruleRequestOf, withoutCredentials } from "./rule-request-of";
import type { Visit } from "./visit";

/**
 * Identifies a visitor: asks the rules in force, makes an event, tells the
 * webhooks of it and answers the agent (docs/contract.md, "Browser agent").
 * What the rules said is kept in any case. Throws AnswerError where they deny,
 * and nothing else has happened then (docs/assumptions.md, A75).
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
  const denyWith = isDenied ? (rule?.denyWith ?? "Forbidden") : null;
  const note = (event_id: string | null) =>
    store.decisions.add(workspace, {
      environment,
      key: key.id,
      result,
      deny_with: denyWith,
      rule: rule ? recordOf(rule, store, workspace, environment) : null,
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
    const who = recognise(store.visitors, workspace, visit, settings, nowMs);
    const { identification } = who;
    const occasion = { workspace, environment, nowMs, identification };
    const event = eventOfVisit(store, visit, occasion);
    const [body = ""] = store.events.insert(workspace, [event]);
    note(event.event_id);
    eventMade(context, workspace, event);
    const encryptionKey = store.encryptionKeys.of(environment);
    return answerVisit(body, who, settings, encryptionKey);
  });
}

/** The record of the rule that decided: of equal ones, the first decides. */
function recordOf(
  { name, expression, action, status, denyWith }: Rule,
  { filteringRules }: Store,
  workspace: Region,
  environment: string,
): Decision["rule"] {
  const record = filteringRules
    .list(workspace, { environment, status })
    .find(
      (row) =>
        row.name === name &&
        row.expression === expression &&
        row.action === action &&
        (row.deny_with ?? undefined) === denyWith,
    );
  return record ? { id: record.id, name, expression } : null;
}
