import { diffRules, formatDiffMarkdown, formatDiffText } from "@devid/rules";
import { defineCommand } from "../../flags/define-command";
import {
  reportFlags,
  resourceFlag,
  showSecretsFlag,
  workspaceFlags,
} from "../../flags/shared-flags";
import { withoutKeys } from "../../output/without-keys";
import { calculate } from "../../interruption";
import { EXIT } from "../../output/report-error";
import { readRuleSets } from "../../sources/review/compared-rules";
import { printReport } from "../../output/print-report";
import { hasColors } from "../../output/write-output";
import { UsageError } from "../../errors";

const FLAGS = {
  ...workspaceFlags(
    "environment of live rules (default: the preview's, then the default environment)",
  ),
  resource: resourceFlag,
  ...reportFlags("json", "markdown"),
  showSecrets: showSecretsFlag,
};

/** `devid rules diff`: shows how two rule sets differ in meaning. */
export const rulesDiff = defineCommand({
  arguments: [
    [
      "[before]",
      "the rules to compare with: a file, a git ref, REF:PATH, or live: the rules in force (default: the branch that the file is to be merged into, or live for a preview)",
    ],
    [
      "[after]",
      "a rule file, the output of pulumi preview --json, or live: the rules in force",
    ],
  ],
  flags: FLAGS,
  run: async (first, second, flags) => {
    const after = second ?? first;
    if (after === undefined)
      throw new UsageError(
        "Name the new rules: a rule file, the output of pulumi preview --json, or live.",
      );
    const before = second === undefined ? undefined : first;
    const compared = await readRuleSets({ before, after }, flags);
    const { before: was, after: is, isLive } = compared;
    if (flags.environment !== undefined && !isLive)
      throw new UsageError(
        "--environment is for live rules, and neither side is live.",
      );
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
