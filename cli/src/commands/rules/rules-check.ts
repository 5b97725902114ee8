import { styleText } from "node:util";
import { checkRuleFile, isRuleFile, type Severity } from "@devid/rules";
import { Command } from "commander";
import { jsonOption } from "../../flags/shared-options";
import { findingsReport } from "../../output/findings-report";
import { EXIT } from "../../output/report-error";
import { ruleFiles } from "../../sources/rule-files";
import { wholeNumberFlag } from "../../flags/flag-values";

interface Flags {
  readonly strict?: boolean;
  readonly maxRules?: number;
  readonly json?: boolean;
}

/**
 * `devid rules check`: reports the mistakes in rule files and the findings of
 * lint, with their places.
 */
export function rulesCheck(): Command {
  return new Command("check")
    .argument("<file...>", "YAML or JSON files; folders are searched")
    .option("--strict", "fail at warnings, too")
    .option(
      "--max-rules <n>",
      "rules that the account has room for (default: 15)",
      wholeNumberFlag,
    )
    .addOption(jsonOption())
    .action((paths: string[], { strict, maxRules, json }: Flags) => {
      const files = ruleFiles(paths, isRuleFile);
      const findings = files.flatMap(({ path, text }) =>
        checkRuleFile(text, path, { maxRules }).map((finding) => ({
          file: path,
          ...finding,
        })),
      );
      process.stdout.write(
        json
          ? `${JSON.stringify(findings, undefined, 2)}\n`
          : findingsReport(findings, files.length, inColour),
      );
      const isBad = (severity: Severity) =>
        severity === "error" || (strict && severity === "warning");
      if (findings.some(({ severity }) => isBad(severity)))
        process.exitCode = EXIT.differences;
    });
}

const COLOURS = { error: "red", warning: "yellow", note: "cyan" } as const;

/**
 * `styleText` adds colours only on a terminal, and not if `NO_COLOR` is set.
 */
const inColour = (severity: Severity, text: string) =>
  styleText(COLOURS[severity], text);
