import { REDACTED, Redactor } from "@devid/sdk";
import { describe, expect, it } from "vitest";

const redactor = (...secrets: string[]) => {
  const made = new Redactor();
  made.add(...secrets);
  return made;
};

describe("a redactor", () => {
  it("masks every known secret in any place", () => {
    const { redact } = bound(redactor("s3cret", "t0ken.value"));
    expect(redact("s3cret and xs3cretx and t0ken.value")).toBe(
      `${REDACTED} and x${REDACTED}x and ${REDACTED}`,
    );
    expect(redact("t0kenXvalue")).toBe("t0kenXvalue");
  });

  it("masks the longer of two secrets first, in any order", () => {
    for (const secrets of [
      ["key-1", "key-1-long"],
      ["key-1-long", "key-1"],
    ])
      expect(redactor(...secrets).redact("a key-1-long, a key-1")).toBe(
        `a ${REDACTED}, a ${REDACTED}`,
      );
  });

  it("masks a secret that contains another secret completely", () => {
    const { redact } = bound(redactor("inner", "an-inner-part"));
    expect(redact("an-inner-part")).toBe(REDACTED);
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

  it.each([
    ["authorization: Basic abc", `authorization: Basic ${REDACTED}`],
    ['{"Authorization":"basic abc"}', `{"Authorization":"basic ${REDACTED}"}`],
    ["Basic YTpi", `Basic ${REDACTED}`],
    ["Basic dTpw==", `Basic ${REDACTED}`],
  ])("masks credentials but not words: %s", (text, clean) => {
    expect(new Redactor().redact(text)).toBe(clean);
  });

  it("keeps JSON valid", () => {
    const text = JSON.stringify({
      message: 'The token "s3cret+/==" is unknown; sent was "Bearer other".',
      list: ["s3cret+/=="],
    });
    expect(JSON.parse(redactor("s3cret+/==").redact(text))).toEqual({
      message: `The token "${REDACTED}" is unknown; sent was "Bearer ${REDACTED}".`,
      list: [REDACTED],
    });
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

  it("takes special characters literally", () => {
    const { redact } = bound(redactor("a.b*c$&", "$1$1"));
    expect(redact("a.b*c$& axbxc $1$1")).toBe(`${REDACTED} axbxc ${REDACTED}`);
  });
});

function bound(made: Redactor) {
  return { redact: (text: string) => made.redact(text) };
}
