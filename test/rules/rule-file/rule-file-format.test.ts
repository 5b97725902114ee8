import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Document, isMap, isScalar, visit, type Scalar } from "yaml";
import { formatExpression, printExpression } from "../../../rules/src/language";
import { applyEdits } from "../../../rules/src/language/syntax/text-edit";
import { checkRuleFile } from "../../../rules/src/rule-file/check-rule-file";
import { openRuleFile } from "../../../rules/src/rule-file/rule-file";
import { RuleFileError } from "../../../rules/src/rule-file/rule-file-error";
import { formatRuleFile } from "../../../rules/src/rule-file/format-rule-file";
import { parsed } from "../language/kept-tree";
import { documented } from "../language/random-expression";

const format = (text: string) => formatRuleFile(openRuleFile(text, "f.yaml"));

const LONG =
  "http.user_agent.string contains 'HeadlessChrome' and http.request.ip in cidr('10.0.0.0/8')";
const [FIRST, SECOND] = [
  "http.user_agent.string contains 'HeadlessChrome'",
  "&& http.request.ip in cidr('10.0.0.0/8')",
];

/** Expects that formatting a file with this expression gives the other expression. */
function becomes(before: string, after: string): void {
  const file = (expression: string) =>
    `rules:\n  - name: a # one\n    expression: ${expression}\n\n    # two\n    action:   deny\n`;
  expect(format(file(before))).toBe(file(after));
  expect(format(file(after))).toBe(file(after));
}

describe("formatting changes only the expression", () => {
  const blocks = readFileSync(join(__dirname, "format.txt"), "utf8")
    .split(/^---\n/m)
    .map((block) => /^# (.*)\n([^]*)\n=>\n([^]*)\n$/.exec(block) ?? []);

  it.each(blocks.map(([, ...block]) => block))(
    "if it is %s",
    (_, before = "", after = "") => becomes(before, after),
  );

  it("in a flow", () => {
    const file = (...expressions: string[]) =>
      `rules: [\n${expressions.map((e, i) => `  {name: "${i}",expression: ${e} ,action: deny}, # ${i}\n`).join("")}]\n`;
    const before = ["a   and b", "'a   and b'", "a or c == 'b'", `"${LONG}"`];
    const long = JSON.stringify(`${FIRST}\n${SECOND}`);
    const after = ["a && b", "'a && b'", "a || c == 'b'", long];
    expect(format(file(...before))).toBe(file(...after));
  });

  it("in JSON, which stays JSON", () => {
    const file = (...expressions: string[]) => {
      const rules = expressions.map((expression, i) => ({
        ...{ name: `${i}`, expression, action: "deny" },
      }));
      return JSON.stringify({ rules }, undefined, "\t");
    };
    expect(format(file("a   and b", 'a=="b"', 'a==`"`', LONG))).toBe(
      file("a && b", "a == 'b'", 'a == `"`', `${FIRST}\n${SECOND}`),
    );
  });

  it("between CRLF lines", () => {
    const file = (expression: string) =>
      `rules:\r\n  - expression: ${expression}\r\n    name: a\r\n    action: deny\r\n`;
    expect(format(file("a   and b"))).toBe(file("a && b"));
    expect(format(file(LONG))).toBe(
      file(`|-\r\n      ${FIRST}\r\n      ${SECOND}`),
    );
    expect(format(file("|\r\n      a   and b\r\n"))).toBe(
      file("|\r\n      a && b\r\n"),
    );
  });

  it("and keeps an alias of the expression", () => {
    const file = (expression: string) =>
      `rules:\n  - {name: a, expression: &x ${expression}, action: deny}\n  - {name: b, expression: *x, action: deny}\n`;
    expect(format(file("a   and b"))).toBe(file("a && b"));
  });
});

it("formatting keeps assumed headers, tests and their comments", () => {
  const around = `# House rules.
assume_not_sent: [ Sec-Ch-Ua,   X-Team ] # our apps send neither
tests:
  - name:  one   # kept
    request: {ip: 10.0.0.1}
    expect:  allow
`;
  const file = (expression: string) =>
    `${around}rules:\n  - name: a\n    expression: ${expression}\n    action: deny\n`;
  const formatted = format(file("sdk.platform.is_ios   and true"));
  const shown = openRuleFile(formatted, "f");
  expect(shown.text).toBe(file("sdk.platform.is_ios && true"));
  expect(shown.assumeNotSent).toEqual(["Sec-Ch-Ua", "X-Team"]);
});

it("an expression that cannot be changed in place is an error", () => {
  const text = `rules:
  - { name: &x a   and b, expression: *x, action: deny }
`;
  expect(() => format(text)).toSay("format/rule-by-hand");
});

it("an expression that does not parse is an error with its place; types are not checked", () => {
  const text = `rules:
  - { name: a, expression: "a &&", action: deny }
  - { name: b, expression: "1 and b", action: deny }
  - name: c
    expression: |
      a
      && )
    action: deny
`;
  expect(() => format(text)).toThrow(RuleFileError);
  expect(() => format(text)).toSay("format/rules-by-hand");
});

/** Expressions with comments and line breaks, loosely spaced. */
const joint = fc.constantFrom(
  ...[" && ", "   and ", "\n && ", " // it's\n&&  "],
  ...['\n// "\n&& ', " /* # */ and "],
);
const loose = fc
  .tuple(documented, fc.array(joint, { minLength: 1, maxLength: 3 }))
  .map(([source, joints]) =>
    source
      .split(" && ")
      .reduce(
        (text, part, i) => text + (joints[i % joints.length] ?? "") + part,
      ),
  );

const spelling = fc.record({
  expression: loose,
  type: fc.constantFrom<Scalar.Type>(
    "PLAIN",
    "QUOTE_SINGLE",
    "QUOTE_DOUBLE",
    "BLOCK_LITERAL",
    "BLOCK_FOLDED",
  ),
  flow: fc.boolean(),
});

const ruleFile = fc
  .record({
    rules: fc.array(spelling, { minLength: 1, maxLength: 4 }),
    lineWidth: fc.constantFrom(0, 30, 80),
    indent: fc.constantFrom(2, 4),
    lineBreak: fc.constantFrom("\n", "\r\n"),
    json: fc.boolean(),
  })
  .map(({ rules, lineWidth, indent, lineBreak, json }) => {
    const content = {
      rules: rules.map(({ expression }, i) => ({
        ...{ name: `r${i}`, expression, action: "deny" },
      })),
    };
    if (json) return JSON.stringify(content, undefined, indent);
    const document = new Document(content);
    let at = 0;
    visit(document, {
      Pair: (_, { key, value }) => {
        if (!isScalar(key) || key.value !== "expression" || !isScalar(value))
          return;
        value.type = rules[at]?.type;
        value.comment = ` note ${at++}`;
      },
    });
    rules.forEach(({ flow }, i) => {
      const rule = document.getIn(["rules", i]);
      if (isMap(rule)) rule.flow = flow;
    });
    return document.toString({ lineWidth, indent }).replaceAll("\n", lineBreak);
  });

const meaning = (expression: string) => {
  const root = parsed(expression);
  return root && printExpression(root);
};

it("formatting any file keeps meaning and comments, and formatting again changes nothing", () => {
  let changed = 0;
  fc.assert(
    fc.property(ruleFile, (text) => {
      const before = openRuleFile(text, "f.yaml");
      if (before.rules.some((rule) => !meaning(rule.expression))) return;
      const formatted = formatRuleFile(before);
      if (formatted !== text) changed++;
      const after = openRuleFile(formatted, "f.yaml");
      const [were, are] = [before, after].map(({ rules }) =>
        rules.map((rule) => ({
          ...rule,
          expression: meaning(rule.expression),
        })),
      );
      expect(are).toEqual(were);
      for (const { expression } of after.rules)
        expect(formatExpression(expression)).toBe(expression.trimEnd());
      expect(formatted.match(/# note \d/g)).toEqual(text.match(/# note \d/g));
      expect(formatRuleFile(after)).toBe(formatted);
    }),
    { numRuns: 200 },
  );
  expect(changed).toBeGreaterThan(40);
});

it.each([
  ["U+0000, which YAML does not allow", "\\u0000"],
  ["a sign that turns the direction of text", "\\u202e"],
  ["a tag of two UTF-16 units", "\\udb40\\udc01"],
])("does not write %s where the file escapes it", (_, sign) => {
  const file = (operator: string) =>
    `{"rules":[{"name":"a","expression":"sdk.version${operator}'${sign}'","action":"deny"}]}`;
  const formatted = formatRuleFile(openRuleFile(file("  == "), "r.json"));
  expect(formatted).toBe(file(" == "));
});

it("a fix does not write a tag either, but an escape of the language", () => {
  const text = `{"rules":[{"name":"a","expression":"sdk.version matches '^3\\udb40\\udc01'","action":"deny"}]}`;
  const edited = checkRuleFile(text, "r.json").map(({ edits = [] }) =>
    applyEdits(text, edits),
  );
  expect(edited.join("\n")).toContain(String.raw`startsWith '3\\u{e0001}'`);
  expect(edited.join("\n")).not.toMatch(/[^\n -~]/);
});
