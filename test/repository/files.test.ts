import { homedir } from "node:os";
import { expect, it } from "vitest";
import { FILES as tracked } from "../helpers/sources";
import { ROOT, textOf } from "../helpers/repository";

/** The list of docs/assumptions.md: `- **A1** Sentence. \`path\``. */
const assumptions = [
  ...textOf("docs/assumptions.md").matchAll(
    /^- \*\*(A\d+)\*\* (.+\.) `([^`]+)`$/gm,
  ),
].map(([, number = "", sentence = "", place = ""]) => ({
  number,
  sentence,
  place,
}));

it("no file names a package registry's host or a path of this machine", () => {
  const hosts = ["npmjs" + ".org", "proxy" + ".golang.org", "yarnpkg" + ".com"];
  const home = `${homedir()}/`;
  const found = tracked.filter((path) => {
    const text = textOf(path);
    return (
      hosts.some((host) => text.includes(host)) ||
      text.includes(`${ROOT}/`) ||
      text.includes(home)
    );
  });
  expect(found).toEqual([]);
});

it("the lock file contains no download address", () => {
  expect(textOf("package-lock.json")).not.toMatch(/"resolved": "http/);
});

it("every heading and assumption that the code cites exists", () => {
  const headings = new Set(
    [...textOf("docs/contract.md").matchAll(/^#+ (.+)$/gm)].map(([, h]) =>
      h?.replaceAll("`", ""),
    ),
  );
  const rows = new Set(assumptions.map(({ number }) => number));
  const missing: string[] = [];
  for (const path of tracked.filter((p) => /\.m?ts$/.test(p))) {
    const text = textOf(path).replaceAll(/\n\s*\*\s*/g, " ");
    for (const [, heading] of text.matchAll(/docs\/contract\.md, "([^"]+)"/g))
      if (!headings.has(heading)) missing.push(`${path}: "${heading}"`);
    for (const [, row] of text.matchAll(/docs\/assumptions\.md, (A\d+)/g))
      if (!rows.has(row ?? "")) missing.push(`${path}: ${row}`);
  }
  expect(missing).toEqual([]);
});

it("every assumption has its own number, one sentence, and one file that holds it", () => {
  const listed = textOf("docs/assumptions.md").match(/^- \*\*A\d+/gm) ?? [];
  expect(assumptions).toHaveLength(listed.length);
  const numbers = assumptions.map(({ number }) => Number(number.slice(1)));
  expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
  const wrong = assumptions.filter(
    ({ sentence, place }) =>
      /[.] (?=[A-Z`])/.test(sentence) || !tracked.includes(place),
  );
  expect(wrong).toEqual([]);
});

it("every test that docs/reliability.md names exists", () => {
  const rows = [
    ...textOf("docs/reliability.md").matchAll(/^- .*: `(\S+\.ts)`, "(.+)"$/gm),
  ];
  expect(rows.length).toBeGreaterThanOrEqual(7);
  for (const [, file = "", title = ""] of rows)
    // A title is a string, or the beginning of a line in a table.
    expect(textOf(`test/${file}`).split(/"|\n| \| /)).toContain(title);
});

it("docs/reliability.md names a test for every promise", () => {
  const [, section = ""] = textOf("docs/reliability.md").split(
    "## What is promised\n",
  );
  const promises =
    section
      .split("\nEvery crash point")[0]
      ?.split("\n")
      .filter((line) => line.startsWith("- ")) ?? [];
  expect(promises).toHaveLength(7);
  for (const row of promises) expect(row).toMatch(/: `\S+\.ts`, "/);
});
