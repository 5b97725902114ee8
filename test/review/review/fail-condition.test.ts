import { describe, expect, it } from "vitest";
import {
  needsAttention,
  parseFailCondition,
  type Review,
} from "../../../review/src";
import { FAIL_CONDITIONS } from "../../../review/src/review/fail-condition";
import { sampleReview } from "./sample-review";
import { cellsOf } from "../../helpers/cells-of";
import { situation } from "./situations";
import { textOf } from "../../helpers/repository";

const PAGE = textOf("docs/review.md");

/** A condition, the words of a situation of the sample (`situations.ts`), and what is judged. */
const JUDGED = `
newly-denied>3.4% | | holds: 420 (3.4%)
newly-denied>3.41% | | holds: 420 (3.4%), up to 434 (3.5%) with undetermined events
newly-denied>3.6% | | does not hold: 420 (3.4%), up to 434 (3.5%) with undetermined events
newly-denied>419 | | holds: 420 (3.4%)
newly-denied>420 | | holds: 420 (3.4%), up to 434 (3.5%) with undetermined events
newly-denied>434 | | does not hold: 420 (3.4%), up to 434 (3.5%) with undetermined events
newly-denied>434 | --max-undetermined:0.11 | cannot be judged: 14 (0.1%) are undetermined, more than --max-undetermined 0.1%
newly-denied>419 | --max-undetermined:0 | holds: 420 (3.4%)
newly-denied>434 | --max-undetermined:0.12 | does not hold: 420 (3.4%), up to 434 (3.5%) with undetermined events
newly-denied>1% | may-deny:1000 | cannot be judged: 1,000 (100%) are undetermined, more than --max-undetermined 5%
newly-denied>1% | may-deny:1000 --max-undetermined:100 | holds: 0 (0%), up to 1,000 (100%) with undetermined events
newly-allowed>1% | may-deny:1000 | does not hold: 0 (0%)
newly-allowed>1% | may-allow:19 | holds: 0 (0%), up to 19 (1.9%) with undetermined events
newly-denied>155 | sampled | holds: about 118 or 1% (80 to 156)
newly-denied>156 | sampled | does not hold: about 118 or 1% (80 to 156)
newly-denied>1.2% | sampled | holds: about 118 or 1% (80 to 156)
newly-denied>50% | small-sample | does not hold: about 118 or 1% (80 to 156)
newly-denied>1% | no-key | cannot be judged: no key
newly-denied>50% | unreadable | cannot be judged: 3 rows of the past events could not be read
cannot-tell>99% | unreadable-sample | cannot be judged: 3 rows of the past events could not be read
newly-denied>1 | outside | holds: 420 (3.4%)
newly-denied>1% | events:0 | cannot be judged: 0 past events, fewer than --min-events 100
newly-denied>1% | events:0 --min-events:0 | does not hold: 0 (0%)
newly-allowed>5 | few-events | cannot be judged: 99 past events, fewer than --min-events 100
cannot-tell>99% | --min-events:20000 | cannot be judged: 12,345 past events, fewer than --min-events 20,000
newly-allowed>0 | | does not hold: 0 (0%)
newly-denied>0 | clean few-events | does not hold: proven: nothing is newly denied
newly-denied>0% | clean no-key | does not hold: proven: nothing is newly denied
newly-allowed>0 | clean sampled | does not hold: proven: nothing is newly allowed
cannot-tell>0 | clean sampled | does not hold: proven: nothing is decided otherwise
cannot-tell>8 | base-empty sampled | holds: about 0 or 0% (0 to 9)
cannot-tell>8 | clean base-more sampled | holds: about 0 or 0% (0 to 9)
cannot-tell>13 | | holds: 14 (0.1%)
newly-denied>0 | clean plan-adds | holds: 420 (3.4%)
newly-allowed>0 | clean plan-agrees few-events | does not hold: proven: nothing is newly allowed
newly-allowed>0 | base-missing | cannot be judged: compared with no rules
newly-allowed>0 | clean base-missing plan-agrees | does not hold: proven: nothing is newly allowed
newly-denied>0 | clean base-missing plan-agrees | does not hold: proven: nothing is newly denied
newly-denied>419 | base-missing | holds: 420 (3.4%)
deletes>0 | | cannot be judged: no preview was given
deletes>0 | plan-failed | cannot be judged: it failed
deletes>0 | plan-touches | holds: ApiKey old, ApiKey shop
deletes>2 | plan-touches | does not hold: ApiKey old, ApiKey shop
deletes:ApiKey | plan-touches | holds: ApiKey old, ApiKey shop
deletes:Webhook | plan-touches | does not hold: none
replaces>0 | plan-touches | holds: ApiKey shop
creates:Webhook | plan-touches | does not hold: none
changes:Webhook.url | plan-touches | holds: Webhook hook
changes:Webhook.description | plan-touches | does not hold: none
changes:FilteringRuleSet.protect | plan-touches | holds: FilteringRuleSet shop
policies | | cannot be judged: no events of the preview were given
policies | policies-kept | does not hold: 0 policy violations
policies | policies-none | cannot be judged: no policy was asked
policies | policies-kept plan-failed | cannot be judged: it failed
policies | policies-violated plan-failed | holds: 1 policy violation
policies | policies-violated | holds: 1 policy violation
gets-through | | holds: requests get through that did not before
gets-through | clean | does not hold: nothing gets through that did not before
gets-through | clean base-opaque | does not hold: cannot rule out that requests get through that did not before
gets-through | base-missing | cannot be judged: compared with no rules
gets-through | clean base-missing plan-drops | holds: requests get through that did not before
gets-through | clean plan-drops | holds: requests get through that did not before
gets-through | base-invalid | cannot be judged: not valid
gets-through | clean base-invalid plan-agrees | does not hold: nothing gets through that did not before
gets-through | clean plan-failed | does not hold: nothing gets through that did not before
gets-through | clean plan-opaque | does not hold: cannot rule out that requests get through that did not before
gets-through | clean plan-unknown | does not hold: cannot rule out that requests get through that did not before
gets-through | clean base-more plan-agrees | holds: requests get through that did not before
gets-through | clean base-missing plan-of-others | cannot be judged: compared with no rules
gets-through:cannot-tell | | holds: requests get through that did not before
gets-through:cannot-tell | clean | does not hold: nothing gets through that did not before
gets-through:cannot-tell | clean base-opaque | holds: cannot rule out that requests get through that did not before
gets-through:cannot-tell | base-missing plan-failed | cannot be judged: compared with no rules
gets-through:cannot-tell | clean base-missing plan-agrees | does not hold: nothing gets through that did not before
plan-differs | clean | cannot be judged: no preview was given
plan-differs | clean plan-failed | cannot be judged: it failed
plan-differs | clean plan-agrees | does not hold: the plan does what the file says
plan-differs | clean plan-drops | holds: the plan does something else than the file says (1 difference)
lint:note | clean warned | holds: 0 notes, 1 warning, 0 errors
lint:warning | clean warned | holds: 1 warning, 0 errors
lint:error | clean warned | does not hold: 0 errors
lint:warning | clean | does not hold: 0 warnings, 0 errors
lint:error | broken | holds: 1 error
lint:error | clean never hurried | cannot be judged: lint did not check everything
lint:note | clean never hurried | cannot be judged: lint did not check everything
lint:error | broken hurried | holds: 1 error
tests | | holds: 2 of 2 failed
tests | clean | cannot be judged: the file has no tests
tests | clean passing:1 | does not hold: 1 of 1 passed
tests | broken | cannot be judged: the rule file is not valid
fewer-tests | passing:1 base-tests:2 | holds: 1 test, and 2 in the base
fewer-tests | clean base-tests:1 | holds: 0 tests, and 1 in the base
fewer-tests | passing:2 base-tests:2 | does not hold: 2 tests, and 2 in the base
fewer-tests | clean passing:1 | cannot be judged: the base is not a rule file, so it has no tests
fewer-tests | passing:1 base-missing | does not hold: the base has no such file
fewer-tests | broken | cannot be judged: the rule file is not valid
risk:high | | holds: the risk is high
risk:medium | | holds: the risk is high
risk:high | clean warned events:0 | does not hold: the risk is medium
changes | | holds: 6 changes: 1 removed, 2 edited, 1 moved, 2 added
changes | clean | does not hold: no differences
changes | broken | cannot be judged: the rule file is not valid
`;

describe("a condition of --fail-on", () => {
  it.each([
    ["newly-denied>1%", "newly-denied>1%"],
    ["newly-denied > 0.50%", "newly-denied>0.5%"],
    ["cannot-tell>100", "cannot-tell>100"],
    ["lint:error", "lint:error"],
  ])("is read from %j as %s", (text, canonical) => {
    expect(parseFailCondition(text).text).toBe(canonical);
    expect(parseFailCondition(canonical)).toEqual(parseFailCondition(text));
  });

  it.each(FAIL_CONDITIONS)(
    "may be %s, which docs/review.md describes",
    (text) => {
      expect(() =>
        parseFailCondition(text.replace(/\bN\b/, "2.5")),
      ).not.toThrow();
      expect(PAGE).toMatch(new RegExp(`^- .*\`${text}\``, "m"));
    },
  );

  it.each([
    "",
    "newly-denied",
    "newly-denied>",
    "newly-denied>-1",
    "newly-denied>1e3",
    "newly-denied>=1",
    "toString>1",
    "lint",
    "lint:fatal",
    "risk:low",
    " tests",
  ])("cannot be %j; the error lists the choices", (text) => {
    expect(() => parseFailCondition(text)).toSay("review/no-condition", {
      text: `"${text}"`,
    });
  });

  it.each(cellsOf(JUDGED))(
    "%s is judged of %s",
    (text, words = "", expected) => {
      const failOn = [parseFailCondition(text ?? "")];
      const other = words === "" ? {} : situation(words);
      const [outcome] = sampleReview({ ...other, failOn }).conditions;
      expect(`${outcome?.outcome}: ${outcome?.found}`).toBe(expected);
    },
  );
});

/** A situation, and whether somebody has to look: always, or only with `--strict`. */
const LOOKED_AT = `
clean no-key | no
clean warned base-warned no-key | strict
clean no-key hurried | strict
clean failing:1 no-key | yes
mistaken no-key | yes
clean plan-failed no-key | yes
clean plan-agrees no-key | no
clean plan-drops no-key | yes
clean base-empty no-key | yes
clean base-invalid no-key | yes
`;

describe("needsAttention", () => {
  it.each(cellsOf(LOOKED_AT))("is right for %s: %s", (words = "", expected) => {
    const review = sampleReview(situation(words));
    expect(needsAttention(review)).toBe(expected === "yes");
    expect(needsAttention(review, true)).toBe(expected !== "no");
  });

  it("depends on the conditions alone, if there are any", () => {
    const review = (...texts: string[]): Review =>
      sampleReview({ failOn: texts.map((text) => parseFailCondition(text)) });
    expect(needsAttention(review("newly-allowed>0", "lint:error"))).toBe(false);
    expect(needsAttention(review("newly-allowed>0"), true)).toBe(false);
    expect(needsAttention(review("lint:error", "tests"))).toBe(true);
    const unseen = sampleReview({
      impact: { absent: "no key" },
      failOn: [parseFailCondition("newly-denied>50%")],
    });
    expect(needsAttention(unseen)).toBe(true);
  });
});
