import { checkExpression, type RuleRequest } from "../../language";
import { quote } from "../../language/syntax/print-expression";
import { applyEdits } from "../../language/syntax/text-edit";
import { matches, type Condition } from "../../solver/condition";
import { requestThatDiffers } from "../set/request-that-differs";
import { exampleRules, type LintResult, type LintRow } from "../set/lint";
import type { LintedRule, LintedSet } from "../set/linted-set";
import { withText, type TextComparison } from "../set/comparison";

/** One row of the table of values that no client sends, or that match more than they should. */
export interface ValueLint extends Pick<
  LintRow,
  "severity" | "doc" | "unless"
> {
  /** What a client can send, and the source of that fact. */
  readonly sent: string;
  /** Headers and fields whose texts it checks. Absent: all of them. */
  readonly of?: readonly string[];
  /** The only operator that it checks. Absent: all operators. */
  readonly operator?: TextComparison["operator"];
  /** Report the mistake only if the rule lets the example in, or keeps it out. Absent: always. */
  readonly onlyIf?: "let in" | "kept out";
  /** The expression of a rule in which it finds something. */
  readonly example: ({ readonly allow: string } | { readonly deny: string }) & {
    /** Default: the expression with the edit. */
    readonly fixed?: string;
  };
  readonly find: (comparison: TextComparison) => Mistake | undefined;
}

/** What is wrong with a text. */
export interface Mistake {
  /**
   * The end of the message is added: it says whether the rule matches the example, as
   * "it".
   */
  readonly message: string;
  /** The value of the part that shows the mistake. */
  readonly shows: string;
  /** The right text instead. */
  readonly text?: string;
  /** The right comparison instead. */
  readonly comparison?: string;
  /** Whether the fix removes the text from its list. */
  readonly isDropped?: boolean;
  /**
   * The rest of the request that shows the mistake. Default: other values that the rule
   * needs.
   */
  readonly around?: RuleRequest;
  /** What to do if none of these is given. */
  readonly fix?: string;
}

const NOTHING: readonly LintResult[] = [];

/** The lint of a row of the table. */
export function asLint(row: ValueLint): LintRow {
  const { severity, doc, sent, unless, example } = row;
  const { fixed } = example;
  const rules = (expression: string) =>
    "allow" in example
      ? exampleRules(`allow example: ${expression}`, "deny others: true")
      : exampleRules(`deny example: ${expression}`);
  return {
    ...(severity && { severity }),
    doc,
    detail: sent,
    unless,
    example: rules("allow" in example ? example.allow : example.deny),
    fixed: fixed === undefined ? undefined : rules(fixed),
    of: "rule",
    parts: row.of,
    find(rule, set) {
      let results = NOTHING;
      for (const comparison of rule.comparisons) {
        if (row.of && !row.of.includes(comparison.part)) continue;
        if (row.operator && row.operator !== comparison.operator) continue;
        const mistake = row.find(comparison);
        const result = mistake && resultOf(row, mistake, comparison, rule, set);
        if (result) results = [...results, result];
      }
      return results;
    },
  };
}

/** A mistake with a request that shows it; undefined if no request does. */
function resultOf(
  { onlyIf }: ValueLint,
  mistake: Mistake,
  comparison: TextComparison,
  rule: LintedRule,
  set: LintedSet,
): LintResult | undefined {
  const { node, literal, isOfPattern, isChained } = comparison;
  const { message, shows, text, isDropped, fix, around: rest } = mistake;
  // A part of a chain cannot be replaced by another comparison.
  const right = isChained ? undefined : mistake.comparison;
  const isInPlace =
    right !== undefined || (isDropped && comparison.list.length > 1);
  const edit =
    text !== undefined
      ? isOfPattern
        ? { ...node.span, text: written(comparison, text) }
        : { ...literal.span, text: quote(text) }
      : isInPlace
        ? { ...node.span, text: inPlace(comparison, right) }
        : undefined;
  // Without an edit, the opposite result of the comparison counts as right.
  const { offset, length } = node.span;
  const opposite = `!(${comparison.source.slice(offset, offset + length)}\n)`;
  const request = requestThatDiffers(
    rule,
    applyEdits(comparison.source, [edit ?? { ...node.span, text: opposite }]),
    set,
    (around) => withText(rest ?? around, comparison, shows),
    rest ? undefined : valueCondition(comparison, shows),
  );
  const isMatch = request && rule.isMatch(request);
  const isLetIn = isMatch === (rule.rule.action === "allow");
  if (!request || (onlyIf && isLetIn !== (onlyIf === "let in")))
    return undefined;
  return {
    message: `${message}: this rule ${isMatch ? "matches" : "does not match"} it`,
    fix: edit ? `write ${edit.text}` : (fix ?? "correct it"),
    edits: edit && [{ kind: "replace", ...edit }],
    span: text === undefined ? node.span : literal.span,
    request,
  };
}

/** The comparison that a plain pattern is equivalent to, with another text. */
const written = (
  { subject, negated, operator }: TextComparison,
  text: string,
) =>
  operator === "=="
    ? `${subject} ${negated ? "!=" : "=="} ${quote(text)}`
    : `${subject} ${negated ? "not " : ""}${operator} ${quote(text)}`;

/** The replacement of a comparison; from a list, only one text is removed. */
function inPlace(
  { operator, list, text, negated, subject, elementsOf }: TextComparison,
  right: string | undefined,
): string {
  if (elementsOf !== undefined)
    return `${negated ? "none" : "any"}(${elementsOf}, ${right})`;
  const others = list.filter((one) => one !== text).map(quote);
  const rest = `${subject} in [${others.join(", ")}]`;
  const whole =
    right === undefined
      ? rest
      : operator === "in" && others.length > 0
        ? // The rest may fail because a value is missing.
          `${right} || ${rest}`
        : right;
  const isChain = / (\|\||&&) /.test(whole);
  return negated ? `!(${whole})` : isChain ? `(${whole})` : whole;
}

/** Holds for the requests in which a part has only this value. */
function valueCondition(
  { part, field }: TextComparison,
  value: string,
): Condition | undefined {
  const checked = checkExpression(
    field?.type === "ip"
      ? `${field.name} in cidr('${value}/${value.includes(":") ? 128 : 32}')`
      : field
        ? `${field.name} == ${quote(value)}`
        : `len(http.request.headers[${quote(part)}]) == 1 && http.request.headers[${quote(part)}][0] == ${quote(value)}`,
  );
  return checked.ok ? matches(checked.expression) : undefined;
}

/** The comparison that looks for a text anywhere in a part. */
export const containing = (subject: string, text: string) =>
  `${subject} contains ${quote(text)}`;

/** The comparison with a text, alone or in front of a sign such as a dot. */
export const aloneOrBefore = (subject: string, text: string, sign: string) =>
  `${subject} == ${quote(text)} || ${subject} startsWith ${quote(text + sign)}`;

/** Whether a comparison asks for the whole text. */
export const isWhole = ({ operator }: TextComparison) =>
  operator === "==" || operator === "in";
