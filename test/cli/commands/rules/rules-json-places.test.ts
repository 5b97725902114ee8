import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { Readable } from "node:stream";
import { LINTS } from "@devid/rules";
import { beforeEach, expect, it, vi } from "vitest";
import { LocalWorkspace } from "../../../helpers/local-workspace";
import { openForTests } from "../../../helpers/open-for-tests";
import { CliFolder } from "../../cli-folder";
import { ROOT } from "../../../helpers/repository";

const workspace = openForTests(new LocalWorkspace());
const folder = CliFolder.forTests("rules", workspace);

const rule = (name: string, expression: string) =>
  `  - name: ${name}\n    action: deny\n    expression: ${expression}\n`;

const FINE = `rules:\n${rule("fine", "sdk.platform.is_ios")}`;
const TEST = (expected: string) =>
  `tests:\n  - name: one\n    request: {}\n    expect: ${expected}\n`;

/** Rule files with every kind of mistake. */
const FILES: Readonly<Record<string, string | Buffer>> = {
  "fine.yaml": `${FINE}${TEST("allow")}`,
  "no-yaml.yaml": "rules: [",
  "no-rules.yaml": "tests: []\n",
  "unknown-field.yaml": `${FINE}    reason: none\n`,
  "no-anchor.yaml": `rules: *missing\n`,
  "conflict.yaml": `${FINE}<<<<<<< HEAD\n=======\n>>>>>>> other\n`,
  "latin.yaml": Buffer.from(`# caf\xe9\n${FINE}`, "latin1"),
  "grammar.yaml": `rules:\n${rule("a", "sdk.version ==")}`,
  "types.yaml": `rules:\n${rule("a", "sdk.wrong && sdk.version")}`,
  "folded.yaml": `rules:\n${rule("a", ">\n      sdk.wrong\n      && sdk.none")}`,
  "both.yaml": `rules:\n${rule("a", "sdk.wrong")}${rule("a", "sdk.none")}    reason: x\n`,
  "lints.yaml": `rules:\n${rule("a", "true")}${rule("b", 'http.request.headers["origin"][0] matches "(a+)+$"')}`,
  "folded-lint.yaml": `rules:\n${rule("a", ">\n      sdk.platform.is_ios\n      && !sdk.platform.is_ios")}`,
  "failing.yaml": `rules:\n${rule("a", "http.request.headers['X'][0] == 'a'")}${TEST("{ deny: a }")}`,
};

const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  check: [],
  fmt: ["--check"],
  test: [],
  "test --live": [],
  diff: ["fine.yaml"],
  review: ["--base", "fine.yaml", "--no-impact"],
  impact: [],
};

beforeEach(() => {
  for (const [name, text] of Object.entries(FILES)) folder.file(name, text);
});

const CODES = [
  ...LINTS.map(({ code }) => code),
  ...["invalid-file", "invalid-expression", "out-of-time"],
];

interface Placed {
  readonly line: number;
  readonly column: number;
  readonly end: { readonly line: number; readonly column: number };
  readonly docs: string;
}

/** Every object in a report with a place, or with the code of a lint. */
function* placedIn(value: unknown, name = ""): Generator<Placed> {
  if (typeof value !== "object" || value === null) return;
  const { code, line, column, offset } = value as Record<string, unknown>;
  const isPlaced = [line, column, offset].some((one) => one !== undefined);
  const isFinding = CODES.includes(String(code));
  if (isFinding && !isPlaced) throw new Error(`${String(code)} has no place`);
  if (isPlaced && name !== "end") yield value as Placed;
  for (const [key, part] of Object.entries(value))
    // An edit has a range of the file, with a length.
    if (key !== "edits") yield* placedIn(part, key);
}

function checkPlaces(report: unknown): number {
  expect(report).toMatchObject({ version: 1 });
  let count = 0;
  for (const found of placedIn(report)) {
    const { line, column, end } = found;
    const json = JSON.stringify(found);
    expect(end, json).toEqual({
      line: expect.any(Number) as number,
      column: expect.any(Number) as number,
    });
    expect(end.line, json).toBeGreaterThanOrEqual(line);
    if (end.line === line)
      expect(end.column, json).toBeGreaterThanOrEqual(column);
    if ("severity" in found) {
      expect(
        existsSync(resolve(ROOT, found.docs.split("#", 1).join())),
        json,
      ).toBe(true);
    }
    count += 1;
  }
  return count;
}

it.each(Object.entries(COMMANDS))(
  "every place in the output of devid rules %s --json has an end",
  async (command, more) => {
    let places = 0;
    for (const name of Object.keys(FILES)) {
      const args = [...command.split(" "), ...more, name, "--json"];
      const { stdout, stderr } = await folder.run(args);
      const json = stderr.split("\n").filter((line) => line.startsWith("{"));
      for (const report of [stdout, ...json])
        if (report !== "") places += checkPlaces(JSON.parse(report));
    }
    expect(places).toBeGreaterThan(5);
  },
  30_000,
);

it("every place in the output of devid rules eval has an end", async () => {
  const lines = ["sdk.wrong", "sdk.version ==", "true &&"].flatMap(
    (expression) => [
      { expression, request: {} },
      { rules: [{ expression, action: "deny" }], request: {} },
    ],
  );
  const stdin = vi
    .spyOn(process, "stdin", "get")
    .mockReturnValue(
      Readable.from(
        lines.map((line) => `${JSON.stringify(line)}\n`),
      ) as typeof process.stdin,
    );
  const { stdout } = await folder.run(["eval"]);
  stdin.mockRestore();
  const answers = stdout.trim().split("\n");
  expect(answers).toHaveLength(lines.length);
  for (const answer of answers)
    // An output line of eval is not a report, so it has no version.
    expect(checkPlaces({ version: 1, ...JSON.parse(answer) })).toBe(1);
});

it("ends a place after the last character of the mistake", async () => {
  const { stdout } = await folder.run([
    "check",
    "types.yaml",
    "unknown-field.yaml",
    "--json",
  ]);
  const { findings } = JSON.parse(stdout) as {
    findings: (Placed & { readonly file: string })[];
  };
  const texts = findings.map(({ file, line, column, end }) => {
    expect(end.line).toBe(line);
    const text = folder.read(file).split("\n")[line - 1];
    return text?.slice(column - 1, end.column - 1);
  });
  expect(texts).toEqual(["wrong", "sdk.version", "reason"]);
});
