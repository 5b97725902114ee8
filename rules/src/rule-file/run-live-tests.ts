import type {
  FilteringRulesTestInput,
  FilteringRulesTestResult,
} from "@devid/sdk";
import { checkExpression } from "../language";
import type { Stretch } from "../language/syntax/problem";
import { canonicalText } from "../language/syntax/print-expression";
import {
  compileRuleSet,
  type CompiledRuleSet,
} from "../rule-set/evaluate-rule-set";
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

/** The result of one test at the service, and the place of the test in the file. */
export interface LiveTestResult extends Stretch {
  readonly name: string;
  /** The request as the service got it, or would have got it. */
  readonly request: NonNullable<LiveQuestion["testRequestPayload"]>;
  /** The decision of devid's evaluation. */
  readonly here: Expectation;
  readonly outcome: LiveOutcome;
}

/** How the service's answer to a test compares with ours. */
export type LiveOutcome =
  | {
      readonly kind: "same" | "different";
      readonly service: LiveDecision;
    }
  /** The service refuses the request or a rule, which are valid here. */
  | { readonly kind: "refused"; readonly message: string }
  | { readonly kind: "not asked"; readonly reason: string };

/** How the service decides the tests of a rule file. */
export interface LiveTestReport {
  readonly tests: readonly LiveTestResult[];
  /** How many questions were sent: tests with equal requests share one. */
  readonly calls: number;
}

/** How the service is asked. */
export interface LiveTestOptions {
  /** Called before each test, with the number of tests that are done. */
  readonly onProgress?: (done: number, total: number) => void;
}

/**
 * Asks the service to decide the tests of a rule file, and compares its answers with
 * what the same rules decide here. What a test expects does not matter. Disabled rules
 * are not sent, because the service's test has no status of a rule. If the service refuses
 * a rule, it would answer no other question either, so none is sent.
 * @param decided the results of `runRuleTests`
 * @throws what `ask` throws, apart from the ValidationError of a refused question
 */
export async function runLiveTests(
  file: RuleFile,
  decided: readonly RuleTestResult[],
  ask: AskService,
  { onProgress }: LiveTestOptions = {},
): Promise<LiveTestReport> {
  const rules = file.rules.filter(({ status }) => status === "enabled");
  const sent = rules.map(({ expression, action, denyWith }) => ({
    expression,
    action,
    ...(denyWith && { denyWith }),
  }));
  const compiled = compileRuleSet(rules);
  // Of rules with the same expression the first one decides, and a map keeps the last.
  const bySpelling = new Map(
    rules.toReversed().map((rule) => [spelling(rule.expression), rule]),
  );
  const answers = new Map<string, LiveAnswer | Refusal>();
  let isRefused = false;
  const tests: LiveTestResult[] = [];
  for (const [index, { name, request }] of file.tests.entries()) {
    const result = decided[index];
    if (!result) break;
    onProgress?.(index, file.tests.length);
    const testRequestPayload = payloadOf(request);
    const outcome = async (): Promise<LiveOutcome> => {
      const reason = isRefused
        ? "the service refuses the rules"
        : rules.length === 0
          ? "no rule of the file is enabled"
          : reasonNotToAsk(compiled, request, result.got);
      if (reason !== undefined) return { kind: "not asked", reason };
      const key = JSON.stringify(testRequestPayload);
      const answer =
        answers.get(key) ??
        (await ask({ rules: sent, testRequestPayload }).catch(refusalOf));
      answers.set(key, answer);
      if (!("violations" in answer))
        return compared(answer, bySpelling, result);
      isRefused = answer.violations.some(({ property }) =>
        property.startsWith("rules"),
      );
      return { kind: "refused", message: refusalText(answer, rules) };
    };
    const { line, column, end } = file.placeOf(["tests", index]);
    tests.push({
      ...{ name, request: testRequestPayload, here: result.got },
      ...{ line, column, end },
      outcome: await outcome(),
    });
  }
  return { tests, calls: answers.size };
}

function reasonNotToAsk(
  compiled: CompiledRuleSet,
  { isAiBot, isCrawlerBot, ...rest }: RuleTest["request"],
  got: Expectation,
): string | undefined {
  if (isAiBot === undefined && isCrawlerBot === undefined) return undefined;
  return compiled.ok && compiled.evaluate(rest).decidedBy?.name === got.rule
    ? undefined
    : "the service recognises bots by userAgent alone, and isAiBot or isCrawlerBot decides here";
}

function compared(
  { result, triggeredRule }: LiveAnswer,
  bySpelling: ReadonlyMap<string, Rule>,
  { got }: RuleTestResult,
): LiveOutcome {
  const rule =
    typeof triggeredRule === "string"
      ? bySpelling.get(spelling(triggeredRule))
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
  const isSame =
    result === got.result && unknownRule === undefined && isSameRule;
  return { kind: isSame ? "same" : "different", service };
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
  const {
    isForeign,
    message,
    detail,
    violations = [],
  } = error as Refusal & { readonly isForeign?: boolean };
  // A gateway that answers 400 does not know which rules are valid.
  if ((error as Error).name !== "ValidationError" || isForeign) throw error;
  return { message, detail, violations };
}

/** What the service refuses; a rule by its name. */
function refusalText(
  { message, detail, violations }: Refusal,
  rules: readonly Rule[],
): string {
  const named = violations.map(({ property, message: why }) => {
    const index = /^rules\[?\.?(\d+)/.exec(property)?.[1];
    const name = rules[Number(index ?? NaN)]?.name;
    return `${name === undefined ? property : `rule ${name}`}: ${why}`;
  });
  return named.length > 0 ? named.join("; ") : (detail ?? message);
}
