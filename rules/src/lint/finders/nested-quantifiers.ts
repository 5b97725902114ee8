import type { FindInRule } from "../set/lint";

/** Finds quantifiers within the condition of another one. */
export const findNestedQuantifiers: FindInRule = ({ nodes }) => {
  const outermost = nodes.findLast(
    ({ node, around }) => node.kind === "quantifier" && around,
  )?.node;
  return outermost
    ? [
        {
          message:
            "this is asked once for each value of the list around it, and with too many values it fails",
          fix: "ask about the two lists beside each other: any(..., ...) && any(..., ...)",
          span: outermost.span,
        },
      ]
    : [];
};
