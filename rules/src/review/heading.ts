import type { Quote } from "../report/change-cells";
import { isAbsent, type Review } from "./review";

/** What a report is of. */
export type ReportSubject = Pick<
  Review,
  "file" | "scope" | "purpose" | "commit" | "environment"
> & { readonly base?: { readonly name: string } };

/** Digits of a commit that tell it well enough. */
const SHORT_COMMIT = 10;

/** The title of a report: `Review of rules.yaml against main`. */
export function titleOf(
  { file, purpose, base }: ReportSubject,
  quote: Quote,
): string {
  const of = `${TITLES[purpose]} of ${quote(file)}`;
  return base === undefined ? of : `${of} against ${quote(base.name)}`;
}

const TITLES = { change: "Review", recovery: "Recovery" } as const;

/** The lines below the title: the commit, the environment and the stack as far as they are known, and what a recovery is. */
export function describeSubject(
  subject: ReportSubject & Pick<Review, "plan">,
  quote: Quote,
): string[] {
  const { commit, scope, plan, purpose } = subject;
  const environment = subject.environment ?? scope.environment;
  const planned = plan && !isAbsent(plan) ? plan.stack : undefined;
  const stack = planned ?? scope.stack;
  const parts = [
    ...(commit === undefined
      ? []
      : [`commit ${quote(commit.slice(0, SHORT_COMMIT))}`]),
    ...(environment === undefined ? [] : [`environment ${quote(environment)}`]),
    ...(stack === undefined ? [] : [`stack ${quote(stack)}`]),
  ];
  return [
    ...(parts.length === 0 ? [] : [capitalized(parts.join(" · "))]),
    ...(purpose === "recovery"
      ? [
          "The rules of the main branch are put in force again; no change of them is proposed here.",
        ]
      : []),
  ];
}

const capitalized = (text: string) =>
  text.charAt(0).toUpperCase() + text.slice(1);
