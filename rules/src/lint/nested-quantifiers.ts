import { nestedQuantifiers } from "../language/eval/nested-quantifiers";
import type { FindInRule } from "./lint";

/** Finds quantifiers within the condition of another one. */
export const findNestedQuantifiers: FindInRule = ({ expression: { root } }) => {
  const outermost = nestedQuantifiers(root).at(-1);
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
