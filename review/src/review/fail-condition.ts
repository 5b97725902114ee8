import { DevidError } from "@devid/sdk/errors";
import {
  assertNever,
  count,
  firstOf,
  grouped,
  shortened,
} from "@devid/rules/internals";
import { isIncompleteLint } from "@devid/rules";
import {
  atMost,
  describePercent,
  describeShare,
  describeUpTo,
  eventsOf,
  percentAtMost,
  undeterminedOf,
} from "../replay/impact-numbers";
import type { Estimate } from "../replay/impact";
import { unreadableIn } from "../replay/row-counts";
import {
  measuredChanges,
  provenNone,
  type MeasuredChange,
} from "./judged-effect";
import {
  isAbsent,
  RISKS,
  type ConditionOutcome,
  type Review,
  type Risk,
} from "./review";
import { LONGEST_NAME, nameOfRuleSet } from "./list-names";
import {
  SIGNALS,
  type Evidence,
  type Signal,
  type SignalName,
} from "./signals";

/**
 * The text is not a valid `--fail-on` condition; the message lists the valid
 * ones.
 */
export class FailConditionError extends DevidError {
  override readonly name = "FailConditionError";
}

/** The outcomes that a condition can count, as `--fail-on` spells them. */
const COUNTED = {
  "newly-denied": "newlyDenied",
  "newly-allowed": "newlyAllowed",
  "cannot-tell": "cannotTell",
} as const;

/**
 * What a deployment does with resources, as conditions name it. A replaced
 * resource is deleted, too.
 */
const OPERATIONS = ["creates", "changes", "replaces", "deletes"] as const;

/** A condition under which a review fails; `text` is how the user writes it. */
export type FailCondition = { readonly text: string } & (
  | {
      readonly kind: "events";
      readonly outcome: (typeof COUNTED)[keyof typeof COUNTED];
      /** The condition holds when the number is larger than this. */
      readonly above: number;
      readonly unit: "events" | "percent";
    }
  | {
      readonly kind: "resources";
      readonly operation: (typeof OPERATIONS)[number];
      /** `ApiKey`; absent: any. */
      readonly type?: string;
      /** Only changes of this property count. */
      readonly property?: string;
      readonly above: number;
    }
  | { readonly kind: "risk"; readonly risk: Exclude<Risk, "low"> }
  | {
      readonly kind: "signal";
      readonly signal: SignalName;
      /** Whether the condition also holds if a search proved nothing. */
      readonly orUnproven?: true;
    }
);

const signalNamed = (signal: SignalName): FailCondition => ({
  text: signal,
  kind: "signal",
  signal,
});

/** The conditions that contain no number. */
const NAMED: readonly FailCondition[] = [
  ...(
    [
      "lint:error",
      "lint:warning",
      "lint:note",
      "tests",
      "fewer-tests",
      "gets-through",
    ] as const
  ).map(signalNamed),
  {
    text: "gets-through:cannot-tell",
    kind: "signal",
    signal: "gets-through",
    orUnproven: true,
  },
  { text: "risk:medium", kind: "risk", risk: "medium" },
  { text: "risk:high", kind: "risk", risk: "high" },
  ...(["changes", "plan-differs", "policies"] as const).map(signalNamed),
];

/**
 * How each condition is written: N is a number from 0, and `N%` is a share of
 * the past events.
 */
export const FAIL_CONDITIONS: readonly string[] = [
  ...Object.keys(COUNTED).flatMap((name) => [`${name}>N`, `${name}>N%`]),
  ...NAMED.map(({ text }) => text),
  ...OPERATIONS.flatMap((name) => [`${name}>N`, `${name}:KIND`]),
  "changes:KIND.PROPERTY",
];

/**
 * Parses the value of `--fail-on`.
 * @throws FailConditionError, which lists the valid conditions
 *
 * @example
 * parseFailCondition("newly-denied>0.5%")
 */
export function parseFailCondition(text: string): FailCondition {
  const named = NAMED.find((condition) => condition.text === text);
  if (named) return named;
  const resources = resourceCondition(text);
  if (resources) return resources;
  const [, name = "", number, percent] =
    /^([a-z-]+) ?> ?(\d{1,12}(?:\.\d{1,6})?)(%?)$/.exec(text) ?? [];
  if (!isCounted(name))
    throw new FailConditionError(
      `"${text}" is no condition. There are ${FAIL_CONDITIONS.join(", ")}; N is a number such as 100 or 0.5, KIND a kind of resource such as ApiKey, and PROPERTY one of its inputs.`,
    );
  const above = Number(number);
  return {
    text: `${name}>${above}${percent}`,
    kind: "events",
    outcome: COUNTED[name],
    above,
    unit: percent ? "percent" : "events",
  };
}

/** `deletes>0`, `deletes:ApiKey`, `deletes:ApiKey>2`, `changes:Webhook.url`. */
function resourceCondition(text: string): FailCondition | undefined {
  const [, name = "", type, property, number] =
    /^([a-z]+)(?::([\w/:-]+?)(?:\.(\w+))?)?(?: ?> ?(\d{1,12}(?:\.\d{1,6})?))?$/.exec(
      text,
    ) ?? [];
  const operation = OPERATIONS.find((each) => each === name);
  if (!operation || (type === undefined && number === undefined))
    return undefined;
  if (property !== undefined && operation !== "changes") return undefined;
  return {
    text: text.replaceAll(" ", ""),
    kind: "resources",
    operation,
    type,
    property,
    above: Number(number ?? 0),
  };
}

function isCounted(name: string): name is keyof typeof COUNTED {
  return Object.hasOwn(COUNTED, name);
}

/**
 * Decides whether a condition holds. It cannot be judged if the part of the review that
 * it reads is absent, if there are too few past events, if any could not be read, or if
 * too many are undetermined. A proof that an outcome never occurs needs no events. An event that may
 * have an outcome counts as an event that has it. For a sample, the upper bounds are
 * compared.
 */
export function judgeCondition(
  condition: FailCondition,
  evidence: Evidence & Pick<Review, "verdict">,
): ConditionOutcome {
  const { isSo, text, named: found = text } = judge(condition, evidence);
  const outcome =
    isSo === undefined ? "cannot be judged" : isSo ? "holds" : "does not hold";
  return { condition: condition.text, outcome, found };
}

function judge(
  condition: FailCondition,
  evidence: Evidence & Pick<Review, "verdict">,
): Signal {
  const { plan, verdict } = evidence;
  switch (condition.kind) {
    case "events":
      return worstOf(
        measuredChanges(evidence).map((change) => {
          const { isSo, text } = judgeEvents(condition, change, evidence);
          const { ruleSet } = change;
          const of = ruleSet ? `${nameOfRuleSet(ruleSet)}: ` : "";
          return { isSo, text: of + text };
        }),
      );
    case "signal": {
      const signal: Signal = SIGNALS[condition.signal](evidence);
      return signal.isUnproven && condition.orUnproven
        ? { ...signal, isSo: true }
        : signal;
    }
    case "risk":
      return {
        isSo: RISKS.indexOf(verdict.risk) >= RISKS.indexOf(condition.risk),
        text: `the risk is ${verdict.risk}`,
      };
    case "resources":
      return judgeResources(condition, plan);
    default:
      return assertNever(condition);
  }
}

/** The operations of a plan that a condition counts. */
const COUNTED_OPERATIONS = {
  creates: ["create"],
  changes: ["update", "replace", "same"],
  replaces: ["replace"],
  deletes: ["delete", "replace"],
} as const;

const MOST_RESOURCES = 5;

function judgeResources(
  condition: Extract<FailCondition, { kind: "resources" }>,
  plan: Review["plan"],
): Signal {
  if (plan === undefined) return { text: "no preview was given" };
  if (isAbsent(plan)) return { text: plan.absent };
  const { operation, type, property, above } = condition;
  const operations: readonly string[] = COUNTED_OPERATIONS[operation];
  const all = [
    ...plan.others,
    ...plan.ruleSets
      .filter(
        ({ operation, settings }) =>
          operation !== "same" || settings.length > 0,
      )
      .map(({ operation, name, settings }) => ({
        ...{ type: "FilteringRuleSet", operation, name },
        properties: [{ name: "rules" }, ...settings],
      })),
  ];
  const found = all.filter(
    (resource) =>
      operations.includes(resource.operation) &&
      (type === undefined || resource.type === type) &&
      (property === undefined ||
        (resource.properties ?? []).some(({ name }) => name === property)),
  );
  const names = found.map(({ type, name }) =>
    shortened(`${type} ${name}`, LONGEST_NAME),
  );
  return {
    isSo: found.length > above,
    text:
      found.length === 0 ? "none" : firstOf(names, MOST_RESOURCES).join(", "),
  };
}

/** How a report words each proof. */
const PROVEN = {
  newlyDenied: "proven: nothing is newly denied",
  newlyAllowed: "proven: nothing is newly allowed",
  cannotTell: "proven: nothing is decided otherwise",
} as const;

/**
 * The judgement of a condition about several changes. It holds if it holds for any of the
 * changes. Otherwise it cannot be judged if it cannot be judged for any of them. The text
 * describes the changes that decided.
 */
function worstOf(judgements: readonly Signal[]): Signal {
  for (const isSo of [true, undefined, false]) {
    const texts = judgements
      .filter((judgement) => judgement.isSo === isSo)
      .map(({ text }) => text);
    if (texts.length > 0) return { isSo, text: texts.join("; ") };
  }
  return { text: "nothing was judged" };
}

function judgeEvents(
  { outcome, above, unit }: Extract<FailCondition, { kind: "events" }>,
  { impact, effect }: MeasuredChange,
  { minEvents, maxUndetermined }: Evidence,
): Signal {
  if (provenNone(effect)[outcome])
    return { isSo: false, text: PROVEN[outcome] };
  if (outcome === "newlyAllowed" && isAbsent(effect.newlyAllowed))
    return { text: effect.newlyAllowed.absent };
  if (isAbsent(impact)) return { text: impact.absent };
  const events = eventsOf(impact).value;
  if (events < minEvents)
    return {
      text: `${count(events, "past event")}, fewer than --min-events ${grouped(minEvents)}`,
    };
  const certain = impact.total[outcome];
  const isMore = (estimate: Estimate) =>
    (unit === "percent" ? percentAtMost(estimate, impact) : atMost(estimate)) >
    above;
  const unreadable = unreadableIn(impact.rows);
  if (unreadable > 0 && !isMore(certain))
    return {
      text: `${count(unreadable, "row")} of the past events could not be read`,
    };
  if (outcome === "cannotTell" || isMore(certain))
    return { isSo: isMore(certain), text: describeShare(certain, impact) };
  const undetermined = undeterminedOf(outcome, impact);
  if (percentAtMost(undetermined, impact) > maxUndetermined)
    return {
      text: `${describeShare(undetermined, impact)} are undetermined, more than --max-undetermined ${describePercent(maxUndetermined)}`,
    };
  return {
    isSo: isMore(impact.possible[outcome]),
    text: describeUpTo(outcome, impact),
  };
}

/**
 * Decides whether somebody has to look at a review. If the review has
 * conditions, only they count: one holds, or one cannot be judged. Otherwise
 * somebody has to look if the rules differ or could not be compared, if the
 * plan differs from the file or is absent, or if there is an error, a failing
 * test or a violated policy. `isStrict` also counts warnings, and lint that
 * did not check everything.
 */
export function needsAttention(review: Review, isStrict = false): boolean {
  const { conditions, diff, findings, plan } = review;
  const isSo = (name: SignalName) =>
    (SIGNALS[name](review) as Signal).isSo === true;
  if (conditions.length > 0)
    return conditions.some(({ outcome }) => outcome !== "does not hold");
  return (
    isAbsent(diff) ||
    (plan !== undefined && isAbsent(plan)) ||
    (["changes", "plan-differs", "tests", "policies"] as const).some(isSo) ||
    findings.some(
      (finding) =>
        finding.severity === "error" ||
        (isStrict &&
          (finding.severity === "warning" || isIncompleteLint(finding))),
    )
  );
}
