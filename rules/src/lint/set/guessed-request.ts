import type { RuleRequest } from "../../language";
import { type Core, headerNameOf, literalTextOf } from "../../core/core";
import { isCanonicalHeaderName } from "../../language/request/header-names";
import { addressNumber, addressText } from "../../solver/integer-set";

/** The parts of a request that are guessed so far. */
interface Guess {
  readonly headers: Record<string, readonly string[]>;
  readonly members: Partial<Record<keyof RuleRequest, string | boolean>>;
}

/**
 * A request that an expression probably matches: the parts that the expression
 * reads have the texts that it names. Far quicker than a search.
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
      if (wanted) fillPart(guess, list, textWanted(condition)?.text);
      return;
    }
    case "network":
      guess.members.ip ??= addressText(addressNumber(node.network.address));
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
      const wanted = textWanted(node);
      if (wanted) fillPart(guess, wanted.of, wanted.text);
    }
  }
}

/** What a comparison compares, and the first text with which it holds; undefined where that is not seen at once. */
function textWanted(
  node: Core,
): { readonly of: Core; readonly text: string | undefined } | undefined {
  switch (node.kind) {
    case "equal":
    case "text":
      return { of: node.left, text: literalTextOf(node.right) };
    case "matches":
      return { of: node.text, text: node.pattern };
    case "in": {
      const [first] = node.list.kind === "list" ? node.list.elements : [];
      return { of: node.needle, text: literalTextOf(first) };
    }
    default:
      return undefined;
  }
}

function fillPart(
  { headers, members }: Guess,
  node: Core,
  value: string | boolean | undefined,
): void {
  if (value === undefined) return;
  const header = headerNameOf(node.kind === "element" ? node.list : node);
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
