import { describe, expect, it } from "vitest";
import { checkExpression, type RuleRequest } from "../../../rules/src/language";
import * as language from "./checked";

/** A request, and what docs/contract.md, "Expression language", says about it. */
const WEB: RuleRequest = {
  headers: { Origin: ["https://shop.example"] },
  ip: "203.0.113.7",
  userAgent: "Mozilla/5.0 (Windows NT 10.0)",
  sdkPlatform: "js",
  sdkVersion: "4.1.0",
  appPackageName: "com.shop",
  isAiBot: true,
  isCrawlerBot: false,
};

const answer = (expression: string, request = WEB) =>
  checkExpression(expression).ok
    ? language.answer(expression, request)
    : "refused";

describe("a data field", () => {
  it.each([
    // contract: rules-7
    ["http.user_agent.is_ai_bot", true],
    // contract: rules-7
    ["http.user_agent.is_crawler_bot", false],
    // contract: rules-8
    ["http.user_agent.string contains 'Windows NT'", true],
    // contract: rules-9, rules-20
    ["http.request.headers['Origin'][0] == 'https://shop.example'", true],
    // contract: rules-10, rules-19
    ["http.request.ip in cidr('203.0.113.0/24')", true],
    ["http.request.ip in cidr('203.0.114.0/24')", false],
    // contract: rules-11
    ["sdk.platform.name == 'js'", true],
    // contract: rules-12
    ["sdk.version == '4.1.0'", true],
    // contract: rules-12
    ["sdk.platform.app_package_name == 'com.shop'", true],
    // contract: rules-13
    ["sdk.platform.is_browser", true],
    // contract: rules-13
    ["sdk.platform.is_android", false],
    // contract: rules-13
    ["sdk.platform.is_ios", false],
    // contract: rules-13
    ["sdk.platform.is_unknown", false],
  ])("has its documented value: %s", (expression, value) => {
    expect(answer(expression)).toBe(value);
  });

  // contract: rules-11
  it.each(["js", "android", "ios", "unknown"])(
    "names the platform %s",
    (name) => {
      const request = { ...WEB, sdkPlatform: name };
      expect(answer(`sdk.platform.name == '${name}'`, request)).toBe(true);
      const flag = name === "js" ? "browser" : name;
      for (const other of ["browser", "android", "ios", "unknown"])
        expect(answer(`sdk.platform.is_${other}`, request)).toBe(
          other === flag,
        );
    },
  );

  it.each([
    // contract: rules-10
    "http.request.ip == '203.0.113.7'",
    // contract: rules-7
    "http.user_agent.is_ai_bot == 'true'",
    // contract: rules-8
    "http.user_agent.string",
    "http.request.headers['Origin'] == 'https://shop.example'",
    "sdk.version > 4",
    "sdk.platform.is_ios contains 'a'",
  ])("has one type, so a test of another type is refused: %s", (expression) => {
    expect(answer(expression)).toBe("refused");
  });
});

describe("an operator", () => {
  it.each([
    // contract: rules-14
    ["sdk.version == '4.1.0'", true],
    // contract: rules-14
    ["sdk.version != '4.1.0'", false],
    // contract: rules-15
    ["len(sdk.version) < 5", false],
    // contract: rules-15
    ["len(sdk.version) > 4", true],
    // contract: rules-15
    ["len(sdk.version) <= 5", true],
    // contract: rules-15
    ["len(sdk.version) >= 6", false],
    // contract: rules-16
    ["!sdk.platform.is_ios", true],
    // contract: rules-16
    ["sdk.platform.is_browser && sdk.platform.is_ios", false],
    // contract: rules-16
    ["sdk.platform.is_browser || sdk.platform.is_ios", true],
    // contract: rules-17
    ["sdk.version contains '.1.'", true],
    // contract: rules-17
    ["sdk.version not contains '.1.'", false],
    // contract: rules-18
    ["http.user_agent.string matches '^Mozilla/[0-9.]+ '", true],
    ["http.user_agent.string matches '^mozilla'", false],
  ])("has its documented meaning: %s", (expression, value) => {
    expect(answer(expression)).toBe(value);
  });

  // contract: rules-18
  it("takes only a pattern that is written out", () => {
    expect(answer("sdk.version matches sdk.platform.name")).toBe("refused");
  });
});

describe("an expression of expr-lang that is not documented", () => {
  it.each([
    // contract: rules-21
    ["startsWith", "sdk.version startsWith '4.'"],
    ["endsWith", "sdk.version endsWith '.0'"],
    ["in a list", "sdk.platform.name in ['js', 'ios']"],
    ["and, or, not", "not sdk.platform.is_ios and (true or false)"],
    ["a condition", "sdk.platform.is_ios ? false : true"],
    ["a default", "(http.request.headers['X'] ?? ['a'])[0] == 'a'"],
    // contract: rules-22
    ["any", "any(http.request.headers['Origin'], # contains 'shop')"],
    ["all", "all(http.request.headers['Origin'], # contains 'shop')"],
    ["lower", "lower('A') == 'a'"],
    ["trim", "trim(' a ') == 'a'"],
    // contract: rules-21
    ["len", "len(sdk.version) == 5"],
  ])("is accepted if it uses the supported part: %s", (_, expression) => {
    expect(answer(expression)).toBe(true);
  });

  it.each([
    // contract: rules-22
    "split(sdk.version, '.')[0] == '4'",
    "let a = 1; a == 1",
    "sdk.version | len() == 5",
  ])("is refused outside the supported part: %s", (expression) => {
    expect(answer(expression)).toBe("refused");
  });
});
