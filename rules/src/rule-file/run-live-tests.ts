import type {
  FilteringRulesTestInput,
  FilteringRulesTestResult,
} from "@devid/sdk";
import { checkExpression } from "../language";
import type { Place } from "../language/syntax/problem";
import { canonicalText } from "../language/syntax/print-expression";
import { compileRuleSet, type RuleTrace } from "../rule-set/evaluate-rule-set";
import type { Rule } from "../rule-set/rule";
import type { RuleFile } from "./rule-file";
import type { Expectation, RuleTest } from "./rule-test";
import type { RuleTestResult } from "./run-rule-tests";

/** A question for the service: rules, and a request in the service's form. */
export type LiveQuestion = Extract<
  FilteringRulesTestInput,
  { readonly rules: unknown; readonly testRequestPayload: unknown }
>;

/** What the service answers; a member that it does not send is absent. */
export type LiveAnswer = Pick<
  FilteringRulesTestResult,
  "result" | "denyWith" | "triggeredRule"
>;

/**
 * Asks the service's own rule test (docs/contract.md, "POST
 * /filtering-rules/test"), as `client.filteringRules.test` does.
 */
export type AskService = (question: LiveQuestion) => Promise<LiveAnswer>;

/** What the service decides about a request. */
export interface LiveDecision {
  readonly result: string;
  /** The rule of the file that decides; absent if no rule does, or the service does not name one. */
  readonly rule?: string;
  /** The expression that the service names, if no enabled rule of the file has it. */
  readonly unknownRule?: string;
}

/** A rule that matches on one side only. */
export interface DisputedRule {
  readonly name: string;
  readonly expression: string;
  /** Its result in devid. The service has the opposite result. */
  readonly here: RuleTrace["outcome"];
  /** Why it failed here. */
  readonly problem?: string;
}

/** The result of one test at the service. */
export interface LiveTestResult {
  readonly name: string;
  /** The request as the service got it, or would have got it. */
  readonly request: NonNullable<LiveQuestion["testRequestPayload"]>;
  /** The decision of devid's evaluation. */
  readonly here: Expectation;
  /** Place of the test in the file, from 1. */
  readonly line: number;
  /** From 1, in characters. */
  readonly column: number;
  /** Behind its last character. */
  readonly end: Place;
  readonly outcome: LiveOutcome;
}

/** How the service's answer to a test compares with ours. */
export type LiveOutcome =
  | { readonly kind: "same"; readonly service: LiveDecision }
  | {
      readonly kind: "different";
      readonly service: LiveDecision;
      /** Absent if the answers differ in something else. */
      readonly disputed?: DisputedRule;
    }
  /** The service refuses the request, which is valid here. */
  | { readonly kind: "refused"; readonly message: string }
  | { readonly kind: "not asked"; readonly reason: string };

/** A rule that the service refuses, and that is valid here. */
export interface RefusedByService {
  /** Absent if the service does not say which rule it refuses. */
  readonly rule?: string;
  readonly expression?: string;
  readonly message: string;
}

/** How the service decides the tests of a rule file. */
export interface LiveTestReport {
  readonly tests: readonly LiveTestResult[];
  /**
   * If the service refuses a rule, it answers no question, so no further question was
   * sent.
   */
  readonly refused: readonly RefusedByService[];
  /** How many questions were sent: tests with equal requests share one. */
  readonly calls: number;
}

/** How the service is asked. */
export interface LiveTestOptions {
  /** Called before each test, with the number of tests that are done. */
  readonly onProgress?: (done: number, total: number) => void;
  /** Most tests to ask about, from the first; the others are not asked. Default: all. */
  readonly maxTests?: number;
}

/**
 * Asks the service to decide the tests of a rule file, and compares its answers with
 * what the same rules decide here. What a test expects does not matter. Disabled rules
 * are not sent, because the service's test has no status of a rule.
 * @param decided the results of `runRuleTests`
 * @throws what `ask` throws, apart from the ValidationError of a refused question
 */
export async function runLiveTests(
  file: RuleFile,
  decided: readonly RuleTestResult[],
  ask: AskService,
  { onProgress, maxTests = Infinity }: LiveTestOptions = {},
): Promise<LiveTestReport> {
  const rules = file.rules.filter(({ status }) => status === "enabled");
  const answers = new Map<string, LiveAnswer | Refusal>();
  const answerTo = async (testRequestPayload: LiveTestResult["request"]) => {
    const key = JSON.stringify(testRequestPayload);
    const sent = rules.map(({ expression, action, denyWith }) => ({
      expression,
      action,
      ...(denyWith && { denyWith }),
    }));
    const answer =
      answers.get(key) ??
      (await ask({ rules: sent, testRequestPayload }).catch(refusalOf));
    answers.set(key, answer);
    return answer;
  };
  let refused: readonly RefusedByService[] = [];
  const tests: LiveTestResult[] = [];
  for (const [index, { name, request }] of file.tests.entries()) {
    const result = decided[index];
    if (!result) break;
    onProgress?.(index, file.tests.length);
    const payload = payloadOf(request);
    const outcome = async (): Promise<LiveOutcome> => {
      const reason =
        index >= maxTests
          ? `only the first ${maxTests} are asked`
          : refused.length > 0
            ? RULES_REFUSED
            : reasonNotToAsk(rules, request, result.got);
      if (reason !== undefined) return { kind: "not asked", reason };
      const answer = await answerTo(payload);
      if (!("violations" in answer)) return compared(answer, rules, result);
      if (isOfRequest(answer, [...answers.values()]))
        return { kind: "refused", message: refusalText(answer) };
      refused = refusedRules(answer, rules);
      return { kind: "not asked", reason: RULES_REFUSED };
    };
    const { line, column, end } = file.placeOf(["tests", index]);
    tests.push({
      ...{ name, request: payload, here: result.got, line, column, end },
      outcome: await outcome(),
    });
  }
  return { tests, refused, calls: answers.size };
}

const RULES_REFUSED = "the service refuses the rules";

function reasonNotToAsk(
  rules: readonly Rule[],
  { isAiBot, isCrawlerBot, ...rest }: RuleTest["request"],
  got: Expectation,
): string | undefined {
  if (rules.length === 0) return "no rule of the file is enabled";
  if (isAiBot === undefined && isCrawlerBot === undefined) return undefined;
  const compiled = compileRuleSet(rules);
  return compiled.ok && compiled.evaluate(rest).decidedBy?.name === got.rule
    ? undefined
    : "the service recognises bots by userAgent alone, and isAiBot or isCrawlerBot decides here";
}

function compared(
  { result, triggeredRule }: LiveAnswer,
  rules: readonly Rule[],
  { got, trace }: RuleTestResult,
): LiveOutcome {
  // Of rules with the same expression the first one decides.
  const rule =
    typeof triggeredRule === "string"
      ? rules.find(
          ({ expression }) => spelling(expression) === spelling(triggeredRule),
        )
      : undefined;
  const service: LiveDecision = {
    result,
    ...(rule && { rule: rule.name }),
    ...(!rule && triggeredRule && { unknownRule: triggeredRule }),
  };
  const { unknownRule } = service;
  const isRuleNamed =
    typeof triggeredRule === "string" ||
    (triggeredRule === null && result === "allow");
  const isSameRule = !isRuleNamed || service.rule === got.rule;
  if (result === got.result && unknownRule === undefined && isSameRule)
    return { kind: "same", service };
  // The earlier of the two rules that decide matches on one side only.
  const step =
    isSameRule || unknownRule !== undefined
      ? undefined
      : trace.find((one) => [got.rule, service.rule].includes(one.rule));
  if (!step) return { kind: "different", service };
  const disputed: DisputedRule = {
    name: step.rule,
    expression: rules.find(({ name }) => name === step.rule)?.expression ?? "",
    here: step.outcome,
    ...(step.problem && { problem: step.problem.message }),
  };
  return { kind: "different", service, disputed };
}

/** An expression in one spelling, without differences such as blanks. */
function spelling(expression: string): string {
  const checked = checkExpression(expression);
  return checked.ok
    ? canonicalText(checked.expression.root)
    : expression.trim();
}

/**
 * The request of a test in the service's form. Members with their default values are
 * left out.
 */
function payloadOf({
  headers,
  sdkPlatform,
  isAiBot: _ai,
  isCrawlerBot: _crawler,
  ...rest
}: RuleTest["request"]): LiveTestResult["request"] {
  return {
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(sdkPlatform !== "unknown" && { sdkPlatform }),
    ...rest,
  };
}

/** The ValidationError of a client, whichever copy of the package it comes from. */
interface Refusal {
  readonly message: string;
  readonly detail?: string;
  readonly violations: readonly {
    readonly property: string;
    readonly message: string;
  }[];
}

function refusalOf(error: unknown): Refusal {
  if (!(error instanceof Error) || error.name !== "ValidationError")
    throw error;
  const {
    message,
    detail,
    violations = [],
  } = error as Error & Partial<Refusal>;
  return { message, detail, violations };
}

/** Whether the service refuses the request, and not the rules. */
function isOfRequest(
  { violations }: Refusal,
  answers: readonly (LiveAnswer | Refusal)[],
): boolean {
  const names = (start: string) =>
    violations.some(({ property }) => property.startsWith(start));
  // If it has accepted the rules before, it refuses the request, not the rules.
  const isAccepted = answers.some((answer) => !("violations" in answer));
  return !names("rules") && (names("test_request") || isAccepted);
}

function refusedRules(
  refusal: Refusal,
  rules: readonly Rule[],
): readonly RefusedByService[] {
  const named = refusal.violations.flatMap(({ property, message }) => {
    const index = /^rules\[?\.?(\d+)/.exec(property)?.[1];
    const { name, expression } = rules[Number(index ?? NaN)] ?? {};
    return name === undefined ? [] : [{ rule: name, expression, message }];
  });
  return named.length > 0 ? named : [{ message: refusalText(refusal) }];
}

function refusalText({ message, detail, violations }: Refusal): string {
  const named = violations.map((one) => `${one.property}: ${one.message}`);
  return named.length > 0 ? named.join("; ") : (detail ?? message);
}
