import { expect, test } from "vitest";
import {
  checkExpression,
  codeFrame,
  formatExpression,
  parseExpression,
  printExpression,
} from "../../../rules/src/language";

test.each([
  ["a", "a"],
  ["  not   a   and(b or !c)", "!a && (b || !c)"],
  ['a=="x"', "a == 'x'"],
  [`a == "it's"`, `a == "it's"`],
  ["a == `x`", "a == `x`"],
  ["a . b [ 'c' ] [ - 1 ]", "a.b['c'][-1]"],
  ["a.not == b.in", "a.not == b.in"],
  ["a not  in[1,2 ,]", "a not in [1, 2,]"],
  ["any(a , # contains 'x')", "any(a, # contains 'x')"],
  ["any(a,#=='x')", "any(a, # == 'x')"],
  ["a?b:c", "a ? b : c"],
  ["a ? : b", "a ?: b"],
  ["a//why\n&&b", "a //why\n&& b"],
  [
    "// first\na\n  // of b\n  && b // last",
    "// first\na\n// of b\n&& b // last",
  ],
  ["a /* x */ &&/* y */ b", "a /* x */ && /* y */ b"],
])("%j is formatted as %j", (source, expected) => {
  expect(formatExpression(source)).toBe(expected);
  expect(formatExpression(expected)).toBe(expected);
});

test("an expression that is too wide is broken at its outermost operator", () => {
  const long = (name: string) => `${name}_${"x".repeat(30)}`;
  const source = `${long("a")} && ${long("b")} or (${long("c")} || d)`;
  expect(formatExpression(source)).toBe(
    `${long("a")} && ${long("b")}\n|| (${long("c")} || d)`,
  );
});

test("an expression that does not parse returns its problem", () => {
  expect(formatExpression("a &&")).toMatchObject({ line: 1, column: 5 });
});

test.each([
  ["(a)", "a"],
  ["(a || b) && c", "(a || b) && c"],
  ["a || (b || c)", "a || (b || c)"],
  ["(a ?? b) == c", "(a ?? b) == c"],
  ["(a == b) == (c == d)", "a == b == (c == d)"],
  ["!(a == b)", "!(a == b)"],
  ["a < b < c", "a < b < c"],
  ["(a < b) < c", "(a < b) < c"],
  ["(a ? b : c) ? d : e", "(a ? b : c) ? d : e"],
  ["a ?: (b ? c : d)", "a ?: b ? c : d"],
  ["'\\u0007\\n\\'' == `\\`", "'\\x07\\n\\'' == '\\\\'"],
  ["1.0 == 0x10", "1.0 == 16"],
  ["1e21 == 1", "1e+21 == 1"],
])("%j is printed as %j", (source, expected) => {
  const parsed = parseExpression(source);
  expect(parsed.ok && printExpression(parsed.expression.root)).toBe(expected);
});

function frames(source: string): string {
  const checked = checkExpression(source);
  if (checked.ok) return "";
  return checked.problems
    .map((p) => `${p.message}\n${codeFrame(source, p)}`)
    .join("\n");
}

test("every type error is listed, with a frame", () => {
  const source =
    "sdk.versoin == '3'\n  && http.request.ip in cidr('10.0.0.0/64')\n  || sdk.version > 3";
  expect(`\n${frames(source)}\n`).toBe(`
sdk.versoin is not known; sdk has platform, version
1 | sdk.versoin == '3'
  |     ^^^^^^^
'10.0.0.0/64' is not a network; write an address and how many bits count, such as '203.0.113.0/24'
2 |   && http.request.ip in cidr('10.0.0.0/64')
  |                              ^^^^^^^^^^^^^
> needs two numbers or two strings, not a string and a number; put the number in quotes, or compare the length, len(text)
3 |   || sdk.version > 3
  |      ^^^^^^^^^^^^^^^
`);
});

test("the frame of a long line shows the part around the error", () => {
  const source = `'${"a".repeat(100)}' == 'b' && nope && '${"c".repeat(100)}' == 'd'`;
  const [text = "", marks = ""] = frames(source).split("\n").slice(1);
  expect(text).toHaveLength(80);
  expect(text).toMatch(/^1 \| \.\.\.a+' == 'b' && nope && 'c+\.\.\.$/);
  expect(text.slice(marks.indexOf("^"), marks.lastIndexOf("^") + 1)).toBe(
    "nope",
  );
});

test("columns count characters, offsets count UTF-16 units", () => {
  expect(parseExpression("'\u{1f600}' == )")).toEqual({
    ok: false,
    error: {
      message: 'a value is expected, but ")" stands here',
      line: 1,
      column: 8,
      offset: 8,
      length: 1,
      end: { line: 1, column: 9 },
    },
  });
});
