import { checkExpression } from "@devid/rules/language";
import { quotedName, quotedText } from "@devid/warehouse/sql";
import fc from "fast-check";
import { expect, it } from "vitest";
import { compareWithEngine, expectAgreement } from "./agreement";
import { askedDuckDb, openDuckDb } from "./duckdb";
import { sampledPairs, TIMEOUT_MS } from "./sampled-pairs";

it(
  "DuckDB gives the same answer as partial evaluation for every event",
  async () => expectAgreement("duckdb", await askedDuckDb(), 1 / 4),
  TIMEOUT_MS,
);

it("DuckDB reads anchors in unusual places like the evaluator", async () => {
  const patterns = ["(?i)$$", "^\\A", "^$/", "a$b", "\\B", "b|\\B"];
  const found = await compareWithEngine("duckdb", await askedDuckDb(), {
    ...sampledPairs(),
    expressions: patterns.map(
      (pattern) => `http.user_agent.string matches ${JSON.stringify(pattern)}`,
    ),
  });
  expect(found.pairs).toBe(patterns.length * 200);
  expect(found.differences.slice(0, 10)).toEqual([]);
});

it("a sample has its number of pairs with any seed", () => {
  for (let seed = 1; seed <= 20; seed++) {
    const { expressions, events } = sampledPairs({ pairs: 2_000, seed });
    const readable = expressions.filter((one) => checkExpression(one).ok);
    expect(readable.length * events.length).toBeGreaterThan(2_000);
  }
});

it("no text and no name can end its SQL literal", async () => {
  const connection = await openDuckDb();
  const unit = fc.constantFrom(
    ..."' \" \\ \0 \n ; -- /* */ $ ` E' x".split(" "),
    " ",
    "\u{1f600}",
    "\ufffd",
  );
  const hostile = fc.string({ unit, maxLength: 12 });
  const texts = fc.sample(hostile, { numRuns: 300, seed: 1 });
  for (const text of texts) {
    const name = text.replaceAll("\0", "") || "x";
    const sql = `SELECT ${quotedText("duckdb", text)} AS ${quotedName("duckdb", name)}, 1 AS last_column`;
    const reader = await connection.runAndReadAll(sql);
    expect(reader.getRows(), sql).toEqual([[text, 1]]);
    expect(reader.columnName(0)).toBe(name);
  }
});
