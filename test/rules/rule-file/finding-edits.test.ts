import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  applyEdits,
  checkRuleFile,
  diffRules,
  formatRuleFile,
  openRuleFile,
  parseRuleFile,
  RuleFileError,
} from "@devid/rules";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lintSet } from "../../../rules/src/lint/lint-rules";
import { LintedSet } from "../../../rules/src/lint/set/linted-set";
import { canonicalText } from "../../../rules/src/language/syntax/print-expression";
import { editedExpression } from "../../../rules/src/language/types/tree-edit";
import { checked } from "../language/checked";
import { readBlocks } from "../lint/blocks/read-blocks";
import { rulesOf } from "../lint/rules";
import { suggestionsAt } from "../../../cli/src/lsp/completion";
import { wordAt } from "../../../cli/src/lsp/reference";

/** A finding of a file, by its code. */
function findingIn(text: string, code: string) {
  const found = checkRuleFile(text, "rules.yaml").find(
    (one) => one.code === code,
  );
  if (!found) throw new Error(`${code} is not found`);
  return found;
}

it("edits at one offset keep each other's texts", () => {
  const edits = [
    { offset: 1, length: 0, text: "X" },
    { offset: 1, length: 1, text: "" },
    { offset: 1, length: 0, text: "Y" },
  ];
  expect(applyEdits("abc", edits)).toBe("aXYc");
});

/** A file with the edits of its first finding of a code. */
function fixed(text: string, code: string): string {
  const { edits } = findingIn(text, code);
  if (!edits) throw new Error(`${code} has no edits`);
  const result = applyEdits(text, edits);
  parseRuleFile(result, "rules.yaml");
  return result;
}

const deny = (...expression: string[]) =>
  [
    "# of the shop",
    "rules:",
    "  - name: a # first",
    ...expression,
    "    action: deny # for good",
    "",
  ].join("\n");

const text = readFileSync(join(__dirname, "edits.txt"), "utf8");

/**
 * The blocks of `edits.txt`: what is fixed, with its code; a file, or only the expression of
 * a rule, before and after.
 */
const blocks = text.split(/^---\n/m).map((block) => {
  const [, what, code = "", ...sides] =
    /^# (.*) \((.*)\)\n([^]*)\n=>\n([^]*)\n$/.exec(block) ?? [];
  const [before = "", after = ""] = sides.map((side) =>
    /^(rules:|\{)/.test(side) ? side : deny(`    expression: ${side}`),
  );
  return { what, code, before, after };
});

it.each(blocks)("$what ($code)", ({ code, before, after }) => {
  expect(fixed(before, code)).toBe(after);
});

describe("the edits of an expression", () => {
  it.each([
    "http.request.headers['Origin'][0] /* ours */ != 'https://shop.example'",
    "http.user_agent.string /* tools */ matches 'curl'",
    "sdk.platform.is_ios || /* all */ !sdk.platform.is_ios",
    "sdk.platform.is_ios ? /* yes */ sdk.platform.is_ios : sdk.platform.is_ios",
  ])("are not offered if a comment would be lost: %s", (expression) => {
    const text = deny("    expression: |-", `      ${expression}`);
    const findings = checkRuleFile(text, "r.yaml");
    expect(findings).not.toEqual([]);
    for (const { edits = [] } of findings)
      expect(applyEdits(text, edits)).toMatch(/\/\* \w+ \*\//);
  });

  it("describe their effect like a diff does, and say whether the meaning stays", () => {
    const regex = "http.user_agent.string matches '^Acme'";
    const kept = findingIn(deny(`    expression: ${regex}`), "plain-regex");
    const docs = "docs/lint.md#plain-regex";
    expect(kept).toMatchObject({ keepsMeaning: true, docs });
    expect(kept).not.toHaveProperty("changes");
    const origin = `"any(http.request.headers['Origin'], # == 'shop.example')"`;
    const text = deny(`    expression: ${origin}`);
    expect(findingIn(text, "never-sent")).toMatchObject({
      keepsMeaning: false,
      changes: ["denies more requests", "lets more requests through"],
    });
  });
});

it("the text of an edit reads as the tree that its meaning is read from", () => {
  const seen = new Set<string>();
  for (const { rules } of readBlocks("mistakes")) {
    const set = new LintedSet(rulesOf(...rules));
    for (const { code, index, edits = [] } of lintSet(set)) {
      const replaced = edits.filter((edit) => edit.kind === "replace");
      const rule = set.at(index);
      if (replaced.length === 0 || !rule) continue;
      seen.add(code);
      const edited = editedExpression(rule.expression, replaced);
      const source = applyEdits(rule.expression.source, replaced);
      expect(edited && canonicalText(edited.root)).toBe(
        canonicalText(checked(source).root),
      );
    }
  }
  expect(seen.size).toBeGreaterThan(8);
});

const twice = (action = "deny") => `rules:
  # crawlers
  - name: first
    expression: http.user_agent.is_crawler_bot
    action: deny
  - name: second
    expression: (http.user_agent.is_crawler_bot)
    action: ${action} # as above

  # apps
  - name: third
    expression: sdk.platform.is_ios
    action: deny
`;

it("the deletion of a rule is not offered for a rule with another action or a rule that a test names", () => {
  const named = `tests:
  - name: crawlers stay out
    request: { userAgent: Googlebot }
    expect: { deny: second }
`;
  for (const text of [twice("allow"), twice() + named])
    expect(findingIn(text, "unreachable")).not.toHaveProperty("edits");
});

/** Expressions in which lint finds something with edits, alone or beside the others. */
const expression = fc.constantFrom(
  "true",
  "sdk.platform.is_ios",
  "sdk.version matches '^3-'",
  "http.request.ip in cidr('10.0.0.5/8')",
  "http.request.ip in cidr('10.0.0.0/8') || http.request.ip in cidr('10.1.0.0/16')",
  "sdk.platform.is_ios && sdk.platform.is_android",
);

/** A rule in some layout: comments and empty lines in front, and comments behind. */
const written = fc
  .record({
    expression,
    action: fc.constantFrom("allow", "deny"),
    layout: fc.constantFrom("plain", "quoted", "block", "folded", "flow"),
    front: fc.array(fc.constantFrom("", "  # front"), { maxLength: 4 }),
    isAnchored: fc.boolean(),
  })
  .map(
    ({ expression, action, layout, front, isAnchored }) =>
      (index: number) => {
        const mark = isAnchored ? `&e${index} ` : "";
        const note = (place: string) => `# ${place} of ${index}`;
        const spelt = {
          plain: `${expression} ${note("end")}`,
          quoted: `${JSON.stringify(expression)} ${note("end")}`,
          block: `|- ${note("end")}\n      ${expression}`,
          folded: `>- ${note("end")}\n      ${expression.replace(" ", "\n      ")}`,
          flow: "",
        }[layout];
        const rule =
          layout === "flow"
            ? `  - { name: r${index}, expression: ${mark}${JSON.stringify(expression)}, action: ${action} }`
            : `  - name: r${index}\n    expression: ${mark}${spelt}\n    action: ${action}`;
        // Another rule has the same expression, by its anchor.
        const again = `  - name: again${index}\n    expression: *e${index}\n    action: ${action}`;
        const lines = front.map(
          (line, i) => line && `${line} ${i} of ${index}`,
        );
        return [...lines, rule, ...(mark ? [again] : [])].join("\n");
      },
  );

const layouts = fc
  .record({
    rules: fc.array(written, { minLength: 1, maxLength: 4 }),
    end: fc.constantFrom("\n", "\r\n"),
    mark: fc.constantFrom("", "\ufeff"),
  })
  .map(({ rules, end, mark }) =>
    `${mark}# ours\nrules:\n${rules.map((rule, i) => rule(i)).join("\n")}\n`.replaceAll(
      "\n",
      end,
    ),
  );

const commentsIn = (text: string, place: RegExp) =>
  [...text.matchAll(place)].map(([comment]) => comment).sort();

it("edits in any layout give a rule file, keep comments, and mean what they say", () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(layouts, (text) => {
      const before = parseRuleFile(text, "r.yaml");
      for (const finding of checkRuleFile(text, "r.yaml")) {
        if (!finding.edits) continue;
        const after = applyEdits(text, finding.edits);
        const rules = parseRuleFile(after, "r.yaml");
        const isDeleted = rules.length < before.length;
        seen.add(`${finding.code} ${rules.length - before.length}`);
        // A deleted rule takes the comments within it along.
        const kept = isDeleted ? /# (?:front|ours).*/g : /# .*/g;
        expect(commentsIn(after, kept)).toEqual(commentsIn(text, kept));
        if (finding.keepsMeaning)
          expect(diffRules(before, rules).effect.class).toBe("none");
      }
    }),
    { numRuns: 100 },
  );
  expect(seen.size).toBeGreaterThan(5);
});

it("the editor suggests, explains and formats at every place of any layout", () => {
  let suggested = 0;
  fc.assert(
    fc.property(layouts, fc.nat(), (text, cut) => {
      // A file that is being written ends anywhere.
      const written = text.slice(0, cut % (text.length + 1));
      for (const one of [text, written]) {
        const open = () => openRuleFile(one, "r.yaml");
        for (let at = 0; at <= one.length; at++)
          suggested += suggestionsAt(one, at, () => undefined).words.length;
        for (const line of one.split("\n"))
          for (let at = 0; at <= line.length; at++) wordAt(line, at);
        expect(() => {
          try {
            open();
          } catch (error) {
            if (!(error instanceof RuleFileError)) throw error;
          }
        }).not.toThrow();
      }
      const formatted = formatRuleFile(openRuleFile(text, "r.yaml"));
      expect(formatRuleFile(openRuleFile(formatted, "r.yaml"))).toBe(formatted);
    }),
    { numRuns: 10 },
  );
  expect(suggested).toBeGreaterThan(1_000);
});
