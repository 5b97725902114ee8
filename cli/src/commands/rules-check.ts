import type { RuleFileFinding } from "@devid/sdk/rules";
import { Command } from "commander";
import { EXIT } from "../report-error";
import { ruleFiles } from "../rule-files";

type Found = RuleFileFinding & { readonly file: string };

/** `devid rules check`: mistakes in rule files, each with its place. */
export function rulesCheck(): Command {
  return new Command("check")
    .description("parse and type-check rule files, or folders of them")
    .argument("<file...>", "YAML or JSON files; folders are searched")
    .option("--json", "print JSON")
    .action(async (paths: string[], { json }: { json?: boolean }) => {
      const { checkRuleFile, isRuleFile } = await import("@devid/sdk/rules");
      const files = ruleFiles(paths, isRuleFile);
      const found = files.flatMap(({ path, text }) =>
        checkRuleFile(text, path).map((finding) => ({
          file: path,
          ...finding,
        })),
      );
      process.stdout.write(
        json
          ? `${JSON.stringify(found, undefined, 2)}\n`
          : report(found, files.length),
      );
      if (found.length > 0) process.exitCode = EXIT.differences;
    });
}

function report(found: readonly Found[], files: number): string {
  const blocks = found.map(({ file, line, column, message, frame, rule }) => {
    const where = rule === undefined ? "" : `rule "${rule}": `;
    return `${file}:${line}:${column} ${where}${message}\n${frame}\n\n`;
  });
  const problems = count(found.length, "problem");
  return `${blocks.join("")}${problems} in ${count(files, "file")}.\n`;
}

const count = (n: number, what: string) => `${n} ${what}${n === 1 ? "" : "s"}`;
