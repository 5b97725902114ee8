import {
  hasLiveDifference,
  liveDifferences,
  liveSummary,
  openRuleFile,
  runLiveTests,
  runRuleTests,
  type AskService,
  type LiveTestOptions,
} from "@devid/rules";
import { describe, expect, it } from "vitest";

type Question = Parameters<AskService>[0];
type Answer = Awaited<ReturnType<AskService>>;

const SHOP = "http.request.headers['Origin'][0] == 'https://shop.example'";
const RULES = `rules:
  - { name: crawlers, expression: http.user_agent.is_crawler_bot, action: deny }
  - { name: old, expression: sdk.platform.is_ios, action: deny, status: disabled }
  - name: shop
    expression: ${SHOP}
    action: allow
  - { name: pages, expression: sdk.platform.is_browser, action: deny, deny_with: Forbidden }
`;
const OTHER_PAGE = `  - name: other
    request: { headers: { origin: https://other.example }, sdkPlatform: js }
    expect: deny
`;
const APP = `  - { name: app, request: { sdkPlatform: unknown }, expect: allow }
`;

const answers =
  (result: string) =>
  (triggeredRule: string | null): Answer => ({ result, triggeredRule });
const [allow, deny] = [answers("allow"), answers("deny")];

/** Runs the tests of a file against a fake service, and records its questions. */
async function ask(
  text: string,
  answer: Answer | ((question: Question) => Answer),
  options?: LiveTestOptions,
) {
  const questions: Question[] = [];
  const file = openRuleFile(text, "rules.yaml");
  const report = await runLiveTests(
    file,
    runRuleTests(file).tests,
    (question) => {
      questions.push(question);
      return Promise.resolve().then(() =>
        typeof answer === "function" ? answer(question) : answer,
      );
    },
    options,
  );
  const outcomes = report.tests.map(({ outcome }) => outcome);
  const shown = liveDifferences(report, "rules.yaml").join("\n");
  return { report, questions, outcomes, shown };
}

/** The error of a client for an answer with status 400. */
const refusal = (...violations: { property: string; message: string }[]) =>
  Object.assign(new Error("Testing failed: 400: not valid"), {
    name: "ValidationError",
    detail: "not valid",
    violations,
  });

describe("the service", () => {
  it("gets the enabled rules and the request, without empty fields", async () => {
    const { questions, outcomes, report } = await ask(
      `${RULES}tests:\n${OTHER_PAGE}${APP}`,
      ({ testRequestPayload: { sdkPlatform } }) =>
        sdkPlatform ? deny("sdk.platform.is_browser") : allow(null),
    );
    expect(questions).toEqual([
      {
        rules: [
          { expression: "http.user_agent.is_crawler_bot", action: "deny" },
          { expression: SHOP, action: "allow" },
          {
            expression: "sdk.platform.is_browser",
            action: "deny",
            denyWith: "Forbidden",
          },
        ],
        testRequestPayload: {
          headers: { Origin: ["https://other.example"] },
          sdkPlatform: "js",
        },
      },
      expect.objectContaining({ testRequestPayload: {} }) as Question,
    ]);
    expect(outcomes).toEqual([
      { kind: "same", service: { result: "deny", rule: "pages" } },
      { kind: "same", service: { result: "allow" } },
    ]);
    expect(hasLiveDifference(report)).toBe(false);
    expect(liveSummary(report, "the service")).toBe(
      "  the service decides 2 of 2 tests alike, in 2 calls",
    );
  });

  it("is asked once about equal requests", async () => {
    const twice = APP + APP.replace("name: app", "name: again");
    const { questions, outcomes, report } = await ask(
      `${RULES}tests:\n${twice}`,
      allow(null),
    );
    expect(questions).toHaveLength(1);
    expect(outcomes.map(({ kind }) => kind)).toEqual(["same", "same"]);
    expect(liveSummary(report, "the service")).toMatch(/, in 1 call$/);
  });

  it("is not asked if no rule is enabled or the file has no tests", async () => {
    const off =
      "rules:\n  - { name: a, expression: 'true', action: deny, status: disabled }\n";
    const none = await ask(`${off}tests:\n${APP}`, allow(null));
    expect(none.questions).toEqual([]);
    expect(none.outcomes).toEqual([
      { kind: "not asked", reason: "no rule of the file is enabled" },
    ]);
    const empty = await ask(RULES, allow(null));
    expect(empty.report).toEqual({ tests: [], calls: 0 });
  });

  it("is not asked about a deciding flag that it does not accept", async () => {
    const flag = (more: string) =>
      `  - { name: f${more.length}, request: { isCrawlerBot: true${more} }, expect: deny }\n`;
    const { questions, outcomes, report } = await ask(
      `${RULES}tests:\n${flag("")}${flag(", userAgent: Googlebot/2.1")}`,
      deny("http.user_agent.is_crawler_bot"),
    );
    expect(questions.map((one) => one.testRequestPayload)).toEqual([
      { userAgent: "Googlebot/2.1" },
    ]);
    expect(outcomes.map(({ kind }) => kind)).toEqual(["not asked", "same"]);
    expect(hasLiveDifference(report)).toBe(false);
    expect(liveSummary(report, "the service", true)).toMatch(
      /^ {2}✗ not asked, because the service recognises bots by userAgent alone, and/m,
    );
  });
});

it.each<[string, Answer]>([
  ["it names the same rule", deny("sdk.platform.is_browser")],
  [
    "it spells the rule's expression differently",
    deny(" ( sdk.platform.is_browser )"),
  ],
  ["it does not name a rule", { result: "deny" }],
  ["it denies without naming a rule", deny(null)],
])("an answer counts as the same if %s", async (_, answer) => {
  const { outcomes } = await ask(`${RULES}tests:\n${OTHER_PAGE}`, answer);
  expect(outcomes).toMatchObject([{ kind: "same" }]);
});

it("of equal rules, an answer names the first that is enabled", async () => {
  const rules = `rules:
  - { name: off, expression: sdk.platform.is_browser, action: deny, status: disabled }
  - { name: one, expression: sdk.platform.is_browser, action: deny }
  - { name: two, expression: sdk.platform.is_browser, action: deny }
`;
  const answer = deny("sdk.platform.is_browser");
  const { outcomes } = await ask(`${rules}tests:\n${OTHER_PAGE}`, answer);
  const service = { result: "deny", rule: "one" };
  expect(outcomes).toEqual([{ kind: "same", service }]);
});

it.each<[string, Answer, string]>([
  [
    "the request and both answers, if a rule matches only here",
    allow(null),
    `  ✗ other
      here      deny by pages
      service   allow, for no rule matches
      request   header Origin "https://other.example", sdkPlatform "js"
      at        rules.yaml:9:5`,
  ],
  [
    "a rule that matches only at the service",
    allow(SHOP),
    `
      here      deny by pages
      service   allow by shop
`,
  ],
  [
    "a rule that was not sent",
    deny("tr\u001b[31mue"),
    "\n      service   deny by a rule that the file does not have: tr\\u{1b}[31mue\n",
  ],
  [
    "the result, if the same rule decides",
    allow("sdk.platform.is_browser"),
    "\n      service   allow by pages\n      request ",
  ],
  [
    "a result that devid does not know",
    { result: "captcha" },
    "captcha, without naming a rule\n      request ",
  ],
])("a difference shows %s", async (_, answer, expected) => {
  const { report, shown } = await ask(`${RULES}tests:\n${OTHER_PAGE}`, answer);
  expect(hasLiveDifference(report)).toBe(true);
  expect(shown).toContain(expected);
  for (const line of shown.split("\n"))
    expect(line.length).toBeLessThanOrEqual(80);
});

describe("a refusal", () => {
  const TESTS = `tests:\n${OTHER_PAGE}${APP}`;

  it("of a rule names the rule, and ends the test", async () => {
    const { questions, outcomes, report, shown } = await ask(
      RULES + TESTS,
      () => {
        throw refusal({
          property: "rules[1].expression",
          message: "no headers",
        });
      },
    );
    expect(questions).toHaveLength(1);
    expect(outcomes).toEqual([
      { kind: "refused", message: "rule shop: no headers" },
      { kind: "not asked", reason: "the service refuses the rules" },
    ]);
    expect(hasLiveDifference(report)).toBe(true);
    expect(shown).toContain(
      "      service   refuses what is valid here: rule shop: no headers\n",
    );
    expect(liveSummary(report, "the service")).toBe(
      "  the service decides 0 of 1 test alike, in 1 call\n  not asked, because the service refuses the rules: app",
    );
  });

  it("without a reason is of the request alone", async () => {
    const { outcomes } = await ask(RULES + TESTS, ({ testRequestPayload }) => {
      if (testRequestPayload.sdkPlatform)
        return deny("sdk.platform.is_browser");
      throw refusal();
    });
    expect(outcomes).toMatchObject([
      { kind: "same" },
      { kind: "refused", message: "not valid" },
    ]);
  });

  it("of a request is shown with the request, and the other requests are sent", async () => {
    const { outcomes, report, shown } = await ask(
      RULES + TESTS,
      ({ testRequestPayload: { sdkPlatform } }) => {
        if (!sdkPlatform) return allow(null);
        const property = "test_request_payload.headers";
        throw refusal({ property, message: "too many" });
      },
    );
    expect(outcomes.map(({ kind }) => kind)).toEqual(["refused", "same"]);
    expect(hasLiveDifference(report)).toBe(true);
    expect(shown).toContain(
      `      service   refuses what is valid here: test_request_payload.headers: too
                many\n`,
    );
  });

  it("of another kind is thrown", async () => {
    const asked = ask(RULES + TESTS, () => {
      throw new Error("offline");
    });
    await expect(asked).rejects.toThrow("offline");
  });
});
