import type { Change, Impact, Usage } from "../../../review/src/replay-subpath";
import type {
  FailedReview,
  PlannedRules,
  PlanSubject,
  Review,
} from "../../../review/src";
import { rule } from "../../rules/diff/rule";
import { USAGE } from "../usage/sample-usage";
import { IMPACT } from "./sample-impact";
import { REVIEWED } from "./sample-plan";
import { sampleReview } from "./sample-review";

/** Texts with a special meaning in Markdown, in HTML, on GitHub or on a terminal. */
export const HOSTILE = [
  "a|b",
  "a\\|b\\\\|",
  "`code` and ``more``",
  "```\n# heading\n```",
  "`",
  "<script>alert(1)</script>",
  '"><img src=x onerror=alert(1)>',
  "</title></style></details></td></table>",
  "--> <!-- devid-review:other -->",
  "@security-team",
  "[click](https://evil.example) https://evil.example www.evil.example",
  "line\n| --- |\n- end\r\n",
  "\u001b[31mred",
  "allow\u202e yned",
  "&lt;b&gt; *bold* _it_ ~~no~~ $x$ :smile: #1",
  "   ",
];

/**
 * A review with a text in each place that comes from a rule, an event, a name or the
 * service.
 */
export function hostileReview(text: string): Review {
  const path = `${text}.yaml`;
  const review = sampleReview({
    path,
    text: JSON.stringify({
      rules: [
        { name: text || "name", expression: "true", action: "deny" },
        {
          name: "wrong",
          expression: `sdk.version == '3.0.0' && ${text}`,
          action: "deny",
        },
      ],
      tests: [],
    }),
    base: { name: text, note: text, rules: [] },
    impact: hostileImpact(text),
    usage: hostileUsage(text),
    commit: text,
    environment: text,
    scope: { environment: text, stack: text },
    plan: hostilePlan(text),
  });
  const failed = {
    name: text,
    passed: false,
    expected: { result: "deny", rule: text },
    got: { result: "allow", rule: text },
    trace: [{ rule: text, outcome: "not matched" }],
    line: 1,
    column: 1,
    end: { line: 1, column: 2 },
  } as const;
  return {
    ...review,
    conditions: [
      { condition: "tests", outcome: "cannot be judged", found: text },
    ],
    tests: {
      tests: [failed, { ...failed, passed: true }],
      coverage: { enabled: [], notReached: [text], disabled: [] },
    },
  };
}

/** The same review with all parts absent; each reason is the text. */
export function hostileAbsence(text: string): Review {
  const absent = { absent: text };
  const { conditions, ...review } = hostileReview(text);
  return {
    ...review,
    conditions,
    diff: absent,
    tests: absent,
    impact: absent,
    plan: absent,
  };
}

/** A plan in which every name is the text. */
function hostilePlan(text: string): PlanSubject {
  const setting = { name: text, before: text, after: text, isLoosened: true };
  const other = { type: text, name: text };
  const ruleSet: PlannedRules = {
    ...REVIEWED,
    name: text,
    environment: text,
    settings: [setting],
    inForce: [rule(text || "name"), rule("other")],
    planned: [rule("other"), rule(`new ${text}`)],
  };
  return {
    name: text,
    stack: text,
    ruleSets: [
      ruleSet,
      {
        ...ruleSet,
        isReviewed: false,
        inForceFrom: "state",
        impact: hostileImpact(text),
      },
      { ...ruleSet, operation: "same" },
      { ...ruleSet, planned: { absent: text } },
    ],
    others: [
      {
        ...other,
        operation: "create",
        properties: [{ name: text, before: text, after: text }],
      },
      { ...other, operation: "replace" },
      { ...other, operation: "delete" },
      { type: "Environment", name: text, operation: "delete" },
    ],
  };
}

/** The report of a failed review whose error message and names are the text. */
export function hostileFailure(text: string): FailedReview {
  return {
    file: `${text}.yaml`,
    purpose: "change",
    commit: text,
    environment: text,
    scope: { environment: text, stack: text },
    base: text,
    message: `${text}\n${text}`,
  };
}

function hostileImpact(text: string): Impact {
  const values = [{ value: text, events: 1 }];
  const change: Change = {
    ...IMPACT.newlyDenied,
    top: {
      origin: values,
      country: values,
      asn: values,
      userAgent: values,
      linkedId: values,
    },
    examples: [text],
  };
  return {
    ...IMPACT,
    rules: IMPACT.rules.map((rule) => ({ ...rule, name: text })),
    missing: [{ field: text, events: 1 }],
    assumedNotSent: [text],
    newlyDenied: change,
    newlyAllowed: change,
  };
}

function hostileUsage(text: string): Usage {
  const rule = USAGE.rules.find(({ verdict }) => verdict === "overruled");
  if (!rule) throw new Error("The sample has no overruled rule.");
  const term = { isException: false, events: 0, undetermined: 0 };
  return {
    ...USAGE,
    rules: [
      {
        ...{ ...rule, name: text, neverFilled: [text] },
        overruledBy: [{ rule: text, events: 1 }],
        terms: [{ ...term, term: text }],
      },
      { ...rule, verdict: "never", neverFilled: [text] },
    ],
  };
}
