import { expect, it } from "vitest";
import { suggestionsAt } from "../../../cli/src/lsp/completion";

it("completes at once behind a value of many letters", () => {
  const value = "a".repeat(90_000);
  const labelsAfter = (expression: string) => {
    const text = `rules:\n  - expression: ${expression}`;
    const { words } = suggestionsAt(text, text.length, () => undefined);
    return words.map(({ label }) => label);
  };
  expect(labelsAfter(`http.request.ip == '${value}' or sdk.`)).toContain(
    "sdk.version",
  );
  expect(labelsAfter(`http.request.ip == '${value}`)).toEqual([]);
}, 5_000);

it("answers at once in a file of brackets, for which a parser takes long", () => {
  const text = `rules: ${"[".repeat(400_000)}`;
  const { words } = suggestionsAt(text, text.length, () => undefined);
  expect(words).toEqual([]);
}, 5_000);
