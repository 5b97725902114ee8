import type { RuleRequest, Span } from "../../language";
import type { TextEdit } from "../../language/syntax/text-edit";
import type { Rule } from "../../rule-set/rule";
import type { LintedRule, LintedSet } from "./linted-set";

/** How bad a finding is. An error is always a mistake; a warning or a note may be meant. */
export type Severity = "error" | "warning" | "note";

/** What a fix does to the rule: it puts other text in place of a part of the expression, or deletes the rule. */
export type RuleEdit =
  ({ readonly kind: "replace" } & TextEdit) | { readonly kind: "delete" };

/** The edit that writes a text in place of a node. */
export const replacement = (
  { span: { offset, length } }: { readonly span: Span },
  text: string,
): RuleEdit => ({ kind: "replace", offset, length, text });

/** What a lint says about one rule. */
export interface LintResult {
  readonly message: string;
  /** What to do about it. */
  readonly fix: string;
  /**
   * The fix as data; absent where a person has to choose. Whether it keeps the
   * meaning is proven by `fixEffect`. Edits of one expression do not overlap.
   */
  readonly edits?: readonly RuleEdit[];
  /** Default: that of the lint. */
  readonly severity?: Severity;
  /** The part of the expression that it is about; absent when it is about all of it. */
  readonly span?: Span;
  /** A request that shows it. */
  readonly request?: RuleRequest;
  /** Names of the other rules that it is about. */
  readonly others?: readonly string[];
}

/** Looks for what a lint is about in one rule of a set. */
export type FindInRule = (
  rule: LintedRule,
  set: LintedSet,
) => readonly LintResult[];

/** Looks through a whole set; each result says at which rule, from 0, it is shown. */
export type FindInSet = (
  set: LintedSet,
) => readonly (LintResult & { readonly at: number })[];

/** What a lint looks for, and how docs/lint.md shows it. */
export type Lint = {
  readonly code: string;
  readonly severity: Severity;
  /** What it finds, in one sentence. */
  readonly doc: string;
  /** Why that matters, where the sentence does not show it. */
  readonly detail?: string;
  /** A set in which it finds something, and the same set corrected. */
  readonly example: {
    readonly found: readonly ExampleRule[];
    readonly fixed: readonly ExampleRule[];
  };
  /** Codes of findings that say enough about a rule: with one of them, this lint skips the rule. */
  readonly unless?: readonly string[];
} & (
  | {
      /** Whether it looks at disabled rules as well. */
      readonly of: "rule" | "enabled rule";
      readonly find: FindInRule;
    }
  | {
      /** Looks at all rules at once, and shows what it finds at one of them. */
      readonly of: "rule set";
      readonly find: FindInSet;
    }
);

/** A rule of an example; enabled unless it says otherwise. */
export type ExampleRule = Pick<Rule, "name" | "expression" | "action"> &
  Partial<Pick<Rule, "status">>;
