import {
  DenyWith,
  issueMessage,
  RuleAction,
  RuleExpression,
  Status,
  TestRequestPayload,
} from "@devid/sdk/wire/filtering-rules";
import { z } from "zod";
import { compileExpression } from "../eval/compile-expression";
import { checkExpression, type ExpressionProblem } from "../language";
import { refuseBothBots, withBotFlags } from "../language/request/bot-flags";
import type { Place } from "../language/syntax/problem";
import { compileRuleSet } from "../rule-set/evaluate-rule-set";
import {
  explainRules,
  traceExpression,
  type ExplainedRule,
  type TermTrace,
} from "./explain-rules";

/** The answer to a line. Line and column count from 1, and are absent if the line is no valid question. */
export type LineAnswer =
  | {
      readonly value: boolean;
      /** With `trace`: the result of each term of the expression. */
      readonly trace?: TermTrace;
    }
  | {
      readonly result: "allow" | "deny";
      readonly triggered_rule: string | null;
      /** With `trace`: every rule, and why it matches or not. */
      readonly rules?: readonly ExplainedRule[];
    }
  | {
      readonly error: {
        readonly message: string;
        readonly line?: number;
        readonly column?: number;
        /** Behind its last character. */
        readonly end?: Place;
        /** Place in `rules`, from 0. */
        readonly rule?: number;
      };
    };

/**
 * A request in the form of the service's rule test. The bot flags, which the service
 * derives from the user agent, may be given, as in a request that a diff found.
 */
const EvaluatedRequest = TestRequestPayload.extend({
  isAiBot: z.boolean().optional(),
  isCrawlerBot: z.boolean().optional(),
}).superRefine(refuseBothBots);

const ExpressionQuestion = z.strictObject({
  expression: z.string(),
  request: EvaluatedRequest,
});

const RuleSetQuestion = z.strictObject({
  rules: z.array(
    z.strictObject({
      name: z.string().optional(),
      expression: RuleExpression,
      action: RuleAction,
      status: Status.default("enabled"),
      deny_with: DenyWith.nullish(),
    }),
  ),
  request: EvaluatedRequest,
});

type Question =
  | z.output<typeof ExpressionQuestion>
  | z.output<typeof RuleSetQuestion>;

/**
 * Answers one line of NDJSON: an expression or an ordered rule set, and a request in
 * the form of the service's rule test (docs/contract.md, "POST /filtering-rules/test").
 * `triggered_rule` is the expression of the rule that decided, null if none matched.
 * With `trace`, the answer says why.
 */
export function evaluateLine(
  line: string,
  { trace = false }: { readonly trace?: boolean } = {},
): LineAnswer {
  const question = read(line);
  if ("error" in question) return question;
  const { headers = {}, ...rest } = question.request;
  const request = withBotFlags({ ...rest, headers });
  if ("expression" in question) {
    const checked = checkExpression(question.expression);
    if (!checked.ok) return refusal(checked.problems[0]);
    const found = compileExpression(checked.expression).evaluate(request);
    if ("error" in found) return refusal(found.error);
    return trace
      ? { ...found, trace: traceExpression(checked.expression, request) }
      : found;
  }
  const rules = question.rules.map(({ name = "", deny_with, ...rule }) => ({
    ...rule,
    name,
    denyWith: deny_with ?? undefined,
  }));
  const compiled = compileRuleSet(rules);
  if (!compiled.ok) {
    const [first] = compiled.refused;
    return refusal(first?.problems[0], first?.index);
  }
  const { result, decidedBy } = compiled.evaluate(request);
  const explained = trace ? explainRules(rules, request) : undefined;
  return {
    result,
    triggered_rule: decidedBy?.expression ?? null,
    ...(explained && "rules" in explained && { rules: explained.rules }),
  };
}

function read(line: string): Question | { error: { message: string } } {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    return {
      error: { message: `This is not JSON: ${(error as Error).message}` },
    };
  }
  const names = typeof value === "object" && value !== null ? value : {};
  const schema =
    "rules" in names
      ? RuleSetQuestion
      : "expression" in names
        ? ExpressionQuestion
        : undefined;
  const kinds =
    'This is neither {"expression","request"} nor {"rules","request"}';
  if (!schema) return { error: { message: `${kinds}.` } };
  const result = schema.safeParse(value, { error: issueMessage });
  if (result.success) return result.data;
  const problems = result.error.issues.map(({ path, message }) =>
    [...(path.length > 0 ? [z.core.toDotPath(path)] : []), message].join(": "),
  );
  return { error: { message: `${kinds}: ${problems.join("; ")}` } };
}

const refusal = (
  problem: ExpressionProblem | undefined,
  rule?: number,
): LineAnswer => ({
  error: {
    message: problem?.message ?? "unknown problem",
    line: problem?.line,
    column: problem?.column,
    end: problem?.end,
    ...(rule === undefined ? {} : { rule }),
  },
});
