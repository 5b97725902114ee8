import { shortened, TimeLimit } from "@devid/rules/internals";
import {
  diffRules,
  findSteps,
  type RuleSetDiff,
  type RuleStep,
  countChanges,
  type Rule,
} from "@devid/rules";
import {
  isAbsent,
  type Absent,
  type PlannedRuleSet,
  type Review,
  type ReviewedPlan,
} from "./review";
import { listNames, LONGEST_NAME, nameOfRuleSet } from "./list-names";

/**
 * Milliseconds of processor time to search for effects: this long for each rule set under review,
 * and this long for all other rule sets together.
 */
const EFFECTS_MS = 10_000;

/** Characters. */
const LONGEST_REASON = 300;

/**
 * A rule set of a deployment, before its rules in force and its planned rules
 * are compared.
 */
export interface PlannedRules extends Omit<PlannedRuleSet, "diff"> {
  /** The rules that are in force now, or why they are not known. */
  readonly inForce: readonly Rule[] | Absent;
  /** The rules after the deployment; empty if it deletes the rule set. */
  readonly planned: readonly Rule[] | Absent;
}

/** A deployment, before it is compared with the rule file. */
export interface PlanSubject extends Omit<
  ReviewedPlan,
  "ruleSets" | "differences"
> {
  readonly ruleSets: readonly PlannedRules[];
  /**
   * Whether a reviewer named one rule set. Changes of the other rule sets are
   * then listed, but do not count as differences. Default: false.
   */
  readonly onlyReviewed?: boolean;
}

/** The rule file that a plan is compared with. */
export interface FileUnderReview {
  readonly path: string;
  /** Absent if the file is not valid. */
  readonly rules: readonly Rule[] | Absent;
  readonly base: Review["base"] &
    ({ readonly rules: readonly Rule[] } | Absent);
  /** The changes from the base to the file. */
  readonly diff: RuleSetDiff | Absent;
}

/**
 * Compares a deployment with the rule file: how it changes the rules in force,
 * and which of these changes are missing in the file.
 */
export function reviewPlan(
  plan: PlanSubject,
  file: FileUnderReview,
  time = new TimeLimit(Infinity),
): ReviewedPlan {
  const timeOfOthers = time.part(EFFECTS_MS);
  const ruleSets = plan.ruleSets.map((ruleSet) => {
    const { inForce, planned, ...rest } = ruleSet;
    const after = afterwards(ruleSet);
    const diff = isAbsent(inForce)
      ? inForce
      : isAbsent(after)
        ? after
        : diffRules(inForce, after, {
            time: ruleSet.isReviewed ? time.part(EFFECTS_MS) : timeOfOthers,
          });
    return { ...rest, diff };
  });
  const { name, stack, others } = plan;
  const differences = [
    ...reviewedDifferences(plan, ruleSets, file),
    ...(plan.onlyReviewed ? [] : ruleSets.flatMap(otherDifference)),
    ...ruleSets
      .filter(({ isReviewed }) => isReviewed || !plan.onlyReviewed)
      .flatMap(loosenedGuards),
    ...others.flatMap(environmentDifference),
  ];
  return { name, stack, ruleSets, others, differences };
}

/**
 * The rules after the deployment. An unchanged resource keeps the rules in
 * force, even if they differ from the program's.
 */
function afterwards({
  operation,
  inForce,
  planned,
}: PlannedRules): PlannedRules["planned"] {
  return operation === "same" ? inForce : planned;
}

function reviewedDifferences(
  plan: PlanSubject,
  ruleSets: readonly PlannedRuleSet[],
  file: FileUnderReview,
): string[] {
  const { path, rules, diff } = file;
  const reviewed = plan.ruleSets.filter(({ isReviewed }) => isReviewed);
  const replaced = reviewed.flatMap(
    (ruleSet) =>
      RULE_SET_GOES[ruleSet.operation]?.(nameOfRuleSet(ruleSet)) ?? [],
  );
  if (isAbsent(rules))
    return [
      `${path} is not valid, so that the plan cannot be compared with it.`,
      ...replaced,
    ];
  const isChanged = isAbsent(diff) || diff.changes.length > 0;
  if (reviewed.length === 0 && isChanged)
    return [
      ruleSets.some(changesRules)
        ? `No filtering rule set of the plan has the rules of ${path}, which changes.`
        : `The plan changes no filtering rule set, although ${path} changes.`,
    ];
  const kept = reviewed.filter(({ operation }) => operation !== "delete");
  return [
    ...replaced,
    ...kept.flatMap(unknownInForce),
    ...kept.flatMap(unexpectedRules),
    ...kept.flatMap((ruleSet) => fileDifference(ruleSet, path, rules)),
    ...kept.flatMap((ruleSet) =>
      baseMismatches(ruleSet, file).map(describeMismatch),
    ),
  ];
}

/**
 * Says that an update will be refused because the rules in force are not those
 * that its plan expects.
 */
function unexpectedRules(ruleSet: PlannedRules): string[] {
  return ruleSet.isExpectedInForce === false && ruleSet.operation !== "same"
    ? [
        `Other rules are in force than the plan of ${nameOfRuleSet(ruleSet)} expects (expectedInForce), so its update would be refused: plan it anew.`,
      ]
    : [];
}

/** Says that it is not known what the plan takes away or adds. */
function unknownInForce({ inForce, ...ruleSet }: PlannedRules): string[] {
  return isAbsent(inForce)
    ? [
        `What the plan changes in ${nameOfRuleSet(ruleSet)} ${shortened(inForce.absent, LONGEST_REASON)}.`,
      ]
    : [];
}

/** How the rules after the deployment differ from those of the file. */
function fileDifference(
  ruleSet: PlannedRules,
  path: string,
  rules: readonly Rule[],
): string[] {
  const after = afterwards(ruleSet);
  const name = nameOfRuleSet(ruleSet);
  if (isAbsent(after))
    return [
      `The planned rules of ${name} cannot be compared with ${path}: ${shortened(after.absent, LONGEST_REASON)}.`,
    ];
  const steps = findSteps(rules, after);
  if (steps.length === 0) return [];
  const named = (...kinds: RuleStep["kind"][]) =>
    listNames(
      steps
        .filter(({ kind }) => kinds.includes(kind))
        .map(({ rule }) => rule.name),
    );
  const [without, added, otherwise, moved] = [
    named("removed"),
    named("added"),
    named("edited", "disabled", "enabled"),
    named("moved"),
  ];
  const parts = [
    without && `without ${without}`,
    added && `with ${added}`,
    otherwise && `${otherwise} otherwise`,
    moved && `${moved} at another place`,
  ].filter(Boolean);
  const subject =
    ruleSet.operation === "same"
      ? `The rules of ${name} stay in force, and`
      : `The planned rules of ${name}`;
  return [`${subject} are not those of ${path}: ${parts.join("; ")}.`];
}

/** Rules that the plan changes only because other rules are in force than in the base. */
interface BaseMismatch {
  readonly verb: (typeof VERBS)[RuleStep["kind"]];
  /** A clause: `in main and not in force`. */
  readonly how: string;
  readonly names: Set<string>;
}

/**
 * The changes that the plan makes only because the rules in force differ from
 * those of the base. A change of the file that is already in force does not
 * count: the plan has less to do, and the rules end up as the file has them. Nor does
 * the position of a rule in force that the file adds at another position.
 */
function baseMismatches(
  ruleSet: PlannedRules,
  { base, rules }: FileUnderReview,
): BaseMismatch[] {
  const { inForce, environment } = ruleSet;
  const after = afterwards(ruleSet);
  if (isAbsent(rules) || !("rules" in base)) return [];
  if (base.isMissing || isAbsent(after) || isAbsent(inForce)) return [];
  const { name: main, rules: before } = base;
  const here = `in force${environment === undefined ? "" : ` in ${shortened(environment, LONGEST_NAME)}`}`;
  const isReordered = findSteps(before, inForce).some(isMove);
  const movedByFile = new Set(
    findSteps(before, rules)
      .filter(isMove)
      .map(({ rule }) => rule.name),
  );
  const mismatchOf = ({ kind, rule: { name } }: RuleStep) => {
    const was = before.filter((rule) => rule.name === name);
    const is = inForce.filter((rule) => rule.name === name);
    const isNew = was.length === 0;
    if (kind === "added") return isNew ? "" : `in ${main} and not ${here}`;
    if (kind === "moved")
      return !isNew && isReordered && !movedByFile.has(name)
        ? `${here} at another place than in ${main}`
        : "";
    if (isNew) return `${here} and not in ${main}`;
    return findSteps(was, is).length > 0
      ? `${here} otherwise than in ${main}`
      : "";
  };
  const ofFile = new Set(findSteps(rules, after).map(({ rule }) => rule.name));
  const found = new Map<string, BaseMismatch>();
  for (const step of findSteps(inForce, after)) {
    const { name } = step.rule;
    const [verb, how] = [VERBS[step.kind], mismatchOf(step)];
    if (how === "" || ofFile.has(name)) continue;
    const key = `${verb} ${how}`;
    const { names } = found.get(key) ?? { names: new Set() };
    found.set(key, { verb, how, names: names.add(name) });
  }
  return [...found.values()];
}

function describeMismatch({ verb, how, names }: BaseMismatch): string {
  const are = names.size === 1 ? "is" : "are";
  return `The plan ${verb} ${listNames([...names])}, which ${are} ${how}.`;
}

const isMove = ({ kind }: RuleStep) => kind === "moved";

const VERBS = {
  removed: "deletes",
  added: "adds",
  edited: "changes",
  disabled: "changes",
  enabled: "changes",
  moved: "moves",
} as const;

function otherDifference(ruleSet: PlannedRuleSet): string[] {
  if (ruleSet.isReviewed || !changesRules(ruleSet)) return [];
  const { operation, diff } = ruleSet;
  const subject = `The plan ${operation}s another rule set, ${nameOfRuleSet(ruleSet)}`;
  return [
    isAbsent(diff)
      ? `${subject}, whose changes are not known: ${shortened(diff.absent, LONGEST_REASON)}.`
      : `${subject}: ${countChanges(diff.changes)}.`,
  ];
}

/** What stands in place of a value that a preview does not show. */
const HIDDEN: ReadonlySet<string> = new Set(["[secret]", "[unknown]"]);

function loosenedGuards(ruleSet: PlannedRuleSet): string[] {
  return ruleSet.settings
    .filter(({ isLoosened }) => isLoosened)
    .map(({ name, before = "not set", after = "not set" }) => {
      const [from, to, setting] = [before, after, name].map((value) =>
        shortened(value, LONGEST_NAME),
      );
      if (ruleSet.operation === "create")
        return `The plan creates ${nameOfRuleSet(ruleSet)} with ${setting}: ${to}.`;
      const verb = HIDDEN.has(after) ? "may loosen" : "loosens";
      return `The plan ${verb} ${setting} of ${nameOfRuleSet(ruleSet)}, from ${from} to ${to}.`;
    });
}

const environmentDifference = ({
  operation,
  type,
  name,
}: ReviewedPlan["others"][number]) =>
  type === "Environment"
    ? (ENVIRONMENT_GOES[operation]?.(shortened(name, LONGEST_NAME)) ?? [])
    : [];

/** Says of a name that a deployment deletes what has it, or deletes it and creates it anew. */
type Goes = Partial<
  Record<PlannedRuleSet["operation"], (name: string) => string>
>;

const RULE_SET_GOES: Goes = {
  delete: (name) => `The plan deletes the rule set ${name}.`,
  replace: (name) =>
    `The plan replaces the rule set ${name}: deletes it and creates it anew.`,
};

const ENVIRONMENT_GOES: Goes = {
  delete: (name) =>
    `The plan deletes the environment ${name}, and its rules with it.`,
  replace: (name) =>
    `The plan replaces the environment ${name}, and the rules of the old one go with it.`,
};

function changesRules({ operation, diff }: PlannedRuleSet): boolean {
  return operation !== "same" && (isAbsent(diff) || diff.changes.length > 0);
}
