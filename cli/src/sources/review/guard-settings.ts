import type { PlannedRuleSet } from "@devid/review";
import {
  containsSecretText,
  containsUnknownText,
  type PreviewedResource,
} from "@devid/pulumi/state";

interface GuardSetting {
  readonly unset: unknown;
  /** Whether the new value is certainly at least as strict as the old value. */
  readonly isAsStrict: (value: unknown, before: unknown) => boolean;
  /** When a change of the setting is reported; default: always. */
  readonly reportedWhen?: "loosened";
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
  expectedInForce: {
    unset: undefined,
    // Each plan has the digest of the rules in force at its time. The review compares
    // the digest with the service.
    isAsStrict: (value, before) =>
      before === undefined || (typeof value === "string" && !isHidden(value)),
    reportedWhen: "loosened",
  },
};

/**
 * The guard settings of a rule set that a deployment changes, or may change
 * because the preview does not show them; for a new rule set, those that differ
 * from their defaults.
 */
export function guardSettings({
  operation,
  before,
  after,
}: PreviewedResource): PlannedRuleSet["settings"] {
  if (!after) return [];
  return Object.entries(GUARDS).flatMap(
    ([name, { unset, isAsStrict, reportedWhen }]) => {
      const { [name]: from = unset } = before?.inputs ?? {};
      const { [name]: to = unset } = after.inputs;
      const isSame = operation === "same" || !isHidden(to);
      if (from === to && isSame) return [];
      const isLoosened = !isAsStrict(to, from);
      if (!isLoosened && reportedWhen === "loosened") return [];
      return [
        {
          name,
          // A resource has no setting that has its default.
          ...(before && from !== undefined && { before: shown(from) }),
          ...(to !== undefined && { after: shown(to) }),
          isLoosened,
        },
      ];
    },
  );
}

const isHidden = (value: unknown) =>
  containsUnknownText(value) || containsSecretText(value);

/** A value as JSON, or what a report says of a value that a preview hides. */
const shown = (value: unknown) =>
  containsUnknownText(value)
    ? "[unknown]"
    : containsSecretText(value)
      ? "[secret]"
      : JSON.stringify(value);
