import { z } from "zod";
import { openEnum } from "../../open-enum";
import { Count } from "./scalars";

/** What a ruleset decides about an event. */
export const RULE_ACTION_TYPES = ["allow", "block"] as const;

const Header = z
  .looseObject({ name: z.string().nullable(), value: z.string().nullable() })
  .nullable();

/**
 * What a ruleset says of an event, present only where one was asked for. With
 * `allow` it may change headers of the request, with `block` it may have the
 * answer to give instead (docs/assumptions.md, A59). Without `rule_id`, no rule
 * matched.
 */
export const EventRuleAction = z.looseObject({
  type: openEnum(RULE_ACTION_TYPES).nullable(),
  ruleset_id: z.string().nullable(),
  rule_id: z.string().nullish(),
  rule_expression: z.string().nullish(),
  request_header_modifications: z
    .looseObject({
      remove: z.array(z.string().nullable()).nullish(),
      set: z.array(Header).nullish(),
      append: z.array(Header).nullish(),
    })
    .nullish(),
  status_code: Count.nullish(),
  headers: z.array(Header).nullish(),
  body: z.string().nullish(),
});
