import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { expect, it } from "vitest";
import {
  Code,
  codeText,
  resourceCode,
} from "../../../../clone/src/write/program/code";
import { formatted } from "../../../helpers/formatted";

it("writes a text so that it reads back unchanged", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(runInNewContext(codeText(text))).toBe(text);
    }),
  );
});

it("hides nothing from a person who reads the code", () => {
  expect(codeText("a\u202eb\u200bc\u2028d\u{e0041}")).toBe(
    '"a\\u202eb\\u200bc\\u2028d\\u{e0041}"',
  );
  expect(codeText("👩‍👧")).toBe('"👩‍👧"');
});

it("formats any resource as Prettier would", async () => {
  const value = fc.oneof(
    fc.string({ maxLength: 120 }),
    fc.double({ noNaN: true, noDefaultInfinity: true, min: 0.1 }),
    fc.boolean(),
    fc.constantFrom(
      new Code("environments.staging.id"),
      new Code('config.get("environmentName") ?? "Staging"'),
    ),
  );
  const key = fc.constantFrom(
    "name",
    "label",
    "url",
    "type",
    "description",
    "rateLimit",
  );
  const resource = fc.record({
    kind: fc.constantFrom("ApiKey", "FilteringRuleSet"),
    name: fc.stringMatching(/^[a-z]{1,26}$/),
    identifier: fc.stringMatching(/^[a-z]{1,32}$/),
    args: fc.dictionary(key, value, { minKeys: 1, noNullPrototype: true }),
  });
  await fc.assert(
    fc.asyncProperty(resource, async (one) => {
      const code = resourceCode(one);
      expect(await formatted("index.ts", code)).toBe(code);
    }),
  );
});
