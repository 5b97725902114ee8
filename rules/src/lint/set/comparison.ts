import {
  parseNetwork,
  type BinaryOperator,
  type CheckedExpression,
  type Field,
  type Node,
  type NodeOf,
  type OrderOperator,
  type RuleRequest,
} from "../../language";
import { canonicalHeaderName } from "../../language/request/header-names";
import type { VisitedNode } from "../../language/syntax/ast";
import { fieldNamed } from "../../language/tables/lookup";
import { onceFor } from "../../once-for";
import { patternTexts } from "../../language/regex/pattern-texts";
import { addressRanges } from "../../solver/integer-set";
import { realisticAddress } from "../../solver/realistic-address";
import { realisticTexts, USER_AGENT_PARTS } from "../../solver/realistic-texts";
import { printOperand } from "../../language/syntax/print-expression";
import { asComparison } from "./plain-comparison";
import { headerOf, headerOrElse } from "./read-headers";

/** A text in an expression, and the part of a request that it is compared with. */
export interface TextComparison {
  /** Canonical name of the header, or name of the field. */
  readonly part: string;
  /** The field; absent for a header. */
  readonly field?: Field;
  /** Functions that are applied to the part first: `lower`, `upper`, `trim`. */
  readonly functions: readonly string[];
  /** `!=` is `==`, negated. */
  readonly operator: Exclude<BinaryOperator, "!="> | OrderOperator;
  readonly negated: boolean;
  /** The whole comparison. */
  readonly node: Node;
  /** The part, as it is printed. */
  readonly subject: string;
  readonly literal: NodeOf<"string">;
  /** The value of `literal`. */
  readonly text: string;
  /** Whether it is written as a pattern in which every character stands for itself. */
  readonly isOfPattern: boolean;
  /** For `in`: all texts of the list. */
  readonly list: readonly string[];
  /** For `'text' in list`: the list, whose elements are compared, as it is printed. */
  readonly elementsOf?: string;
  /** Whether it is one of several comparisons of a chain: `a <= b <= c`. */
  readonly isChained: boolean;
  /** All comparisons of the same part in the expression, this one included. */
  readonly ofPart: readonly TextComparison[];
  /** Whether a part of the expression joins conditions by `&&`. */
  readonly isBesideOthers: boolean;
}

type Types = CheckedExpression["types"];

/** Longer texts are skipped: programs write them, and checking them takes long. */
const LONGEST_TEXT = 500;

/** Every comparison of a part of a request with a text, in the order of the expression. */
export function comparisonsOf(
  nodes: readonly VisitedNode[],
  { types }: CheckedExpression,
): TextComparison[] {
  const isBesideOthers = nodes.some(
    ({ node }) => node.kind === "logical" && node.operator === "&&",
  );
  const byPart = new Map<string, TextComparison[]>();
  return nodes.flatMap(({ node, around }) => {
    if (node.kind !== "binary" && node.kind !== "order") return [];
    const plain = asComparison(node, types);
    return sidesOf(plain ?? node).flatMap((sides) => {
      const isElement = isHeaderList(sides.subject, types);
      const part = isElement
        ? headerPart(sides.subject, types)
        : partOf({ node: sides.subject, around }, types);
      if (!part) return [];
      const { operator, negated, subject, texts } = sides;
      const written = printOperand(subject);
      const list = texts.map(({ value }) => value);
      const ofPart = byPart.get(part.part) ?? [];
      byPart.set(part.part, ofPart);
      const short = texts.filter(({ value }) => value.length <= LONGEST_TEXT);
      const made = short.map((literal) => ({
        ...part,
        operator,
        negated,
        node,
        subject: isElement ? "#" : written,
        literal,
        text: literal.value,
        isOfPattern: plain !== undefined,
        list,
        ...(isElement && { elementsOf: written }),
        isChained: node.kind === "order" && node.operands.length > 2,
        ofPart,
        isBesideOthers,
      }));
      ofPart.push(...made);
      return made;
    });
  });
}

/** The beginnings that the comparisons of a part require of it. */
export const beginningsOf = onceFor((ofPart: readonly TextComparison[]) =>
  ofPart
    .filter(({ operator, negated }) => operator === "startsWith" && !negated)
    .map(({ text }) => text),
);

const isHeaderList = (node: Node, types: Types) =>
  types.get(node)?.kind === "list" && headerOrElse(node, types) !== undefined;

/** The operator with the same meaning for swapped operands. */
const SWAPPED = { "<": ">", ">": "<", "<=": ">=", ">=": "<=" } as const;

interface Sides extends Pick<TextComparison, "operator" | "negated"> {
  readonly subject: Node;
  readonly texts: readonly NodeOf<"string">[];
}

/** The sides of a comparison with literal texts; for a chain, of each comparison in it. */
function sidesOf(node: NodeOf<"binary" | "order">): Sides[] {
  if (node.kind === "order")
    return node.operators.flatMap((operator, i) => {
      const [left, right] = node.operands.slice(i, i + 2);
      if (!left || !right) return [];
      const negated = false;
      if (right.kind === "string")
        return [{ operator, negated, subject: left, texts: [right] }];
      const swapped = SWAPPED[operator];
      return left.kind === "string"
        ? [{ operator: swapped, negated, subject: right, texts: [left] }]
        : [];
    });
  const { left, right } = node;
  const isEquality = node.operator === "==" || node.operator === "!=";
  const operator = node.operator === "!=" ? "==" : node.operator;
  const negated = node.negated || node.operator === "!=";
  const texts = textsOf(right);
  if (texts.length > 0) return [{ operator, negated, subject: left, texts }];
  const isOfElements = operator === "in";
  return (isEquality || isOfElements) && left.kind === "string"
    ? [{ operator: "==", negated, subject: right, texts: [left] }]
    : [];
}

/** A literal text, those of a list, or the network of `cidr`. */
function textsOf(node: Node): NodeOf<"string">[] {
  if (node.kind === "string") return [node];
  if (node.kind === "list") return node.elements.flatMap(textsOf);
  return node.kind === "call" && node.name === "cidr"
    ? node.args.flatMap(textsOf)
    : [];
}

type Part = Pick<TextComparison, "part" | "field" | "functions">;

/** The part of a request whose text a node is. */
function partOf({ node, around }: VisitedNode, types: Types): Part | undefined {
  const field = fieldNamed(types.get(node)?.name ?? "");
  if (field && field.type !== "headers")
    return { part: field.name, field, functions: [] };
  switch (node.kind) {
    case "pointer":
      return headerPart(around, types);
    case "member":
      return headerPart(node.object, types);
    case "coalesce":
      return partOf({ node: node.left, around }, types);
    case "call": {
      const [text] = node.args;
      const inner = text && partOf({ node: text, around }, types);
      return inner && { ...inner, functions: [...inner.functions, node.name] };
    }
    default:
      return undefined;
  }
}

function headerPart(list: Node | undefined, types: Types): Part | undefined {
  if (list?.kind === "coalesce") return headerPart(list.left, types);
  if (list?.kind === "quantifier") return headerPart(list.list, types);
  const name = headerOf(list, types);
  return name === undefined
    ? undefined
    : { part: canonicalHeaderName(name) ?? name, functions: [] };
}

/** The network that the address of the client is compared with; undefined for another comparison. */
export const networkOf = ({ field, text }: TextComparison) =>
  field?.type === "ip" ? parseNetwork(text) : undefined;

function withValue(
  request: RuleRequest,
  { part, field }: Pick<TextComparison, "part" | "field">,
  value: string,
): RuleRequest {
  const { userAgent, headers } = request;
  if (USER_AGENT_PARTS.includes(part)) {
    // The flags of bots are those of the former user agent.
    const { isAiBot: _ai, isCrawlerBot: _crawler, ...rest } = request;
    if (userAgent && headers["User-Agent"])
      return {
        ...{ ...rest, userAgent: value },
        headers: { ...headers, "User-Agent": [value] },
      };
    if (field) return { ...rest, [field.from]: value };
  }
  return field
    ? { ...request, [field.from]: value }
    : { ...request, headers: { ...request.headers, [part]: [value] } };
}

/** Parts for which `realisticTexts` knows whole texts that contain a given text. */
const WITH_WHOLE_TEXTS = [...USER_AGENT_PARTS, "sdk.version"];

/** Requests with a text in one part: first within a real user agent or a whole version, then alone. */
export function withText(
  request: RuleRequest,
  comparison: Pick<TextComparison, "part" | "field">,
  text: string,
): RuleRequest[] {
  const { part } = comparison;
  const isWhole = text === "" || /^Mozilla\/.*\)/.test(text);
  const isPart = !isWhole && WITH_WHOLE_TEXTS.includes(part);
  const whole = isPart
    ? realisticTexts(part, [text]).filter((one) =>
        one.toLowerCase().includes(text.toLowerCase()),
      )
    : [];
  return [...whole, text].map((one) => withValue(request, comparison, one));
}

/** So many comparisons of a rule are looked at for `requestsWith`. */
const MOST_TRIED = 3;

/** Requests with the text of one comparison, realistic ones first. The caller checks what they meet. */
export const requestsWith = (
  comparisons: readonly TextComparison[],
): readonly RuleRequest[] =>
  comparisons.slice(0, MOST_TRIED).flatMap((comparison) => {
    const { part, operator, text, negated } = comparison;
    const network = networkOf(comparison);
    const texts = network
      ? [realisticAddress(addressRanges(network)) ?? text]
      : operator === "matches"
        ? (patternTexts(text)?.texts ?? [])
            .slice(0, 1)
            .map((sample) => sample.text)
        : [text];
    return negated
      ? []
      : texts.flatMap((each) =>
          [...realisticTexts(part, [each]), each].map((value) =>
            withValue({ headers: {} }, comparison, value),
          ),
        );
  });
