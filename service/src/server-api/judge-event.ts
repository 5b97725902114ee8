import {
  checkExpression,
  compileExpression,
  eventAsRuleRequest,
} from "@devid/rules/language";
import type { Event } from "@devid/sdk";
import type { EventRuleAction } from "@devid/sdk/wire/events";
import type { z } from "zod";
import type { Ruleset } from "./ruleset";

/**
 * The verdict of a ruleset on an event: the action of the first rule that
 * certainly matches, or `allow` (docs/assumptions.md, A59). A rule that depends
 * on something the event does not say never matches.
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
        ...withDefaults(action),
        ruleset_id: id,
        rule_id,
        rule_expression: expression,
      };
  }
  return { type: "allow", ruleset_id: id };
}

/** The action with the defaults of a `block`: an empty answer 403. */
function withDefaults(action: Ruleset["rules"][number]["action"]) {
  const said = typeof action === "string" ? { type: action } : action;
  return said.type === "block"
    ? { status_code: 403, headers: [], body: "", ...said }
    : said;
}
