import { styleText } from "node:util";
import {
  checkRuleFile,
  findingBlock,
  fixRuleFile,
  isIncompleteLint,
  isRuleFile,
  suiteOfFindings,
  type LintOptions,
  type RuleFileFinding,
  type Severity,
} from "@devid/rules";
import {
  defineCommand,
  flag,
  parsedFlag,
  type ValuesOf,
} from "../../flags/define-command";
import {
  MACHINE_FORMATS,
  maxRulesFlag,
  reportFlags,
  strictFlag,
} from "../../flags/shared-flags";
import { UsageError } from "../../errors";
import { calculate, hearSignals } from "../../interruption";
import { confirm } from "../../output/confirm";
import { findingsReport, type FileFinding } from "../../output/findings-report";
import { printReport, formatOf } from "../../output/print-report";
import { EXIT } from "../../output/report-error";
import {
  replaceText,
  ruleFiles,
  type TextFile,
} from "../../sources/rule-files";
import { durationFlag } from "../../flags/flag-values";

const FLAGS = {
  strict: strictFlag("when lint did not check everything"),
  maxRules: maxRulesFlag,
  within: parsedFlag(
    "<time> time limit for each file, such as 60s (default: 10s)",
    durationFlag,
  ),
  fix: flag(
    "apply the fixes that keep the meaning; --fix=all asks for each of the others",
  ),
  fixAll: flag("").with((option) => option.hideHelp()),
  ...reportFlags(...MACHINE_FORMATS),
};
type Flags = ValuesOf<typeof FLAGS>;

/** `devid rules check`: reports mistakes and findings of lint, and applies fixes. */
export const rulesCheck = defineCommand({
  arguments: [["<file...>", "YAML or JSON files, or -; folders are searched"]],
  flags: FLAGS,
  // `--fix` alone takes no value, because a file often follows.
  spellings: { "--fix=all": "--fix-all" },
  run: async (paths, flags) => {
    const { strict, maxRules, within, out } = flags;
    const isFixed = flags.fix || flags.fixAll;
    if (isFixed && paths.includes("-"))
      throw new UsageError(
        "Standard input cannot be fixed in place; name a file.",
      );
    const lint: LintOptions = { maxRules, withinMs: within };
    const fixed: FileFinding[] = [];
    const files: TextFile[] = [];
    for (const file of ruleFiles(paths, isRuleFile)) {
      const done = isFixed ? await fix(file, flags, lint) : undefined;
      fixed.push(...(done?.fixed ?? []));
      files.push(done ?? file);
    }
    const findings = files.flatMap(({ path, text }) =>
      calculate(() => checkRuleFile(text, path, lint)).map((finding) => ({
        file: path,
        ...finding,
      })),
    );
    printReport(flags, {
      json: () => ({ findings, ...(isFixed && { fixed }) }),
      text: () =>
        findingsReport(
          { findings, fixed, files: files.length },
          out === undefined ? inColour : (_, text) => text,
        ),
      suites: () =>
        files.map(({ path, text }) =>
          suiteOfFindings(
            path,
            findings.filter(({ file }) => file === path),
            text,
          ),
        ),
    });
    const isBad = (finding: RuleFileFinding) =>
      finding.severity === "error" ||
      (strict && (finding.severity === "warning" || isIncompleteLint(finding)));
    if (findings.some(isMistake)) process.exitCode = EXIT.error;
    else if (findings.some(isBad)) process.exitCode = EXIT.differences;
  },
});

async function fix(
  file: TextFile,
  { fixAll, ...flags }: Flags,
  lint: LintOptions,
): Promise<TextFile & { readonly fixed: readonly FileFinding[] }> {
  const { path, text } = file;
  const canAsk =
    process.stdin.isTTY && process.stderr.isTTY && formatOf(flags) === "text";
  let unasked = 0;
  const accepts = async (finding: RuleFileFinding): Promise<boolean> => {
    if (!fixAll) return false;
    if (!canAsk) {
      unasked++;
      return false;
    }
    process.stderr.write(`\n${findingBlock(finding, path, inColour)}\n\n`);
    return hearSignals(() => confirm("Apply this fix?"));
  };
  const result = await calculate(() =>
    fixRuleFile(text, path, { ...lint, accepts }),
  );
  if (unasked > 0)
    process.stderr.write(
      `devid: ${path}: ${unasked} ${unasked === 1 ? "fix that changes" : "fixes that change"} the meaning ${unasked === 1 ? "was" : "were"} not applied, because there is no terminal to ask on.\n`,
    );
  if (result.text !== text) await replaceText(file, result.text);
  return {
    path,
    text: result.text,
    fixed: result.fixed.map((finding) => ({ file: path, ...finding })),
  };
}

/** Whether the finding is a mistake, so that no command can read the file. */
const isMistake = ({ code }: RuleFileFinding) =>
  code === "invalid-file" || code === "invalid-expression";

const COLOURS = { error: "red", warning: "yellow", note: "cyan" } as const;

/** `styleText` adds colours only on a terminal, and not with `NO_COLOR`. */
const inColour = (severity: Severity, text: string) =>
  styleText(COLOURS[severity], text);
