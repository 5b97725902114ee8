import {
  formatGithub,
  formatJunit,
  formatSarif,
  type Suite,
} from "@devid/rules";
import { harmlessText } from "./guard-output";
import { jsonReport, writeReport, writeRunnerCommands } from "./write-output";

/** The formats that are made of suites of problems. */
type SuiteFormat = "sarif" | "github" | "junit";

/** The flags of `reportOptions`, as commander parses them. */
export interface ReportFlags<Format extends string = "text" | "markdown"> {
  readonly format: Format | "json";
  readonly json?: true;
  readonly out?: string;
  /** Only for commands with `showSecretsOption`. */
  readonly showSecrets?: boolean;
}

/** The format that the flags of a report ask for. */
export const formatOf = <Format extends string>({
  format,
  json,
}: ReportFlags<Format>): Format | "json" => (json ? "json" : format);

/** What a report says in each format of its command. */
type Printers<Format extends string> = {
  /** The members of the JSON, beside its version; or the whole JSON as text. */
  readonly json: () => object | string;
} & {
  readonly [F in Exclude<Format, SuiteFormat | "json">]: () => string;
} & (Extract<Format, SuiteFormat> extends never
    ? unknown
    : { readonly suites: () => readonly Suite[] });

/**
 * Writes a report in the format, and to the place, that the flags of its command name.
 * @throws UsageError if it cannot be written
 */
export function printReport<Format extends string>(
  flags: ReportFlags<Format>,
  printers: Printers<Format>,
): void {
  const format = formatOf(flags);
  // The type of the flags has a printer for each format.
  const all = printers as Readonly<Record<string, () => unknown>>;
  if (isSuiteFormat(format))
    return writeSuites(all.suites?.() as Suite[], format, flags.out);
  const printed = all[format]?.() as object | string;
  writeReport(
    typeof printed === "string" ? printed : jsonReport(printed),
    flags.out,
  );
}

/** Whether a format is made of suites. */
const isSuiteFormat = (format: string): format is SuiteFormat =>
  ["sarif", "github", "junit"].includes(format);

/** Writes suites in a format for machines to a file or to standard output. */
function writeSuites(
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
