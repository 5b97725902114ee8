import type { Region } from "@devid/sdk";
import { RuleExpression } from "@devid/sdk/wire";
import { RULE_ACTION_TYPES } from "@devid/sdk/wire/events";
import { z } from "zod";
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
