import {
  applyEdits,
  checkRuleFile,
  fixRuleFile,
  LINTS,
  unaskedFixes,
} from "@devid/rules";
import { describe, expect, it, vi } from "vitest";

const FILE = `# ours
rules:
  - name: old # versions
    expression: sdk.version matches '^3-'   # to be dropped
    action: deny

  - name: office
    expression: |
      // the desks
      http.request.ip in cidr('10.0.0.5/8') ||
        http.request.ip in cidr('10.1.0.0/16')
    action: deny
  - name: office-again
    expression: http.request.ip in cidr('10.0.0.0/8')
    action: deny
  - name: shop
    expression: "any(http.request.headers['Origin'], # == 'shop.example')"
    action: deny
`;

const KEPT = FILE.replace("matches '^3-'", "startsWith '3-'").replace(
  "10.0.0.5/8",
  "10.0.0.0/8",
);

const rule = (name: string, expression: string) =>
  `  - name: ${name}\n    expression: ${expression}\n    action: deny\n`;
const fileOf = (...rules: string[]) => `rules:\n${rules.join("")}`;

/** The findings in a file, and the file with its fixes; those of some codes are accepted. */
const check = (text: string) => checkRuleFile(text, "rules.yaml");
const fix = (text: string, accepts: (code: string) => boolean = () => false) =>
  fixRuleFile(text, "rules.yaml", { accepts: ({ code }) => accepts(code) });

/** The codes of the findings in a file in which nothing is fixed without a question. */
async function codesUnfixed(text: string): Promise<string[]> {
  const { left, ...rest } = await fix(text);
  expect(rest).toEqual({ text, fixed: [] });
  return codes(left);
}

/** The rule whose fix changes the meaning, alone. */
const SHOP = `rules:\n${FILE.slice(FILE.indexOf("  - name: shop"))}`;

/** A file whose only finding is of plain-regex. */
const PLAIN_REGEX = fileOf(rule("old", "sdk.version matches '^3-'"));

type Find = Exclude<(typeof LINTS)[number], { of: "rule set" }>["find"];
type Results = Exclude<ReturnType<Find>, undefined | readonly unknown[]>[];

/** Changes the results of plain-regex in each rule. */
function changeResults(
  change: (results: Results, rule: Parameters<Find>[0]) => Results,
): void {
  const plain = LINTS.find(({ code }) => code === "plain-regex");
  if (!plain || plain.of === "rule set") throw new Error("no such lint");
  const { find } = plain;
  vi.spyOn(plain, "find").mockImplementation((rule, set) =>
    change(
      [find(rule, set)].flat(2).filter((each) => each !== undefined),
      rule,
    ),
  );
}

const codes = (findings: readonly { readonly code: string }[]) =>
  findings.map(({ code }) => code);

describe("the fixes of a rule file", () => {
  const denied = (...networks: readonly string[]) =>
    fileOf(
      ...networks.map((text, i) =>
        rule(`net-${i}`, `http.request.ip in cidr('${text}')`),
      ),
    );

  it("that keep the meaning are made, and keep comments and layout", async () => {
    const { text, fixed, left } = await fix(FILE);
    expect(text).toBe(KEPT);
    expect(codes(fixed).sort()).toEqual(["network", "plain-regex"]);
    expect(codes(left)).toEqual(["repeated", "unreachable", "never-sent"]);
    expect(await codesUnfixed(text)).toEqual(codes(left));
  });

  it("that remove a rule or a condition need a yes, even if the meaning stays", async () => {
    const asked: unknown[] = [];
    const answer = (accept: boolean) =>
      fixRuleFile(KEPT, "rules.yaml", {
        accepts: ({ code, keepsMeaning, removes }) => {
          if (removes) asked.push([code, keepsMeaning]);
          return accept && code === "unreachable";
        },
      });
    expect(await answer(false)).toMatchObject({ text: KEPT, fixed: [] });
    expect(asked).toEqual([
      ["repeated", true],
      ["unreachable", true],
    ]);
    const again = rule("office-again", "http.request.ip in cidr('10.0.0.0/8')");
    expect((await answer(true)).text).toBe(KEPT.replace(again, ""));
  });

  it("are not made for a condition that never holds because of a misspelling", async () => {
    const text = fileOf(
      rule("a", "sdk.platform.name == 'js' && sdk.platform.is_ios"),
      rule("b", "sdk.platform.is_ios"),
    );
    expect(await codesUnfixed(text)).toEqual(["never-matches"]);
  });

  it("that change the meaning need a yes, one by one", async () => {
    const asked: unknown[] = [];
    const answer = (accept: boolean) =>
      fixRuleFile(SHOP, "rules.yaml", {
        accepts: ({ code, changes }) => {
          asked.push([code, changes]);
          return accept;
        },
      });
    const refused = await answer(false);
    expect(refused).toMatchObject({ text: SHOP, fixed: [] });
    const accepted = await answer(true);
    expect(accepted.text).toBe(
      SHOP.replace("'shop.example'", "'https://shop.example'"),
    );
    const question = [
      "never-sent",
      ["denies more requests", "lets more requests through"],
    ];
    expect(asked).toEqual([question, question]);
  });

  it("that keep the meaning only one at a time are not all made", async () => {
    // The wide rule covers each narrow rule, and the two narrow rules together cover
    // the wide rule.
    const text = denied("10.0.0.0/9", "10.128.0.0/9", "10.0.0.0/8");
    const { text: after } = await fix(text, () => true);
    expect(after).not.toBe(text);
    expect(check(after)).toEqual([]);
    const covers =
      after.includes("10.0.0.0/8") ||
      (after.includes("10.0.0.0/9") && after.includes("10.128.0.0/9"));
    expect(covers).toBe(true);
  });

  it.each([
    ["203.0.113.7/3", "network", "203.0.113.7/32"],
    ["2001:db8::1/3", "network", "2001:db8::1/128"],
    ["203.0.113.7/16", "network", "203.0.0.0/16"],
    ["::ffff:203.0.113.0/24", "network", "203.0.113.0/24"],
    ["::ffff:203.0.113.0/8", "network", "203.0.0.0/8"],
  ])(
    "are only offered for %s, where the address or the mask is wrong",
    async (network, code, meant) => {
      const text = denied(network);
      expect(await codesUnfixed(text)).toContain(code);
      const accepted = await fix(text, (one) => one === code);
      expect(accepted.text).toBe(denied(meant));
    },
  );

  it.each([
    ["rule", "&r\n    ", "<<: *r\n    "],
    ["expression", "", "expression: *e\n    action: deny\n    "],
  ])("have no edits if another rule shares the %s", (_, anchor, alias) => {
    const text = `rules:
  - ${anchor}name: a
    expression: ${anchor ? "" : "&e "}http.request.ip in cidr('203.0.113.7/2')
    action: deny
    status: disabled
  - ${alias}name: b
    status: enabled
`;
    const edits = check(text).map((each) => each.edits);
    expect(edits).toEqual([undefined, undefined]);
  });

  it("are not offered together if each keeps the meaning because of the other rule", () => {
    const text = denied("203.0.113.7/2", "203.0.113.7/2")
      .replace("2')", "2') || sdk.platform.is_ios")
      .replace("2')\n", "2') || sdk.platform.is_android\n");
    const findings = check(text);
    const kept = findings.map(({ keepsMeaning }) => keepsMeaning);
    expect(kept).toEqual([true, true]);
    expect(unaskedFixes(findings, text, "rules.yaml")).toEqual([findings[0]]);
  });

  it.each(["192.0.0.0/3", "128.0.0.0/1", "0.0.0.0/0", "2000::/3"])(
    "have none for %s, which is reported as a large share of all addresses",
    async (network) => {
      expect(await codesUnfixed(denied(network))).toContain("network");
    },
  );

  it("leaves networks of a registry and reserved ones alone", () => {
    for (const network of ["17.0.0.0/8", "2400::/12", "224.0.0.0/4"])
      expect(check(denied(network))).toEqual([]);
  });

  it("are taken back if lint still finds the mistake", async () => {
    changeResults((results, rule) => [
      ...results,
      { message: `still in ${rule.rule.expression}`, fix: "nothing" },
      ...(rule.rule.expression.includes("matches")
        ? []
        : [{ message: "new", fix: "nothing" }]),
    ]);
    const left = await codesUnfixed(PLAIN_REGEX);
    expect(left).toEqual(["plain-regex", "plain-regex"]);
  });

  it("are not made if an expression would be a mistake with them", async () => {
    // The text of each edit is not that of its tree.
    changeResults((results) =>
      results.map(({ edits = [], ...result }) => ({
        ...result,
        edits: edits.map((edit) => ({ ...edit, text: "(" })),
      })),
    );
    const { left, ...rest } = await fix(PLAIN_REGEX, () => true);
    expect(codes(left)).toContain("plain-regex");
    expect(rest).toEqual({ text: PLAIN_REGEX, fixed: [] });
  });

  it("of constants alone leave a condition", async () => {
    const text = fileOf(
      rule(
        "a",
        '"sdk.platform.is_ios ? (true || (true)) : http.user_agent.is_ai_bot"',
      ),
    );
    for (const { edits = [] } of check(text)) {
      const found = codes(check(applyEdits(text, edits)));
      expect(found).not.toContain("invalid-expression");
    }
    const { left } = await fix(text);
    expect(codes(left)).toContain("constant-condition");
    expect(codes(left)).not.toContain("invalid-expression");
  });

  it("of a list of origins ask once each, and end within the time limit", async () => {
    const origins = Array.from(
      { length: 100 },
      (_, i) => `'https://shop-${i}.example/'`,
    );
    const shops = `"any(http.request.headers['Origin'], # in [${origins.join(", ")}])"`;
    const text = fileOf(
      rule("shops", shops).replace("deny", "allow"),
      rule("others", '"true"'),
    );
    const asked: string[] = [];
    const { left } = await fix(text, (code) => {
      asked.push(code);
      return false;
    });
    const found = codes(left).filter((code) => code === "never-sent");
    expect(found.length).toBeGreaterThan(50);
    expect(asked).toHaveLength(left.filter(({ edits }) => edits).length);
  });

  it("are not made in a file with a mistake", async () => {
    const left = await codesUnfixed("rules:\n  - nam: a\n");
    expect(left).toEqual(Array(4).fill("invalid-file"));
  });
});

describe("a comment that allows a finding", () => {
  const file = (front: string, inside = "", behind = "") =>
    front +
    fileOf(
      rule("first", "http.user_agent.is_ai_bot").replace(/\n$/, `${behind}\n`),
      inside + rule("old", "sdk.version matches '^3-'"),
    );
  const found = (text: string) =>
    check(text).map(({ code, rule }) =>
      rule === undefined ? code : `${rule} ${code}`,
    );
  const allow = "# devid-allow plain-regex: it will grow";

  it("is about the rule that contains or follows it, or about the file", () => {
    expect(found(file(""))).toEqual(["old plain-regex"]);
    expect(found(file("", `  ${allow}\n`))).toEqual([]);
    expect(found(file(`${allow}\n`))).toEqual([]);
    expect(found(`${file("")}    status: enabled ${allow}\n`)).toEqual([]);
    expect(found(`${file("")}    ${allow}\n`)).toEqual([]);
    expect(found(`${file("")}  ${allow}\n`)).toEqual([
      "old plain-regex",
      "unused-allow",
    ]);
    const atEnd = rule("old", "sdk.version matches '^3-'") + `    ${allow}\n`;
    const next = rule("first", "http.user_agent.is_ai_bot");
    expect(found(fileOf(atEnd, next))).toEqual([]);
    expect(found(file("", "", ` ${allow}`))).toEqual([
      "first unused-allow",
      "old plain-regex",
    ]);
  });

  it("needs a reason and the name of a lint", () => {
    for (const comment of [
      "# devid-allow plain-regex",
      "# devid-allow plain-regex:",
      "# devid-allow plain-regx: it will grow",
      "# devid-allow out-of-time: it is slow",
    ])
      expect(found(file("", `  ${comment}\n`))).toEqual([
        "old invalid-allow",
        "old plain-regex",
      ]);
  });

  it("is ignored within a text", () => {
    const text = '"# devid-allow plain-regex: no"';
    const name = rule(text, "sdk.platform.is_ios");
    expect(found(file("") + name)).toEqual(["old plain-regex"]);
  });

  it("is not reported as unused if its rule is invalid", () => {
    const text = file("", `  ${allow}\n`).replace(
      "matches '^3-'",
      "matchs '^3-'",
    );
    expect(found(text)).toEqual(["old invalid-expression"]);
  });

  it("is removed on request if it is unused, and never moves to another rule", async () => {
    const unused = file(`${allow}\n`, "", ` ${allow}`);
    expect((await fix(unused)).text).toBe(unused);
    const { text } = await fix(unused, (code) => code === "unused-allow");
    expect(text).toBe(file(`${allow}\n`));
    const twice = fileOf(
      rule("a", "sdk.platform.is_ios"),
      `  ${allow}\n${rule("b", "sdk.platform.is_ios")}`,
      rule("c", "sdk.version matches '^3-'"),
    );
    const found = check(twice).find(({ code }) => code === "unreachable");
    expect(found).toBeDefined();
    expect(found).not.toHaveProperty("edits");
    const first = `${rule("a", "sdk.platform.is_ios")}    ${allow}\n`;
    const second = `${rule("b", "sdk.platform.is_ios")}    # as before\n`;
    const third = rule("c", "sdk.platform.is_android");
    const { text: deleted } = await fix(
      fileOf(first, second, third),
      (code) => code === "unreachable",
    );
    expect(deleted).toBe(fileOf(first, third));
    const flow = (...comments: string[]) =>
      `rules: [\n${comments.map((comment, i) => `  { name: r${i}, expression: sdk.platform.is_ios, action: deny }, ${comment}\n`).join("")} ]\n`;
    const all = await fix(flow("", ""), () => true);
    expect(all.fixed).toHaveLength(1);
    const commented = flow("# one", "# two");
    expect((await fix(commented, () => true)).text).toBe(commented);
  });
});

describe("the severities of a file", () => {
  const file = (severity: string) =>
    `lint:\n  plain-regex: ${severity}\n${PLAIN_REGEX}`;

  it.each([["error"], ["warning"], ["off"]])(
    "replace the severities of the lints; off hides a lint: %s",
    (severity) => {
      const said = check(file(severity)).map((finding) => finding.severity);
      expect(said).toEqual(severity === "off" ? [] : [severity]);
    },
  );

  it("are error, warning, note or off", () => {
    expect(check(file("fatal"))[0]).toMatchObject({
      code: "invalid-file",
      line: 2,
      message: 'lint["plain-regex"]: must be error, warning, note or off',
    });
  });
});
