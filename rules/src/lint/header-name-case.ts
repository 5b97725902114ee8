import { canonicalHeaderName } from "../language/request/header-names";
import type { Lint } from "./lint";

/** Header names in another case than Go writes them. */
export const headerNameCase: Lint = {
  code: "header-name-case",
  severity: "note",
  doc: "The name of a header is not in its canonical form.",
  detail:
    "Whether the service finds a header under any other is not documented (docs/assumptions.md, A39).",
  example: {
    found: [
      {
        name: "no-origin",
        expression: "'origin' not in http.request.headers",
        action: "deny",
      },
    ],
    fixed: [
      {
        name: "no-origin",
        expression: "'Origin' not in http.request.headers",
        action: "deny",
      },
    ],
  },
  of: "rule",
  find: ({ nodes, expression: { types } }) =>
    nodes.flatMap(({ node }) => {
      const name =
        node.kind === "member" && types.get(node.object)?.kind === "headers"
          ? node.property
          : node.kind === "binary" && types.get(node.right)?.kind === "headers"
            ? node.left
            : undefined;
      if (name?.kind !== "string") return [];
      const canonical = canonicalHeaderName(name.value);
      if (canonical === name.value) return [];
      return [
        {
          message: `the canonical name of this header is ${canonical}`,
          fix: `write ${canonical}`,
          span: name.span,
        },
      ];
    }),
};
