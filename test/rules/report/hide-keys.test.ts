import { hideKeys, withoutKeys } from "@devid/rules";
import { expect, it } from "vitest";

const KEY = "q7Rw2Lx9Kp4Tz8Vb3Nc6Md1Fg5Hj0QsA";
const redact = (text: string) => text.replaceAll("my-own-key", "[redacted]");

it("masks known secrets and texts that look like a key", () => {
  expect(withoutKeys(`my-own-key and '${KEY}'`, redact)).toBe(
    "[redacted] and '[redacted]'",
  );
});

it("keeps digests, UUIDs, IDs and ordinary words", () => {
  const text =
    "sha256:0123456789abcdef0123456789abcdef, 6F9619FF-8B86-D011-B42D-00CF4FC964FF, 1708102555327.NLOjmg, a-rule-Name-of-2026-which-is-quite-long";
  expect(withoutKeys(text, redact)).toBe(text);
});

it("masks values, lists and member names, and changes nothing else", () => {
  const report = {
    events: 3,
    request: { headers: { [KEY]: ["my-own-key", "x"] } },
    absent: undefined,
  };
  expect(hideKeys(report, redact)).toEqual({
    events: 3,
    request: { headers: { "[redacted]": ["[redacted]", "x"] } },
    absent: undefined,
  });
  expect(report.request.headers[KEY]).toEqual(["my-own-key", "x"]);
});

it("keeps linked IDs, which may look like a key", () => {
  const impact = {
    rules: [{ name: KEY }],
    newlyDenied: {
      top: { linkedId: [{ value: KEY }, { value: "my-own-key" }] },
    },
  };
  expect(hideKeys(impact, redact)).toEqual({
    rules: [{ name: "[redacted]" }],
    newlyDenied: {
      top: { linkedId: [{ value: KEY }, { value: "[redacted]" }] },
    },
  });
});
