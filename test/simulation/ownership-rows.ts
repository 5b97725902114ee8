import type {
  OwnershipOperation,
  Others,
} from "../../provider/src/ownership/decisions";
import type { Form } from "../helpers/program-form";
import { REGRESSIONS } from "./regressions";
import { stepsOf } from "./steps-of";
import type { Step } from "./story";

/** A cell of the ownership table, and a story that ends differently without the cell. */
export interface OwnershipRow {
  /** The forms in which the story runs. Default: both. Only the plugin can import. */
  readonly forms?: readonly Form[];
  readonly operation: OwnershipOperation;
  readonly others: Others;
  readonly title: string;
  readonly steps: readonly Step[];
}

const row = (
  operation: OwnershipOperation,
  others: Others,
  title: string,
  story: string,
  forms?: readonly Form[],
): OwnershipRow => ({
  ...{ operation, others, title, steps: stepsOf(story) },
  ...(forms && { forms }),
});

/** A story that the regressions have, too. */
const regression = (
  operation: OwnershipOperation,
  others: Others,
  title: string,
  forms?: readonly Form[],
): OwnershipRow => {
  const found = REGRESSIONS.find((one) => one.title === title);
  if (!found) throw new Error(`There is no regression: ${title}`);
  return {
    ...{ operation, others, title, steps: found.steps },
    ...(forms && { forms }),
  };
};

const STAGING = "make staging: Environment {name: Staging}";
const BY_HAND = `${STAGING}
make shop: ApiKey {name: Shop, type: public}`;
const A = "declare a: ApiKey {name: Shop, type: public}";
const B = "declare b: ApiKey {name: Shop, type: public}";

/** Adopts the key that somebody made. */
const adopting = (key: string, name = "Shop", more = "") =>
  `declare ${key}: ApiKey {name: ${name}, type: public, adopt: {id: {object: shop}}${more}}`;
const adoptingInStaging = (name = "Shop") =>
  adopting("a", name, ", environment: {object: staging}");

/** The environment that is to be deleted with the key. */
const env = (name = "Staging") =>
  `declare env: Environment {name: ${name}, adopt: {id: {object: staging}}, deleteContents: [{object: shop}]}`;
const IN_STAGING = `${STAGING}
make shop: ApiKey {name: Shop, type: public, environment: {object: staging}}
${env()}
up`;

/** The cells of the table, each with a story that needs it. */
export const OWNERSHIP_ROWS: readonly OwnershipRow[] = [
  row(
    "take",
    "nobody",
    "a key is adopted",
    `${BY_HAND}
     ${adopting("a")}
     up`,
  ),
  row(
    "take",
    "condemned",
    "a key is adopted that goes with its environment",
    `${BY_HAND}
     ${env()}
     ${adopting("a")}
     up`,
  ),
  row(
    "take",
    "wanted",
    "two resources adopt a key",
    `${BY_HAND}
     ${adopting("a")}
     ${adopting("b")}
     preview`,
  ),
  row(
    "take",
    "had",
    "a second resource adopts the key of a state",
    `${BY_HAND}
     import shop as a
     ${A}
     up
     ${adopting("b")}
     up`,
  ),
  row(
    "update",
    "nobody",
    "a key is changed",
    `${A}
     up
     declare a: ApiKey {name: Store, type: public}
     up`,
  ),
  row(
    "update",
    "condemned",
    "the key of a state is to go with its environment",
    `${BY_HAND}
     ${env()}
     import shop as a
     ${A}
     up`,
  ),
  row(
    "update",
    "wanted",
    "a resource before it adopts the key of a state",
    `${BY_HAND}
     import shop as a
     ${adopting("b")}
     ${A}
     up`,
    ["plugin"],
  ),
  row(
    "update",
    "had",
    "two states have a key",
    `${BY_HAND}
     import shop as a
     import shop as b
     ${A}
     ${B}
     up`,
    ["plugin"],
  ),
  row(
    "delete",
    "nobody",
    "a key is removed",
    `${A}
     up
     remove a
     up`,
  ),
  row(
    "delete",
    "condemned",
    "a key is removed that goes with its environment",
    `${BY_HAND}
     import shop as a
     ${A}
     up
     remove a
     ${env()}
     up`,
  ),
  regression(
    "delete",
    "wanted",
    "a rule set is to be deleted before it is replaced",
    ["plugin"],
  ),
  row(
    "delete",
    "had",
    "two states have a key, and one resource is removed",
    `${BY_HAND}
     import shop as a
     import shop as b
     ${A}
     up`,
    ["plugin"],
  ),
  row(
    "delete",
    "had",
    "an adopted key is renamed without an alias",
    `${BY_HAND}
     ${adopting("a")}
     up
     rename a to b
     up`,
  ),
  regression(
    "delete",
    "lacking",
    "a secret key is renamed without an alias, and adopts itself",
  ),
  row(
    "delete with environment",
    "nobody",
    "an environment is deleted with a key of somebody",
    `${IN_STAGING}
     remove env
     up`,
  ),
  row(
    "delete with environment",
    "condemned",
    "an environment with a key of somebody is deleted and made again",
    `${IN_STAGING}
     ${env("Testing")} with {replaceOnChanges: [name], deleteBeforeReplace: true}
     up`,
  ),
  row(
    "delete with environment",
    "had",
    "a key is adopted while its environment is removed",
    `${IN_STAGING}
     remove env
     ${adoptingInStaging()}
     up`,
  ),
  row(
    "delete with environment",
    "had",
    "the environment of an adopted key is removed",
    `${IN_STAGING}
     ${adoptingInStaging()}
     up {target: [a]}
     remove env
     up`,
  ),
  row(
    "delete with environment",
    "wanted",
    "the adoption of a key fails while its environment is removed",
    `${IN_STAGING}
     remove env
     ${adoptingInStaging("Store")}
     up {continueOnError: true} during {kind: fault, fault: wrong body, at: 3,
       isForever: false}`,
  ),
];
