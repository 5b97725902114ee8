import { REDACTED, Redactor } from "@devid/sdk";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

const redactor = (...secrets: string[]) => {
  const made = new Redactor();
  made.add(...secrets);
  return made;
};

describe("a redactor", () => {
  it("masks every known secret in any place and order, and nothing else", () => {
    // Characters of regular expressions, of replacements and of JSON.
    const unit = fc.constantFrom(...'xyz.*$&1+/="\\');
    const secret = fc.string({ unit, minLength: 4, maxLength: 8 });
    const secrets = fc.uniqueArray(secret, { minLength: 1, maxLength: 4 });
    const word = fc.constantFrom("the ", " and ", "k");
    fc.assert(
      fc.property(
        secrets,
        fc.array(fc.oneof(fc.nat(3), word), { maxLength: 8 }),
        (known, parts) => {
          const text = parts
            .map((part) =>
              typeof part === "number" ? (known[part] ?? "") : part,
            )
            .join("");
          const made = redactor(...known);
          const json = JSON.parse(made.redact(JSON.stringify({ text }))) as {
            text: string;
          };
          for (const clean of [made.redact(text), json.text])
            for (const one of known) expect(clean).not.toContain(one);
          const words = parts.filter((part) => typeof part !== "number");
          if (words.length === parts.length)
            expect(made.redact(text)).toBe(text);
        },
      ),
    );
  });

  it("masks all of a key with a comma or a quote in an authorization header", () => {
    const key = `ab,cd'ef`;
    expect(redactor(key).redact(`Authorization: Bearer ${key}`)).toBe(
      `Authorization: Bearer ${REDACTED}`,
    );
  });

  it.each([
    ["authorization: Bearer abc.def-123", `authorization: Bearer ${REDACTED}`],
    ["bearer  abc", `bearer ${REDACTED}`],
    ["Basic dXNlcjpwYXNz, then", `Basic ${REDACTED}, then`],
    [
      '{"authorization":"Bearer abc"}',
      `{"authorization":"Bearer ${REDACTED}"}`,
    ],
    ["'Bearer abc'", `'Bearer ${REDACTED}'`],
    ["Bearer abc and Bearer def", `Bearer ${REDACTED} and Bearer ${REDACTED}`],
    ["authorization: Basic abc", `authorization: Basic ${REDACTED}`],
    ['{"Authorization":"basic abc"}', `{"Authorization":"basic ${REDACTED}"}`],
    ["Basic YTpi", `Basic ${REDACTED}`],
    ["Basic dTpw==", `Basic ${REDACTED}`],
  ])("recognises an authorization header in %s", (text, clean) => {
    expect(new Redactor().redact(text)).toBe(clean);
  });

  it.each([
    "Basic tier",
    "the Basic plan, then",
    "Basic authentication.",
    "BASIC tier",
  ])("does not mask ordinary words: %s", (text) => {
    expect(new Redactor().redact(text)).toBe(text);
  });

  it("does not mask its own placeholder again", () => {
    const { length } = redactor("key-1", "redacted").redact("key-1");
    expect(length).toBe("[redacted]".length);
  });

  it("keeps texts of fewer than 4 characters", () => {
    const made = new Redactor();
    made.add("", "abc", null, undefined);
    expect(made.redact("abc, null, undefined")).toBe("abc, null, undefined");
    made.add("abcd");
    expect(made.redact("abcd")).toBe(REDACTED);
  });
});
