import { styleText } from "node:util";
import {
  checkRuleFile,
  isRuleFile,
  LINTS,
  OUT_OF_TIME,
  type RuleFileFinding,
  type Severity,
} from "@devid/rules";
import { Command } from "commander";
import {
  jsonOption,
  outOption,
  strictOption,
} from "../../flags/shared-options";
import { findingsReport } from "../../output/findings-report";
import { EXIT } from "../../output/report-error";
import { writeReport, jsonReport } from "../../output/write-output";
import { ruleFiles } from "../../sources/rule-files";
import { durationFlag, wholeNumberFlag } from "../../flags/flag-values";

interface Flags {
  readonly strict?: boolean;
  readonly maxRules?: number;
  readonly within?: number;
  readonly json?: boolean;
  readonly out?: string;
}

/**
 * `devid rules check`: reports the mistakes in rule files and the findings of
 * lint, with their places.
 */
export function rulesCheck(): Command {
  return new Command("check")
    .argument("<file...>", "YAML or JSON files; folders are searched")
    .addOption(strictOption("when lint ran out of time"))
    .option(
      "--max-rules <n>",
      "rules that the account has room for (default: 15)",
      wholeNumberFlag,
    )
    .option(
      "--within <time>",
      "look at each file for at most so long: 60s (default: 10s)",
      durationFlag,
    )
    .addOption(outOption())
    .addOption(jsonOption())
    .action(
      (paths: string[], { strict, maxRules, within, json, out }: Flags) => {
        const files = ruleFiles(paths, isRuleFile);
        const findings = files.flatMap(({ path, text }) =>
          checkRuleFile(text, path, { maxRules, withinMs: within }).map(
            (finding) => ({
              file: path,
              ...finding,
            }),
          ),
        );
        writeReport(
          json
            ? jsonReport({
                findings: findings.map((finding) => ({
                  ...finding,
                  docs: pageOf(finding),
                })),
              })
            : findingsReport(
                findings,
                files.length,
                out === undefined ? inColour : (_, text) => text,
              ),
          out,
        );
        const isBad = ({ severity, code }: RuleFileFinding) =>
          severity === "error" ||
          (strict && (severity === "warning" || code === OUT_OF_TIME));
        if (findings.some(isMistake)) process.exitCode = EXIT.error;
        else if (findings.some(isBad)) process.exitCode = EXIT.differences;
      },
    );
}

/** Where a finding is documented, from the root of the repository. */
const pageOf = ({ code }: RuleFileFinding) =>
  LINTS.some((lint) => lint.code === code)
    ? `docs/lint.md#${code}`
    : "docs/lint.md";

/** Whether a finding makes a file one that no command can read. */
const isMistake = ({ code }: RuleFileFinding) =>
  code === "invalid-file" || code === "invalid-expression";

const COLOURS = { error: "red", warning: "yellow", note: "cyan" } as const;

/**
 * `styleText` adds colours only on a terminal, and not if `NO_COLOR` is set.
 */
const inColour = (severity: Severity, text: string) =>
  styleText(COLOURS[severity], text);
