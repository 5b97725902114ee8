import {
  describeLint,
  explainLint,
  FILE_CODES,
  LINTS,
  lintToWrite,
} from "@devid/rules";
import { Command } from "commander";
import { UsageError } from "../../errors";
import { jsonOption } from "../../flags/shared-options";
import { jsonReport } from "../../output/write-output";

/** `devid rules explain`: says what a lint finds, why that matters, and how it is corrected. */
export function rulesExplain(): Command {
  return new Command("explain")
    .argument("<code>", "code of a lint, as findings have it")
    .addOption(jsonOption())
    .action((code: string, { json }: { json?: boolean }) => {
      const text = explainLint(code);
      if (text === undefined)
        throw new UsageError(`There is no lint ${code}: ${lintToWrite(code)}.`);
      const lint = LINTS.find((one) => one.code === code);
      const explained = lint
        ? { ...describeLint(lint), example: lint.example }
        : FILE_CODES.find((one) => one.code === code);
      process.stdout.write(json ? jsonReport({ ...explained }) : text);
    });
}
