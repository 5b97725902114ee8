import { existsSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { statementsOf } from "./contract-statements";
import { readTable, TABLE } from "./statement-table";
import { TestTitles } from "./test-titles";

/** Why a statement can have no test on this machine. */
const KINDS_OF_UNTESTED = [
  "plan", // what the vendor sells, bills and allows
  "inside", // what the public service does where nobody sees it
  "dashboard", // what is done in the vendor's dashboard
  "history", // older versions, other clients, and what was published when
  "advice", // to people; nothing answers in another way
  "unused", // what devid neither calls nor serves
  "elsewhere", // another statement says it, and has a test
];
const MOST_UNTESTED = 30;
/** A test that held more statements than these would tell of none in particular. */
const MOST_STATEMENTS_OF_A_TEST = 16;

const statements = statementsOf(readFileSync("docs/contract.md", "utf8"));
const table = readTable();
const keyOf = ({ heading, text }: { heading: string; text: string }) =>
  `${heading}\n${text}`;

it("every statement of docs/contract.md has a line, and names what holds it", () => {
  const lines = new Map(table.map((line) => [keyOf(line), line]));
  const missing = statements
    .filter((statement) => !lines.has(keyOf(statement)))
    .map(
      ({ heading, text, line }) =>
        `docs/contract.md:${line} is new or was changed. Look for the test that fails where it is otherwise, or write one; then put into ${TABLE}, below "${heading}":\n- ${text}\n  - service/folder/file: what the test's describe says > what the test says`,
    );
  const bare = table
    .filter(({ tests, untested }) => tests.length + untested.length === 0)
    .map(({ place }) => `${place} names no test, and no reason without one.`);
  expect([...missing, ...bare].join("\n\n")).toBe("");
});

it("every line is about a statement of docs/contract.md, once", () => {
  const stated = new Set(statements.map(keyOf));
  const seen = new Set<string>();
  const wrong = table.flatMap((line) => {
    const isRepeated = seen.has(keyOf(line));
    seen.add(keyOf(line));
    if (isRepeated) return [`${line.place} stands there twice.`];
    if (stated.has(keyOf(line))) return [];
    return [
      `${line.place}: docs/contract.md no longer says this below "${line.heading}". Take the line away, or write it as the page does now:\n${line.text}`,
    ];
  });
  expect(wrong.join("\n\n")).toBe("");
});

it("every test that is named runs", () => {
  const read = new Map<string, TestTitles>();
  const wrong = table.flatMap(({ place, tests, unread }) => [
    ...unread.map((text) => `${place} cannot be read: ${text}`),
    ...tests.flatMap(({ file, title }, at) => {
      const first = tests.findIndex((test) => test.title === title);
      if (first < at && tests[first]?.file === file)
        return [`${place} names a test twice: ${title}`];
      const path = `test/${file}.test.ts`;
      if (!existsSync(path)) return [`${place}: there is no ${path}.`];
      const titles =
        read.get(path) ?? new TestTitles(readFileSync(path, "utf8"));
      read.set(path, titles);
      return titles.has(title) ? [] : [`${place}: ${path} has no ${title}`];
    }),
  ]);
  expect(wrong.join("\n")).toBe("");
});

it("no test stands for everything", () => {
  const counts = new Map<string, number>();
  for (const { tests } of table)
    for (const { file, title } of tests) {
      const test = `${file}: ${title}`;
      counts.set(test, (counts.get(test) ?? 0) + 1);
    }
  const many = [...counts].filter(([, n]) => n > MOST_STATEMENTS_OF_A_TEST);
  expect(many).toEqual([]);
});

it("few statements have no test, each for a reason that is known", () => {
  const untested = table.filter((line) => line.untested.length > 0);
  const wrong = untested.filter(
    ({ tests, untested: [first, ...more] }) =>
      tests.length > 0 ||
      more.length > 0 ||
      !KINDS_OF_UNTESTED.includes(first?.kind ?? "") ||
      (first?.reason.split(" ").length ?? 0) < 4,
  );
  expect(wrong).toEqual([]);
  expect(untested.length).toBeLessThanOrEqual(MOST_UNTESTED);
});
