import { assertNever } from "../assert-never";
import { STEP_ORDER, type RuleStep } from "../diff";

/** The signs of changes, as they stand at the start of a line. */
export const SIGNS: Readonly<Record<RuleStep["kind"], string>> = {
  removed: "-",
  disabled: "~",
  edited: "~",
  moved: ">",
  enabled: "~",
  added: "+",
};

/** What happens to a rule, without the texts of expressions; what rules hold goes through `quote`. */
export function describeChange(
  change: RuleStep,
  quote: (text: string) => string,
): string {
  switch (change.kind) {
    case "removed":
    case "disabled":
    case "enabled":
      return change.kind;
    case "moved":
      return `moved ${change.after === "" ? "to the front" : `after ${quote(change.after)}`}`;
    case "added":
      return `added ${change.after === "" ? "at the front" : `after ${quote(change.after)}`}`;
    case "edited": {
      const { expression, action, denyWith } = change;
      return [
        expression && "expression edited",
        action && `action ${quote(action.before)} -> ${quote(action.after)}`,
        denyWith &&
          `denyWith ${quote(denyWith.before)} -> ${quote(denyWith.after)}`,
      ]
        .filter(Boolean)
        .join(", ");
    }
    default:
      return assertNever(change);
  }
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
