import {
  DENY_WITH,
  RULE_ACTIONS,
  STATUSES,
  TestRequestPayload,
} from "@devid/sdk/wire/filtering-rules";
import { z } from "zod";
import type { RuleSetDiff, FoundRequest, RuleTestReport } from "@devid/rules";
import { refuseBothBots } from "@devid/rules/internals";
import type { RuleRequest } from "@devid/rules/language";

const Request = z
  .object({
    ...TestRequestPayload.shape,
    headers: z.record(z.string(), z.array(z.string())),
    isAiBot: z.boolean().optional(),
    isCrawlerBot: z.boolean().optional(),
  })
  .superRefine(refuseBothBots);

/**
 * The answer to whether any request meets a condition, with the request if one
 * was found.
 */
export const FoundRequestSchema: z.ZodType<FoundRequest> = z.union([
  z.object({ answer: z.literal("found"), request: Request }),
  z.object({ answer: z.enum(["none", "cannot tell"]) }),
]);

/** A word of the service. A rule in force may have one that this version does not know. */
const word = <T extends string>(known: readonly T[]) =>
  z
    .string()
    .describe(
      `${known.join(", ")}, or another word of the service.`,
    ) as unknown as z.ZodType<T>;

const Rule = z.object({
  name: z.string(),
  expression: z.string(),
  action: word(RULE_ACTIONS),
  status: word(STATUSES),
  denyWith: word(DENY_WITH).optional(),
});

const Effect = z.object({
  newlyDenied: FoundRequestSchema,
  newlyAllowed: FoundRequestSchema,
  class: z.enum(["broadens", "narrows", "both", "none", "cannot tell"]),
});

const Edit = z.union([
  z.object({
    kind: z.literal("replaced"),
    at: z.string(),
    before: z.string(),
    after: z.string(),
    note: z.string().optional(),
  }),
  z.object({
    kind: z.enum(["added", "removed", "moved"]),
    at: z.string(),
    operator: z.enum(["&&", "||"]).optional(),
    text: z.string(),
  }),
]);

const changed = <T extends z.ZodType>(value: T) =>
  z.object({ before: value, after: value });

const step = {
  rule: Rule,
  position: z.int().optional(),
  effect: Effect,
};

/** The differences between two rule sets, as `diffRules` returns them. */
export const RuleSetDiffSchema: z.ZodType<RuleSetDiff> = z.object({
  changes: z.array(
    z.union([
      z.object({ kind: z.enum(["removed", "disabled", "enabled"]), ...step }),
      z.object({
        kind: z.enum(["moved", "added"]),
        ...step,
        after: z.string(),
      }),
      z.object({
        kind: z.literal("edited"),
        ...step,
        expression: changed(z.string())
          .extend({ edits: z.array(Edit) })
          .optional(),
        action: changed(word(RULE_ACTIONS)).optional(),
        denyWith: changed(word(DENY_WITH)).optional(),
      }),
    ]),
  ),
  effect: Effect,
});

const Place = z.object({ line: z.int(), column: z.int() });

const stretch = { ...Place.shape, end: Place };
const span = { offset: z.int(), length: z.int() };
const Problem = z.object({ message: z.string(), ...stretch, ...span });

const Expectation = z.object({
  result: z.enum(["allow", "deny"]),
  rule: z.string().optional(),
});

/** A finding in a rule file. */
export const FindingSchema = z.object({
  code: z.string(),
  severity: z.enum(["error", "warning", "note"]),
  rule: z.string().optional(),
  ...Place.shape,
  end: Place.describe(
    "Where the text of the finding ends, behind its last character.",
  ),
  docs: z.string().describe("Where its code is documented."),
  message: z.string(),
  frame: z.string(),
  fix: z.string().optional(),
  edits: z
    .array(z.object({ ...span, text: z.string() }))
    .optional()
    .describe("The fix as other texts for stretches of the file."),
  keepsMeaning: z
    .boolean()
    .optional()
    .describe("Whether it is proven that the edits change no decision."),
  removes: z
    .boolean()
    .optional()
    .describe("Whether the edits leave out something that is written."),
  changes: z
    .array(z.string())
    .optional()
    .describe("What the edits change, in the words of a diff."),
  request: (
    z
      .object({ headers: z.record(z.string(), z.array(z.string())) })
      .loose() as unknown as z.ZodType<RuleRequest>
  ).optional(),
  others: z.array(z.string()).optional(),
});

/** What became of the tests of a rule file. */
export const TestsSchema: z.ZodType<RuleTestReport> = z.object({
  tests: z.array(
    z.object({
      name: z.string(),
      passed: z.boolean(),
      expected: Expectation,
      got: Expectation,
      trace: z.array(
        z.object({
          rule: z.string(),
          outcome: z.enum(["matched", "not matched", "skipped", "failed"]),
          problem: Problem.optional(),
        }),
      ),
      ...stretch,
    }),
  ),
  coverage: z.object({
    enabled: z.array(z.object({ rule: z.string(), tests: z.int() })),
    notReached: z.array(z.string()),
    disabled: z.array(z.string()),
  }),
});
