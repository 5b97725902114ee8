import {
  containsSecretText,
  containsUnknownText,
  isDefaultProvider,
  nameOfUrn,
  splitProvider,
  type PreviewedResource,
} from "@devid/pulumi/state";
import type { PlannedRuleSet } from "@devid/review";

/** A setting of a rule set, or an option of a resource, that a deployment changes and that guards it. */
export type ChangedGuard = PlannedRuleSet["settings"][number];

interface Guard {
  /** The value that counts: that of an absent setting is its default. */
  readonly read: (value: unknown) => unknown;
  /** Whether the new value may guard the resource less than the old one. */
  readonly isLoosened: (is: unknown, was: unknown) => boolean;
  /** When a change is reported; default: always. */
  readonly reportedWhen?: "loosened";
  /** Whether a new resource loosens nothing by it. */
  readonly isOfOld?: true;
  /** What it means for a resource that the new value guards less. */
  readonly effect?: string;
}

const isSet = (value: unknown) => (value === true ? true : undefined);

/** All settings that guard a rule set (docs/rule-set-guards.md). */
const SETTINGS: Readonly<Record<string, Guard>> = {
  takeOver: {
    read: (value = false) => value,
    isLoosened: (is) => is !== false,
  },
  allowEmpty: {
    read: (value = false) => value,
    isLoosened: (is) => is !== false,
  },
  maxDeletedPercent: {
    read: (value = 50) => value,
    isLoosened: (is, was) =>
      typeof is !== "number" || typeof was !== "number" || is > was,
  },
  onDrift: {
    read: (value = "fail") => value,
    isLoosened: (is) => is !== "fail",
  },
  expectedInForce: {
    read: (value) => value,
    // Each plan has the digest of the rules in force at its time. The review compares
    // the digest with the service.
    isLoosened: (is, was) =>
      was !== undefined && (typeof is !== "string" || isHidden(is)),
    reportedWhen: "loosened",
  },
};

/** The options that decide what later deployments may do. */
const OPTIONS: Readonly<Record<string, Guard>> = {
  protect: {
    read: isSet,
    isLoosened: (is) => is === undefined,
    isOfOld: true,
    effect: "a later deployment may delete it",
  },
  retainOnDelete: {
    read: isSet,
    isLoosened: (is) => is === true,
    effect: "a later deletion leaves it in the service",
  },
  ignoreChanges: {
    read: (value) =>
      Array.isArray(value) && value.length > 0 ? value : undefined,
    isLoosened: (is = [], was = []) =>
      (is as unknown[]).some((path) => !(was as unknown[]).includes(path)),
    effect: "changes of some inputs are ignored from now on",
  },
  // A provider counts by its name, not by its ID, which changes when it is replaced.
  provider: {
    read: (value) => providerName(value as string | undefined),
    isLoosened: () => true,
    isOfOld: true,
    effect: "another provider manages it, perhaps in another region",
  },
};

/** What a plan names of a rule set that changes, beside its options. */
export const NAMED_OF_RULE_SET = ["rules", ...Object.keys(SETTINGS)];

/** The options that reports name, as inputs of a resource are named. */
export const NAMED_OPTIONS: readonly string[] = Object.keys(OPTIONS);

/**
 * The guard settings of a rule set that a deployment changes, or may change
 * because the preview does not show them; for a new rule set, those that differ
 * from their defaults.
 */
export const guardSettings = (planned: PreviewedResource): ChangedGuard[] =>
  changesOf(SETTINGS, planned, planned.before?.inputs, planned.after?.inputs);

/** The options of a resource that a deployment changes and that guard it. */
export const changedOptions = (planned: PreviewedResource): ChangedGuard[] =>
  changesOf(OPTIONS, planned, planned.before, planned.after);

/** What it means that a deployment loosens options of a resource. */
export const effectsOfOptions = (options: readonly ChangedGuard[]): string[] =>
  options.flatMap(({ name, isLoosened }) =>
    isLoosened ? (OPTIONS[name]?.effect ?? []) : [],
  );

function changesOf(
  guards: Readonly<Record<string, Guard>>,
  { operation }: PreviewedResource,
  before: object | undefined,
  after: object | undefined,
): ChangedGuard[] {
  if (!after) return [];
  return Object.entries(guards).flatMap(([name, guard]) => {
    const [was, is] = [before, after].map((values) =>
      guard.read((values as Record<string, unknown> | undefined)?.[name]),
    );
    const isSame = JSON.stringify(was) === JSON.stringify(is);
    if (isSame && (operation === "same" || !isHidden(is))) return [];
    const isLoosened = guard.isLoosened(is, was);
    const isLeftOut = guard.isOfOld
      ? !before
      : guard.reportedWhen === "loosened" && !isLoosened;
    if (isLeftOut) return [];
    return [
      {
        name,
        // A resource has no setting that has its default.
        ...(before && was !== undefined && { before: shown(was) }),
        ...(is !== undefined && { after: shown(is) }),
        isLoosened,
      },
    ];
  });
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

/** `eu` of `urn:pulumi:prod::shop::pulumi:providers:devid::eu::ID`; `default` for the default one. */
function providerName(reference: string | undefined): string | undefined {
  if (reference === undefined) return undefined;
  const name = nameOfUrn(splitProvider(reference).urn);
  return isDefaultProvider(name) ? "default" : name;
}
