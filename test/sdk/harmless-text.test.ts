import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { harmlessText } from "../../sdk/src/harmless-text";

const HOSTILE = [
  "\u001b]0;title\u0007",
  "\u001b[2J",
  "\u001b[8m",
  "\u009b2J",
  "\u202e",
  "\u2066",
  "\rover",
  "\n::error::y",
  "\n  ::set-output name=a::b",
  "\n##[error]y",
  "\n\u00a0::error::y",
  "text ##vso[task.setvariable]y",
  "\u2028::stop-commands::x",
];

const hostile = fc
  .array(fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: "grapheme" })))
  .map((parts) => parts.join(""));

const RAW =
  // oxlint-disable-next-line no-control-regex
  /[\0-\b\v\f\u000e-\u001a\u001c-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]|\r(?!\n)|\u001b(?!\[\d{1,2}m)/;

describe("text for a terminal or a log", () => {
  it("has no control character and no workflow command, whatever the input is", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const written = harmlessText(text, true);
        expect(written).not.toMatch(RAW);
        expect(written).not.toMatch(/^\s*::|##(?:vso)?\[/m);
        // oxlint-disable-next-line no-control-regex
        expect(harmlessText(text)).not.toMatch(/\u001b/);
      }),
    );
  });

  it("with a very long line of blanks is read once", () => {
    const text = `${" ".repeat(400_000)}::error::x`;
    expect(harmlessText(text)).toBe(text.replace("::", "\\u003a:"));
  }, 5_000);

  it("is the same JSON", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const value = { [text]: [text] };
        for (const json of [
          JSON.stringify(value),
          JSON.stringify(value, undefined, 2),
        ])
          expect(JSON.parse(harmlessText(json))).toEqual(value);
      }),
    );
  });

  it("keeps colours, line ends, emoji and every script", () => {
    const text = "\u001b[31mرمز\u001b[39m\t👩‍💻 ключ\r\nab: c::d\n";
    expect(harmlessText(text, true)).toBe(text);
  });
});
