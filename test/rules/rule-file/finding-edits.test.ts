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

describe("the edits of an expression", () => {
  it.each([
    [
      "bare",
      ["    expression: http.request.ip in cidr('10.0.0.5/8') # why"],
      ["    expression: http.request.ip in cidr('10.0.0.0/8') # why"],
    ],
    [
      "in double quotes",
      [`    expression: "http.request.ip in cidr('10.0.0.5/8')"`],
      [`    expression: "http.request.ip in cidr('10.0.0.0/8')"`],
    ],
    [
      "in single quotes, which the new text does not need",
      ["    expression: 'http.request.ip in cidr(\"10.0.0.5/8\")'"],
      [`    expression: http.request.ip in cidr('10.0.0.0/8')`],
    ],
    [
      "in a block with comments",
      [
        "    expression: | # why",
        "      // the office",
        "      http.request.ip  in",
        "        cidr('10.0.0.5/8') // and more",
      ],
      [
        "    expression: | # why",
        "      // the office",
        "      http.request.ip  in",
        "        cidr('10.0.0.0/8') // and more",
      ],
    ],
    [
      "folded",
      [
        "    expression: >-",
        "      http.request.ip in",
        "      cidr('10.0.0.5/8')",
      ],
      ["    expression: |-", "      http.request.ip in cidr('10.0.0.0/8')"],
    ],
  ])("keep the rest of the line: %s", (_, before, after) => {
    expect(fixed(deny(...before), "network")).toBe(deny(...after));
  });

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

  it("remove the operator with its operand, and keep other parentheses", () => {
    const office = "http.request.ip in cidr('10.0.0.0/8')";
    const desk = "http.request.ip in cidr('10.1.0.0/16')";
    const apps = "(sdk.platform.is_ios)";
    const edit = (expression: string) =>
      fixed(deny(`    expression: ${expression}`), "repeated");
    for (const [before, after] of [
      [`${office} || ${desk}`, office],
      [`${desk} || ${office}`, office],
      [`${desk} || ${apps} || ${office}`, `${apps} || ${office}`],
      [`${office} || ${apps} || ${desk}`, `${office} || ${apps}`],
      [`${office} || ${apps} or ${desk}`, `${office} || ${apps}`],
    ] as const)
      expect(edit(before)).toBe(deny(`    expression: ${after}`));
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

  it("keeps the comments and the empty line in front of the next rule", () => {
    expect(fixed(twice("\n  # once more\n"), "unreachable")).toBe(`rules:
  # crawlers
  - name: first
    expression: http.user_agent.is_crawler_bot
    action: deny

  # once more
  # apps
  - name: third
    expression: sdk.platform.is_ios
    action: deny
`);
  });

  it("removes the comma in JSON", () => {
    const rule = (name: string) => ({
      name,
      expression: "sdk.platform.is_ios",
      action: "deny",
    });
    const rules = [rule("a"), rule("b")];
    for (const text of [
      JSON.stringify({ rules }),
      JSON.stringify({ rules }, undefined, 2),
    ])
      expect(JSON.parse(fixed(text, "unreachable"))).toEqual({
        rules: rules.slice(0, 1),
      });
  });

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

  it("move a rule with the comments in front of it", () => {
    const before = file("  # all", ...everybody, "", "  # ours", ...apps);
    const after = file("  # ours", ...apps, "  # all", ...everybody, "");
    expect(fixed(before, "unreachable")).toBe(after);
    expect(findingIn(before, "unreachable")).toMatchObject({
      keepsMeaning: false,
      changes: ["denies nothing new", "lets more requests through"],
    });
    expect(checkRuleFile(after, "rules.yaml")).toEqual([]);
  });

  it("move a rule behind all other rules", () => {
    const before = file(...everybody, ...apps);
    expect(fixed(before, "deny-all")).toBe(file(...apps, ...everybody));
  });

  it("move a rule of a list in brackets", () => {
    const [all, ios] = [
      '{"name":"everybody","expression":"true","action":"deny"}',
      '{"name":"apps","expression":"sdk.platform.is_ios","action":"allow"}',
    ];
    const after = fixed(`{"rules":[${all},${ios}]}`, "unreachable");
    expect(after).toBe(`{"rules":[${ios}, ${all}]}`);
  });

  it("add a rule at the end of a file without a last line break", () => {
    const before = ["rules:", ...apps].join("\n");
    const others = rule("others", '"true"', "deny");
    expect(fixed(before, "changes-nothing")).toBe(
      ["rules:", ...apps, ...others, ""].join("\n"),
    );
  });

  it.each([
    [
      "sdk.platform.is_ios && sdk.platform.is_android && sdk.version == '4.0.0'",
      "(sdk.platform.is_ios || sdk.platform.is_android) && sdk.version == '4.0.0'",
    ],
    ["len(sdk.platform.name) > 7", "len(sdk.platform.name) > 6"],
  ])("write the nearest condition that can hold: %s", (before, after) => {
    expect(
      fixed(file(...rule("a", before, "deny")), "never-matches"),
    ).toContain(after);
  });
});
