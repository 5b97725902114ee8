import { stripVTControlCharacters } from "node:util";
import { expect, it } from "vitest";
import {
  formatReviewHtml,
  formatReviewMarkdown,
  formatReviewText,
  parseFailCondition,
  type ReviewSubject,
} from "../../../sdk/src/rules/review";
import { expectGolden } from "../../helpers/golden";
import { IMPACT, SAMPLED } from "./sample-impact";
import {
  BASE,
  RULES,
  sampleReview,
  withOneRequest,
  withSampleRequests,
} from "./sample-review";

const SAMPLE: ReviewSubject = {
  path: "shop/rules.yaml",
  text: RULES,
  base: { name: "main", rules: BASE },
  impact: IMPACT,
};

/** What is reviewed, by the name of its golden files. */
const CASES: Record<string, ReviewSubject> = {
  change: {
    ...SAMPLE,
    failOn: [
      "newly-denied>1%",
      "newly-denied>1000",
      "gets-through",
      "lint:error",
    ].map((text) => parseFailCondition(text)),
  },
  sampled: { ...SAMPLE, impact: SAMPLED },
  "nothing-to-say": {
    path: "rules.yaml",
    text: "rules:\n  - name: crawlers\n    expression: http.user_agent.is_crawler_bot\n    action: deny\n",
    base: {
      name: "live (Default, ae_1)",
      rules: BASE.slice(0, 1).map((rule) => ({ ...rule, name: "crawlers" })),
    },
    impact: { absent: "not asked for" },
  },
  "new-file": {
    ...SAMPLE,
    base: {
      name: "v1.0",
      rules: [],
      note: "the file is not there at v1.0, so it is compared with no rules",
    },
    impact: { absent: "no secret API key is configured for region us" },
  },
  "not-valid": {
    ...SAMPLE,
    text: `${RULES}  - name: a test without an expectation\n    request: {}\n`,
    impact: { absent: "the rule file is not valid" },
    failOn: [parseFailCondition("tests"), parseFailCondition("lint:error")],
  },
  "wrong-expression": {
    ...SAMPLE,
    text: RULES.replace("sdk.platform.is_browser", "sdk.platfrm.is_browser"),
    impact: { absent: "the rule file is not valid" },
  },
};

it.each(Object.entries(CASES))("shows %s", (name, subject) => {
  const made = sampleReview(subject);
  const review =
    subject.text === RULES && subject.base.note === undefined
      ? withSampleRequests(made)
      : withOneRequest(made);
  const golden = `review/${name}`;
  const text = formatReviewText(review);
  expectGolden(`${golden}.txt`, text);
  expectGolden(`${golden}.md`, formatReviewMarkdown(review));
  expectGolden(`${golden}.html`, formatReviewHtml(review));
  expectGolden(`${golden}.json`, `${JSON.stringify(review, undefined, 2)}\n`);

  expect(text.split("\n").filter((line) => [...line].length > 80)).toEqual([]);
  const colored = formatReviewText(review, { color: true });
  expect(colored).not.toBe(text);
  expect(stripVTControlCharacters(colored)).toBe(text);
});
