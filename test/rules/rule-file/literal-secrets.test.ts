import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkRuleFile, withoutKeys } from "../../../rules/src";
import {
  findSecrets,
  maskSecrets,
} from "../../../rules/src/rule-file/literal-secrets";

// Joined from parts, so that no scanner reports secrets in this file.
const made = (...parts: string[]) => parts.join("");
const SECRETS = {
  payment: made("sk_", "live_", "51HxQq2eZvKYlo2C"),
  aws: made("AKIA", "IOSFODNN7QWERTYU"),
  github: made("ghp_", "x9".repeat(18)),
  gitlab: made("glpat-", "abcdefghij1234567890"),
  slack: made("xoxb-", "123456789012-abcdef"),
  google: made("AIza", "SyA1234567890abcdefghijklmnopqrstuv"),
  npm: made("npm_", "a1".repeat(18)),
  pulumi: made("pul-", "0123456789".repeat(4)),
  anthropic: made("sk-ant-", "api03-", "a".repeat(93), "AA"),
  database: made("postgres://shop:", "pa55word@db.example:5432/shop"),
  sendgrid: made(
    "SG.",
    "a1B2c3a1B2c3a1B2c3abcd",
    ".",
    "A1b2".repeat(10),
    "abc",
  ),
  privateKey: made("-----BEGIN RSA ", "PRIVATE KEY-----"),
  jwt: made(
    "eyJhbGciOiJIUzI1NiJ9",
    ".eyJzdWIiOiIxMjM0In0.",
    "dozjgNryP4J3jVmN",
  ),
  random: made("Zx81kQ0pLm", "N7vRt5Ys3Wc9", "Bd2Fg4HjK6"),
  randomWithDashes: made("q7Rw2-", "Lx9Kp4Tz8Vb3Nc6Md1_", "Fg5Hj0QsAx"),
};

const file = (expression: string, more = "") =>
  `rules:\n  - name: token\n    expression: "${expression}"\n    action: deny\n${more}`;

describe("a literal secret in a rule file", () => {
  it.each(Object.entries(SECRETS))("is an error: %s", (_, secret) => {
    const found = checkRuleFile(
      file(`http.user_agent.string == '${secret}'`),
      "rules.yaml",
    );
    const errors = found.filter(({ code }) => code === "literal-secret");
    expect(errors).toMatchObject([{ severity: "error", line: 3 }]);
    expect(JSON.stringify(found)).not.toContain(secret);
  });

  it("is found in a comment, in a test and in an invalid file", () => {
    const codes = (text: string) =>
      checkRuleFile(text, "rules.yaml")
        .filter(({ code }) => code === "literal-secret")
        .map(({ line, column }) => [line, column]);
    const { payment } = SECRETS;
    expect(codes(`# ${payment}\n${file("sdk.platform.is_ios")}`)).toEqual([
      [1, 3],
    ]);
    expect(codes(`rules: 1 # ${payment}\n`)).toEqual([[1, 12]]);
  });

  it("is found by the patterns of secretlint", () => {
    const [found] = findSecrets(`a ${SECRETS.anthropic} b`);
    expect(found).toEqual({
      what: "a secret (secretlint's ANTHROPIC_API_KEY)",
      offset: 2,
      length: SECRETS.anthropic.length,
    });
    // A comment in the file cannot disable the search.
    const text = `# secretlint-disable\n# ${SECRETS.anthropic}\n`;
    expect(findSecrets(text)).toHaveLength(1);
  });

  it("is reported once if two patterns find it", () => {
    const token = made("xoxb-", "Zx81kQ0pLmN7vRt5Ys3Wc9Bd2Fg4HjK6qLs");
    expect(findSecrets(`'${token}'`)).toMatchObject([
      { offset: 1, length: token.length },
    ]);
  });

  it("is masked in every report", () => {
    for (const secret of Object.values(SECRETS))
      expect(withoutKeys(`a ${secret} b`, (text) => text)).toBe(
        "a [redacted] b",
      );
  });
});

describe("a text that is no secret", () => {
  it.each([
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko)",
    "https://www.shop.example/a/Very/Long-Path/with/Many2/Parts",
    "a-rule-with-a-very-long-name-in-kebab-case-2026",
    "a-rule-Name-of-2026-which-is-quite-long",
    "Deny_IE11_and_Windows-7_of_the_Checkout-v2",
    "the-rule-DenyOldBrowsersOfTheCheckout2026-of-the-shop",
    "0123456789abcdef0123456789abcdef01234567",
    "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
    "Ibk1527CUFmcnjLwIs4A",
    "X-Our-Header",
    "123e4567-e89b-12d3-a456-426614174000",
  ])("is not reported: %s", (text) => {
    expect(findSecrets(text)).toEqual([]);
  });

  it("is what masking leaves", () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.constantFrom(...Object.values(SECRETS)),
        (text, secret) => {
          expect(findSecrets(maskSecrets(`${text} ${secret} ${text}`))).toEqual(
            [],
          );
        },
      ),
    );
  });
});
