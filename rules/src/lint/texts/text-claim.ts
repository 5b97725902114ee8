import { onceFor } from "../../once-for";
import type { RuleRequest } from "../../language";
import { quote } from "../../language/syntax/print-expression";
import { operatorsOf } from "../../language/tables/lookup";
import { HAS_PART } from "../../language/tables/operators";
import { readPattern } from "../../language/regex/pattern";
import { patternTexts } from "../../language/regex/pattern-texts";
import { withText, type TextComparison } from "../set/comparison";
import {
  replacement,
  rewriting,
  type LintResult,
  type Severity,
} from "../set/lint";
import type { LintedRule, LintedSet } from "../set/linted-set";
import { requestThatDiffers, seenIn } from "../set/prove";

/** A comparison of a part of a request with a text. */
export interface Test {
  readonly operator: TextComparison["operator"];
  readonly text: string;
  readonly negated?: boolean;
}

/** Comparisons that take the place of one. */
export interface Instead {
  readonly tests: readonly Test[];
  /** Default: `||`. */
  readonly joinedBy?: "||" | "&&";
}

/**
 * What a check believes of a text that a part of a request is compared with. It becomes
 * a finding only if the evaluator agrees (`proven`).
 */
export interface TextClaim {
  /** Default: that of the check. */
  readonly code?: string;
  /** What is wrong, for the value that shows it. */
  readonly says: (value: string) => string;
  /** Values of the part. The first that shows the mistake is the example. */
  readonly shows: readonly string[];
  /** What is meant. No tests: the text is left out of its list. */
  readonly instead?: Instead;
  /** What to do if that is not known. */
  readonly advice?: string;
  /** The rest of the example. Default: what the rest of the rule needs. */
  readonly around?: RuleRequest;
  /** Report it only if the rule lets the example in, perhaps past a later rule, keeps it out, or denies it itself. */
  readonly only?:
    | "let in"
    | "let in past a rule that denies it"
    | "kept out"
    | "denied";
  /** Default: that of the lint. */
  readonly severity?: Severity;
  /** Whether the rule does right with an example. Default: never. */
  readonly isRight?: (
    request: RuleRequest,
    isMatch: (other: RuleRequest) => boolean,
  ) => boolean;
}

/**
 * What clients send in place of a text: the corrected text, or other comparisons. Default of
 * `shows`: values for which `instead` holds.
 */
export interface Meant extends Partial<Omit<TextClaim, "says">> {
  /** Default: that of the step. */
  readonly says?: string;
}

/**
 * What corrects a text that differs from what clients send in one way: the right text; false
 * or the same text if it is right. The steps of a table correct a text one after the other.
 */
export type Step = (
  text: string,
  comparison: TextComparison,
) => string | Instead | Meant | false | undefined;

/** A step for texts that are compared as a whole. */
export const ofWhole =
  (step: Step): Step =>
  (text, comparison) =>
    isWhole(comparison) && step(text, comparison);

/** A step that puts something in place of what a pattern finds. */
export const replacing =
  (mistake: RegExp, by: string): Step =>
  (text) =>
    text.replace(mistake, by);

/** A step for texts of some form, of which one thing is meant. */
export const meaning =
  (form: RegExp, meant: Instead | Meant): Step =>
  (text) =>
    form.test(text) && meant;

/** The claim as a finding; undefined if no request shows it. */
export function proven(
  claim: TextClaim,
  comparison: TextComparison,
  rule: LintedRule,
  set: LintedSet,
): LintResult | undefined {
  const { says, shows, instead, advice, around: rest, only, severity } = claim;
  const { node } = comparison;
  const edit = instead && editOf(comparison, instead);
  // Without an edit, the opposite result of the comparison counts as right.
  const made =
    edit ??
    replacement(node, "!()", {
      ...{ kind: "unary", operator: "!", operand: node, span: node.span },
    });
  const variants = (around: RuleRequest) =>
    shows.flatMap((value) => withText(rest ?? around, comparison, value));
  const request = requestThatDiffers(rule, made, set, variants);
  if (!request || claim.isRight?.(request, (each) => rule.isMatch(each)))
    return undefined;
  const isMatch = rule.isMatch(request);
  const isLetIn = isMatch !== rule.isDeny;
  const isKeptOut = only === "kept out" || only === "denied";
  if (only && isLetIn === isKeptOut) return undefined;
  if (only === "denied" && !isMatch) return undefined;
  // An earlier rule may decide the example, and those behind it otherwise than the claim has it.
  const isPast = only === "let in past a rule that denies it";
  if (only && !set.isReached(rule, request)) return undefined;
  if (only && (isPast || !isMatch)) {
    const isDenied = set.isDeniedBehind(rule, request);
    if (isDenied !== (isPast || isKeptOut)) return undefined;
  }
  return {
    ...(edit
      ? rewriting(edit)
      : { fix: advice ?? "correct it", span: comparison.literal.span }),
    ...seenIn(request, rule, says(valueIn(request, comparison))),
    severity,
  };
}

function valueIn(request: RuleRequest, { part, field }: TextComparison) {
  const value = field ? request[field.from] : request.headers[part]?.[0];
  return typeof value === "string" ? value : "";
}

/** The edit that writes other comparisons; undefined if they cannot stand in this place. */
function editOf(comparison: TextComparison, instead: Instead) {
  const { node, literal, operator, isOfPattern, negated, subject } = comparison;
  const { list, text, elementsOf, isChained } = comparison;
  const [only, ...others] = instead.tests;
  const isSame =
    only &&
    others.length === 0 &&
    !only.negated &&
    (only.operator === operator ||
      (operator === "in" && only.operator === "=="));
  if (isSame && !isOfPattern) return replacement(literal, quote(only.text));
  const rest = list.filter((one) => one !== text);
  // A part of a chain such as `a < b < c` cannot be another comparison.
  if (isChained || (!only && rest.length === 0)) return undefined;
  if (isSame && negated) return replacement(node, negation(subject, only));
  const remaining = `${subject} in [${rest.map(quote).join(", ")}]`;
  const meant = printed(subject, instead);
  const whole = !only
    ? remaining
    : operator === "in" && rest.length > 0
      ? // The rest may fail because a value is missing.
        `${meant} || ${remaining}`
      : meant;
  if (elementsOf !== undefined)
    return replacement(
      node,
      `${negated ? "none" : "any"}(${elementsOf}, ${whole})`,
    );
  const isChain = / (\|\||&&) /.test(whole);
  return replacement(
    node,
    negated ? `!(${whole})` : isChain ? `(${whole})` : whole,
  );
}

const negation = (subject: string, { operator, text }: Test) =>
  operator === "=="
    ? `${subject} != ${quote(text)}`
    : `${subject} not ${operator} ${quote(text)}`;

function printed(subject: string, { tests, joinedBy = "||" }: Instead): string {
  if (tests.length > 1 && tests.every(({ operator }) => operator === "=="))
    return `${subject} in [${tests.map(({ text }) => quote(text)).join(", ")}]`;
  return tests
    .map((test) =>
      test.operator === "in"
        ? `${subject} in cidr(${quote(test.text)})`
        : test.negated
          ? negation(subject, test)
          : `${subject} ${test.operator} ${quote(test.text)}`,
    )
    .join(` ${joinedBy} `);
}

/** Whether a pattern matches a text. */
export const isMatch = (pattern: string, text: string) =>
  holds({ operator: "matches", text: pattern }, text);

/** Whether a comparison holds for a value. */
export const holds = (test: Test, value: string) =>
  holder(test)(value) !== (test.negated ?? false);

/** Tells for which values a comparison holds that is not negated. */
function holder({ operator, text }: Test): (value: string) => boolean {
  if (operator === "matches") {
    const read = readPattern(text);
    return "test" in read ? read.test : () => false;
  }
  if (isWhole({ operator })) return (value) => value === text;
  const place = operatorsOf.text.get(operator)?.place;
  return (value) => place !== undefined && HAS_PART[place](value, text);
}

/** The value that functions make of a text, as far as they change letter case. */
export const inCaseOf = (functions: readonly string[], text: string) =>
  functions.reduce(
    (all, name) =>
      name === "lower"
        ? all.toLowerCase()
        : name === "upper"
          ? all.toUpperCase()
          : all,
    text,
  );

/** Whether a value has what a comparison looks for, also if the comparison is negated. */
export const finds = (comparison: TextComparison, value: string) =>
  finder(comparison)(value);

const finder = onceFor((comparison: TextComparison) => {
  const { functions, operator, list } = comparison;
  // Each text of a list is asked for each value, and a list may have thousands.
  const texts = operator === "in" ? setOf(list) : undefined;
  const isFound = holder(comparison);
  return (value: string) => {
    const folded = inCaseOf(functions, value);
    return texts ? texts.has(folded) : isFound(folded);
  };
});

const setOf = onceFor((list: readonly string[]) => new Set(list));

/** Texts that a pattern matches, a few of all kinds. */
export function samplesOf(pattern: string) {
  const { texts = [] } = patternTexts(pattern) ?? {};
  // Of many texts, the first have the same beginning.
  const step = Math.ceil(texts.length / MAX_SAMPLES);
  return texts.filter((_, i) => i % step === 0).map(({ text }) => text);
}

const MAX_SAMPLES = 12;

/** A pattern in which a dot between letters is a dot. */
export const withDots = (pattern: string) =>
  pattern.replace(/(?<=[\w\])])\.(?=[\w([])/g, "\\.");

/** Whether a comparison asks for the whole text. */
export const isWhole = ({ operator }: Pick<Test, "operator">) =>
  operator === "==" || operator === "in";

/** The comparison with a text, alone or in front of a sign such as a dot. */
export const aloneOrBefore = (text: string, sign: string): Instead => ({
  tests: [
    { operator: "==", text },
    { operator: "startsWith", text: text + sign },
  ],
});

/** A value that clients send, and what to do if nothing can be written for a text. */
export const advise = (value: string, advice: string): Meant => ({
  shows: [value],
  advice,
});

/** A comparison with each of some texts. */
export const one = (
  operator: Test["operator"],
  ...texts: readonly string[]
): Instead => ({ tests: texts.map((text) => ({ operator, text })) });
