import type { PlannedRuleSet } from "@devid/rules/review";
import type { PreviewedResource } from "@devid/pulumi/state";

/** A setting by which a rule set guards against harmful changes. */
interface GuardSetting {
  /** The default value. */
  readonly unset: unknown;
  /**
   * Whether a value certainly lets through no more than the value before; false
   * if that is unknown.
   */
  readonly isAsStrict: (value: unknown, before: unknown) => boolean;
}

/** All settings that guard a rule set (docs/rule-set-guards.md). */
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

/**
 * The guard settings of a rule set that a deployment changes; for a new rule
 * set, those that differ from their defaults.
 */
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
        // A resource has no setting that has its default.
        ...(before && { before: JSON.stringify(from) }),
        after: JSON.stringify(to),
        isLoosened: !isAsStrict(to, from),
      },
    ];
  });
}
