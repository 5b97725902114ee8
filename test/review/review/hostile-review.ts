import {
  parseFailCondition,
  type FailedReview,
  type PlannedRules,
  type Review,
} from "../../../review/src";
import { rule } from "../../rules/diff/rule";
import { USAGE } from "../usage/sample-usage";
import { IMPACT } from "./sample-impact";
import { REVIEWED, TOUCHED } from "./sample-plan";
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

/** Words of ours, and times, which no rule, event, name or answer of the service can replace. */
const OURS =
  /^(allow|deny|disabled|enabled|absent|found|none|cannot tell|broadens|narrows|both|added|removed|moved|edited|replaced|create|update|replace|delete|same|service|state|low|medium|high|decides|overruled|never|matched|not matched|holds|does not hold|cannot be judged|change|not observable|Environment|\d{4}-.*)$/;

/** Findings are made of the text already; the text of a reason or an effect is ours. */
const KEPT = new Set(["findings", "text"]);

/** Puts a text in place of each text that comes from a rule, an event, a name or the service. */
function withText<Value>(value: Value, text: string): Value {
  const replaced = (name: string, of: unknown): unknown => {
    if (KEPT.has(name)) return of;
    if (typeof of === "string") return OURS.test(of) ? of : text;
    if (Array.isArray(of)) return of.map((each) => replaced("", each));
    if (typeof of !== "object" || of === null) return of;
    const members = Object.entries(of).map(([name, each]) => [
      name,
      replaced(name, each),
    ]);
    return Object.fromEntries(members) as unknown;
  };
  return replaced("", value) as Value;
}

const RULE_SET: PlannedRules = {
  ...REVIEWED,
  settings: [{ name: "a", before: "b", after: "c", isLoosened: true }],
  inForce: [rule("a"), rule("b")],
  planned: [rule("b"), rule("c")],
};
const CHANGE = IMPACT.newlyDenied;
const EVENTS = {
  ...IMPACT,
  assumedNotSent: ["X-A"],
  newlyAllowed: CHANGE,
};

/** A review with a text in each place that is not ours. */
export function hostileReview(text: string): Review {
  const review = sampleReview({
    text: JSON.stringify({
      rules: [
        { name: text || "name", expression: "true", action: "deny" },
        rule("wrong", `sdk.version == '3.0.0' && ${text}`),
      ],
      tests: [],
    }),
    base: { name: "main", note: "a note", rules: [] },
    impact: EVENTS,
    usage: USAGE,
    commit: "a commit",
    environment: "an environment",
    scope: { environment: "an environment", stack: "a stack" },
    plan: {
      ...TOUCHED,
      ruleSets: [
        RULE_SET,
        {
          ...RULE_SET,
          isReviewed: false,
          inForceFrom: "state",
          impact: EVENTS,
        },
        { ...RULE_SET, operation: "same" },
        { ...RULE_SET, planned: { absent: "a reason" } },
      ],
      others: [
        ...TOUCHED.others,
        { operation: "create", type: "ApiKey", name: "new" },
        { operation: "delete", type: "Environment", name: "old" },
      ],
    },
    policies: {
      packs: ["a pack"],
      violations: [
        {
          ...{ policy: "a policy", pack: "a pack", isAdvisory: false },
          ...{ resource: "a resource", message: "a message" },
        },
      ],
    },
    failOn: [parseFailCondition("tests")],
  });
  const failed = {
    name: "a test",
    passed: false,
    expected: { result: "deny", rule: "a" },
    got: { result: "allow", rule: "b" },
    trace: [{ rule: "a", outcome: "not matched" }],
    line: 1,
    column: 1,
    end: { line: 1, column: 2 },
  } as const;
  const tests = {
    tests: [failed, { ...failed, passed: true }],
    coverage: { enabled: [], notReached: ["a rule"], disabled: [] },
  };
  return withText({ ...review, tests }, text);
}

/** The same review with all parts absent; each reason is the text. */
export function hostileAbsence(text: string): Review {
  const absent = { absent: text };
  return {
    ...hostileReview(text),
    ...{ diff: absent, tests: absent, impact: absent, plan: absent },
    ...{ usage: absent, policies: absent, failure: text },
  };
}

/** The report of a failed review whose error message and names are the text. */
export const hostileFailure = (text: string): FailedReview => ({
  file: text,
  purpose: "change",
  commit: text,
  environment: text,
  scope: { environment: text, stack: text },
  base: text,
  message: `${text}\n${text}`,
});
