import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { postOrder, type Node } from "../../../rules/src";
import {
  expressionEdits,
  type ExpressionEdit,
} from "../../../rules/src/diff/expression-edits";
import { canonicalText } from "../../../rules/src/language/syntax/print-expression";
import { parsed as rootOf } from "../language/kept-tree";
import { supported } from "../language/random-expression";

function editsOf(before: string, after: string): ExpressionEdit[] {
  const [was, is] = [rootOf(before), rootOf(after)];
  return was && is ? expressionEdits(was, is) : expect.fail("does not parse");
}

/** An edit in one line: `at | + || text`, `at | before -> after`. */
function line(edit: ExpressionEdit): string {
  const sign = { added: "+", removed: "-", moved: ">", replaced: "" };
  const text =
    edit.kind === "replaced"
      ? `${edit.before} -> ${edit.after}`
      : [sign[edit.kind], edit.operator, edit.text].filter(Boolean).join(" ");
  return edit.at === "" ? text : `${edit.at} | ${text}`;
}

const ORIGIN = "http.request.headers['Origin'][0]";
const IOS = "sdk.platform.is_ios";
const ANDROID = "sdk.platform.is_android";

const text = readFileSync(join(__dirname, "expression-edits.txt"), "utf8");

/** The blocks of the text: an expression, another one, and the edits between them. */
const vectors = text
  .split(/\n\n/)
  .filter((block) => !block.startsWith("#"))
  .map((block) => block.trimEnd().split("\n"));

it.each(vectors)("edits %s -> %s", (before, after, ...lines) => {
  expect(editsOf(before ?? "", after ?? "").map(line)).toEqual(
    lines.map((one) => one.slice(2)),
  );
});

it.each([
  [`${IOS} and not ${ANDROID}`, `( ${IOS}&&!${ANDROID} )`],
  [`sdk.version == "it's"`, "sdk.version == 'it\\'s' // the same"],
  ["http.request.headers.Origin[0x0] == 'a'", `${ORIGIN} == 'a'`],
])("finds no edit between %s and %s", (before, after) => {
  expect(editsOf(before, after)).toEqual([]);
});

type Parts = ReadonlySet<string>;

/** The canonical texts of all parts of an expression. */
const partsOf = (root: Node): Parts =>
  new Set(postOrder(root).map(({ node }) => canonicalText(node)));

/** The canonical text of an edit's text, which may come from within a quantifier. */
function meaningOf(text: string): string {
  const around = rootOf(`any([], ${text})`);
  return around?.kind === "quantifier" && around.condition
    ? canonicalText(around.condition)
    : expect.fail(`${text} does not parse`);
}

it("finds edits exactly when two random expressions differ in more than spelling", () => {
  let differences = 0;
  fc.assert(
    fc.property(supported, supported, (one, other) => {
      const [before, after] = [rootOf(one), rootOf(other)];
      if (!before || !after) return;
      const edits = expressionEdits(before, after);
      const isSame = canonicalText(before) === canonicalText(after);
      expect(edits.length === 0).toBe(isSame);
      if (!isSame) differences++;
      const [were, are] = [before, after].map(partsOf) as [Parts, Parts];
      for (const edit of edits) {
        if (edit.kind === "replaced") {
          expect(edit.before).not.toBe(edit.after);
          expect(were).toContain(meaningOf(edit.before));
          expect(are).toContain(meaningOf(edit.after));
        } else
          expect(edit.kind === "removed" ? were : are).toContain(
            meaningOf(edit.text),
          );
        // The text around an edit can also be read as an expression.
        if (edit.at !== "")
          meaningOf(edit.at.replaceAll(/(?<!')\.\.\.(?!')/g, "hole"));
      }
    }),
    { numRuns: 400 },
  );
  expect(differences).toBeGreaterThan(100);
});

it("compares the deepest and widest expressions that the language allows", () => {
  const deep = (literal: string) =>
    `${"!(".repeat(450)}sdk.version == '${literal}' || ${IOS}${")".repeat(450)}`;
  expect(editsOf(deep("1"), deep("2"))).toHaveLength(1);
  const wide = (count: number) =>
    Array.from({ length: count }, (_, i) => `sdk.version == '${i}'`).join(
      " || ",
    );
  expect(editsOf(wide(1_500), wide(1_501)).map(line)).toEqual([
    "+ || sdk.version == '1500'",
  ]);
});

/** At first this took over 10 s, because each level was printed again for each level around it. */
it("compares chains within chains in time", { timeout: 5_000 }, () => {
  const nested = (literal: string) =>
    Array.from({ length: 900 }, (_, i) => i).reduce(
      (inner, i) =>
        `(${inner}) ${i % 2 ? "&&" : "||"} sdk.version == '3.${i}.0'`,
      `sdk.version == '${literal}'`,
    );
  expect(editsOf(nested("1"), nested("2")).map(line)).toEqual([
    "sdk.version == ... | '1' -> '2'",
  ]);
});
