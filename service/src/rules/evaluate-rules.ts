import { setImmediate } from "node:timers/promises";
import type { Rule } from "@devid/rules";
import {
  checkExpression,
  compileRuleSet,
  eventAsRuleRequest,
  type RuleRequest,
  type RuleSetDecision,
  UNKNOWN,
} from "@devid/rules/language";
import type { Event, Region } from "@devid/sdk";
import type {
  FilteringRulesTest,
  FilteringRulesTestResult,
} from "@devid/sdk/wire";
import type { z } from "zod";
import type { Context } from "../context";
import { AnswerError, invalid, type Violation } from "../http/answer-error";
import { member, violation } from "../http/violations";
import type { FilteringRuleRow } from "../store/schema";
import type { Store } from "../store/store";

/** The compiled rules of environments, by their revision. */
const compiled = new WeakMap<object, Decide<FilteringRuleRow>>();

/**
 * Compiles the rules in force in an environment; disabled ones are skipped
 * (docs/contract.md, "Evaluation order"). Each write of these rules makes another
 * revision of them, so a change takes effect at once (docs/assumptions.md, A37).
 */
export function rulesInForce(
  store: Store,
  workspace: Region,
  environment: string,
): Decide<FilteringRuleRow> {
  const { filteringRules } = store;
  const revision = filteringRules.revision(environment);
  const decide =
    compiled.get(revision) ??
    compileReadable(filteringRules.list(workspace, { environment }));
  compiled.set(revision, decide);
  return decide;
}

/** Decides about a request. `R` is the kind of rules that it was compiled from. */
type Decide<R extends Rule> = (
  request: RuleRequest,
) => Omit<RuleSetDecision, "decidedBy"> & { readonly decidedBy?: R };

/**
 * Compiles the rules that can be parsed. The others never match. They can only
 * come from a data file of a service that knew another rule language.
 */
function compileReadable<R extends Rule>(rules: readonly R[]): Decide<R> {
  const compiled = compileRuleSet(rules);
  // The rule that decided is one of the given rules.
  if (compiled.ok) return compiled.evaluate as Decide<R>;
  const refused = new Set(compiled.refused.map(({ index }) => index));
  return compileReadable(rules.filter((_, index) => !refused.has(index)));
}

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
 * request. Throws AnswerError for an event that is unknown or too old.
 */
export function testRules(
  { store, clock }: Pick<Context, "store" | "clock">,
  workspace: Region,
  body: z.output<typeof FilteringRulesTest>,
): z.output<typeof FilteringRulesTestResult> {
  const { rules, environment = "", test_request_id: event = "" } = body;
  const decide = rules
    ? compileReadable(
        rules.map(
          (rule) => ({ name: "", status: "enabled", ...rule }) as const,
        ),
      )
    : rulesInForce(store, workspace, environment);
  const request =
    body.test_request_payload ??
    requestOfEvent(store, workspace, event, clock.nowMs());
  const { headers = {}, ...rest } = request;
  const { result, decidedBy } = decide({ ...rest, headers });
  return {
    result,
    deny_with: result === "deny" ? (decidedBy?.deny_with ?? "Forbidden") : null,
    triggered_rule: decidedBy?.expression ?? null,
  };
}

/**
 * How old an event may be for a test: three months (docs/contract.md, "POST
 * /filtering-rules/test"; docs/assumptions.md, A36).
 */
const MAX_AGE_DAYS = 90;
const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * The request that led to an event. Unknown parts count as absent (docs/assumptions.md,
 * A36). Throws AnswerError for an unknown event and for one that is too old.
 */
function requestOfEvent(
  { events }: Store,
  workspace: Region,
  id: string,
  nowMs: number,
): RuleRequest {
  const row = events.get(workspace, id);
  if (!row) throw new AnswerError("not_found", `There is no event ${id}.`);
  if (nowMs - row.timestamp > MAX_AGE_DAYS * DAY_MS)
    throw invalid(
      violation(
        "test_request_id",
        `is that of an event older than three months (${MAX_AGE_DAYS} days); send its request as test_request_payload instead`,
      ),
    );
  const known = Object.entries(
    eventAsRuleRequest(JSON.parse(row.body) as Event),
  ).filter(([name, value]) => value !== UNKNOWN && name !== "otherHeaders");
  return { headers: {}, ...Object.fromEntries(known) };
}
