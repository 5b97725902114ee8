import {
  formatGithub,
  formatJunit,
  formatSarif,
  type Suite,
} from "@devid/rules";
import { harmlessText } from "@devid/sdk/errors";
import { jsonReport, writeReport, writeRunnerCommands } from "./write-output";

/** The formats that are made of suites of problems. */
const SUITE_FORMATS = {
  sarif: formatSarif,
  junit: formatJunit,
  github: runnerCommands,
};

type SuiteFormat = keyof typeof SUITE_FORMATS;

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
  if (Object.hasOwn(SUITE_FORMATS, format)) {
    const suites = all.suites?.() as readonly Suite[];
    const text = SUITE_FORMATS[format as SuiteFormat](suites);
    const write = format === "github" ? writeRunnerCommands : writeReport;
    return write(text, flags.out);
  }
  const printed = all[format]?.() as object | string;
  writeReport(
    typeof printed === "string" ? printed : jsonReport(printed),
    flags.out,
  );
}

/**
 * A workflow command for each problem. Only the first part of a line is a command. The rest
 * is escaped, so that no text can begin another command.
 */
function runnerCommands(suites: readonly Suite[]): string {
  return formatGithub(suites).replace(
    /^(::\w+ )?([^\n]*)$/gm,
    (_, command = "", rest: string) =>
      `${command as string}${harmlessText(rest)}`,
  );
}
