import type {
  OwnershipOperation,
  Others,
} from "../../provider/src/ownership/decisions";
import type { Form } from "../helpers/program-form";
import { REGRESSIONS } from "./regressions";
import { rowsOf } from "../helpers/cells-of";
import { stepsOf } from "./story-language";
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

/**
 * The cells of the table: the operation, the others, perhaps the only form, and a story. A
 * story without steps is one of the regressions.
 */
const TABLE = `
take, nobody: a key is adopted
  ${BY_HAND}
  ${adopting("a")}
  up
take, condemned: a key is adopted that goes with its environment
  ${BY_HAND}
  ${env()}
  ${adopting("a")}
  up
take, wanted: two resources adopt a key
  ${BY_HAND}
  ${adopting("a")}
  ${adopting("b")}
  preview
take, had: a second resource adopts the key of a state
  ${BY_HAND}
  import shop as a
  ${A}
  up
  ${adopting("b")}
  up
update, nobody: a key is changed
  ${A}
  up
  declare a: ApiKey {name: Store, type: public}
  up
update, condemned: the key of a state is to go with its environment
  ${BY_HAND}
  ${env()}
  import shop as a
  ${A}
  up
update, wanted, plugin: a resource before it adopts the key of a state
  ${BY_HAND}
  import shop as a
  ${adopting("b")}
  ${A}
  up
update, had, plugin: two states have a key
  ${BY_HAND}
  import shop as a
  import shop as b
  ${A}
  ${B}
  up
delete, nobody: a key is removed
  ${A}
  up
  remove a
  up
delete, condemned: a key is removed that goes with its environment
  ${BY_HAND}
  import shop as a
  ${A}
  up
  remove a
  ${env()}
  up
delete, wanted, plugin: a rule set is to be deleted before it is replaced
delete, had, plugin: two states have a key, and one resource is removed
  ${BY_HAND}
  import shop as a
  import shop as b
  ${A}
  up
delete, had: an adopted key is renamed without an alias
  ${BY_HAND}
  ${adopting("a")}
  up
  rename a to b
  up
delete, lacking: a secret key is renamed without an alias, and adopts itself
delete with environment, nobody: an environment is deleted with a key of somebody
  ${IN_STAGING}
  remove env
  up
delete with environment, condemned: an environment with a key of somebody is deleted and made again
  ${IN_STAGING}
  ${env("Testing")} with {replaceOnChanges: [name], deleteBeforeReplace: true}
  up
delete with environment, had: a key is adopted while its environment is removed
  ${IN_STAGING}
  remove env
  ${adoptingInStaging()}
  up
delete with environment, had: the environment of an adopted key is removed
  ${IN_STAGING}
  ${adoptingInStaging()}
  up {target: [a]}
  remove env
  up
delete with environment, wanted: the adoption of a key fails while its environment is removed
  ${IN_STAGING}
  remove env
  ${adoptingInStaging("Store")}
  up {continueOnError: true} during {kind: fault, fault: wrong body, at: 3, isForever: false}
`;

/** The cells of the table, each with a story that needs it. */
export const OWNERSHIP_ROWS: readonly OwnershipRow[] = rowsOf(TABLE).map(
  ([line = "", ...story]): OwnershipRow => {
    const [cell = "", title = ""] = line.split(": ");
    const [operation, others, form] = cell.split(", ");
    const steps =
      story.length > 0
        ? stepsOf(story.join("\n"))
        : REGRESSIONS.find((one) => one.title === title)?.steps;
    if (!steps) throw new Error(`There is no regression: ${title}`);
    return {
      operation: operation as OwnershipOperation,
      others: others as Others,
      ...(form && { forms: [form as Form] }),
      ...{ title, steps },
    };
  },
);
