import {
  DenyWith,
  RuleAction,
  RuleExpression,
  RuleName,
  Status,
} from "@devid/sdk/wire/filtering-rules";
import { z } from "zod";
import {
  canonicalHeaderName,
  HEADER_NAME,
} from "../language/request/header-names";
import type { CheckedExpression } from "../language/types/check-expression";

/** The members of a rule apart from its name. */
export const RuleContent = z.strictObject({
  expression: RuleExpression.describe(
    "Condition in the service's rule language.",
  ),
  action: RuleAction.describe("What happens to a request that matches."),
  status: Status.default("enabled").describe(
    "A disabled rule is kept and skipped.",
  ),
  denyWith: DenyWith.optional().describe(
    "How a denied request is answered. Default for a deny rule: `Forbidden`.",
  ),
});

/** A filtering rule as it is declared: in a program, in a rule file. Its name is its identity. */
export const Rule = z
  .strictObject({
    name: RuleName.describe("Name, unique in the rule set."),
    ...RuleContent.shape,
  })
  .refine((rule) => rule.action === "deny" || rule.denyWith === undefined, {
    path: ["denyWith"],
    message: 'needs action "deny"',
  });

/** A declared rule, defaults applied. */
export type Rule = z.output<typeof Rule>;

const KNOWN_ACTIONS: readonly Rule["action"][] = ["allow", "deny"];
const KNOWN_STATUSES: readonly Rule["status"][] = ["enabled", "disabled"];

/** Whether this version knows the action and the status of a rule. The service may have others. */
export const isKnownRule = ({ action, status }: Rule): boolean =>
  KNOWN_ACTIONS.includes(action) && KNOWN_STATUSES.includes(status);

/** An ordered set of rules: the first that matches decides. Names are unique. */
export const Rules = z.array(Rule).superRefine(refuseEqualNames("rule"));

/**
 * A check that reports each name that occurred before, at its place. `what` says what
 * has the name.
 */
export function refuseEqualNames(what: "rule" | "test") {
  return (
    named: readonly { readonly name: string }[],
    context: z.core.$RefinementCtx,
  ): void => {
    const firstAt = new Map<string, number>();
    named.forEach(({ name }, index) => {
      const first = firstAt.get(name);
      if (first === undefined) firstAt.set(name, index);
      else
        context.addIssue({
          code: "custom",
          path: [index, "name"],
          message: `"${name}" is the name of ${what}s[${first}], too; names are unique in a ${what === "rule" ? "set" : "file"}`,
        });
    });
  };
}

/**
 * Name of a request header in any letter case; the output is the name by which
 * rules see the header (docs/assumptions.md, A39).
 */
export const HeaderName = z
  .string()
  .regex(HEADER_NAME, "must be the name of a header, such as Sec-Ch-Ua")
  .transform((name) => canonicalHeaderName(name) ?? name);

/** A rule whose expression was checked. */
export interface CheckedRule {
  readonly rule: Rule;
  readonly expression: CheckedExpression;
}
