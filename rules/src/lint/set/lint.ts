import type { Node, RuleRequest, Span } from "../../language";
import { treeOf, type TreeEdit } from "../../language/types/tree-edit";
import type { Rule } from "../../rule-set/rule";
import type { LintedRule, LintedSet } from "./linted-set";

/** How bad a finding is. An error is always a mistake; a warning or a note may be meant. */
export type Severity = "error" | "warning" | "note";

/** What a fix does to the rule, or to the set around it. */
export type RuleEdit =
  | TreeReplacement
  | { readonly kind: "delete" }
  /**
   * Moves the rule in front of the rule at this index. The number of rules moves it to
   * the end.
   */
  | { readonly kind: "move"; readonly to: number }
  /** Adds a rule at the end. */
  | { readonly kind: "add"; readonly rule: AddedRule };

/** Puts a tree in place of a node of the expression. */
export interface TreeReplacement extends TreeEdit {
  readonly kind: "replace";
}

/** A rule that a fix adds; it is enabled. */
export type AddedRule = Pick<Rule, "name" | "expression" | "action">;

/** The edit that replaces a node by a text that is written here; `by` is its tree. */
export const replacement = (
  node: Node,
  text: string,
  by = treeOf(text),
): TreeReplacement => ({
  ...{ kind: "replace", ...node.span, text, node, by },
});

/** The fix that an edit makes, as a sentence, as data, and with the place of its finding. */
export const rewriting = (edit: TreeReplacement) => {
  const { offset, length, text } = edit;
  return { fix: `write ${text}`, edits: [edit], span: { offset, length } };
};

/** The result of a lint for one rule. */
export interface LintResult {
  readonly message: string;
  /** What to do about it. */
  readonly fix: string;
  /**
   * The fix as data; absent if a person has to choose. Whether it keeps the
   * meaning is proven by `fixEffect`. Edits of one expression do not overlap; an edit
   * that deletes, moves or adds a rule is the only one.
   */
  readonly edits?: readonly RuleEdit[];
  /**
   * Whether the edits leave out a value or a condition that the author wrote. An edit
   * that deletes a rule always does.
   */
  readonly removes?: boolean;
  /** Default: that of the lint. */
  readonly severity?: Severity;
  /** The subexpression that it is about; absent if it is about the whole expression. */
  readonly span?: Span;
  /** A request that shows the mistake. */
  readonly request?: RuleRequest;
  /** Names of the other rules involved. */
  readonly others?: readonly string[];
}

/** Nothing, one result, or what was found in each part of a rule. */
type Found =
  | LintResult
  | undefined
  | readonly (LintResult | undefined | readonly LintResult[])[];

/** Checks one rule of a set. */
export type FindInRule = (rule: LintedRule, set: LintedSet) => Found;

/** Checks a whole set; each result has the index, from 0, of the rule at which it is shown. */
export type FindInSet = (
  set: LintedSet,
) => (LintResult & { readonly at: number }) | undefined;

/** A lint, and its documentation in docs/lint.md. */
export type Lint = LintRow<readonly ExampleRule[]> & {
  readonly code: string;
  readonly severity: Severity;
};

/** A lint in a table, whose keys are the codes. Its examples are in the form that `exampleRules` reads. */
export type LintRow<Rules = string | readonly string[]> = {
  /** Default: a warning. */
  readonly severity?: Severity;
  /** What it finds, in one sentence. */
  readonly doc: string;
  /** Why that matters, where the sentence does not show it. */
  readonly detail?: string;
  /** What clients send: parts of a request, and a sentence about each. */
  readonly facts?: readonly (readonly [parts: string, sent: string])[];
  /** A set in which it finds something. */
  readonly example: Rules;
  /** The same set corrected. Default: the set with the edits of the finding. */
  readonly fixed?: Rules;
  /** Codes of findings that make this lint superfluous: it skips a rule that has one of them. */
  readonly unless?: readonly string[];
} & (
  | {
      /** Default: it looks at disabled rules as well. */
      readonly of?: "enabled rule";
      readonly find: FindInRule;
    }
  | {
      /** Checks all rules at once, and shows each finding at one rule. */
      readonly of: "rule set";
      readonly find: FindInSet;
    }
);

/** A rule of an example; enabled by default. */
export type ExampleRule = Pick<Rule, "name" | "expression" | "action"> &
  Partial<Pick<Rule, "status">>;

/**
 * The rules of an example, each in one text: `deny bots: http.user_agent.is_ai_bot`, or
 * `deny disabled bots: ...`.
 */
export const exampleRules = (...texts: readonly string[]): ExampleRule[] =>
  texts.map((text) => {
    const [, action, disabled, name = "", expression = ""] =
      /^(allow|deny) (disabled )?([^:]+): (.+)$/s.exec(text) ?? [];
    return {
      name,
      expression,
      action: action === "allow" ? "allow" : "deny",
      ...(disabled && { status: "disabled" }),
    };
  });
