import { stripVTControlCharacters } from "node:util";
import { expect, it } from "vitest";
import {
  formatReviewHtml,
  formatReviewMarkdown,
  formatReviewText,
  formatFailedReview,
} from "@devid/review";
import {
  parseFailCondition,
  type PlannedRules,
  type ReviewSubject,
} from "../../../review/src";
import type { Impact } from "../../../review/src/replay-subpath";
import { expectGolden } from "../../helpers/golden";
import { outcomes } from "../replay/impacts";
import { IMPACT, NOTHING, SAMPLED } from "./sample-impact";
import {
  BY_HAND,
  PLANNED,
  REVIEWED,
  samplePlan,
  STAGING,
  TOUCHED,
} from "./sample-plan";
import { withOneRequest } from "../../rules/report/with-one-request";
import { USAGE } from "../usage/sample-usage";
import { BASE, RULES, SAMPLE, sampleReview } from "./sample-review";

/**
 * The sample without its tests: both fail, and would hide the other reasons of the
 * verdict.
 */
const UNTESTED: ReviewSubject = {
  ...SAMPLE,
  text: RULES.slice(0, RULES.indexOf("tests:\n")),
};

/** The impact without the details that other cases show. */
const TOTALS: Partial<Impact> = {
  rules: [],
  missing: [],
  newlyDenied: NOTHING,
  periods: [],
};

/** A few of the sample's events. */
const FEW: Partial<Impact> = {
  ...TOTALS,
  events: 12,
  total: outcomes(0, 0, 12, 0),
  possible: { newlyDenied: { value: 0 }, newlyAllowed: { value: 0 } },
};

/** The rules before a change that adds the last two rules of the sample. */
const BEFORE = PLANNED.slice(0, -2);
const UPDATED: PlannedRules = { ...REVIEWED, inForce: BEFORE };

const PLANNED_SAMPLE: ReviewSubject = {
  ...UNTESTED,
  impact: { absent: "not asked for" },
  commit: "0123456789abcdef0123456789abcdef01234567",
  environment: "Production (ae_1)",
  scope: { environment: "Production", stack: "shop/production" },
  base: { name: "main", rules: BEFORE },
  plan: samplePlan({ ruleSets: [UPDATED] }),
};

/** The cases that are recorded whole; the printers of text and of pages are shown by the first. */
const WHOLE = ["change", "plan-differs"] as const;

/** The reviewed subjects, by the name of their golden files or of their parts in `others.md`. */
const CASES = {
  "other-resources": {
    ...PLANNED_SAMPLE,
    plan: TOUCHED,
    policies: {
      packs: ["devid 0.1.0"],
      violations: [
        {
          policy: "webhook-https-and-verified",
          pack: "devid",
          isAdvisory: false,
          resource: "Webhook hook",
          message:
            "The webhook is not verified.\nDeclare a WebhookVerification.\n",
        },
      ],
    },
    failOn: [
      parseFailCondition("deletes:ApiKey"),
      parseFailCondition("changes:Webhook.url"),
      parseFailCondition("policies"),
    ],
  },
  "failed-in-part": {
    ...PLANNED_SAMPLE,
    failure:
      "Listing environments failed: 401 unauthorized: The management key is not known here.",
    plan: { absent: "there is no preview: devid: 401 unauthorized" },
    failOn: [parseFailCondition("plan-differs")],
  },
  change: {
    ...SAMPLE,
    failOn: [
      "newly-denied>1%",
      "newly-denied>1000",
      "gets-through",
      "lint:error",
    ].map((text) => parseFailCondition(text)),
  },
  usage: { ...UNTESTED, impact: SAMPLED, usage: USAGE },
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
    ...UNTESTED,
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
  "missing-base": {
    ...UNTESTED,
    impact: { ...IMPACT, ...TOTALS },
    base: {
      name: "origin/main",
      rules: [],
      note: "the file is not there at origin/main, so it is compared with no rules",
      isMissing: true,
    },
    failOn: ["gets-through", "newly-allowed>0", "newly-denied>1%"].map((text) =>
      parseFailCondition(text),
    ),
  },
  "few-events": {
    ...UNTESTED,
    impact: { ...IMPACT, ...FEW },
    failOn: [parseFailCondition("newly-denied>1%")],
  },
  "proven-over-sample": {
    ...UNTESTED,
    base: { name: "main", rules: PLANNED },
    impact: { ...SAMPLED, ...TOTALS },
    failOn: [parseFailCondition("newly-denied>0%")],
  },
  "plan-differs": {
    ...PLANNED_SAMPLE,
    plan: samplePlan({
      ruleSets: [
        {
          ...UPDATED,
          inForce: [...BEFORE, BY_HAND],
          settings: [
            {
              name: "maxDeletedPercent",
              before: "50",
              after: "100",
              isLoosened: true,
            },
          ],
        },
        {
          ...STAGING,
          operation: "update",
          planned: PLANNED.slice(1, 3),
          inForceFrom: "state",
        },
        { ...STAGING, name: "test", environment: "Test (ae_3)" },
      ],
      others: [
        { operation: "create", type: "ApiKey", name: "shop-key" },
        { operation: "update", type: "Webhook", name: "hook" },
        { operation: "replace", type: "EncryptionKey", name: "sealed" },
        { operation: "delete", type: "Environment", name: "old" },
        { operation: "delete", type: "aws:s3/bucket:Bucket", name: "logs" },
      ],
    }),
    failOn: [parseFailCondition("plan-differs")],
  },
  "rules-in-program": {
    ...PLANNED_SAMPLE,
    text: `${JSON.stringify({ rules: BEFORE }, undefined, 2)}\n`,
    plan: samplePlan({
      ruleSets: [{ ...UPDATED, planned: [BY_HAND] }],
    }),
  },
  recovery: {
    ...PLANNED_SAMPLE,
    purpose: "recovery",
    base: { name: "live (Production, ae_1)", rules: BEFORE },
    failOn: [parseFailCondition("plan-differs")],
  },
  "wrong-expression": {
    ...SAMPLE,
    text: RULES.replace("sdk.platform.is_browser", "sdk.platfrm.is_browser"),
    impact: { absent: "the rule file is not valid" },
  },
} satisfies Record<string, ReviewSubject>;

const PAGE = /^(.*<title>)(.*)(<\/title>.*<body>\n)(.*)(<\/body>.*)$/s;

/**
 * Compares a page with two files: the part that all pages share, without its style sheet,
 * and the body of this page. The page's title must equal its heading.
 */
function expectPage(name: string, html: string): void {
  const [, start, title, style = "", body = "", end] = PAGE.exec(html) ?? [];
  const shared = `${start}${style}${end}`
    .replace(/<style>.*<\/style>/s, "<style></style>")
    .replace(/(?<=&#39;)sha256-[^&]*/, "sha256");
  expectGolden("review/page.html", shared);
  expectGolden(name, body);
  const [, heading = ""] = /^<h1>(.*)<\/h1>/.exec(body) ?? [];
  expect(title).toBe(heading.replace(/<\/?code>/g, ""));
}

const reviewOf = (subject: ReviewSubject) =>
  withOneRequest(sampleReview(subject));

it.each(WHOLE)("shows %s as in the golden file", (name) => {
  const review = reviewOf(CASES[name]);
  expectGolden(`review/${name}.md`, formatReviewMarkdown(review));
});

it("shows a change as text and as a page as in the golden files", () => {
  const review = reviewOf(CASES.change);
  expectGolden("review/change.txt", formatReviewText(review));
  expectPage("review/change.html", formatReviewHtml(review));
});

it("shows the other cases as in a golden file, which has the lines that are in no whole case", () => {
  const failed = formatFailedReview(
    {
      file: "shop/rules.yaml",
      purpose: "change",
      scope: { environment: "Production", stack: "shop/production" },
      commit: "0123456789abcdef0123456789abcdef01234567",
      base: "origin/main",
      message: "Listing environments failed: 403 forbidden.\n\nSet a key.",
    },
    "markdown",
  );
  const shown = Object.entries<ReviewSubject>(CASES).map(
    ([name, subject]) =>
      [name, formatReviewMarkdown(reviewOf(subject))] as const,
  );
  const isWhole = (name: string) => WHOLE.some((one) => one === name);
  const known = new Set(
    shown.flatMap(([name, text]) => (isWhole(name) ? text.split("\n") : [])),
  );
  const others = [
    ...shown.filter(([name]) => !isWhole(name)),
    ["failed", failed],
  ];
  const parts = others.map(([name, text = ""]) => {
    const headings = [...text.matchAll(/^#### (.*)$/gm)].map(([, one]) => one);
    const own = text
      .split("\n")
      .filter((line) => !known.has(line) && !line.startsWith("#### "));
    return [`## ${name}: ${headings.join(", ")}`, ...own, ""].join("\n");
  });
  expectGolden("review/others.md", parts.join("\n"));
});

it.each(Object.entries<ReviewSubject>(CASES))(
  "shows %s in 80 columns, and the same text in colors",
  (_, subject) => {
    const review = reviewOf(subject);
    const text = formatReviewText(review);
    expect(text.split("\n").filter((line) => [...line].length > 80)).toEqual(
      [],
    );
    const colored = formatReviewText(review, { color: true });
    expect(colored).not.toBe(text);
    expect(stripVTControlCharacters(colored)).toBe(text);
  },
);

it.each([0, 1])(
  "a page has a chart of denied events only where some are denied: %i",
  (denied) => {
    const periods = IMPACT.periods.map((period) => ({
      ...period,
      deniedBefore: 0,
      deniedAfter: denied,
    }));
    const page = formatReviewHtml(
      sampleReview({ ...SAMPLE, impact: { ...IMPACT, periods } }),
    );
    expect(page.includes("Denied events over time")).toBe(denied > 0);
  },
);
