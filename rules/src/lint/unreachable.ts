import type { Lint } from "./lint";

/** Rules behind one that matches every request. */
export const unreachable: Lint = {
  code: "unreachable",
  severity: "warning",
  doc: "An earlier rule matches every request, so this one is never asked.",
  example: {
    found: [
      { name: "everyone", expression: "true", action: "deny" },
      { name: "apps", expression: "sdk.platform.is_ios", action: "allow" },
    ],
    fixed: [
      { name: "apps", expression: "sdk.platform.is_ios", action: "allow" },
      { name: "everyone", expression: "true", action: "deny" },
    ],
  },
  unless: ["never-matches"],
  of: "enabled rule",
  find: ({ index }, { firstCatchAll }) => {
    if (!firstCatchAll || firstCatchAll.index >= index) return [];
    const { name } = firstCatchAll.rule;
    return [
      {
        message: `no request comes this far: "${name}" before it matches every one`,
        fix: `move it in front of "${name}", or delete it`,
        others: [name],
      },
    ];
  },
};
