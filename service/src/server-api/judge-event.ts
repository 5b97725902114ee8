import {
  checkExpression,
  compileExpression,
  eventAsRuleRequest,
} from "@devid/rules/language";
import type { Event } from "@devid/sdk";
import type { EventRuleAction } from "@devid/sdk/wire";
import type { z } from "zod";
import type { Ruleset } from "./ruleset";

/**
 * What a ruleset says of an event: the action of the first rule that surely
 * matches, and `allow` where none does (docs/assumptions.md, A59). A rule that
 * asks for what the event does not tell does not match.
 */
export function judgeEvent(
  { id, rules }: Ruleset,
  event: Event,
): z.output<typeof EventRuleAction> {
  const request = eventAsRuleRequest(event);
  for (const { id: rule_id, expression, action } of rules) {
    const checked = checkExpression(expression);
    if (!checked.ok) continue;
    const found = compileExpression(checked.expression).evaluatePartly(request);
    if ("value" in found && found.value)
      return {
        ...wholeOf(action),
        ruleset_id: id,
        rule_id,
        rule_expression: expression,
      };
  }
  return { type: "allow", ruleset_id: id };
}

/** A `block` has an answer to give, an empty 403 unless the rule says more. */
function wholeOf(action: Ruleset["rules"][number]["action"]) {
  const said = typeof action === "string" ? { type: action } : action;
  return said.type === "block"
    ? { status_code: 403, headers: [], body: "", ...said }
    : said;
}
