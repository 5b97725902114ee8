import type { RuleRequest, Span } from "../language";
import type { Rule } from "../rule-set/rule";
import type { LintedRule, LintedSet } from "./linted-set";

/** How bad a finding is: only an error is surely a mistake. */
export type Severity = "error" | "warning" | "note";

/** What a lint has to say of a rule. */
export interface LintResult {
  readonly message: string;
  /** What to do about it. */
  readonly fix: string;
  /** Default: that of the lint. */
  readonly severity?: Severity;
  /** The part of the rule's expression that it is about; absent for all of it. */
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
  /** Why that matters, where it does not go without saying. */
  readonly detail?: string;
  /** A set that it finds something in, and the same set put right. */
  readonly example: {
    readonly found: readonly ExampleRule[];
    readonly fixed: readonly ExampleRule[];
  };
  /** Codes that, found in a rule already, say enough about it. */
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

/** A rule of an example; enabled. */
export type ExampleRule = Pick<Rule, "name" | "expression" | "action">;
