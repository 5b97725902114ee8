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
import { Option } from "commander";
import {
  Command,
  MACHINE_FORMATS,
  maxRulesOption,
  reportOptions,
  strictOption,
} from "../../flags/shared-options";
import { UsageError } from "../../errors";
import { calculate, hearSignals } from "../../interruption";
import { confirm } from "../../output/confirm";
import { findingsReport, type FileFinding } from "../../output/findings-report";
import {
  printReport,
  formatOf,
  type ReportFlags,
} from "../../output/print-report";
import { EXIT } from "../../output/report-error";
import { writeFileAtomically } from "../../output/write-output";
import { ruleFiles, type TextFile } from "../../sources/rule-files";
import { durationFlag } from "../../flags/flag-values";

interface Flags extends ReportFlags<(typeof MACHINE_FORMATS)[number] | "text"> {
  readonly strict?: boolean;
  readonly maxRules?: number;
  readonly within?: number;
  readonly fix?: boolean;
  readonly fixAll?: boolean;
}

/** Parses `--fix=all`. `--fix` alone takes no value, because a file often follows. */
class CheckCommand extends Command {
  override parseOptions(args: string[]) {
    return super.parseOptions(
      args.map((arg) => (arg === "--fix=all" ? "--fix-all" : arg)),
    );
  }
}

/** `devid rules check`: reports mistakes and findings of lint, and applies fixes. */
export function rulesCheck(): Command {
  return new CheckCommand("check")
    .argument("<file...>", "YAML or JSON files, or -; folders are searched")
    .flags(strictOption("when lint did not check everything"), maxRulesOption())
    .option(
      "--within <time>",
      "time limit for each file, such as 60s (default: 10s)",
      durationFlag,
    )
    .option(
      "--fix",
      "apply the fixes that keep the meaning; --fix=all asks for each of the others",
    )
    .addOption(new Option("--fix-all").hideHelp())
    .flags(reportOptions(...MACHINE_FORMATS))
    .action(async (paths: string[], flags: Flags) => {
      const isFixed = flags.fix || flags.fixAll;
      if (isFixed && paths.includes("-"))
        throw new UsageError(
          "Standard input cannot be fixed in place; name a file.",
        );
      process.exitCode = await check(paths, flags);
    });
}

/** Checks files, and reports. @returns the exit code */
async function check(
  paths: readonly string[],
  flags: Flags,
): Promise<number | undefined> {
  const { strict, maxRules, within, out } = flags;
  const lint: LintOptions = { maxRules, withinMs: within };
  const fixed: FileFinding[] = [];
  const files: TextFile[] = [];
  for (const file of ruleFiles(paths, isRuleFile)) {
    const done =
      flags.fix || flags.fixAll ? await fix(file, flags, lint) : undefined;
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
    json: () => ({ findings, ...((flags.fix || flags.fixAll) && { fixed }) }),
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
  if (findings.some(isMistake)) return EXIT.error;
  return findings.some(isBad) ? EXIT.differences : undefined;
}

async function fix(
  { path, text }: TextFile,
  { fixAll, ...flags }: Flags,
  lint: LintOptions,
): Promise<TextFile & { readonly fixed: readonly FileFinding[] }> {
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
  if (result.text !== text) writeFileAtomically(path, result.text);
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
