import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import {
  checkExpression,
  codeFrame,
  compileExpression,
  type ExpressionProblem,
} from "@devid/rules/language";
import * as ts from "typescript";
import { expect, it } from "vitest";
import { expectGolden } from "../../helpers/golden";
import { mistakes } from "./mistakes";

const SOURCES = ["language", "eval"].map((folder) =>
  resolve(__dirname, "../../../rules/src", folder),
);

/** Texts with words in them that no expression can bring about. */
const UNSEEN = [
  // It is about the request, and rules-eval.test.ts has it.
  "no request is of an AI bot and of a crawler at once, so isAiBot and isCrawlerBot cannot both be true",
  // What is left of the stack is not for an expression to say.
  "this expression is nested too deeply for the stack that is left",
  // A source has at least its end.
  "no tokens",
  // A comparison of two rule sets says it: test/rules/diff has it.
  "'...' comes ... '...', for texts are compared character by character",
  // It takes a request with many values of a header: nested-quantifiers.test.ts.
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

const shown = (source: string) =>
  problemsOf(source).map(
    (problem) =>
      `${problem.line}:${problem.column} ${problem.message}\n${codeFrame(source, problem)}\n`,
  );

// contract: rules-23
it("every mistake is shown in the words of the golden file", () => {
  for (const source of mistakes)
    expect(shown(source), source.slice(0, 80)).not.toEqual([]);
  expectGolden("expression-messages.txt", mistakes.flatMap(shown).join("\n"));
});

it("every message of the sources is among them", () => {
  const messages = mistakes.flatMap(problemsOf).map(({ message }) => message);
  const missing = messagesInSources().filter(
    (parts) => !messages.some((message) => holds(message, parts)),
  );
  const texts = missing.map((parts) => parts.join("..."));
  expect([...new Set(texts)].sort()).toEqual(UNSEEN.sort());
});

/** The texts of the sources that read like sentences, cut where something is put in. */
function messagesInSources(): string[][] {
  const found: string[][] = [];
  // The descriptions in the tables are for the docs.
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

/** Whether a message has these parts in their order. */
function holds(message: string, parts: readonly string[]): boolean {
  let from = 0;
  return parts.every((part) => {
    const at = message.indexOf(part, from);
    from = at + part.length;
    return at >= 0;
  });
}
