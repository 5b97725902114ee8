import { postOrder, type Node } from "../syntax/ast";

/**
 * For how many values a quantifier within the condition of another one is asked,
 * in one evaluation of an expression. Each level of nesting multiplies their
 * number by the length of a list, so that without a bound six levels over fifty
 * values never end. A quantifier that is not nested takes time linear in the
 * request, and has no bound. docs/assumptions.md, A189.
 */
export const MAX_NESTED_VALUES = 100_000;

/** The message of an evaluation that would go beyond the bound. */
export const TOO_MANY_NESTED_VALUES = `this would ask about more than ${MAX_NESTED_VALUES.toLocaleString("en")} values of lists for each other`;

/** The quantifiers that stand within the condition of another one, the innermost first. */
export function nestedQuantifiers(root: Node): Node[] {
  return postOrder(root)
    .filter(({ node, around }) => node.kind === "quantifier" && around)
    .map(({ node }) => node);
}
