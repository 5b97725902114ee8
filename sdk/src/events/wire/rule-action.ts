import { z } from "zod";
import { openEnum } from "../../open-enum";
import { Count } from "./scalars";

/** What a ruleset decides about an event. */
export const RULE_ACTION_TYPES = ["allow", "block"] as const;

const Header = z.looseObject({ name: z.string(), value: z.string() });

/**
 * What a ruleset says of an event, present only where one was asked for. With
 * `allow` it may change headers of the request, with `block` it may have the
 * answer to give instead (docs/assumptions.md, A59). Without `rule_id`, no rule
 * matched.
 */
export const RuleAction = z.looseObject({
  type: openEnum(RULE_ACTION_TYPES),
  ruleset_id: z.string(),
  rule_id: z.string().optional(),
  rule_expression: z.string().optional(),
  request_header_modifications: z
    .looseObject({
      remove: z.array(z.string()).optional(),
      set: z.array(Header).optional(),
      append: z.array(Header).optional(),
    })
    .optional(),
  status_code: Count.optional(),
  headers: z.array(Header).optional(),
  body: z.string().optional(),
});
