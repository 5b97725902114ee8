import { diffRules, formatDiffMarkdown, formatDiffText } from "@devid/rules";
import { defineCommand, type ValuesOf } from "../../flags/define-command";
import {
  baseFlag,
  planFlag,
  reportFlags,
  resourceFlag,
  showSecretsFlag,
  workspaceFlags,
} from "../../flags/shared-flags";
import { withoutKeys } from "../../output/without-keys";
import { calculate } from "../../interruption";
import { EXIT } from "../../output/report-error";
import {
  readRuleSets,
  type ComparedRules,
} from "../../sources/review/compared-rules";
import { printReport } from "../../output/print-report";
import { hasColors } from "../../output/write-output";
import { UsageError } from "../../errors";

const FLAGS = {
  base: baseFlag(
    "default: the branch that the file is to be merged into, or live for a plan",
  ),
  plan: planFlag,
  ...workspaceFlags(
    "environment of live rules (default: the preview's, then the default environment)",
  ),
  resource: resourceFlag,
  ...reportFlags("json", "markdown"),
  showSecrets: showSecretsFlag,
};
type Flags = ValuesOf<typeof FLAGS>;

/** `devid rules diff`: shows how two rule sets differ in meaning. */
export const rulesDiff = defineCommand({
  arguments: [
    ["[before]", "the rules to compare with, in place of --base"],
    [
      "[after]",
      "a rule file, the output of pulumi preview --json, or live: the rules in force",
    ],
  ],
  flags: FLAGS,
  run: async (first, second, flags) => {
    const compared = comparedRules([first, second], flags);
    const { before, after, plan } = compared;
    const isLive =
      [before, after].includes("live") || (plan !== undefined && !before);
    if (flags.environment !== undefined && !isLive)
      throw new UsageError(
        "--environment is for live rules, and neither side is live.",
      );
    const [was, is] = await readRuleSets(compared, flags);
    const diff = calculate(() => diffRules(was.rules, is.rules));
    const names = { before: was.name, after: is.name };
    const shown = withoutKeys({ names, diff }, flags);
    printReport(flags, {
      json: () => ({
        a: shown.names.before,
        b: shown.names.after,
        ...shown.diff,
      }),
      text: () =>
        formatDiffText(shown.diff, {
          ...shown.names,
          color: hasColors(flags),
        }),
      markdown: () => formatDiffMarkdown(shown.diff, shown.names),
    });
    if (diff.changes.length > 0) process.exitCode = EXIT.differences;
  },
});

/**
 * Assigns rules to the two sides. A flag names its side, and arguments fill the
 * remaining sides in order.
 */
function comparedRules(
  given: readonly (string | undefined)[],
  { base, plan }: Flags,
): ComparedRules {
  const names = given.filter((name) => name !== undefined);
  const after = plan === undefined ? names.pop() : undefined;
  const before = base ?? names.pop();
  if (names.length > 0)
    throw new UsageError(
      `--base, --plan and the arguments may name two things to compare; ${names.join(" and ")} is one too many.`,
    );
  return { before, after, plan };
}
