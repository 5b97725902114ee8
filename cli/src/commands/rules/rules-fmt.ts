import {
  formatRuleFile,
  isRuleFile,
  openRuleFile,
  RuleFileError,
  withBlocks,
} from "@devid/rules";
import { defineCommand, flag } from "../../flags/define-command";
import { jsonFlag } from "../../flags/shared-flags";
import { calculate } from "../../interruption";
import { EXIT, reportError } from "../../output/report-error";
import { replaceText, ruleFiles, STDIN } from "../../sources/rule-files";
import { jsonReport } from "../../output/write-output";

interface FormattedFile {
  readonly file: string;
  /** Whether the command changed the file; with `--check`, whether it would. */
  readonly changed: boolean;
}

/**
 * `devid rules fmt`: formats the expressions in rule files and leaves
 * everything else as it is. The text of standard input is formatted and printed.
 */
export const rulesFmt = defineCommand({
  arguments: [["<file...>", "YAML or JSON files, or -; folders are searched"]],
  flags: {
    check: flag("write nothing; list the files that would change"),
    json: jsonFlag(),
  },
  run: async (paths, { check, json }) => {
    const files: FormattedFile[] = [];
    for (const file of ruleFiles(paths, isRuleFile))
      try {
        const { path, text } = file;
        const formatted = calculate(() =>
          formatRuleFile(openRuleFile(withBlocks(text), path)),
        );
        const changed = formatted !== text;
        if (path === STDIN && !check && !json) {
          // An editor replaces its text by the output.
          process.stdout.write(formatted);
          continue;
        }
        if (changed && !check && path !== STDIN)
          await replaceText(file, formatted);
        files.push({ file: path, changed });
      } catch (error) {
        if (!(error instanceof RuleFileError)) throw error;
        process.exitCode = reportError(error, { json });
      }
    const changed = files.filter((file) => file.changed);
    process.stdout.write(
      json
        ? jsonReport({ files })
        : changed.map(({ file }) => `${file}\n`).join(""),
    );
    if (check && changed.length > 0) process.exitCode ??= EXIT.differences;
  },
});
