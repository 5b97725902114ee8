import {
  findingBlock,
  testBlock,
  type RuleSetDiff,
  type RuleTestReport,
  describeChanges,
} from "@devid/rules";
import {
  assertNever,
  count,
  describeRequest,
  effectText,
  firstOf,
  grouped,
  shortened,
  code,
  lines,
  list,
  text,
  fold,
  heading,
  table,
  type Block,
  type Prose,
  printHtml,
  printMarkdown,
  printText,
  visibleLines,
} from "@devid/rules/internals";
import {
  atMost,
  describeShare,
  describeUpTo,
  eventsOf,
} from "../replay/impact-numbers";
import {
  judgedEffect,
  measuredChanges,
  provenNone,
  type MeasuredChange,
} from "../review/judged-effect";
import { listNames, LONGEST_NAME, nameOfRuleSet } from "../review/list-names";
import {
  isAbsent,
  presentPart,
  RISKS,
  type ConditionOutcome,
  type FailedReview,
  type Absent,
  type PlannedResource,
  type PlannedRuleSet,
  type PolicyReport,
  type ReportSubject,
  type Review,
  type ReviewedPlan,
  type ReviewFinding,
} from "../review/review";
import { failedTests } from "../review/signals";
import { impactBlocks } from "./impact-report";
import { reviewMarker } from "./review-marker";
import { usageBlocks } from "./usage-report";

/** Formats a review for a terminal, in lines of at most 80 columns if no word is longer. */
export const formatReviewText = (
  review: Review,
  options?: { readonly color?: boolean },
): string => printText(reviewBlocks(review, { isBrief: true }), options);

/**
 * Formats a review as a comment of a pull request, of at most 65,536 characters. The
 * summary is always whole; other sections say what they leave out if there is no room.
 * The first line is a marker, by which a later run finds the comment to replace it.
 * Texts of rules, events and the service are in code, so that they can neither act as
 * markup nor mention anybody.
 * @param spare characters that the caller will add, and that are left free
 */
export const formatReviewMarkdown = (
  review: Review,
  { spare }: { readonly spare?: number } = {},
): string =>
  printMarkdown(
    reviewBlocks(review, { isBrief: true, maxEdits: 20, maxTables: 5 }),
    { marker: reviewMarker(review), spare },
  );

/**
 * Formats a review as an HTML page that needs no network and runs no script. It
 * has the content of the Markdown comment, unshortened, and charts.
 */
export const formatReviewHtml = (review: Review): string =>
  printHtml(reviewBlocks(review, { isBrief: false }));

/**
 * Formats the report that replaces a review which ended in an error. It has the
 * marker and the heading of the review, so that it replaces the comment on an
 * earlier commit. The message is shortened to 3,000 characters; the caller must
 * have removed keys from it. The JSON is `{"version": 1, "failed": {...}}`.
 */
export function formatFailedReview(
  failed: FailedReview,
  format: "text" | "markdown" | "html" | "json",
): string {
  const { base, ...rest } = failed;
  const blocks: Block[] = [
    titleOf({ ...rest, ...(base !== undefined && { base: { name: base } }) }),
    {
      kind: "summary",
      risk: "high",
      phrases: ["this commit was not reviewed"],
      failure: failureText(failed.message),
      reasons: [],
      conditions: [],
    },
    ...text(
      "Nothing is known of what this commit changes: what a report said of an earlier commit does not hold for it.",
    ),
    ...text("Correct what the message names, and run the review again."),
  ];
  switch (format) {
    case "json": {
      const message = shortened(failed.message, LONGEST.failure);
      const json = { version: 1, failed: { ...failed, message } };
      return `${JSON.stringify(json, undefined, 2)}\n`;
    }
    case "text":
      return printText(blocks);
    case "markdown":
      return printMarkdown(blocks, { marker: reviewMarker(failed) });
    case "html":
      return printHtml(blocks);
  }
}

/** How much of a review a report shows. */
interface Limits {
  /** Whether the parts on past events are brief. */
  readonly isBrief: boolean;
  /** Edits of one expression; default: all. */
  readonly maxEdits?: number;
  /** Rule sets whose changes and past events are shown; default: all. All are described. */
  readonly maxTables?: number;
}

/** Characters of a failure, a message of a policy, and a value of a resource. */
const LONGEST = { failure: 3_000, message: 400, value: 120 };

function reviewBlocks(review: Review, limits: Limits): Block[] {
  const { base, verdict, conditions, failure, diff } = review;
  const { file, plan, policies, usage, findings, tests } = review;
  const measured = measuredChanges(review);
  const unshown = measured.length - (limits.maxTables ?? measured.length);
  return [
    titleOf(review),
    {
      kind: "summary",
      risk: verdict.risk,
      phrases: phrasesOf(review),
      note: base.note && code(base.note),
      failure: failure && failureText(failure),
      reasons: describeReasons(review),
      conditions: conditions.map(describeCondition),
    },
    ...section("Changes", "compared", diff, (diff) =>
      diff.changes.length === 0
        ? []
        : [
            ...text(
              `${describeChanges(diff)}${base.isMissing ? ", compared with no rules" : ""}. In total: ${effectText(diff.effect)}.`,
            ),
            changesOf(diff, limits),
          ],
    ),
    ...section("Plan", "known", plan, (plan) =>
      planBlocks(plan, review, limits),
    ),
    ...section("Policies", "known", policies, policyBlocks),
    ...measured
      .slice(0, limits.maxTables)
      .flatMap(({ ruleSet, impact }) =>
        section(
          `Past events${ruleSet ? ` of ${nameOfRuleSet(ruleSet, code)}` : ""}`,
          "looked at",
          impact,
          (impact) => impactBlocks(impact, limits.isBrief),
        ),
      ),
    ...(unshown > 0
      ? [
          heading("Past events of other rule sets"),
          ...text(
            `The summary has the figures of ${count(unshown, "other rule set")}. A page has all of them: ${code("--format html")}.`,
          ),
        ]
      : []),
    ...section("Usage of the rules", "counted", usage, usageBlocks),
    ...findingBlocks(findings, file),
    ...section(
      failedTests(tests) > 0 ? "Failed tests" : "Tests",
      "run",
      tests,
      (tests) => testBlocks(tests, file),
    ),
  ];
}

/**
 * A part of a review under its heading, or why it is absent; nothing if it has no
 * blocks, or was not asked for.
 * @param done what was not done if it is absent
 */
function section<Part extends object>(
  title: Prose,
  done: string,
  part: Part | Absent | undefined,
  blocksOf: (part: Part) => Block[],
): Block[] {
  if (part === undefined) return [];
  const blocks = isAbsent(part)
    ? text(`Not ${done}: ${code(part.absent)}`)
    : blocksOf(part);
  return blocks.length === 0 ? [] : [heading(title), ...blocks];
}

const changesOf = ({ changes }: RuleSetDiff, { maxEdits }: Limits): Block => ({
  kind: "changes",
  changes,
  maxEdits,
});

/** Digits of a commit that are enough to identify it. */
const SHORT_COMMIT = 10;

const TITLES = { change: "Review", recovery: "Recovery" } as const;

/**
 * The title, such as `Review of rules.yaml against main`. Below are the commit, the
 * environment and the stack if they are known, and for a recovery what that means.
 */
function titleOf(subject: ReportSubject & Pick<Review, "plan">): Block {
  const { file, base, commit, scope, plan, purpose } = subject;
  const environment = subject.environment ?? scope.environment;
  const stack = presentPart(plan)?.stack ?? scope.stack;
  const parts = [
    commit && `commit ${code(commit.slice(0, SHORT_COMMIT))}`,
    environment && `environment ${code(environment)}`,
    stack && `stack ${code(stack)}`,
  ].filter(Boolean);
  const against = base === undefined ? "" : ` against ${code(base.name)}`;
  return {
    kind: "title",
    text: `${TITLES[purpose]} of ${code(file)}${against}`,
    below: [
      ...(parts.length === 0 ? [] : [capitalized(parts.join(" · "))]),
      ...(purpose === "recovery"
        ? [
            "The rules of the main branch are put in force again; no change of them is proposed here.",
          ]
        : []),
    ],
  };
}

const capitalized = (words: string) =>
  words.charAt(0).toUpperCase() + words.slice(1);

/** Why a part was not reviewed, in lines. */
const failureText = (failure: string) =>
  visibleLines(shortened(failure, LONGEST.failure));

/** The summary of a review, a phrase for each part. */
function phrasesOf(review: Review): Prose[] {
  const { diff } = review;
  return [
    isAbsent(diff) ? "not compared" : describeChanges(diff),
    ...describePlanned(review),
    describeGetsThrough(review),
    ...measuredChanges(review).map((change) => {
      const found = describeImpact(change, review.minEvents);
      const { ruleSet } = change;
      return ruleSet ? `${nameOfRuleSet(ruleSet, code)}: ${found}` : found;
    }),
    describeFindings(review),
    describeTests(review),
  ];
}

/**
 * The reasons for the risk, a phrase for each grade, the highest first; empty
 * if the risk is low.
 */
function describeReasons({ verdict }: Review): Prose[] {
  return [...RISKS].reverse().flatMap((risk) => {
    const texts = verdict.reasons
      .filter((reason) => reason.risk === risk)
      .map(({ ruleSet, text: found }) =>
        ruleSet === undefined ? found : `${found} (${code(ruleSet)})`,
      );
    return texts.length > 0 ? [`${risk} risk: ${texts.join("; ")}`] : [];
  });
}

/** Whether a condition stops the review, and why: `✗ newly-denied>1%: 420 (3.4%)`, `✓ tests: 3 of 3 passed`. */
function describeCondition({
  condition,
  outcome,
  found,
}: ConditionOutcome): Prose {
  const sign = outcome === "does not hold" ? "✓" : "✗";
  const unjudged = outcome === "cannot be judged" ? ` ${outcome}` : "";
  return `${sign} ${code(condition)}${unjudged}: ${code(found)}`;
}

function describePlanned({ plan }: Review): Prose[] {
  if (plan === undefined) return [];
  if (isAbsent(plan)) return [`no plan: ${code(plan.absent)}`];
  const [first, ...more] = plan.differences;
  if (first === undefined) return ["the plan does what the file says"];
  const rest = more.length > 0 ? ` (and ${grouped(more.length)} more)` : "";
  return [
    `the plan does something else than the file says: ${code(first)}${rest}`,
  ];
}

function describeGetsThrough(review: Review): Prose {
  const { getsThrough } = review.verdict;
  switch (getsThrough.answer) {
    case "found":
      return `requests get through that did not before, e.g. ${code(describeRequest(getsThrough.request))}`;
    case "none":
      return "nothing gets through that did not before";
    case "cannot tell": {
      const found =
        "cannot tell whether anything gets through that did not before";
      const isAgainstNothing = "absent" in judgedEffect(review).newlyAllowed;
      return review.base.isMissing && isAgainstNothing
        ? `${found}, compared with no rules`
        : found;
    }
    default:
      return assertNever(getsThrough);
  }
}

function describeImpact(
  { impact, effect }: MeasuredChange,
  minEvents: number,
): string {
  if (isAbsent(impact)) {
    const proven = provenNone(effect);
    return proven.newlyDenied && proven.newlyAllowed
      ? "proven: every request is decided as before"
      : "past events not looked at";
  }
  const { total } = impact;
  const all = eventsOf(impact);
  if (all.value === 0) return "no past events";
  const denied = describeUpTo("newlyDenied", impact, " newly denied");
  const isNone = atMost(impact.possible.newlyDenied) === 0;
  const parts = [isNone ? "none newly denied" : denied];
  if (atMost(impact.possible.newlyAllowed) > 0)
    parts.push(describeUpTo("newlyAllowed", impact, " newly allowed"));
  if (atMost(total.cannotTell) > 0)
    parts.push(`${describeShare(total.cannotTell, impact)} undetermined`);
  const about = impact.sample ? "about " : "";
  const few =
    all.value < minEvents ? `, fewer than ${grouped(minEvents)},` : "";
  const noun = all.value === 1 ? "past event" : "past events";
  return `of ${about}${grouped(all.value)} ${noun}${few} ${parts.join(", ")}`;
}

function describeFindings({ findings }: Review): string {
  const counts = ["error", "warning", "note"].flatMap((severity) => {
    const found = findings.filter((finding) => finding.severity === severity);
    if (found.length === 0) return [];
    const known = found.filter(({ isKnown }) => isKnown).length;
    const all = count(found.length, severity);
    return known > 0 ? `${all} (${grouped(known)} not new)` : all;
  });
  return counts.join(", ") || "nothing found by lint";
}
function describeTests({ tests }: Review): string {
  if (isAbsent(tests)) return "tests not run";
  const all = tests.tests.length;
  if (all === 0) return "no tests";
  const failed = failedTests(tests);
  return failed > 0
    ? `${grouped(failed)} of ${count(all, "test")} failed`
    : `${count(all, "test")} passed`;
}

/** Where the deployment differs from the file, each rule set, and what else it touches. */
function planBlocks(
  plan: ReviewedPlan,
  review: Review,
  limits: Limits,
): Block[] {
  const { differences, ruleSets } = plan;
  return [
    ...text(describePlan(plan)),
    ...list(differences.map(code), "differences"),
    ...(ruleSets.length === 0 ? [] : text("What happens to each rule set:")),
    ...list(
      ruleSets.map((each) => describeRuleSet(each, review)),
      "rule sets",
    ),
    ...ruleSets
      .filter((ruleSet) => hasOwnChanges(ruleSet, review))
      .slice(0, limits.maxTables)
      .flatMap((ruleSet) => [
        ...text(
          `Changes of the rules in force, ${nameOfRuleSet(ruleSet, code)}:`,
        ),
        changesOf(ruleSet.diff, limits),
      ]),
    ...resourceBlocks(plan),
  ];
}

function describePlan({ name, stack, differences }: ReviewedPlan): Prose {
  const what =
    differences.length === 0
      ? "does what the file says."
      : `does something else than the file says (${count(differences.length, "difference")}):`;
  return `${code(name)}, of stack ${code(stack)}, ${what}`;
}

/** What a deployment does with a rule set, and with another resource. */
const OPERATIONS = {
  create: { ofRuleSet: "created", other: "create" },
  update: { ofRuleSet: "updated", other: "update" },
  replace: { ofRuleSet: "replaced", other: "replace" },
  delete: { ofRuleSet: "deleted", other: "delete" },
  same: { ofRuleSet: "left as it is", other: "options only" },
} as const;

/** Describes what happens to a rule set, to its rules and to its settings, in a sentence each. */
const describeRuleSet = (ruleSet: PlannedRuleSet, review: Review): Prose =>
  `Rule set ${nameOfRuleSet(ruleSet, code)} is ${OPERATIONS[ruleSet.operation].ofRuleSet}. ${describeRules(ruleSet, review)}${describeSettings(ruleSet)}`;

function describeRules(ruleSet: PlannedRuleSet, review: Review): Prose {
  const { diff, inForceFrom } = ruleSet;
  const known = inForceFrom === "state" ? " as the stack's state has them" : "";
  const inForce = `rules in force${known}`;
  if (isAbsent(diff))
    return `It is unknown how the ${inForce} change: ${code(diff.absent)}.`;
  if (diff.changes.length === 0) return `The ${inForce} stay.`;
  if (isChangeOfFile(ruleSet, review))
    return `The ${inForce} change as the file does, see above.`;
  return `In the ${inForce}: ${describeChanges(diff)}. In total: ${effectText(diff.effect)}.`;
}

/** The number of changed settings that a report lists; a rule set has fewer. */
const MOST_SETTINGS = 10;

function describeSettings({ operation, settings }: PlannedRuleSet): Prose {
  if (settings.length === 0) return "";
  const texts = settings
    .slice(0, MOST_SETTINGS)
    .map(({ isLoosened, ...setting }) => {
      const [name, was, is] = changeTexts(setting, LONGEST_NAME);
      return operation === "create"
        ? `${name} is ${is}${isLoosened ? " (a loose guard)" : ""}`
        : `${name} from ${was} to ${is}${isLoosened ? " (a looser guard)" : ""}`;
    });
  return ` Settings: ${texts.join(", ")}.`;
}

/** The name of what changes, and its values before and after. */
const changeTexts = (
  {
    name,
    before,
    after,
  }: Omit<PlannedRuleSet["settings"][number], "isLoosened">,
  longest: number,
): Prose[] =>
  [name, before, after].map((value) =>
    value === undefined ? "not set" : code(shortened(value, longest)),
  );
/**
 * Whether a rule set changes exactly as the file does. Its table would then
 * repeat the file's.
 */
function isChangeOfFile(
  { isReviewed, diff }: PlannedRuleSet,
  review: Review,
): boolean {
  return (
    isReviewed &&
    !isAbsent(diff) &&
    !isAbsent(review.diff) &&
    diff.changes.length === review.diff.changes.length &&
    JSON.stringify(diff) === JSON.stringify(review.diff)
  );
}

/**
 * Whether a report shows the changes of a rule set: there are some, and they
 * differ from the file's.
 */
const hasOwnChanges = (
  ruleSet: PlannedRuleSet,
  review: Review,
): ruleSet is PlannedRuleSet & { readonly diff: RuleSetDiff } =>
  !isAbsent(ruleSet.diff) &&
  ruleSet.diff.changes.length > 0 &&
  !isChangeOfFile(ruleSet, review);

/** The resources, other than rule sets, that the deployment touches; the gravest come first. */
function resourceBlocks({ others }: ReviewedPlan): Block[] {
  if (others.length === 0) return [];
  const gravity = ({ effects = [] }: PlannedResource) =>
    Math.max(0, ...effects.map(({ risk }) => RISKS.indexOf(risk)));
  const rows = [...others]
    .sort((a, b) => gravity(b) - gravity(a))
    .map((resource) => [
      OPERATIONS[resource.operation].other,
      code(shortened(`${resource.type} ${resource.name}`, LONGEST.value)),
      propertiesOf(resource),
      (resource.effects ?? [])
        .map((effect) => withCode(effect.text))
        .join("; "),
    ]);
  return [
    heading("Other resources"),
    ...text(
      `The deployment also touches ${count(rows.length, "resource")} other than rule sets.`,
    ),
    ...table(
      ["Operation", "Resource", "Properties", "What it means"],
      rows,
      "resources",
    ),
  ];
}

/** Texts of effects are ours; a part between backquotes comes from the program. */
const withCode = (effect: string): Prose =>
  effect
    .split("`")
    .map((part, i) => (i % 2 === 1 ? code(part) : part))
    .join("");

const MOST_PROPERTIES = 8;

function propertiesOf({ operation, properties = [] }: PlannedResource): Prose {
  const texts = properties.map((property) => {
    const [name, was, is] = changeTexts(property, LONGEST.value);
    if (operation === "create") return `${name}: ${is}`;
    if (operation === "delete") return `${name}: ${was}`;
    return `${name} from ${was} to ${is}`;
  });
  return firstOf(texts, MOST_PROPERTIES).join(", ");
}

/** What policies say of the deployment; nothing if none was asked. */
function policyBlocks({ packs, violations }: PolicyReport): Block[] {
  if (packs.length === 0 && violations.length === 0) return [];
  const found = violations.length === 0 ? " No policy is violated." : "";
  const rows = violations.map(({ policy, isAdvisory, resource, message }) => [
    code(policy),
    isAdvisory ? "advisory" : "mandatory",
    resource === undefined ? "the stack" : code(resource),
    code(shortened(message.trim().replace(/\s*\n\s*/g, " "), LONGEST.message)),
  ]);
  return [
    ...text(`Checked by ${listNames(packs, code)}.${found}`),
    ...table(["Policy", "Level", "Resource", "What it says"], rows, "policies"),
  ];
}

/** Findings; those that are not urgent are folded. */
function findingBlocks(findings: Review["findings"], file: string): Block[] {
  const blocks = (wanted: boolean) =>
    findings
      .filter((finding) => isUrgent(finding) === wanted)
      .map((finding) => findingBlock(finding, file));
  const [urgent, rest] = [blocks(true), blocks(false)];
  return [
    ...(urgent.length === 0
      ? []
      : [heading("Findings"), ...lines(urgent, "findings")]),
    ...fold(
      `Notes, and what was found before the change, too: ${rest.length}`,
      lines(rest, "findings"),
      "text",
    ),
  ];
}

/**
 * Whether a reviewer has to see a finding: every error and each new warning,
 * but no notes.
 */
function isUrgent({ severity, isKnown }: ReviewFinding): boolean {
  return severity === "error" || (severity === "warning" && !isKnown);
}

/** Failed tests, the rules that no test reaches, and folded the tests that passed. */
function testBlocks(
  { tests, coverage: { notReached } }: RuleTestReport,
  file: string,
): Block[] {
  if (tests.length === 0) return [];
  const passed = tests.filter((test) => test.passed);
  return [
    ...lines(
      tests.filter((test) => !test.passed).map((test) => testBlock(test, file)),
      "failed tests",
    ),
    ...(notReached.length === 0
      ? []
      : text(`No test reaches ${listNames(notReached, code)}.`)),
    ...fold(
      `${count(passed.length, "test")} passed`,
      list(
        passed.map(({ name }) => `✓ ${code(name)}`),
        "tests",
      ),
    ),
  ];
}
