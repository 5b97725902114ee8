import { checkExpression, compileExpression } from "@devid/rules";
import { round, type Figure } from "./figure";
import type { WholeRequest } from "./request-corpus";
import { median, spreadOf } from "./statistics";

/** Typical expressions, one for each kind of condition. */
const EXPRESSIONS: readonly (readonly [name: string, expression: string])[] = [
  ["field equals", "sdk.platform.name == 'android'"],
  ["address in a network", "http.request.ip in cidr('203.0.113.0/25')"],
  [
    "any value of a header",
    "any(http.request.headers['Origin'] ?? [], # == 'https://shop.example')",
  ],
  ["pattern", "http.user_agent.string matches '(?i)(bot|crawl|spider)[^a-z]'"],
  [
    "four conditions",
    "sdk.platform.is_browser && http.user_agent.string contains 'Chrome/' && sdk.version startsWith '3.' && http.request.headers['Origin'][0] == 'https://shop.example'",
  ],
];

const ROUNDS = 201;
/**
 * Evaluations of a round, over all requests. The number is so small that other
 * processes seldom interrupt a round.
 */
const EVALUATIONS = 2_000;

/** Nanoseconds for one evaluation of five typical expressions, compiled once. */
export function evaluatorFigures(requests: readonly WholeRequest[]): Figure[] {
  return EXPRESSIONS.map(([name, expression]) => {
    const checked = checkExpression(expression);
    if (!checked.ok) throw new Error(checked.problems[0]?.message);
    const compiled = compileExpression(checked.expression);
    const passes = Math.ceil(EVALUATIONS / requests.length);
    let failures = 0;
    const times = Array.from({ length: ROUNDS }, () => {
      const startedAt = performance.now();
      for (let pass = 0; pass < passes; pass++)
        for (const request of requests)
          if ("error" in compiled.evaluate(request)) failures++;
      const ms = performance.now() - startedAt;
      return (ms * 1e6) / (passes * requests.length);
    });
    const share = failures / (ROUNDS * passes * requests.length);
    const failed = share > 0 ? `, ${round(share * 100)} % fail` : "";
    return {
      name: `one evaluation, ${name}${failed} (${spreadOf(times, Math.round)})`,
      value: Math.round(median(times)),
      unit: "ns",
      goal: "-",
      holds: true,
    };
  });
}
