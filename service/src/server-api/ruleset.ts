import {
  checkExpression,
  compileExpression,
  eventAsRuleRequest,
} from "@devid/rules/language";
import type { Event, Region } from "@devid/sdk";
import { RuleExpression } from "@devid/sdk/wire";
import {
  type EventRuleAction,
  RULE_ACTION_TYPES,
} from "@devid/sdk/wire/events";
import { z } from "zod";
import { keptByText } from "../kept-by-text";
import type { Store } from "../store/store";

const Headers = z.array(
  z.strictObject({ name: z.string(), value: z.string() }),
);

const Allow = z.strictObject({
  type: z.literal("allow"),
  request_header_modifications: z
    .strictObject({
      remove: z.array(z.string()).optional(),
      set: Headers.optional(),
      append: Headers.optional(),
    })
    .optional(),
});

const Block = z.strictObject({
  type: z.literal("block"),
  status_code: z.int().min(200).max(599).optional(),
  headers: Headers.optional(),
  body: z.string().optional(),
});

/** The action of a rule: `allow` or `block`, alone or with details. */
const Action = z.union(
  [z.enum(RULE_ACTION_TYPES), Allow, Block],
  'must be "allow", "block", or an object with such a type and what goes with it',
);

/**
 * A ruleset as a control call sets it; the public service has the dashboard for
 * that.
 */
export const Ruleset = z.strictObject({
  id: z.string().min(1),
  rules: z.array(
    z.strictObject({
      id: z.string().min(1),
      expression: RuleExpression,
      action: Action,
    }),
  ),
});

/** A ruleset. Its rules are evaluated in their order. */
export type Ruleset = z.output<typeof Ruleset>;

/** The stored ruleset with an ID; undefined where a workspace has none. */
export function rulesetOf(
  { rulesets }: Store,
  workspace: Region,
  id: string,
): Ruleset | undefined {
  const rules = rulesets.get(workspace, id);
  // A stored ruleset was checked when it was stored.
  return rules === undefined
    ? undefined
    : { id, rules: JSON.parse(rules) as Ruleset["rules"] };
}

/** Compiles an expression; null for one with a mistake. */
const compiled = keptByText((expression) => {
  const checked = checkExpression(expression);
  return checked.ok ? compileExpression(checked.expression) : null;
}, 1_000);

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
    const found = compiled(expression)?.evaluatePartly(request);
    if (found && "value" in found && found.value)
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
