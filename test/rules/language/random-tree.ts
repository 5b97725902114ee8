import fc from "fast-check";
import type { Node } from "../../../rules/src/language";
import { FUNCTIONS, OPERATORS } from "../../../rules/src/language";

const span = { offset: 0, length: 0 };

/** A node without its place: each syntax form, as a function of its children. */
interface Form {
  readonly children: number;
  readonly make: (...children: Node[]) => Node;
}

/** A form with a child in each of these members. */
const form = (
  kind: Node["kind"],
  members: readonly string[] = [],
  rest: object = {},
): Form => ({
  children: members.length,
  make: (...children) =>
    ({
      kind,
      ...Object.fromEntries(members.map((name, i) => [name, children[i]])),
      ...rest,
      span,
    }) as Node,
});

/** A form whose children are a list. */
const listForm = (
  children: number,
  kind: Node["kind"],
  member: string,
  rest: object = {},
): Form => ({
  children,
  make: (...nodes) => ({ kind, [member]: nodes, ...rest, span }) as Node,
});

const LEAVES: readonly Form[] = [
  form("boolean", [], { value: true }),
  form("nil"),
  form("integer", [], { value: 9_007_199_254_740_993n }),
  form("float", [], { value: 0.5 }),
  form("float", [], { value: 1e21 }),
  form("string", [], { value: "it's \\ \n" }),
  form("name", [], { name: "a" }),
  form("pointer"),
];

/** Every form that has children, with the operators and functions of the tables. */
const BRANCHES: readonly Form[] = [
  form("member", ["object"], {
    property: { kind: "string", value: "not", span },
    notation: "dot",
  }),
  form("member", ["object", "property"], { notation: "index" }),
  ...OPERATORS.flatMap((row): Form[] => {
    const { name: operator } = row;
    switch (row.kind) {
      case "prefix":
        return [form("unary", ["operand"], { operator })];
      case "logical":
        return [2, 3].map((count) =>
          listForm(count, "logical", "operands", { operator }),
        );
      case "order":
        return [[operator], [operator, operator]].map((operators) =>
          listForm(operators.length + 1, "order", "operands", { operators }),
        );
      case "choice":
        return operator === "??"
          ? [form("coalesce", ["left", "right"])]
          : [
              form("conditional", ["condition", "consequent", "alternate"]),
              form("conditional", ["condition", "alternate"], {
                consequent: undefined,
              }),
            ];
      default:
        return [false, ...("isNegatable" in row ? [true] : [])].map((negated) =>
          form("binary", ["left", "right"], { operator, negated }),
        );
    }
  }),
  listForm(0, "list", "elements"),
  listForm(2, "list", "elements"),
  ...FUNCTIONS.map(({ kind, name }) =>
    kind === "quantifier"
      ? form("quantifier", ["list", "condition"], { name })
      : listForm(2, "call", "args", { name }),
  ),
  form("quantifier", ["list"], { name: "count", condition: undefined }),
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
