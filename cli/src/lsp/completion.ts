import { FIELDS, KNOWN_HEADERS, LINTS, type RuleFile } from "@devid/rules";
import { CompletionItemKind } from "vscode-languageserver/node";
import { atCursor } from "./at-cursor";
import { HEADERS, WORDS, type Word } from "./reference";

/** What can be inserted at a place: it replaces some characters before the cursor. */
export interface Suggestions {
  readonly words: readonly Word[];
  readonly replaces: number;
}

/**
 * The texts that can be inserted at an offset of a rule file. The file is opened only for
 * the names of its rules.
 */
export function suggestionsAt(
  text: string,
  offset: number,
  open: () => Pick<RuleFile, "rules"> | undefined,
): Suggestions {
  const at = atCursor(text, offset);
  const before = text.slice(0, offset);
  switch (at.kind) {
    case "expression":
      return inExpression(at.before);
    case "value":
      return {
        words: plain(valuesOf(at.key, before, open), "EnumMember"),
        replaces: lengthOf(LABEL, before),
      };
    case "other":
      // A comment can allow a lint.
      return /#\s*devid-allow\s+[\w-]*$/.test(before)
        ? {
            words: LINTS.map(({ code, doc }) => ({
              label: code,
              text: `${code}: `,
              kind: CompletionItemKind.EnumMember,
              markdown: doc,
            })),
            replaces: lengthOf(LABEL, before),
          }
        : { words: [], replaces: 0 };
  }
}

// A word is tried from its beginning only: a value may have many thousand letters.
const LABEL = /(?<![\w-])[\w-]*$/;
const NAME = /(?<![\w.])[\w.]*$/;
const HEADER = /headers\[\s*(?:['"])([\w-]*)$/;
/** A comparison whose second operand is being written. */
const COMPARED =
  /((?<![\w.])[\w.]+|#|\]|\))\s*(?:==|!=|in\s*\[[^\]]*|startsWith|contains)\s*(['"])([^'"]*)$/;
const LAST_HEADER =
  /headers(?:\[\s*(['"])([\w-]+)\1\s*\]|\.(\w+))(?!.*headers[[.])/;

function inExpression(before: string): Suggestions {
  const [, header] = HEADER.exec(before) ?? [];
  if (header !== undefined) return { words: HEADERS, replaces: header.length };
  const [, left, quote = "", typed = ""] = COMPARED.exec(before) ?? [];
  if (left !== undefined) {
    const values = valuesComparedWith(left, before);
    const words = values.filter((value) => !value.includes(quote));
    return { words: plain(words, "Value"), replaces: typed.length };
  }
  const words = WORDS.filter(({ label }) => /^[a-z]/i.test(label));
  return { words, replaces: lengthOf(NAME, before) };
}

/** The values that the left side of a comparison can have, or is likely to have. */
function valuesComparedWith(left: string, before: string): readonly string[] {
  const field = FIELDS.find(({ name }) => name === left);
  if (field)
    return field.symbolic?.kind === "variable"
      ? (field.symbolic.values ?? [])
      : [];
  const found = LAST_HEADER.exec(before);
  const name = found?.[2] ?? found?.[3];
  return KNOWN_HEADERS.find((row) => row.name === name)?.values ?? [];
}

function valuesOf(
  key: string,
  before: string,
  open: () => Pick<RuleFile, "rules"> | undefined,
): readonly string[] {
  if (LINTS.some(({ code }) => code === key))
    return ["error", "warning", "note", "off"];
  const isInTests = /^tests:/m.test(before);
  if (isInTests && (key === "deny" || key === "allow"))
    return open()?.rules.map(({ name }) => name) ?? [];
  const values: Readonly<Record<string, readonly string[]>> = {
    action: ["allow", "deny"],
    status: ["enabled", "disabled"],
    expect: ["allow", "deny"],
    deny_with: ["Forbidden"],
    sdkPlatform: ["js", "android", "ios"],
  };
  return Object.hasOwn(values, key) ? (values[key] ?? []) : [];
}

const plain = (
  values: readonly string[],
  kind: keyof typeof CompletionItemKind,
): Word[] =>
  values.map((label) => ({
    label,
    kind: CompletionItemKind[kind],
    markdown: "",
  }));

const lengthOf = (pattern: RegExp, text: string): number =>
  pattern.exec(text)?.[0].length ?? 0;
