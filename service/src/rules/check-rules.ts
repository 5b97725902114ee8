import { setImmediate } from "node:timers/promises";
import { checkExpression, type RuleRequest, UNKNOWN } from "@devid/rules";
import { eventAsRuleRequest } from "@devid/rules/language";
import type { Event, Region } from "@devid/sdk";
import type {
  FilteringRulesTest,
  FilteringRulesTestResult,
} from "@devid/sdk/wire";
import type { z } from "zod";
import { AnswerError, type Violation } from "../http/answer-error";
import { member } from "../http/violations";
import type { Store } from "../store/store";
import { compileReadable, rulesInForce } from "./rules-in-force";

/** For how long a check may keep other requests waiting, in milliseconds. */
const TURN_MS = 20;

/**
 * The violations of every expression in a body: its own and those of its
 * `rules` (docs/assumptions.md, A35). A value that is no text, or is empty, is
 * left to the schema. Other requests are answered while many rules are checked.
 */
export async function expressionViolations(
  body: unknown,
): Promise<Violation[]> {
  const found = mistakes(body, "expression");
  const rules = member(body, "rules");
  if (!Array.isArray(rules)) return found;
  let turnEndsMs = performance.now() + TURN_MS;
  for (const [index, rule] of rules.entries()) {
    found.push(...mistakes(rule, `rules[${index}].expression`));
    if (performance.now() < turnEndsMs) continue;
    await setImmediate();
    turnEndsMs = performance.now() + TURN_MS;
  }
  return found;
}

function mistakes(rule: unknown, property: string): Violation[] {
  const expression = member(rule, "expression");
  if (typeof expression !== "string" || expression.trim() === "") return [];
  const checked = checkExpression(expression);
  if (checked.ok) return [];
  return checked.problems.map(({ line, column, message }) => ({
    property,
    message: `line ${line}, column ${column}: ${message}`,
  }));
}

/**
 * Decides about a request by the given rules, or by those in force
 * (docs/contract.md, "POST /filtering-rules/test"; docs/assumptions.md, A36).
 * The body has either `rules` or `environment`, and one of the two forms of a
 * request. Throws AnswerError for an unknown event.
 */
export function testRules(
  store: Store,
  workspace: Region,
  body: z.output<typeof FilteringRulesTest>,
): z.output<typeof FilteringRulesTestResult> {
  const { rules, environment = "", test_request_id: event = "" } = body;
  const decide = rules
    ? compileReadable(
        rules.map(({ expression, action, deny_with }) => ({
          name: "",
          expression,
          action,
          status: "enabled",
          denyWith: deny_with ?? undefined,
        })),
      )
    : rulesInForce(store, workspace, environment);
  const request =
    body.test_request_payload ?? requestOfEvent(store, workspace, event);
  const { headers = {}, ...rest } = request;
  const { result, decidedBy } = decide({ ...rest, headers });
  return {
    result,
    deny_with: result === "deny" ? (decidedBy?.denyWith ?? "Forbidden") : null,
    triggered_rule: decidedBy?.expression ?? null,
  };
}

/**
 * The request that led to an event. What the event does not say counts as
 * absent (docs/assumptions.md, A36). Throws AnswerError where the workspace has
 * no such event.
 */
function requestOfEvent(
  { events }: Store,
  workspace: Region,
  id: string,
): RuleRequest {
  const row = events.get(workspace, id);
  if (!row) throw new AnswerError("not_found", `There is no event ${id}.`);
  const told = Object.entries(
    eventAsRuleRequest(JSON.parse(row.body) as Event),
  ).filter(([name, value]) => value !== UNKNOWN && name !== "otherHeaders");
  return { headers: {}, ...Object.fromEntries(told) };
}
