import { checkExpression } from "@devid/rules";
import { evaluatorFigures } from "./evaluator-figures";
import { figure, printFigures, round, type Figure } from "./figure";
import { largeSetFigures } from "./large-set-figures";
import { requestCorpus } from "./request-corpus";
import { median, spreadOf } from "./statistics";

const SEED = 20251120;

function longExpression(): Figure {
  const term =
    "http.request.headers['Origin'][0] == 'https://shop.example' || ";
  const count = Math.floor(9_990 / term.length);
  const source = `${term.repeat(count)}true`.padEnd(10_000);
  const times = Array.from({ length: 15 }, () => {
    const startedAt = performance.now();
    checkExpression(source);
    return performance.now() - startedAt;
  });
  return figure(
    `expression of 10,000 characters parsed and checked (${spreadOf(times, round)})`,
    median(times),
    "ms",
    { atMost: 50 },
  );
}

printFigures([
  longExpression(),
  ...evaluatorFigures(requestCorpus(200, SEED)),
  ...largeSetFigures(SEED),
]);
