import { readFileSync } from "node:fs";
import { join } from "node:path";
import { applyEdits, checkRuleFile, parseRuleFile } from "@devid/rules";
import { describe, expect, it } from "vitest";

/** A finding of a file, by its code. */
function findingIn(text: string, code: string) {
  const found = checkRuleFile(text, "rules.yaml").find(
    (one) => one.code === code,
  );
  if (!found) throw new Error(`${code} is not found`);
  return found;
}

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

/** The blocks of `edits.txt`: what is fixed, with its code; a file before and after. */
const blocks = text
  .split(/^---\n/m)
  .map((block) =>
    (/^# (.*) \((.*)\)\n([^]*)\n=>\n([^]*)\n$/.exec(block) ?? []).slice(1),
  );

it.each(blocks)("%s (%s)", (_, code = "", before = "", after = "") => {
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
    const said = (code: string, ...expression: string[]) => {
      const { keepsMeaning, changes, docs } = findingIn(
        deny(...expression),
        code,
      );
      return { keepsMeaning, changes, docs };
    };
    expect(
      said(
        "plain-regex",
        "    expression: http.user_agent.string matches '^Acme'",
      ),
    ).toEqual({
      keepsMeaning: true,
      changes: undefined,
      docs: "docs/lint.md#plain-regex",
    });
    expect(
      said(
        "never-sent",
        `    expression: "any(http.request.headers['Origin'], # == 'shop.example')"`,
      ),
    ).toEqual({
      keepsMeaning: false,
      changes: ["denies more requests", "lets more requests through"],
      docs: "docs/lint.md#never-sent",
    });
  });
});

describe("the deletion of a rule", () => {
  const twice = (between: string, action = "deny") => `rules:
  # crawlers
  - name: first
    expression: http.user_agent.is_crawler_bot
    action: deny
${between}  - name: second
    expression: (http.user_agent.is_crawler_bot)
    action: ${action} # as above

  # apps
  - name: third
    expression: sdk.platform.is_ios
    action: deny
`;

  it("is not offered for a rule with another action or a rule that a test names", () => {
    const named = `tests:
  - name: crawlers stay out
    request: { userAgent: Googlebot }
    expect: { deny: second }
`;
    for (const text of [twice("", "allow"), twice("") + named])
      expect(findingIn(text, "unreachable")).not.toHaveProperty("edits");
  });
});

describe("the edits of a rule set", () => {
  const rule = (name: string, expression: string, action: string) => [
    `  - name: ${name}`,
    `    expression: ${expression}`,
    `    action: ${action}`,
  ];
  const file = (...lines: string[]) =>
    ["rules:", ...lines, "tests: []", ""].join("\n");
  const [everybody, apps] = [
    rule("everybody", '"true"', "deny"),
    rule("apps", "sdk.platform.is_ios", "allow"),
  ];

  it("cure the finding when they move a rule, and say what changes", () => {
    const before = file("  # all", ...everybody, "", "  # ours", ...apps);
    const after = fixed(before, "unreachable");
    expect(findingIn(before, "unreachable")).toMatchObject({
      keepsMeaning: false,
      changes: ["denies nothing new", "lets more requests through"],
    });
    expect(checkRuleFile(after, "rules.yaml")).toEqual([]);
  });
});
