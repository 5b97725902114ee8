import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { checkRuleFile, FIELDS, isRuleFile, lintRules } from "@devid/rules";
import { describe, expect, it } from "vitest";
import { rulesOf } from "./rules";
import { ROOT, textOf } from "../../helpers/repository";

const markdown = readdirSync(join(ROOT, "docs"))
  .filter((name) => name.endsWith(".md"))
  .map((name) => `docs/${name}`);

/**
 * Rule files in the code blocks of a page. The page of lints is left out, because its
 * mistakes are intended.
 */
function blocksOf(page: string): [string, string][] {
  const text = textOf(page);
  const blocks = [...text.matchAll(/```yaml\n(.*?)```/gs)];
  return blocks
    .map(([, block = ""], i): [string, string] => [`${page}, ${i + 1}`, block])
    .filter(([, block]) => page !== "docs/lint.md" && isRuleFile(block));
}

const files = readdirSync(join(ROOT, "examples"), { recursive: true })
  .map(String)
  .filter((name) => /\.ya?ml$/.test(name) && !name.includes("node_modules"))
  .map((name): [string, string] => [
    `examples/${name}`,
    readFileSync(join(ROOT, "examples", name), "utf8"),
  ])
  .filter(([, text]) => isRuleFile(text));

/** The rules of the service's public guide: docs/contract.md, "Expression language". */
const GUIDE =
  "http.request.headers['Origin'][0] == 'https://subdomain.example.com'";

describe("may-fail is not reported for the rules that people copy from the documentation", () => {
  it.each([...["README.md", ...markdown].flatMap(blocksOf), ...files])(
    "%s",
    (name, text) => {
      const codes = checkRuleFile(text, name).map(({ code }) => code);
      expect(codes).not.toContain("invalid-file");
      expect(codes).not.toContain("may-fail");
    },
  );

  it.each([GUIDE, ...FIELDS.map(({ example }) => example)])("%s", (example) => {
    for (const rules of [
      [`allow ${example}`, "deny true"],
      [`deny ${example}`],
      [`deny ${example}`, "allow sdk.platform.is_browser", "deny true"],
    ])
      expect(
        lintRules(rulesOf(...rules)).map(({ code }) => code),
      ).not.toContain("may-fail");
  });
});
