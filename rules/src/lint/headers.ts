import {
  type Node,
  type ValueType,
  checkExpression,
  type BinaryOperator,
} from "../language";
import { headerNameMistake } from "../language/request/header-names";
import { quote } from "../language/syntax/print-expression";
import { all, matches, type Condition } from "../solver/condition";
import type { FindInRule } from "./lint";
import type { Visit, LintedRule } from "./linted-set";

/** The name of the header whose values a list holds, as the expression spells it. */
export function headerOf(
  list: Node | undefined,
  types: ReadonlyMap<Node, ValueType>,
): string | undefined {
  const isHeader =
    list?.kind === "member" &&
    list.property.kind === "string" &&
    types.get(list.object)?.kind === "headers";
  return isHeader && list.property.kind === "string"
    ? list.property.value
    : undefined;
}

/**
 * The name of the header that a node is a value of: `headers['Origin'][0]`, or
 * `#` in `any(headers['Origin'], ...)`; in lower or upper case or trimmed, too.
 */
export function headerReadBy(
  { node, around }: Visit,
  types: ReadonlyMap<Node, ValueType>,
): string | undefined {
  switch (node.kind) {
    case "pointer":
      return headerOf(around, types);
    case "member":
      return headerOf(node.object, types);
    case "call": {
      const [text] = node.args;
      return text && headerReadBy({ node: text, around }, types);
    }
    default:
      return undefined;
  }
}

/**
 * Holds for ordinary requests: every header that the rule reads has a value if
 * the request has the header.
 */
export function sentHeaders({ nodes, expression }: LintedRule): Condition {
  const names = nodes.flatMap(
    ({ node }) => headerOf(node, expression.types) ?? [],
  );
  return all(
    ...[...new Set(names)].flatMap((name) => {
      const checked = checkExpression(
        `${quote(name)} not in http.request.headers || len(http.request.headers[${quote(name)}]) > 0`,
      );
      return checked.ok ? [matches(checked.expression)] : [];
    }),
  );
}

/** Finds header names under which rules see no header. */
export const findHeaderNameCase: FindInRule = ({
  nodes,
  expression: { types },
}) =>
  nodes.flatMap(({ node }) => {
    const name =
      node.kind === "member" && types.get(node.object)?.kind === "headers"
        ? node.property
        : node.kind === "binary" && types.get(node.right)?.kind === "headers"
          ? node.left
          : undefined;
    if (name?.kind !== "string") return [];
    const mistake = headerNameMistake(name.value);
    if (!mistake) return [];
    const { message, meant } = mistake;
    const fix =
      meant === undefined
        ? "write the name of a header, such as Origin"
        : `write ${meant}`;
    return [{ message, fix, span: name.span }];
  });

/** Finds origins that are compared with a host alone. */
export const findOriginWithoutScheme: FindInRule = ({
  nodes,
  expression: { types },
}) =>
  nodes.flatMap((visit) =>
    comparedWithOrigin(visit, types).flatMap(({ value, span }) => [
      {
        message: `an Origin begins with a scheme, ${quote(value)} does not`,
        fix: `write ${quote(`https://${value}`)}`,
        span,
      },
    ]),
  );

/** The texts without a scheme that an expression compares an Origin with. */
function comparedWithOrigin(
  { node, around }: Visit,
  types: ReadonlyMap<Node, ValueType>,
) {
  if (node.kind !== "binary") return [];
  const { operator, left, right } = node;
  const isOrigin = (side: Node) =>
    [headerReadBy({ node: side, around }, types), headerOf(side, types)].some(
      // Another spelling is a mistake, too, and both are told at once.
      (name) => name?.toLowerCase() === "origin",
    );
  const others = [
    ...(isOrigin(left) ? [right] : []),
    ...(isOrigin(right) && operator !== "startsWith" ? [left] : []),
  ];
  const lacksScheme = LACKS_SCHEME[operator];
  return others
    .flatMap((other) => (other.kind === "list" ? other.elements : [other]))
    .filter((text) => text.kind === "string")
    .filter(({ value }) => lacksScheme?.(value));
}

const isNoOrigin = (text: string) =>
  text !== "" && text.toLowerCase() !== "null" && !text.includes("://");

const LACKS_SCHEME: Partial<Record<BinaryOperator, (text: string) => boolean>> =
  {
    "==": isNoOrigin,
    "!=": isNoOrigin,
    in: isNoOrigin,
    // A beginning such as `https:/` may end within the scheme.
    startsWith: (text) =>
      isNoOrigin(text) && /^(?:localhost|[\w-]+\.)/.test(text),
  };
