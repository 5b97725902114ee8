import type { FindInRule } from "../set/lint";

/** Finds quantifiers within the condition of another quantifier. */
export const findNestedQuantifiers: FindInRule = ({ nodes }) => {
  const outermost = nodes.findLast(
    ({ node, around }) => node.kind === "quantifier" && around,
  )?.node;
  return outermost
    ? {
        message:
          "this is evaluated once for each value of the outer list, and fails with too many values",
        fix: "test the two lists one after the other: any(..., ...) && any(..., ...)",
        span: outermost.span,
      }
    : [];
};
