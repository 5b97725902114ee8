import { describe, expect, it, vi } from "vitest";
import { applyEdits, checkRuleFile, lintRules } from "@devid/rules";
import { TimeLimit } from "../../../rules/src/time-limit";
import { resultFor } from "../language/checked";
import { rulesOf } from "./rules";
import { hurryProcessorTime } from "../processor-time";

const RULES = rulesOf(
  "deny sdk.platform.is_ios",
  "deny sdk.platform.is_ios",
  "allow sdk.platform.name == 'ios' && sdk.platform.name == 'js'",
);
const codes = (withinMs?: number) =>
  lintRules(RULES, { withinMs }).map(({ code }) => code);

it("lint ends once the time is over, and says what it did not look for", () => {
  expect(codes()).toEqual(["unreachable", "never-matches"]);
  expect(lintRules(RULES, { withinMs: 0 })).toEqual([
    expect.objectContaining({
      code: "out-of-time",
      severity: "note",
      index: 0,
      message: expect.stringMatching(
        /^lint ended after 0 s, .* deny-all, .*unreachable/,
      ) as string,
    }),
  ]);
});

it("lint has a default time limit", () => {
  hurryProcessorTime(11_000);
  expect(codes()).toContain("out-of-time");
});

it("wherever the time ends, edits have a proven effect, and what is left out is said", () => {
  const expression = "http.request.ip in cidr('203.0.113.7/24')";
  const text = JSON.stringify({
    rules: [{ name: "a", expression, action: "deny" }],
  });
  /** The findings if the time is over after so many looks at the clock. */
  const endingAfter = (most: number) => {
    const time = new TimeLimit(10_000);
    let looks = 0;
    vi.spyOn(time, "isOver", "get").mockImplementation(() => looks++ >= most);
    return { found: checkRuleFile(text, "a.json", { time }), looks };
  };
  const whole = endingAfter(Infinity);
  expect(whole.found).toMatchObject([{ code: "network", keepsMeaning: true }]);
  const said = new Set<string>();
  for (let most = 0; most < whole.looks; most++) {
    const { found } = endingAfter(most);
    const [over] = found.filter(({ code }) => code === "out-of-time");
    said.add(over?.message ?? "");
    for (const { edits, keepsMeaning } of found)
      expect(keepsMeaning === undefined).toBe(edits === undefined);
    if (!found.some(({ edits }) => edits)) expect(over).toBeDefined();
  }
  expect([...said].join()).toContain("prove what all fixes change (1 left)");
});

it("the time ends for the numbers that are tried in place of each of many, too", () => {
  const counts = times(200, (i) => `count(${ORIGIN}, # == 'a') > ${i}`, " && ");
  const rules = rulesOf(`deny ${counts}`);
  const start = process.cpuUsage();
  expect(lintRules(rules, { withinMs: 300 })).toContainEqual(
    expect.objectContaining({ code: "out-of-time" }),
  );
  expect(process.cpuUsage(start).user / 1_000).toBeLessThan(2_000);
});

const ORIGIN = "http.request.headers['Origin']";
const times = (count: number, text: (i: number) => string, joint: string) =>
  Array.from({ length: count }, (_, i) => text(i)).join(joint);

/** Lists and chains with a mistake in every element: at first each took over 9 s. */
it.each([
  [
    "origins, chain of elements with !=",
    600,
    `all(${ORIGIN}, ${times(600, (i) => `# != 'https://shop${i}.example/'`, " && ")})`,
  ],
  [
    "versions, chain",
    800,
    times(800, (i) => `sdk.version == 'v${i >> 5}.${i & 31}.0'`, " || "),
  ],
  [
    "packages, list",
    1_000,
    `sdk.platform.app_package_name not in [${times(1_000, (i) => `'com.acme${i}.app '`, ", ")}]`,
  ],
  [
    "conditions that are there twice",
    200,
    times(
      400,
      (i) => `${ORIGIN}[0] == 'https://shop${i >> 1}.example'`,
      " || ",
    ),
  ],
  [
    "pages, chain of loops",
    300,
    times(
      300,
      (i) =>
        `any(http.request.headers['Referer'], # == 'https://shop${i}.example')`,
      " || ",
    ),
  ],
  [
    "none, in a list of texts that may have versions of browsers",
    0,
    `http.user_agent.string in [${times(3_000, (i) => `'chr${i}'`, ", ")}]`,
  ],
])(
  "every mistake of a long expression is found in time: %s",
  (_, count, expression) => {
    const found = lintRules(rulesOf(`allow ${expression}`, "deny true"));
    const about = found.filter(({ code }) =>
      ["never-sent", "network", "repeated"].includes(code),
    );
    expect(about).toHaveLength(count);
    expect(found.map(({ code }) => code)).not.toContain("out-of-time");
  },
);

it("hundreds of rules that take turns to allow and to deny are looked at in time", () => {
  const rules = Array.from(
    { length: 600 },
    (_, i) =>
      `${i % 2 ? "deny" : "allow"} ${ORIGIN}[0] == 'https://shop${i}.example'`,
  );
  const found = lintRules(rulesOf(...rules), { maxRules: 600 });
  expect(found.map(({ code }) => code)).toEqual(
    Array.from({ length: 300 }, () => "changes-nothing"),
  );
});

it("the edits of a long expression are right: each changes the decision of its example", () => {
  const expression = times(
    90,
    (i) => `${ORIGIN}[0] == 'https://shop${i}.example${i % 2 ? "/" : ":443"}'`,
    " || ",
  );
  const [rule] = rulesOf(`allow ${expression}`);
  const found = lintRules(rulesOf(`allow ${expression}`, "deny true")).filter(
    ({ code }) => code === "never-sent",
  );
  expect(found).toHaveLength(90);
  for (const { edits = [], request = { headers: {} } } of found) {
    const after = applyEdits(
      rule?.expression ?? "",
      edits.filter((edit) => edit.kind === "replace"),
    );
    const [was, is] = [expression, after].map((one) => resultFor(one, request));
    expect([was, is]).toEqual([false, true]);
  }
});

describe("what the fixes of a long expression change is proven in time", () => {
  const checked = (expression: string) =>
    checkRuleFile(
      JSON.stringify({
        rules: [{ name: "a", expression, action: "deny" }],
      }),
      "a.json",
    ).filter(({ edits }) => edits);

  /** What is changed by the fix of a mistake beside 300 right values, and beside a single one. */
  it.each<[string, (i: number) => string, string, string]>([
    [
      "an origin in a chain",
      (i) => `${ORIGIN}[0] == 'https://shop${i}.example'`,
      `${ORIGIN}[0] == 'https://last.example/'`,
      " || ",
    ],
    [
      "a negated origin in a chain",
      (i) => `${ORIGIN}[0] != 'https://shop${i}.example'`,
      `${ORIGIN}[0] != 'https://last.example/'`,
      " && ",
    ],
    [
      "bits behind a mask, which change nothing",
      (i) => `http.request.ip in cidr('203.0.${i & 255}.0/32')`,
      "http.request.ip in cidr('198.51.100.7/24')",
      " || ",
    ],
    [
      "a text of a list",
      (i) => `sdk.version in ['3.${i}.0', '3.${i}.1']`,
      "sdk.version in ['1.0.0', 'v4.0.0']",
      " || ",
    ],
  ])("as for a short one: %s", (_, right, wrong, joint) => {
    const [short, long] = [1, 300].map((count) =>
      checked([times(count, right, joint), wrong].join(joint))
        .filter(({ code }) => code !== "repeated" && code !== "may-fail")
        .map(({ code, keepsMeaning, changes }) => ({
          ...{ code, keepsMeaning, changes },
        })),
    );
    expect(short).toHaveLength(1);
    expect(long).toEqual(short);
  });

  it.each<[string, string, number]>([
    [
      "user agents, list",
      `http.user_agent.string in [${times(2_400, (i) => `'mozilla/5.0 (compatible; foo${i}) '`, ", ")}]`,
      2_400,
    ],
    [
      "origins, chain",
      times(600, (i) => `${ORIGIN}[0] == 'https://shop${i}.example/'`, " || "),
      600,
    ],
    [
      "networks, chain",
      times(
        1_000,
        (i) => `http.request.ip in cidr('203.${i >> 8}.${i & 255}.7/24')`,
        " || ",
      ),
      1_000,
    ],
  ])("%s", (_, expression, count) => {
    const found = checked(expression).filter(
      ({ code }) => code === "never-sent" || code === "network",
    );
    expect(found).toHaveLength(count);
    for (const { keepsMeaning } of found) expect(keepsMeaning).toBeDefined();
  });
});
