import type { ExpressionCase } from "./expression-cases";
import type { ExpressionLanguage, Predicate } from "./expression-languages";
import type { WholeRequest } from "./request-corpus";

const ROUNDS = 101;
const MS_A_MEASUREMENT = 1;

/** Nanoseconds for one evaluation: of a case, in a language, in each round. */
export type Times = readonly (readonly (readonly number[])[])[];

/**
 * Times every case in every language over all requests. First, all languages must agree
 * on every case and request, and all code is run warm. Every other round reverses the
 * order of the languages.
 * @throws Error if the languages disagree
 */
export function timeSideBySide(
  cases: readonly ExpressionCase[],
  languages: readonly ExpressionLanguage[],
  requests: readonly WholeRequest[],
): Times {
  const compiled = cases.map((one) =>
    languages.map(({ compile }) => compile(one)),
  );
  cases.forEach(({ name }, i) =>
    expectAgreement(name, compiled[i] ?? [], requests),
  );
  const passes = compiled.map((predicates) =>
    predicates.map((predicate) => passesFor(predicate, requests)),
  );
  return compiled.map((predicates, i) => {
    const times: number[][] = predicates.map(() => []);
    const order = predicates.map((predicate, j) => ({ predicate, j }));
    for (let round = 0; round < ROUNDS; round++) {
      for (const { predicate, j } of order)
        times[j]?.push(timeOf(predicate, requests, passes[i]?.[j] ?? 1));
      order.reverse();
    }
    return times;
  });
}

function expectAgreement(
  name: string,
  predicates: readonly Predicate[],
  requests: readonly WholeRequest[],
): void {
  const seen = new Set<boolean | undefined>();
  for (const request of requests) {
    const answers = new Set(predicates.map((predicate) => predicate(request)));
    if (answers.size !== 1)
      throw new Error(
        `the languages disagree on "${name}" for ${JSON.stringify(request)}`,
      );
    for (const answer of answers) seen.add(answer);
  }
  if (seen.size !== 2)
    throw new Error(`"${name}" is the same for all requests`);
}

/** The number of repetitions that fit in one measurement, found while warming up. */
function passesFor(
  predicate: Predicate,
  requests: readonly WholeRequest[],
): number {
  let passes = 1;
  for (;;) {
    const ms = (timeOf(predicate, requests, passes) * passes) / 1e6;
    if (ms * requests.length >= MS_A_MEASUREMENT) return passes;
    passes *= 2;
  }
}

function timeOf(
  predicate: Predicate,
  requests: readonly WholeRequest[],
  passes: number,
): number {
  let matches = 0;
  const startedAt = performance.now();
  for (let pass = 0; pass < passes; pass++)
    for (const request of requests) if (predicate(request)) matches++;
  const ms = performance.now() - startedAt;
  // An engine may skip the work if the result is not used.
  if (matches < 0) throw new Error("unreachable");
  return (ms * 1e6) / (passes * requests.length);
}
