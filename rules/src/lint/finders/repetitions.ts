import type { Node } from "../../language";
import { patternTexts } from "../../language/regex/pattern-texts";
import {
  partsOfPattern,
  patternTree,
  type PatternPart,
} from "../../language/regex/pattern-tree";
import { canonicalText, quote } from "../../language/syntax/print-expression";
import { replacement, type FindInRule } from "../set/lint";
import { writtenOnce, sourceOf } from "../set/shown";

/** Finds texts that a list has twice. */
export const findRepeatedValue: FindInRule = ({ nodes, expression }) =>
  nodes.flatMap(({ node }) => {
    if (node.kind !== "list") return [];
    const first = new Map<string, Node>();
    let again: string | undefined;
    for (const element of node.elements) {
      const text = canonicalText(element);
      if (first.has(text)) again ??= text;
      else first.set(text, element);
    }
    if (again === undefined) return [];
    const once = [...first.values()].map((one) => sourceOf(one, expression));
    return [
      writtenOnce(
        replacement(node, `[${once.join(", ")}]`),
        `${again} is written here twice`,
      ),
    ];
  });

/** Finds conditions that occur twice in one chain of `&&` or `||`. */
export const findRepeatedCondition: FindInRule = ({ nodes, expression }) =>
  nodes.flatMap(({ node }) => {
    if (node.kind !== "logical") return [];
    const seen = new Set<string>();
    const again = node.operands.find((operand) => {
      const text = canonicalText(operand);
      return seen.size === seen.add(text).size;
    });
    // overlapping-networks finds repeated networks.
    if (!again || again.kind === "boolean" || isNetworkTest(again)) return [];
    const text = sourceOf(again, expression);
    return {
      message: `${text} is written here twice`,
      fix: "remove the repetition",
      span: again.span,
    };
  });

const isNetworkTest = (node: Node) =>
  node.kind === "binary" &&
  node.right.kind === "call" &&
  node.right.name === "cidr";

/** Finds choices whose two branches are the same. */
export const findSameBranches: FindInRule = ({ nodes, expression }) =>
  nodes.flatMap(({ node }) => {
    if (node.kind !== "conditional") return [];
    const { consequent, alternate } = node;
    if (!consequent) return [];
    const isSame = canonicalText(consequent) === canonicalText(alternate);
    const text = sourceOf(consequent, expression);
    return isSame
      ? [writtenOnce(replacement(node, text), `both branches are ${text}`)]
      : [];
  });

/** Finds characters that a class of a pattern has twice, and alternatives that add nothing to another alternative. */
export const findRepeatedInPattern: FindInRule = ({ nodes }) =>
  nodes.flatMap(({ node }) => {
    if (node.kind !== "binary" || node.operator !== "matches") return [];
    const { right } = node;
    if (right.kind !== "string") return [];
    const pattern = right.value;
    const found = twiceInClass(pattern) ?? superfluous(pattern);
    return found
      ? [writtenOnce(replacement(right, quote(found.pattern)), found.message)]
      : [];
  });

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
