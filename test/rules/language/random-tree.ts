import fc from "fast-check";
import type { Node } from "../../../rules/src/language";
import { FUNCTIONS, OPERATORS } from "../../../rules/src/language";

const span = { offset: 0, length: 0 };

/** A node without its place: each syntax form, as a function of its children. */
interface Form {
  readonly children: number;
  readonly make: (...children: Node[]) => Node;
}

const leaf = (make: () => Node): Form => ({ children: 0, make });
const form = (children: number, make: (...nodes: Node[]) => Node): Form => ({
  children,
  make,
});
/** The children of a form, if their number is right. */
const child = (nodes: readonly Node[], place: number): Node => {
  const node = nodes[place];
  if (!node) throw new Error(`a form lacks its child ${place}`);
  return node;
};

const LEAVES: readonly Form[] = [
  leaf(() => ({ kind: "boolean", value: true, span })),
  leaf(() => ({ kind: "nil", span })),
  leaf(() => ({ kind: "integer", value: 9_007_199_254_740_993n, span })),
  leaf(() => ({ kind: "float", value: 0.5, span })),
  leaf(() => ({ kind: "float", value: 1e21, span })),
  leaf(() => ({ kind: "string", value: "it's \\ \n", span })),
  leaf(() => ({ kind: "name", name: "a", span })),
  leaf(() => ({ kind: "pointer", span })),
];

/** Every form that has children, with the operators and functions of the tables. */
const BRANCHES: readonly Form[] = [
  form(1, (...nodes) => ({
    kind: "member",
    object: child(nodes, 0),
    property: { kind: "string", value: "not", span },
    notation: "dot",
    span,
  })),
  form(2, (...nodes) => ({
    kind: "member",
    object: child(nodes, 0),
    property: child(nodes, 1),
    notation: "index",
    span,
  })),
  ...OPERATORS.flatMap((row): Form[] => {
    switch (row.kind) {
      case "prefix":
        return [
          form(1, (...nodes) => ({
            kind: "unary",
            operator: row.name,
            operand: child(nodes, 0),
            span,
          })),
        ];
      case "logical":
        return [2, 3].map((count) =>
          form(count, (...operands) => ({
            kind: "logical",
            operator: row.name,
            operands,
            span,
          })),
        );
      case "order":
        return [1, 2].map((count) =>
          form(count + 1, (...operands) => ({
            kind: "order",
            operators: Array<typeof row.name>(count).fill(row.name),
            operands,
            span,
          })),
        );
      case "choice":
        return row.name === "??"
          ? [
              form(2, (...nodes) => ({
                kind: "coalesce",
                left: child(nodes, 0),
                right: child(nodes, 1),
                span,
              })),
            ]
          : [
              form(3, (...nodes) => ({
                kind: "conditional",
                condition: child(nodes, 0),
                consequent: nodes[1],
                alternate: child(nodes, 2),
                span,
              })),
              form(2, (...nodes) => ({
                kind: "conditional",
                condition: child(nodes, 0),
                consequent: undefined,
                alternate: child(nodes, 1),
                span,
              })),
            ];
      default:
        return [false, ...("isNegatable" in row ? [true] : [])].map((negated) =>
          form(2, (...nodes) => ({
            kind: "binary",
            operator: row.name,
            negated,
            left: child(nodes, 0),
            right: child(nodes, 1),
            span,
          })),
        );
    }
  }),
  form(0, () => ({ kind: "list", elements: [], span })),
  form(2, (...elements) => ({ kind: "list", elements, span })),
  ...FUNCTIONS.flatMap((row): Form[] =>
    row.kind === "quantifier"
      ? [
          form(2, (...nodes) => ({
            kind: "quantifier",
            name: row.name,
            list: child(nodes, 0),
            condition: child(nodes, 1),
            span,
          })),
        ]
      : [form(2, (...args) => ({ kind: "call", name: row.name, args, span }))],
  ),
  form(1, (...nodes) => ({
    kind: "quantifier",
    name: "count",
    list: child(nodes, 0),
    condition: undefined,
    span,
  })),
];

const FORMS: readonly Form[] = [...LEAVES, ...BRANCHES];

/** A form whose children are one of each kind. */
const KINDS: readonly Form[] = [
  ...new Map(
    BRANCHES.filter(({ children }) => children > 0).map((one) => {
      const children = Array.from({ length: one.children }, plain);
      return [one.make(...children).kind, one] as const;
    }),
  ).values(),
];

/** A node for places that do not matter. Each place of a tree gets its own copy. */
function plain(): Node {
  return { kind: "name", name: "x", span };
}

/** A tree in which `#` has a meaning. */
const withinQuantifier = (condition: Node): Node => ({
  kind: "quantifier",
  name: "any",
  list: { kind: "list", elements: [], span },
  condition,
  span,
});

/**
 * All trees of these shapes: each form as each child of each form, and each kind of
 * node in each place of that pair. They cover everything that the printer decides from
 * a node and its neighbours.
 */
export function* everyNeighbourhood(): Generator<Node> {
  const within = (around: Form, inner: Node): Node[] =>
    Array.from({ length: around.children }, (_, place) =>
      around.make(
        ...Array.from({ length: around.children }, (__, i) =>
          i === place ? inner : plain(),
        ),
      ),
    );
  for (const innermost of FORMS) {
    const made = innermost.make(
      ...Array.from({ length: innermost.children }, plain),
    );
    for (const middle of BRANCHES)
      for (const tree of within(middle, made)) {
        yield withinQuantifier(tree);
        for (const outer of KINDS.includes(innermost) ? KINDS : [])
          for (const whole of within(outer, tree))
            yield withinQuantifier(whole);
      }
  }
}

/** Trees of any form with any form in any place. Types are ignored. */
export const tree: fc.Arbitrary<Node> = fc
  .letrec<{ node: Node }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 6, depthIdentifier: "tree" },
      ...LEAVES.map((one) => fc.constant(one).map(({ make }) => make())),
      ...BRANCHES.map((one) =>
        fc
          .tuple(...Array<fc.Arbitrary<Node>>(one.children).fill(tie("node")))
          .map((children) => one.make(...children)),
      ),
    ),
  }))
  .node.map(withinQuantifier);
