import {
  FIELDS,
  FUNCTIONS,
  KNOWN_HEADERS,
  LINTS,
  OPERATORS,
  type RuleFile,
} from "@devid/rules";
import {
  CompletionItemKind,
  type CompletionItem,
} from "vscode-languageserver/node";
import { atCursor } from "./at-cursor";
import {
  fieldMarkdown,
  functionMarkdown,
  headerMarkdown,
  operatorMarkdown,
} from "./reference";

/** A suggestion: a text that replaces the characters before the cursor. */
export interface Suggestion extends Pick<
  CompletionItem,
  "label" | "kind" | "documentation"
> {
  readonly text: string;
  /** How many characters before the cursor it replaces. */
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
): Suggestion[] {
  const at = atCursor(text, offset);
  switch (at.kind) {
    case "expression":
      return inExpression(at.before);
    case "value":
      return valuesOf(at.key, text.slice(0, offset), open);
    case "other":
      return inComment(text.slice(0, offset));
  }
}

const HEADER = /headers\[\s*(['"])([\w-]*)$/;
/** A comparison whose second operand is being written. */
const COMPARED =
  /([\w.]+|#|\]|\))\s*(?:==|!=|in\s*\[[^\]]*|startsWith|contains)\s*(['"])([^'"]*)$/;
const LAST_HEADER =
  /headers(?:\[\s*(['"])([\w-]+)\1\s*\]|\.(\w+))(?!.*headers[[.])/;
const WORD = /[\w.]*$/;

function inExpression(before: string): Suggestion[] {
  const header = HEADER.exec(before);
  if (header)
    return KNOWN_HEADERS.map((row) => ({
      label: row.name,
      text: row.name,
      replaces: header[2]?.length ?? 0,
      kind: CompletionItemKind.Property,
      documentation: markdown(headerMarkdown(row)),
    }));
  const compared = COMPARED.exec(before);
  if (compared) {
    const [, left = "", quote = "", typed = ""] = compared;
    return valuesComparedWith(left, before)
      .filter((value) => !value.includes(quote))
      .map((value) => ({
        label: value,
        text: value,
        replaces: typed.length,
        kind: CompletionItemKind.Value,
      }));
  }
  const word = WORD.exec(before)?.[0] ?? "";
  const replaces = word.length;
  return [
    ...FIELDS.map((row) => ({
      label: row.name,
      text: row.name,
      replaces,
      kind: CompletionItemKind.Field,
      documentation: markdown(fieldMarkdown(row)),
    })),
    ...FUNCTIONS.map((row) => ({
      label: row.name,
      text: `${row.name}(`,
      replaces,
      kind: CompletionItemKind.Function,
      documentation: markdown(functionMarkdown(row)),
    })),
    ...OPERATORS.filter(({ name }) => /^[a-z]/i.test(name)).map((row) => ({
      label: row.name,
      text: row.name,
      replaces,
      kind: CompletionItemKind.Operator,
      documentation: markdown(operatorMarkdown(row)),
    })),
  ];
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

const SEVERITIES = ["error", "warning", "note", "off"];

function valuesOf(
  key: string,
  before: string,
  open: () => Pick<RuleFile, "rules"> | undefined,
): Suggestion[] {
  const typed = /[\w-]*$/.exec(before)?.[0] ?? "";
  const isInTests = /^tests:/m.test(before);
  const names = isInTests ? (open()?.rules.map(({ name }) => name) ?? []) : [];
  const values: Readonly<Record<string, readonly string[]>> = {
    action: ["allow", "deny"],
    status: ["enabled", "disabled"],
    expect: ["allow", "deny"],
    deny_with: ["Forbidden"],
    sdkPlatform: ["js", "android", "ios"],
    ...(isInTests && { deny: names, allow: names }),
  };
  const isLint = LINTS.some(({ code }) => code === key);
  return (isLint ? SEVERITIES : (values[key] ?? [])).map((value) => ({
    label: value,
    text: value,
    replaces: typed.length,
    kind: CompletionItemKind.EnumMember,
  }));
}

/** The lints that a comment can allow. */
function inComment(before: string): Suggestion[] {
  const typed = /#\s*devid-allow\s+([\w-]*)$/.exec(before)?.[1];
  if (typed === undefined) return [];
  return LINTS.map(({ code, doc }) => ({
    label: code,
    text: `${code}: `,
    replaces: typed.length,
    kind: CompletionItemKind.EnumMember,
    documentation: markdown(doc),
  }));
}

const markdown = (value: string) => ({ kind: "markdown" as const, value });
