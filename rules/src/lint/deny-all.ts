import { allows, passes } from "../solver/condition";
import type { Lint } from "./lint";
import { isImpossible } from "./linted-set";

/** Rule sets that let nothing through. */
export const denyAll: Lint = {
  code: "deny-all",
  severity: "error",
  doc: "The rules let no request through.",
  detail: "Every identification request would be refused.",
  example: {
    found: [
      {
        name: "browsers",
        expression: "sdk.platform.is_browser",
        action: "deny",
      },
      {
        name: "others",
        expression: "!sdk.platform.is_browser",
        action: "deny",
      },
    ],
    fixed: [
      {
        name: "browsers",
        expression: "sdk.platform.is_browser",
        action: "allow",
      },
      {
        name: "others",
        expression: "true",
        action: "deny",
      },
    ],
  },
  of: "rule set",
  find: ({ enabled, refused }) => {
    const mayAllow = refused.some(
      ({ rule }) => rule.status === "enabled" && rule.action === "allow",
    );
    if (mayAllow || !isImpossible(allows(enabled))) return [];
    // Where it is shown: the rule behind which nothing is left.
    const last =
      enabled.find((_, i) => isImpossible(passes(enabled.slice(0, i + 1)))) ??
      enabled.at(-1);
    return [
      {
        at: last?.index ?? 0,
        message:
          "the rules let no request through: what is not denied before is denied here",
        fix: "put rules that allow in front of it, or narrow it",
      },
    ];
  },
};
