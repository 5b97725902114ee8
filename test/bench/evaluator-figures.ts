import { execFileSync } from "node:child_process";
import { checkExpression, compileExpression } from "@devid/rules";
import { buildReference, reasonToSkip } from "../rules/language/reference";
import { figure, round, type Figure } from "./figure";
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
/**
 * Milliseconds of rounds for an expression, of which the last count. Earlier, V8 has
 * optimized some expressions in one half of the processes only.
 */
const LEAST_TIME = 1_000;

/**
 * Nanoseconds for one evaluation of five typical expressions, compiled once, beside the
 * reference implementation in Go if Go is installed.
 */
export function evaluatorFigures(requests: readonly WholeRequest[]): Figure[] {
  const reference = referenceTimes(requests);
  return EXPRESSIONS.map(([name, expression], n) => {
    const { times, failing } = timesOf(expression, requests);
    const failed = failing > 0 ? `, ${round(failing * 100)} % fail` : "";
    const ns = median(times);
    const theirs = reference[n];
    const beside =
      theirs === undefined
        ? ""
        : `; expr-lang in Go ${Math.round(theirs)} ns, ${round(theirs / ns)} x`;
    return figure(
      `one evaluation, ${name}${failed} (${spreadOf(times, Math.round)}${beside})`,
      ns,
      "ns",
      { atMost: theirs },
    );
  });
}

/** How often a round passes over the requests. */
const passesOver = (requests: readonly WholeRequest[]) =>
  Math.ceil(EVALUATIONS / requests.length);

/** Nanoseconds for one evaluation, in each round, and the share of evaluations that fail. */
function timesOf(expression: string, requests: readonly WholeRequest[]) {
  const checked = checkExpression(expression);
  if (!checked.ok) throw new Error(checked.problems[0]?.message);
  const compiled = compileExpression(checked.expression);
  const passes = passesOver(requests);
  const evaluations = passes * requests.length;
  let failures = 0;
  const times: number[] = [];
  const endsAt = performance.now() + LEAST_TIME;
  while (times.length < ROUNDS || performance.now() < endsAt) {
    const startedAt = performance.now();
    for (let pass = 0; pass < passes; pass++)
      for (const request of requests)
        if ("error" in compiled.evaluate(request)) failures++;
    times.push(((performance.now() - startedAt) * 1e6) / evaluations);
  }
  const failing = failures / (times.length * evaluations);
  return { times: times.slice(-ROUNDS), failing };
}

/** The median times of expr-lang in Go, one for each expression; none without Go. */
function referenceTimes(requests: readonly WholeRequest[]): number[] {
  if (reasonToSkip() !== undefined) return [];
  const lines = EXPRESSIONS.map(([, expression]) =>
    JSON.stringify({
      expression,
      requests,
      rounds: ROUNDS,
      passes: passesOver(requests),
    }),
  );
  const input = lines.join("\n");
  return execFileSync(buildReference(), { input, encoding: "utf8" })
    .trimEnd()
    .split("\n")
    .map((line) => (JSON.parse(line) as { ns: number }).ns);
}
