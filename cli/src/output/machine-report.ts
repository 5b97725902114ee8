import {
  formatGithub,
  formatJunit,
  formatSarif,
  type Suite,
} from "@devid/rules";
import { harmlessText } from "./guard-output";
import { writeReport, writeRunnerCommands } from "./write-output";

/** The formats that are made of suites of problems. */
export type SuiteFormat = "sarif" | "github" | "junit";

/** Whether a format is made of suites. */
export const isSuiteFormat = (format: string): format is SuiteFormat =>
  ["sarif", "github", "junit"].includes(format);

/** Writes suites in a format for machines to a file or to standard output. */
export function writeSuites(
  suites: readonly Suite[],
  format: SuiteFormat,
  out: string | undefined,
): void {
  switch (format) {
    case "sarif":
      return writeReport(formatSarif(suites), out);
    case "junit":
      return writeReport(formatJunit(suites), out);
    case "github":
      // Only the first part is a command. The rest is escaped, so that no text can
      // begin another command.
      return writeRunnerCommands(
        formatGithub(suites)
          .split("\n")
          .map((line) =>
            line.replace(
              /^(::\w+ )?(.*)$/,
              (_, command = "", rest: string) =>
                `${command as string}${harmlessText(rest, false)}`,
            ),
          )
          .join("\n"),
        out,
      );
  }
}
