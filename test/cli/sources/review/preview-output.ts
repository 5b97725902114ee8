import { toRuleSetState } from "../../../../provider/src/resources/filtering-rule-set/rule-set-state";
import type { Rule } from "../../../../rules/src";

const TYPE = "pulumi-nodejs:dynamic/devid:FilteringRuleSet";

/** The text that a preview prints for a value that is known only after an update. */
export const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** One step of a preview. */
export interface PreviewStep {
  readonly op: string;
  readonly name: string;
  readonly type?: string;
  /** The ID in the state. */
  readonly id?: string;
  readonly before?: Record<string, unknown>;
  readonly after?: Record<string, unknown>;
}

/** The arguments of a rule set, as they are in a state and a preview. */
export function ruleSetArgs(
  rules: readonly object[],
  more: Record<string, unknown> = {},
): Record<string, unknown> {
  return {
    allowEmpty: false,
    maxDeletedPercent: 50,
    onDrift: "fail",
    takeOver: false,
    rules: toRuleSetState(rules.map(complete)),
    ...more,
  };
}

const complete = (rule: object) => ({ status: "enabled", ...rule }) as Rule;

/** The output of `pulumi preview --json` for the stack shop/prod. */
export function previewOutput(...steps: PreviewStep[]): string {
  const urn = (type: string, name: string) =>
    `urn:pulumi:prod::shop::${type}::${name}`;
  const stack = "pulumi:pulumi:Stack";
  return JSON.stringify({
    steps: [
      {
        op: "same",
        urn: urn(stack, "shop-prod"),
        newState: { type: stack },
        detailedDiff: null,
      },
      ...steps.map(({ op, name, type = TYPE, id, before, after }) => ({
        op,
        urn: urn(type, name),
        ...(before && {
          oldState: {
            type,
            id,
            inputs: before,
            outputs: { ...before, environmentId: id },
          },
        }),
        ...(after && { newState: { type, inputs: after } }),
      })),
    ],
    changeSummary: { same: 1 },
  });
}
