import type { Severity } from "..";
import { FailConditionError } from "./fail-condition-error";
import type { Risk } from "./review";

/** What events are counted by. */
const COUNTED = {
  "newly-denied": "newlyDenied",
  "newly-allowed": "newlyAllowed",
  "cannot-tell": "cannotTell",
} as const;

/** A condition under which a review fails; `text` is how it is written. */
export type FailCondition = { readonly text: string } & (
  | {
      readonly kind: "events";
      readonly outcome: (typeof COUNTED)[keyof typeof COUNTED];
      /** More than this is needed. */
      readonly above: number;
      readonly unit: "events" | "percent";
    }
  | { readonly kind: "lint"; readonly severity: Severity }
  | { readonly kind: "risk"; readonly risk: Exclude<Risk, "low"> }
  | { readonly kind: "gets-through"; readonly orCannotTell: boolean }
  | { readonly kind: "tests" | "changes" }
);

/** Those without a number. */
const NAMED: readonly FailCondition[] = [
  { text: "lint:error", kind: "lint", severity: "error" },
  { text: "lint:warning", kind: "lint", severity: "warning" },
  { text: "lint:note", kind: "lint", severity: "note" },
  { text: "tests", kind: "tests" },
  { text: "gets-through", kind: "gets-through", orCannotTell: false },
  {
    text: "gets-through:cannot-tell",
    kind: "gets-through",
    orCannotTell: true,
  },
  { text: "risk:medium", kind: "risk", risk: "medium" },
  { text: "risk:high", kind: "risk", risk: "high" },
  { text: "changes", kind: "changes" },
];

/** How every condition is written; N is a number from 0, `N%` a part of the past events. */
export const FAIL_CONDITIONS: readonly string[] = [
  ...Object.keys(COUNTED).flatMap((name) => [`${name}>N`, `${name}>N%`]),
  ...NAMED.map(({ text }) => text),
];

/**
 * Reads a condition under which a review fails, as `--fail-on` has it.
 * @throws FailConditionError, which names the choices
 *
 * @example
 * parseFailCondition("newly-denied>0.5%")
 */
export function parseFailCondition(text: string): FailCondition {
  const named = NAMED.find((condition) => condition.text === text);
  if (named) return named;
  const [, name = "", number, percent] =
    /^([a-z-]+) ?> ?(\d{1,12}(?:\.\d{1,6})?)(%?)$/.exec(text) ?? [];
  if (!isCounted(name))
    throw new FailConditionError(
      `"${text}" is no condition. There are ${FAIL_CONDITIONS.join(", ")}; N is a number such as 100 or 0.5.`,
    );
  const above = Number(number);
  return {
    text: `${name}>${above}${percent}`,
    kind: "events",
    outcome: COUNTED[name],
    above,
    unit: percent ? "percent" : "events",
  };
}

function isCounted(name: string): name is keyof typeof COUNTED {
  return Object.hasOwn(COUNTED, name);
}
