// The first line of a comment or an issue, which nobody sees, tells which one it is:
// each rule file, environment and stack has its own.
import { execFileSync } from "node:child_process";
import { posix } from "node:path";
import { env } from "node:process";

/** Characters that GitHub takes. */
const LONGEST = 65_536;

/** The rule file, as devid names it: its path in the repository, from whichever folder this runs. */
export const file = pathInRepository(env.RULES);

/** As `devid rules review` writes its first line, so that either replaces the other. */
export function marker(kind) {
  const { RULES_ENVIRONMENT, PULUMI_STACK } = env;
  const parts = [
    kind,
    encoded(file),
    ...(RULES_ENVIRONMENT ? [`environment=${encoded(RULES_ENVIRONMENT)}`] : []),
    `stack=${encoded(PULUMI_STACK)}`,
  ];
  return `<!-- ${parts.join(":")} -->`;
}

/** Whether a comment or an issue begins with a marker. */
export const isMarked = ({ body }, marker) =>
  body.split(/\r?\n/, 1)[0] === marker;

/** A text that the host takes, with the last words if it has to be cut. */
export function cut(text, lastWords) {
  const rest = `\n\n… The rest is left out. ${lastWords}`;
  return text.length <= LONGEST
    ? text
    : text.slice(0, LONGEST - rest.length) + rest;
}

function pathInRepository(path) {
  try {
    const args = ["rev-parse", "--show-prefix"];
    const options = { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] };
    return posix.join(execFileSync("git", args, options).trim(), path);
  } catch {
    return path;
  }
}

function encoded(text) {
  return encodeURIComponent(text).replaceAll("%2F", "/");
}
