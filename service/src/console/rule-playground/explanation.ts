import type { ExplainedRule, Explanation, TermTrace } from "@devid/rules";
import { badge, ruleName, table } from "../html/elements";
import { type MarkupPart, markup, type Markup } from "@devid/review/internals";

/** What rules decide about a request: the result, and each rule with its terms. */
export function explanationHtml({
  result,
  mayDecide,
  rules,
}: Explanation): Markup {
  return markup`<section aria-labelledby="decision-title">
    <h2 id="decision-title">Decision</h2>
    <p>${badge(RESULT_TONES[result], result)}${decidedBy(result, mayDecide)}</p>
    ${
      rules.length > 0 &&
      table("Rules", rules, [
        ["Rule", ({ rule }) => ruleName(rule)],
        [
          "Does",
          ({ action }) => badge(action === "allow" ? "good" : "bad", action),
        ],
        ["Verdict", (rule) => verdictOf(rule, result, mayDecide)],
        [
          "Why",
          ({ trace }) =>
            markup`<ul class="terms">
              ${termHtml(trace)}
            </ul>`,
          "long",
        ],
      ])
    }
  </section>`;
}

const RESULT_TONES = {
  allow: "good",
  deny: "bad",
  "cannot tell": "wait",
} as const;

function decidedBy(
  result: Explanation["result"],
  mayDecide: readonly string[],
): MarkupPart {
  if (mayDecide.length === 0) return ", for no rule matches.";
  const names = mayDecide.map(
    (name, n) => markup`${n > 0 && ", "}${ruleName(name)}`,
  );
  if (result === "cannot tell")
    return markup`: it depends on unknown parts of the request. May decide:
    ${names}.`;
  return mayDecide.length === 1
    ? markup`, decided by ${names}.`
    : markup`, whichever of these decides: ${names}.`;
}

function verdictOf(
  { rule, outcome }: ExplainedRule,
  result: Explanation["result"],
  mayDecide: readonly string[],
): Markup {
  const decides = mayDecide.includes(rule);
  switch (outcome) {
    case "matched":
      return decides && (result !== "cannot tell" || mayDecide.length === 1)
        ? badge("good", "decides")
        : badge("plain", decides ? "matches" : "matches, but behind");
    case "may match":
      return badge("wait", "may match");
    case "failed":
      return badge("bad", "fails, so no match");
    case "skipped":
      return badge("plain", "disabled");
    case "not matched":
      return badge("plain", "does not match");
  }
}

const TERM_TONES = {
  true: "good",
  false: "plain",
  failed: "bad",
  unknown: "wait",
  "not evaluated": "plain",
} as const;

function termHtml({
  term,
  outcome,
  problem,
  reads = [],
  operator,
  parts = [],
}: TermTrace): Markup {
  return markup`<li>
    ${badge(TERM_TONES[outcome], outcome)} <code>${term}</code>
    ${problem !== undefined && markup`<small>${problem}</small>`}
    ${reads
      .filter(({ field }) => field !== term)
      .map(
        ({ field, value }) =>
          markup`<small
            ><code>${field}</code>
            ${value === undefined ? "was not sent" : value === "unknown" ? "is unknown" : markup`is <code>${JSON.stringify(value)}</code>`}</small
          >`,
      )}
    ${
      parts.length > 0 &&
      markup`<ul>
        ${parts.map((part, n) => markup`${n > 0 && markup`<li class="operator"><code>${operator}</code></li>`}${termHtml(part)}`)}
      </ul>`
    }
  </li>`;
}
