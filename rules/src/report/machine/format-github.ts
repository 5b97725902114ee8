import { problemsOf, wholeMessage, type Suite } from "./problem";

const COMMANDS = {
  error: "error",
  warning: "warning",
  note: "notice",
} as const;

/**
 * Formats problems as workflow commands of GitHub Actions, which shows them beside
 * the lines of a pull request. No text of a file can end a command or begin another.
 */
export function formatGithub(suites: readonly Suite[]): string {
  return problemsOf(suites)
    .map((problem) => {
      const { severity, file, line, column, end, code, fix } = problem;
      const properties = {
        file,
        line,
        endLine: end.line,
        // GitHub takes columns for a single line only.
        ...(line === end.line && { col: column, endColumn: end.column }),
        title: code,
      };
      const written = Object.entries(properties)
        .map(([name, value]) => `${name}=${inProperty(String(value))}`)
        .join(",");
      const hint = fix === undefined ? "" : `\nfix: ${fix}`;
      return `::${COMMANDS[severity]} ${written}::${inMessage(wholeMessage(problem) + hint)}\n`;
    })
    .join("");
}

const inMessage = (text: string) =>
  text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");

const inProperty = (text: string) =>
  inMessage(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
