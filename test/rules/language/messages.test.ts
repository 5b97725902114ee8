import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import {
  checkExpression,
  compileExpression,
  type ExpressionProblem,
} from "@devid/rules/language";
import * as ts from "typescript";
import { expect, it } from "vitest";
import { expectGolden } from "../../helpers/golden";
import { visibleText } from "../../../rules/src";
import { mistakes } from "./examples/examples";

const SOURCES = ["language", "eval"].map((folder) =>
  resolve(__dirname, "../../../rules/src", folder),
);

/** Texts in the sources that no expression of this test can show. */
const UNSEEN = [
  // This is about a request; rules-eval.test.ts shows it.
  "no request is of an AI bot and of a crawler at once, so isAiBot and isCrawlerBot cannot both be true",
  // This depends on the stack that is left, not on the expression.
  "this expression is nested too deeply for the stack that is left",
  // Every source has at least the token of its end.
  "no tokens",
  // Only devid's own code writes such a text; no file can.
  " is no expression.",
  // This needs a request with many header values; nested-quantifiers.test.ts shows it.
  "this would ask about more than ... values of lists for each other",
];

function problemsOf(source: string): readonly ExpressionProblem[] {
  const checked = checkExpression(source);
  if (!checked.ok) return checked.problems;
  const result = compileExpression(checked.expression).evaluate({
    headers: {},
  });
  return "error" in result ? [result.error] : [];
}

/** An expression, at most 100 characters of it, and each problem with its place. */
const shown = (source: string) =>
  [
    visibleText(source).slice(0, 100),
    ...problemsOf(source).map(
      ({ line, column, end, message }) =>
        `  ${line}:${column} to ${end.line}:${end.column} ${message}`,
    ),
  ].join("\n");

// contract: rules-23
it("every mistake is shown as in the golden file", () => {
  for (const source of mistakes)
    expect(problemsOf(source), source.slice(0, 80)).not.toEqual([]);
  const all = mistakes.map(shown).join("\n");
  expectGolden("expression-messages.txt", `${all}\n`);
});

it("every message in the sources is in the golden file", () => {
  const messages = mistakes.flatMap(problemsOf).map(({ message }) => message);
  const missing = messagesInSources().filter(
    (parts) => !messages.some((message) => holds(message, parts)),
  );
  const texts = missing.map((parts) => parts.join("..."));
  expect([...new Set(texts)].sort()).toEqual(UNSEEN.sort());
});

/** The texts of the sources that read like sentences, split at their placeholders. */
function messagesInSources(): string[][] {
  const found: string[][] = [];
  // The descriptions in the tables are for the documentation.
  const files = SOURCES.flatMap((folder) =>
    readdirSync(folder, { encoding: "utf8", recursive: true })
      .filter(
        (name) =>
          name.endsWith(".ts") &&
          !name.startsWith("tables/") &&
          name !== "request/event-fields.ts",
      )
      .map((name) => join(folder, name)),
  );
  for (const name of files.sort()) {
    const text = readFileSync(name, "utf8");
    const visit = (node: ts.Node) => {
      const parts = ts.isTemplateExpression(node)
        ? [node.head, ...node.templateSpans.map((s) => s.literal)]
        : ts.isStringLiteralLike(node)
          ? [node]
          : [];
      const texts = parts.map(({ text }) => text);
      // A list of words is split at its blanks.
      const isList = ts.isPropertyAccessExpression(node.parent ?? node);
      if (!isList && /[a-z]{2} [a-z]{2}|^ ?[a-z]+ $/.test(texts.join(" ")))
        found.push(texts.filter((part) => part !== ""));
      ts.forEachChild(node, visit);
    };
    visit(ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true));
  }
  return found;
}

/** Whether a message contains these parts in this order. */
function holds(message: string, parts: readonly string[]): boolean {
  let from = 0;
  return parts.every((part) => {
    const at = message.indexOf(part, from);
    from = at + part.length;
    return at >= 0;
  });
}
