import { EXPRESSION_CASES } from "./expression-cases";
import { expressionLanguages } from "./expression-languages";
import { round, type Figure } from "./figure";
import type { WholeRequest } from "./request-corpus";
import { timeSideBySide } from "./side-by-side";
import { geometricMean, median, spreadOf } from "./statistics";

/**
 * How many times faster the ten rules are in our language than in others; with
 * nanoseconds for one evaluation.
 */
export async function languageFigures(
  requests: readonly WholeRequest[],
): Promise<Figure[]> {
  const languages = await expressionLanguages();
  const times = timeSideBySide(EXPRESSION_CASES, languages, requests);
  const rounds = times[0]?.[0]?.map((_, round) => round) ?? [];
  /** The time of another language divided by ours, for a case in a round. */
  const ratio = (one: number, other: number, round: number) =>
    (times[one]?.[other]?.[round] ?? NaN) / (times[one]?.[0]?.[round] ?? NaN);
  const overall = languages.slice(1).map(({ name }, i) =>
    figureOf(
      `ten expressions, geometric mean: as fast as ${name}`,
      rounds.map((round) =>
        geometricMean(
          EXPRESSION_CASES.map((_, one) => ratio(one, i + 1, round)),
        ),
      ),
    ),
  );
  const each = EXPRESSION_CASES.map(({ name }, one) => {
    const medians = languages.map((_, i) => median(times[one]?.[i] ?? []));
    const fastest = medians.indexOf(Math.min(...medians.slice(1)));
    const nanoseconds = languages.map(
      (language, i) => `${language.name} ${Math.round(medians[i] ?? NaN)}`,
    );
    return figureOf(
      `${name}: as fast as the fastest other; ns: ${nanoseconds.join(", ")}`,
      rounds.map((round) => ratio(one, fastest, round)),
    );
  });
  return [...overall, ...each];
}

function figureOf(name: string, ratios: readonly number[]): Figure {
  const value = round(median(ratios));
  return {
    name: `${name} (${spreadOf(ratios, round)})`,
    value,
    unit: "x",
    goal: ">= 1",
    holds: value >= 1,
  };
}
