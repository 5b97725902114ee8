import { expect, it } from "vitest";
import { replaceInLiterals } from "../../../rules/src/language/syntax/replace-in-literals";

it.each([
  // What was just written is not replaced again.
  ["staging", "staging-eu", "a == 'https://staging'", "https://staging-eu"],
  ["a.example", "a.example.eu", "a == 'a.example'", "a.example.eu"],
  ["a.example", "b.eu", "a matches '^a\\\\.example$'", "^b\\\\.eu$"],
])("%s becomes %s once in %s", (from, to, source, text) => {
  const written = replaceInLiterals(source, from, to);
  expect(written).toBe(source.replace(/'.*'/, () => `'${text}'`));
});
