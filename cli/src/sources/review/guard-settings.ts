import type { PlannedRuleSet } from "@devid/rules/review";
import type { PreviewedResource } from "../pulumi-preview";

/** A setting of the guards of a rule set. */
interface GuardSetting {
  /** What counts where it is not set. */
  readonly unset: unknown;
  /** Whether it surely lets no more through than another value of it; a value that is not known may. */
  readonly isAsStrict: (value: unknown, before: unknown) => boolean;
}

/** Every setting that keeps a rule set from doing harm (docs/rule-set-guards.md). */
const GUARDS: Readonly<Record<string, GuardSetting>> = {
  takeOver: { unset: false, isAsStrict: (value) => value === false },
  allowEmpty: { unset: false, isAsStrict: (value) => value === false },
  maxDeletedPercent: {
    unset: 50,
    isAsStrict: (value, before) =>
      typeof value === "number" &&
      typeof before === "number" &&
      value <= before,
  },
  onDrift: { unset: "fail", isAsStrict: (value) => value === "fail" },
};

/** The settings of its guards that a deployment changes in a rule set; of a new one, those that differ from the default. */
export function guardSettings({
  before,
  after,
}: PreviewedResource): PlannedRuleSet["settings"] {
  if (!after) return [];
  return Object.entries(GUARDS).flatMap(([name, { unset, isAsStrict }]) => {
    const was = before?.inputs[name];
    const is = after.inputs[name];
    const [from = unset, to = unset] = [was, is];
    if (from === to) return [];
    return [
      {
        name,
        ...(was !== undefined && { before: JSON.stringify(was) }),
        ...(is !== undefined && { after: JSON.stringify(is) }),
        isLoosened: !isAsStrict(to, from),
      },
    ];
  });
}
