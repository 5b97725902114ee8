import { parseRuleFile, type Rule } from "@devid/rules";
import fc from "fast-check";
import { expect, it } from "vitest";
import { ruleFileYaml } from "../../../rules/src/rule-file/rule-file-yaml";

const text = fc.oneof(
  fc.string({ unit: "grapheme", minLength: 1 }),
  fc
    .array(fc.constantFrom(" ", "\n", "a", "'", '"', "#", ": ", "- ", "\t"), {
      minLength: 1,
      maxLength: 12,
    })
    .map((parts) => parts.join("")),
  fc.constantFrom(
    "true",
    "no",
    "~",
    "!x",
    "1e3",
    "a\n\n  b\n",
    "\n a",
    "x\u2028",
  ),
);

const rule = fc.record({
  name: text,
  expression: text.filter((found) => found.trim() !== ""),
  action: fc.constantFrom("allow" as const, "deny" as const),
  status: fc.constantFrom("enabled" as const, "disabled" as const),
});

const BLANK: Rule = {
  ...{ name: " \n", expression: "true", action: "deny", status: "enabled" },
};

it("writes rules that are read back unchanged", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(rule, { selector: ({ name }) => name }),
      (rules: Rule[]) => {
        const read = parseRuleFile(ruleFileYaml(rules), "rules.yaml");
        expect(read.map(({ denyWith, ...rest }) => rest)).toEqual(rules);
      },
    ),
    { examples: [[[BLANK]]] },
  );
});
