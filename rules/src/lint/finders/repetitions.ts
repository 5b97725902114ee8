import {
  withBrackets,
  type CheckedExpression,
  type Node,
  type NodeOf,
} from "../../language";
import { coreOf } from "../../core/lower";
import { patternTexts } from "../../language/regex/pattern-texts";
import {
  partsOfPattern,
  patternTree,
  type PatternPart,
} from "../../language/regex/pattern-tree";
import { canonicalText, quote } from "../../language/syntax/print-expression";
import {
  replacement,
  type FindInRule,
  type LintResult,
  type RuleEdit,
} from "../set/lint";
import { isWithin, networkTest } from "../set/network-test";
import { sourceOf, writtenOnce } from "../set/shown";

/**
 * Finds what can be left out without changing anything: a value or a condition that is
 * there twice, a network within another network, a choice between two equal branches,
 * and a part of a pattern that another part covers.
 */
export const findRepeated: FindInRule = ({ nodes, expression }) =>
  nodes.flatMap(({ node }): LintResult | readonly LintResult[] => {
    switch (node.kind) {
      case "list":
        return repeatedValue(node, expression) ?? [];
      case "logical":
        return superfluousOperands(node, expression);
      case "conditional": {
        const { consequent, alternate } = node;
        if (
          !consequent ||
          canonicalText(consequent) !== canonicalText(alternate)
        )
          return [];
        const text = sourceOf(consequent, expression);
        return writtenOnce(
          replacement(node, text),
          `both branches are ${text}`,
        );
      }
      case "binary": {
        const { operator, right } = node;
        if (operator !== "matches" || right.kind !== "string") return [];
        const found = twiceInClass(right.value) ?? superfluous(right.value);
        return found
          ? writtenOnce(replacement(right, quote(found.pattern)), found.message)
          : [];
      }
      default:
        return [];
    }
  });

function repeatedValue(
  node: NodeOf<"list">,
  expression: CheckedExpression,
): LintResult | undefined {
  const first = new Map<string, Node>();
  let again: string | undefined;
  for (const element of node.elements) {
    const text = canonicalText(element);
    if (first.has(text)) again ??= text;
    else first.set(text, element);
  }
  if (again === undefined) return undefined;
  const once = [...first.values()].map((element) =>
    sourceOf(element, expression),
  );
  return writtenOnce(
    replacement(node, `[${once.join(", ")}]`),
    `${again} is written here twice`,
  );
}

/**
 * Operands of a chain that an equal operand in front of it decides, or the test of a
 * wider network: `||` of `in`, and `&&` of `not in`.
 */
function superfluousOperands(
  { operator, operands }: NodeOf<"logical">,
  expression: CheckedExpression,
): LintResult[] {
  const texts = operands.map((operand) => canonicalText(operand));
  const tests = operands.map((operand) => {
    const test = networkTest(operand);
    return test?.negated === (operator === "&&") ? test : undefined;
  });
  return operands.flatMap((operand, place) => {
    const test = tests[place];
    const wide = tests.findIndex(
      (other, at) =>
        test &&
        other &&
        at !== place &&
        isWithin(test.network, other.network) &&
        // Of two equal networks, the second one is superfluous.
        (at < place || !isWithin(other.network, test.network)) &&
        // Without the narrow test, an operand in between that may fail would be
        // evaluated more often.
        !operands.slice(place, at).some((each) => mayFail(each, expression)),
    );
    const isTwice = texts.indexOf(texts[place] ?? "") < place;
    const isSuperfluous = wide >= 0 || (isTwice && operand.kind !== "boolean");
    if (!isSuperfluous || isSeam(operands, place, expression)) return [];
    const text = test?.text ?? sourceOf(operand, expression);
    const other = tests[wide];
    const isWithinOther = other && other.text !== text;
    return {
      message: isWithinOther
        ? `${text} lies in ${other.text}, which is in this chain, too`
        : `${text} is in this chain twice`,
      // Somebody may have meant another network.
      ...(isWithinOther && { severity: "warning" }),
      fix: `leave out the condition${test ? ` for ${text}` : ""}`,
      span: operand.span,
      edits: withoutOperand(operands, place),
      removes: true,
    };
  });
}

/** The edit that removes an operand with its operator. */
function withoutOperand(operands: readonly Node[], place: number): RuleEdit[] {
  const [before, self, after] = [-1, 0, 1].map((step) => {
    const node = operands[place + step];
    const span = node && withBrackets(node);
    return span && { start: span.offset, end: span.offset + span.length };
  });
  if (!self) return [];
  const [offset, end] = before
    ? [before.end, self.end]
    : [self.start, after?.start ?? self.end];
  return [{ kind: "replace", offset, length: end - offset, text: "" }];
}

/**
 * Whether an operand must not be removed: the operand before it may be nil, which is
 * allowed only at the end of a chain.
 */
function isSeam(
  operands: readonly Node[],
  place: number,
  { types }: CheckedExpression,
): boolean {
  const before = operands[place - 1];
  return (
    before !== undefined &&
    place === operands.length - 1 &&
    types.get(before)?.nullable === true
  );
}

function mayFail(operand: Node, expression: CheckedExpression): boolean {
  const core = coreOf({ ...expression, root: operand });
  return core.mayFail || core.mayBeNil;
}

interface Shorter {
  readonly pattern: string;
  readonly message: string;
}

function twiceInClass(pattern: string): Shorter | undefined {
  for (const part of partsOfPattern(pattern)) {
    if (part.kind !== "one") continue;
    const [, not = "", members = ""] =
      /^\[(\^?)([^\\\]^[-]+)\]$/.exec(part.source) ?? [];
    const once = [...new Set(members)].join("");
    if (once === members) continue;
    return {
      pattern:
        pattern.slice(0, part.from) +
        `[${not}${once}]` +
        pattern.slice(part.to),
      message: `${part.source} has a character twice`,
    };
  }
  return undefined;
}

/** Finds an alternative that contains the text of another alternative. The pattern may match anywhere. */
function superfluous(pattern: string): Shorter | undefined {
  const tree = patternTree(pattern);
  if (tree?.kind !== "alternatives" || tree.parts.length < 2) return undefined;
  const textOf = ({ from, to }: PatternPart) => pattern.slice(from, to);
  // Flags in front of the first alternative apply to all alternatives.
  const isPlain = tree.parts.every((part) => /^[\w /.;-]+$/.test(textOf(part)));
  const sought = isPlain ? patternTexts(pattern)?.texts : undefined;
  const again = tree.parts.findIndex((part, i) =>
    tree.parts.some(
      (other, j) =>
        i !== j &&
        (textOf(part) === textOf(other)
          ? j < i
          : textOf(part).includes(textOf(other)) &&
            !textOf(other).includes(".")),
    ),
  );
  const part = tree.parts[again];
  if (!sought || !part) return undefined;
  const others = tree.parts.toSpliced(again, 1).map(textOf);
  return {
    pattern: others.join("|"),
    message: `${quote(textOf(part))} is found by another alternative, too`,
  };
}
