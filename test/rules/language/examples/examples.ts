import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { RuleRequest } from "../../../../rules/src/language";

/** Two requests that differ in nearly everything. */
export const requests: readonly RuleRequest[] = [
  {
    headers: {
      Origin: ["https://shop.example", "b"],
      "X-Empty": [],
      Emoji: ["\u{1f600}", "\uffff"],
    },
    ip: "203.0.113.5",
    userAgent: "Googlebot/2.1",
    sdkPlatform: "js",
    sdkVersion: "3.11.2",
    isCrawlerBot: true,
  },
  { headers: {}, ip: "::ffff:10.1.2.3", sdkPlatform: "ios" },
];

/** The value of an expression, or the beginning of its error message. */
export type Answer = boolean | string;

/** An expression and its expected results. */
export interface Example {
  readonly expression: string;
  /** Whether the checker accepts the expression. Only then it is evaluated. */
  readonly checks: boolean;
  /** The result for each of the two requests. */
  readonly answers: readonly Answer[];
}

/**
 * The expressions of `examples.txt`, each on a line with its results: one for both requests,
 * or one for each. The beginning of a message follows `fails:` or, if the checker refuses
 * the expression, `refused:`. `{U+200B}` stands for a character that a line cannot show.
 */
export const examples: readonly Example[] = linesOf("examples.txt")
  .map((line) => / => (?:(refused): )?(.*)$/.exec(line))
  .filter((found) => found !== null)
  .map(({ input, index, 1: refused, 2: results = "" }) => {
    const texts = refused ? [results] : results.split(" | ");
    const [first = "", second = first] = texts.map(decoded);
    return {
      expression: decoded(input.slice(0, index)),
      checks: refused === undefined,
      answers: [first, second].map((result) =>
        result === "true" || result === "false"
          ? result === "true"
          : result.replace(/^fails: /, ""),
      ),
    };
  });

/** The texts of a file, each on a line. Lines that begin with `# ` are headings. */
export const textsIn = (name: string): readonly string[] =>
  linesOf(name)
    .filter((line) => line !== "" && !line.startsWith("# "))
    .map(decoded);

/**
 * Expressions that together show every message of the parser, of the checker, and of an
 * evaluation without headers.
 */
export const mistakes = textsIn("mistakes.txt");

function linesOf(name: string): string[] {
  return readFileSync(join(__dirname, name), "utf8").split("\n");
}

/** The text with its characters in place of `{U+200B}`, and repeats in place of `{3 of a}`. */
function decoded(text: string): string {
  return text
    .replace(/\{U\+([0-9A-F]+)\}/g, (_, hex: string) =>
      String.fromCodePoint(Number.parseInt(hex, 16)),
    )
    .replace(/\{(\d+) of (.*?)\}/g, (_, count: string, part: string) =>
      part.repeat(Number(count)),
    );
}
