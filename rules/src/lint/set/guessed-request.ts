import type { RuleRequest } from "../../language";
import { type Core, headerNameOf, literalTextOf } from "../../core/core";
import { patternTexts } from "../../language/regex/pattern-texts";
import { isCanonicalHeaderName } from "../../language/request/header-names";
import { operatorsOf, rowOf } from "../../language/tables/lookup";
import { addressRanges } from "../../solver/integer-set";
import { realisticAddress } from "../../solver/realistic-address";
import { realisticTexts } from "../../solver/realistic-texts";

interface Guess {
  readonly headers: Record<string, readonly string[]>;
  readonly members: Partial<Record<keyof RuleRequest, string | boolean>>;
}

/**
 * A request that an expression probably matches: the parts that it reads have the texts
 * in it. A guess is much faster than a search.
 */
export function guessedRequest(expression: Core): RuleRequest {
  const guess: Guess = { headers: {}, members: {} };
  fill(guess, expression);
  return { ...guess.members, headers: guess.headers } as RuleRequest;
}

function fill(guess: Guess, node: Core): void {
  switch (node.kind) {
    case "logical": {
      const { decides, operands } = node;
      for (const operand of decides ? operands.slice(0, 1) : operands)
        fill(guess, operand);
      return;
    }
    case "some": {
      const { list, condition, wanted } = node;
      if (wanted) fillPart(guess, list, textWanted(condition, list));
      return;
    }
    case "order": {
      // `count(list, condition) > 0`
      const [count] = node.operands;
      const [list] = count?.kind === "call" ? count.args : [];
      if (list?.kind === "filter")
        fillPart(guess, list.list, textWanted(list.condition, list.list));
      return;
    }
    case "network":
      guess.members.ip ??= realisticAddress(addressRanges(node.network));
      return;
    case "field":
      fillPart(guess, node, true);
      return;
    case "not": {
      // `'X-A' in http.request.headers` is that its values do not equal nil.
      const { operand } = node;
      if (operand.kind === "equal" && operand.left.kind === "header")
        fillPart(guess, operand.left, "");
      return;
    }
    default: {
      const of = comparedIn(node);
      if (of) fillPart(guess, of, textWanted(node, of));
    }
  }
}

function comparedIn(node: Core): Core | undefined {
  switch (node.kind) {
    case "equal":
    case "text":
      return node.left;
    case "matches":
      return node.text;
    case "in":
      return node.needle;
    default:
      return undefined;
  }
}

/**
 * The first text for which a comparison of a part of a request holds; undefined if this
 * needs a search.
 */
function textWanted(node: Core, part: Core): string | undefined {
  switch (node.kind) {
    case "equal":
      return literalTextOf(node.right);
    case "text": {
      const text = literalTextOf(node.right);
      const { holds } = rowOf(operatorsOf.text, node.operator.name);
      return text === undefined
        ? undefined
        : (realisticTexts(partName(part), [text]).find((one) =>
            holds(one, text),
          ) ?? text);
    }
    case "matches": {
      const { pattern, read } = node;
      const text = patternTexts(pattern)?.texts[0]?.text ?? pattern;
      return (
        realisticTexts(partName(part), [text]).find((one) => read.test(one)) ??
        text
      );
    }
    case "in": {
      const [first] = node.list.kind === "list" ? node.list.elements : [];
      return literalTextOf(first);
    }
    default:
      return undefined;
  }
}

function partName(node: Core): string {
  return node.kind === "field" ? node.field.name : (headerIn(node) ?? "");
}

/** The name of the header that a node reads, one value or all values: `h[0]`, `h ?? []`. */
function headerIn(node: Core): string | undefined {
  if (node.kind === "element") return headerIn(node.list);
  return node.kind === "coalesce" ? headerIn(node.left) : headerNameOf(node);
}

function fillPart(
  { headers, members }: Guess,
  node: Core,
  value: string | boolean | undefined,
): void {
  if (value === undefined) return;
  const header = headerIn(node);
  if (header !== undefined && typeof value === "string") {
    if (isCanonicalHeaderName(header)) headers[header] ??= [value];
  } else if (
    node.kind === "field" &&
    (node.field.type === "boolean") === (value === true)
  ) {
    const { from, symbolic } = node.field;
    members[from] ??= symbolic?.kind === "equals" ? symbolic.value : value;
  }
}
