import type { Lint } from "./lint";
import { DEFAULT_MAX_RULES } from "./linted-set";

const BY_WHOM = ", as an older page of the service's documentation has it";

const VERSIONS = Array.from({ length: 16 }, (_, i) => `3.${i}`);

/** Rule sets beyond the account's limit. */
export const tooManyRules: Lint = {
  code: "too-many-rules",
  severity: "warning",
  doc: "The set has more rules than an account has room for, disabled ones included.",
  detail:
    'The limit of 15 is from an older page of the public documentation and was written for lists of origins (docs/contract.md, "Account limits"); `--max-rules` sets another.',
  example: {
    found: VERSIONS.map((version) => ({
      name: `version-${version}`,
      expression: `sdk.version == '${version}'`,
      action: "deny",
    })),
    fixed: [
      {
        name: "old-versions",
        expression: `sdk.version in ['${VERSIONS.join("', '")}']`,
        action: "deny",
      },
    ],
  },
  of: "rule set",
  find: ({ all, maxRules }) =>
    all.length > maxRules
      ? [
          {
            at: maxRules,
            message: `there are ${all.length} rules, and room for ${maxRules}${maxRules === DEFAULT_MAX_RULES ? BY_WHOM : ""}`,
            fix: "join rules of the same action with ||",
          },
        ]
      : [],
};
