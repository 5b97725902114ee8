import type { Rule } from "../rule-set/rule";
import type { RuleSetEffect } from "./effects";
import type { ExpressionEdit } from "./expression-edits";

/**
 * The kinds of steps, in the order in which they lead from one rule set to another. A
 * rule is disabled before it is edited and moved, and enabled afterwards. So the effect
 * shows in the step that disables or enables the rule.
 */
export const STEP_ORDER = [
  "removed",
  "disabled",
  "edited",
  "moved",
  "enabled",
  "added",
] as const;

/** A value before and after. */
export interface Changed<T> {
  readonly before: T;
  readonly after: T;
}

/** A step that changes one rule, with everything needed to apply it. */
export type RuleStep = {
  /** The rule as the step leaves it; a removed one as it was. */
  readonly rule: Rule;
  /** Its place in the final rule set, from 1; absent for a removed rule. */
  readonly position?: number;
} & (
  | { readonly kind: "removed" | "disabled" | "enabled" }
  | {
      readonly kind: "edited";
      /** Both texts as they were written, and what differs between them. */
      readonly expression?: Changed<string> & {
        readonly edits: readonly ExpressionEdit[];
      };
      readonly action?: Changed<Rule["action"]>;
      /**
       * How a denied request is answered; absent if it changes only because the action
       * changes.
       */
      readonly denyWith?: Changed<string>;
    }
  | {
      readonly kind: "moved" | "added";
      /** Name of the rule before it after the step, "" for the first rule. */
      readonly after: string;
    }
);

/** A step, and its effect after the steps before it. */
export type RuleChange = RuleStep & { readonly effect: RuleSetEffect };

/** The differences between two rule sets: plain data, which may go through JSON. */
export interface RuleSetDiff {
  /** Steps that lead from one to the other, in the order of `STEP_ORDER`. */
  readonly changes: readonly RuleChange[];
  /** The effect of all changes together. */
  readonly effect: RuleSetEffect;
}

/** How many changes of each kind there are: `3 changes: 1 removed, 2 added`. */
export function countChanges(changes: readonly RuleStep[]): string {
  const kinds = STEP_ORDER.flatMap((kind) => {
    const count = changes.filter((change) => change.kind === kind).length;
    return count === 0 ? [] : [`${count} ${kind}`];
  });
  const noun = changes.length === 1 ? "change" : "changes";
  return `${changes.length} ${noun}: ${kinds.join(", ")}`;
}

/** How many changes of each kind a diff has, or that it has none. */
export function describeChanges({ changes }: RuleSetDiff): string {
  return changes.length === 0 ? "no differences" : countChanges(changes);
}
