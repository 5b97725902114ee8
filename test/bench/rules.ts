import { evaluatorFigures } from "./evaluator-figures";
import { printFigures } from "./figure";
import { largeSetFigures } from "./large-set-figures";
import { requestCorpus } from "./request-corpus";

const SEED = 20251120;

printFigures([
  ...evaluatorFigures(requestCorpus(200, SEED)),
  ...largeSetFigures(SEED),
]);
