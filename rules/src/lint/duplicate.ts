import type { Lint } from "./lint";

/** Rules that ask what an earlier one has asked. */
export const duplicate: Lint = {
  code: "duplicate",
  severity: "warning",
  doc: "An earlier rule has the same condition, perhaps spelt in another way, and decides first.",
  example: {
    found: [
      {
        name: "crawlers",
        expression: "http.user_agent.is_crawler_bot",
        action: "deny",
      },
      {
        name: "search-engines",
        expression: "(http.user_agent['is_crawler_bot'])",
        action: "allow",
      },
    ],
    fixed: [
      {
        name: "crawlers",
        expression: "http.user_agent.is_crawler_bot",
        action: "deny",
      },
    ],
  },
  unless: ["never-matches", "unreachable"],
  of: "enabled rule",
  find: (rule, set) => {
    const first = set
      .before(rule)
      .find(({ meaning }) => meaning === rule.meaning);
    if (!first) return [];
    const { name, action } = first.rule;
    const isSame = action === rule.rule.action;
    return [
      {
        message: `"${name}" before it has the same condition and decides: ${action}`,
        fix: isSame ? "delete it" : `delete it, or "${name}"`,
        others: [name],
      },
    ];
  },
};
