import type { BinaryOperator, Node, ValueType } from "../language";
import { quote } from "../language/syntax/print-expression";
import { headerOf, headerReadBy } from "./header-read";
import type { Lint } from "./lint";
import type { Visit } from "./linted-set";

/** Origins that are compared with a host alone. */
export const originWithoutScheme: Lint = {
  code: "origin-without-scheme",
  severity: "warning",
  doc: "The header `Origin` is compared with a text that has no scheme.",
  detail:
    "Browsers send a scheme, as in `https://shop.example`, or `null`, so the two are never equal.",
  example: {
    found: [
      {
        name: "our-shop",
        expression: "any(http.request.headers['Origin'], # == 'shop.example')",
        action: "allow",
      },
      { name: "others", expression: "true", action: "deny" },
    ],
    fixed: [
      {
        name: "our-shop",
        expression:
          "any(http.request.headers['Origin'], # == 'https://shop.example')",
        action: "allow",
      },
      { name: "others", expression: "true", action: "deny" },
    ],
  },
  of: "rule",
  find: ({ nodes, expression: { types } }) =>
    nodes.flatMap((visit) =>
      comparedWithOrigin(visit, types).flatMap(({ value, span }) => [
        {
          message: `an Origin begins with a scheme, ${quote(value)} does not`,
          fix: `write ${quote(`https://${value}`)}`,
          span,
        },
      ]),
    ),
};

/** The texts without a scheme that an Origin is compared with. */
function comparedWithOrigin(
  { node, around }: Visit,
  types: ReadonlyMap<Node, ValueType>,
) {
  if (node.kind !== "binary") return [];
  const { operator, left, right } = node;
  const isOrigin = (side: Node) =>
    [headerReadBy({ node: side, around }, types), headerOf(side, types)].some(
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
    // The beginning of an origin may end within its scheme.
    startsWith: (text) =>
      isNoOrigin(text) && /^(?:localhost|[\w-]+\.)/.test(text),
  };
