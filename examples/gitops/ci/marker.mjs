// The first line of a comment or an issue is invisible and identifies it. Each rule
// file, environment and stack has its own line.
import { execFileSync } from "node:child_process";
import { posix } from "node:path";
import { env } from "node:process";

/** Most characters that GitHub accepts. */
const LONGEST = 65_536;

/** The rule file, by its path in the repository. The current folder makes no difference. */
export const file = pathInRepository(env.RULES);

/**
 * The marker that `devid rules review` writes as its first line, so that comments of
 * both replace each other.
 */
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

/** Cuts a text to the length that the host accepts. A cut text ends with `lastWords`. */
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
