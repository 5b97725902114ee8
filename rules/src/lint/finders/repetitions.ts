import { isWithin, withBrackets, type Node, type NodeOf } from "../../language";
import { patternTexts } from "../../language/regex/pattern-texts";
import {
  partsOfPattern,
  patternTree,
  type PatternPart,
} from "../../language/regex/pattern-tree";
import {
  canonicalText,
  printOperand,
  quote,
} from "../../language/syntax/print-expression";
import {
  replacement,
  rewriting,
  type FindInRule,
  type LintResult,
  type TreeReplacement,
} from "../set/lint";
import { networkOf } from "../set/comparison";
import type { LintedRule } from "../set/linted-set";
import { keepsMatches } from "../set/prove";

/** What can be left out of an expression, and what takes its place. */
interface Superfluous extends Omit<LintResult, "fix"> {
  /** Default: to write what takes its place. */
  readonly fix?: string;
  readonly edit: TreeReplacement;
  /** Whether a part in front of it always decides. Default: that nothing changes is yet to be proven. */
  readonly isDecided?: boolean;
}

/**
 * Finds what can be left out without changing anything: a value or a condition that is
 * there twice, a network within another network, a choice between two equal branches,
 * and a part of a pattern that another part covers.
 */
export const findRepeated: FindInRule = (rule, set) =>
  rule.nodes.map(({ node }) =>
    [superfluousIn(node, rule) ?? []]
      .flat()
      .filter((each) => each.isDecided || keepsMatches(rule, each.edit, set))
      .map(({ edit, isDecided: _, ...found }) => ({
        ...rewriting(edit),
        ...found,
        removes: true,
      })),
  );

function superfluousIn(
  node: Node,
  rule: LintedRule,
): Superfluous | undefined | readonly Superfluous[] {
  switch (node.kind) {
    case "list": {
      const texts = node.elements.map(canonicalText);
      // The last of equal entries stays, which is the first element with the text.
      const first = new Map(
        texts.map((text, i) => [text, i] as const).reverse(),
      );
      const once = node.elements.filter(
        (_, i) => first.get(texts[i] ?? "") === i,
      );
      const again =
        texts[node.elements.findIndex((each, i) => each !== once[i])];
      return again === undefined
        ? undefined
        : {
            message: `${again} is written here twice`,
            edit: replacement(node, `[${once.map(printOperand).join(", ")}]`),
          };
    }
    case "logical":
      return inChain(node, rule);
    case "conditional": {
      const { consequent, alternate } = node;
      if (!consequent || canonicalText(consequent) !== canonicalText(alternate))
        return undefined;
      const edit = replacement(node, printOperand(consequent));
      return { message: `both branches are ${edit.text}`, edit };
    }
    case "binary": {
      const { operator, right } = node;
      if (operator !== "matches" || right.kind !== "string") return undefined;
      const found = twiceInClass(right.value) ?? coveredIn(right.value);
      return (
        found && {
          message: found.message,
          edit: replacement(right, quote(found.pattern)),
        }
      );
    }
    default:
      return undefined;
  }
}

/**
 * The operands of a chain that an equal operand in front of them decides, or the test of a
 * wider network: `||` of `in`, and `&&` of `not in`.
 */
function inChain(chain: NodeOf<"logical">, rule: LintedRule): Superfluous[] {
  const { operator, operands } = chain;
  const tests = operands.map((each) => {
    const test = rule.comparedAt(each);
    const network = test && networkOf(test);
    return network && test.negated === (operator === "&&")
      ? { text: test.text, network }
      : undefined;
  });
  const seen = new Set<string>();
  return operands.flatMap((operand, place) => {
    const test = tests[place];
    const wideAt = tests.findIndex((other, at) => {
      if (!test || !other || at === place) return false;
      // Of two equal networks, the second one is superfluous.
      const isEqual = isWithin(other.network, test.network);
      return isWithin(test.network, other.network) && (!isEqual || at < place);
    });
    const other = tests[wideAt]?.text;
    const canonical = canonicalText(operand);
    const isTwice = operand.kind !== "boolean" && seen.has(canonical);
    seen.add(canonical);
    if (other === undefined && !isTwice) return [];
    const text = test?.text ?? printOperand(operand);
    const isOther = other !== undefined && other !== text;
    // The operand goes with the operator beside it.
    const [before, after] = [operands[place - 1], operands[place + 1]];
    const self = withBrackets(operand);
    const start = before ? endOf(before) : self.offset;
    const end = !before && after ? withBrackets(after).offset : endOf(operand);
    const rest = operands.toSpliced(place, 1);
    const [only = operand, ...others] = rest;
    return {
      message: isOther
        ? `${text} lies in ${other}, which is in this chain, too`
        : `${text} is in this chain twice`,
      // Somebody may have meant another network.
      severity: isOther ? "warning" : undefined,
      fix: `leave out the condition${test ? ` for ${text}` : ""}`,
      span: operand.span,
      isDecided: isTwice || wideAt < place,
      edit: {
        ...{ kind: "replace", offset: start, length: end - start, text: "" },
        node: chain,
        by: others.length === 0 ? only : { ...chain, operands: rest },
      },
    };
  });
}

const endOf = (node: Node) => {
  const { offset, length } = withBrackets(node);
  return offset + length;
};

/** A pattern without what is there twice. */
interface Shorter {
  readonly pattern: string;
  readonly message: string;
}

function twiceInClass(pattern: string): Shorter | undefined {
  for (const { from, to } of partsOfPattern(pattern)) {
    const source = pattern.slice(from, to);
    const [, not = "", members = ""] =
      /^\[(\^?)([^\\\]^[-]+)\]$/.exec(source) ?? [];
    const once = [...new Set(members)].join("");
    if (once !== members)
      return {
        pattern: `${pattern.slice(0, from)}[${not}${once}]${pattern.slice(to)}`,
        message: `${source} has a character twice`,
      };
  }
  return undefined;
}

/** A pattern without the alternative that contains the text of another one. The pattern may match anywhere. */
function coveredIn(pattern: string): Shorter | undefined {
  const tree = patternTree(pattern);
  if (tree?.kind !== "alternatives" || !patternTexts(pattern)) return undefined;
  const texts = tree.parts.map(({ from, to }: PatternPart) =>
    pattern.slice(from, to),
  );
  // Flags in front of the first alternative apply to all alternatives.
  if (!texts.every((text) => /^[\w /.;-]+$/.test(text))) return undefined;
  const again = texts.findIndex((text, i) =>
    texts.some((other, j) =>
      text === other ? j < i : text.includes(other) && !other.includes("."),
    ),
  );
  return again < 0
    ? undefined
    : {
        pattern: texts.toSpliced(again, 1).join("|"),
        message: `${quote(texts[again] ?? "")} is found by another alternative, too`,
      };
}
