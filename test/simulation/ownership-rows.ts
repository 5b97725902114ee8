import type {
  OwnershipOperation,
  Others,
} from "../../provider/src/ownership/decisions";
import type { Form } from "./forms";
import { REGRESSIONS } from "./regressions";
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

const KEY = { name: "Shop", type: "public" };
const SHOP = { object: "shop" };
const STAGING = { object: "staging" };
const UP: Step = { do: "up" };

const byHand: readonly Step[] = [
  {
    do: "make by hand",
    label: "staging",
    kind: "Environment",
    body: { name: "Staging" },
  },
  { do: "make by hand", label: "shop", kind: "ApiKey", body: KEY },
];

const env = (args: object, options: object = {}): Step => ({
  do: "declare",
  resource: {
    name: "env",
    kind: "Environment",
    args: { name: "Staging", adopt: { id: STAGING }, ...args },
    ...options,
  },
});

/** An environment that is to be deleted with somebody's key. */
const inStaging: readonly Step[] = [
  ...byHand.slice(0, 1),
  {
    do: "make by hand",
    label: "shop",
    kind: "ApiKey",
    body: { ...KEY, environment: STAGING },
  },
  env({ deleteContents: [SHOP] }),
];

const key = (name: string, args: object = {}): Step => ({
  do: "declare",
  resource: {
    name,
    kind: "ApiKey",
    args: { ...KEY, ...args },
  },
});

const adopting = (name: string, args: object = {}): Step =>
  key(name, { adopt: { id: SHOP }, ...args });

const imported = (name: string): Step => ({
  do: "import",
  name,
  object: "shop",
});

const regression = (title: string): readonly Step[] =>
  REGRESSIONS.find((one) => one.title === title)?.steps ?? [];

/** The cells of the table, each with a story that needs it. */
export const OWNERSHIP_ROWS: readonly OwnershipRow[] = [
  {
    operation: "take",
    others: "nobody",
    title: "a key is adopted",
    steps: [...byHand, adopting("a"), UP],
  },
  {
    operation: "take",
    others: "condemned",
    title: "a key is adopted that goes with its environment",
    steps: [...byHand, env({ deleteContents: [SHOP] }), adopting("a"), UP],
  },
  {
    operation: "take",
    others: "wanted",
    title: "two resources adopt a key",
    steps: [...byHand, adopting("a"), adopting("b"), { do: "preview" }],
  },
  {
    operation: "take",
    others: "had",
    title: "a second resource adopts the key of a state",
    steps: [...byHand, imported("a"), key("a"), UP, adopting("b"), UP],
  },
  {
    operation: "update",
    others: "nobody",
    title: "a key is changed",
    steps: [key("a"), UP, key("a", { name: "Store" }), UP],
  },
  {
    operation: "update",
    others: "condemned",
    title: "the key of a state is to go with its environment",
    steps: [
      ...byHand,
      env({ deleteContents: [SHOP] }),
      imported("a"),
      key("a"),
      UP,
    ],
  },
  {
    operation: "update",
    others: "wanted",
    title: "a resource before it adopts the key of a state",
    forms: ["plugin"],
    steps: [...byHand, imported("a"), adopting("b"), key("a"), UP],
  },
  {
    operation: "update",
    others: "had",
    title: "two states have a key",
    forms: ["plugin"],
    steps: [...byHand, imported("a"), imported("b"), key("a"), key("b"), UP],
  },
  {
    operation: "delete",
    others: "nobody",
    title: "a key is removed",
    steps: [key("a"), UP, { do: "remove", name: "a" }, UP],
  },
  {
    operation: "delete",
    others: "condemned",
    title: "a key is removed that goes with its environment",
    steps: [
      ...byHand,
      imported("a"),
      key("a"),
      UP,
      { do: "remove", name: "a" },
      env({ deleteContents: [SHOP] }),
      UP,
    ],
  },
  {
    operation: "delete",
    others: "wanted",
    title: "a rule set is to be deleted before it is replaced",
    forms: ["plugin"],
    steps: regression("a rule set is to be deleted before it is replaced"),
  },
  {
    operation: "delete",
    others: "had",
    title: "two states have a key, and one resource is removed",
    forms: ["plugin"],
    steps: [...byHand, imported("a"), imported("b"), key("a"), UP],
  },
  {
    operation: "delete",
    others: "had",
    title: "an adopted key is renamed without an alias",
    steps: [
      ...byHand,
      adopting("a"),
      UP,
      { do: "rename", name: "a", to: "b", isAliased: false },
      UP,
    ],
  },
  {
    operation: "delete",
    others: "lacking",
    title: "a secret key is renamed without an alias, and adopts itself",
    steps: regression(
      "a secret key is renamed without an alias, and adopts itself",
    ),
  },
  {
    operation: "delete with environment",
    others: "nobody",
    title: "an environment is deleted with a key of somebody",
    steps: [...inStaging, UP, { do: "remove", name: "env" }, UP],
  },
  {
    operation: "delete with environment",
    others: "condemned",
    title: "an environment with a key of somebody is deleted and made again",
    steps: [
      ...inStaging,
      UP,
      env(
        { name: "Testing", deleteContents: [SHOP] },
        { replaceOnChanges: ["name"], deleteBeforeReplace: true },
      ),
      UP,
    ],
  },
  {
    operation: "delete with environment",
    others: "had",
    title: "a key is adopted while its environment is removed",
    steps: [
      ...inStaging,
      UP,
      { do: "remove", name: "env" },
      adopting("a", { environment: STAGING }),
      UP,
    ],
  },
  {
    operation: "delete with environment",
    others: "had",
    title: "the environment of an adopted key is removed",
    steps: [
      ...inStaging,
      UP,
      adopting("a", { environment: STAGING }),
      { do: "up", flags: { target: ["a"] } },
      { do: "remove", name: "env" },
      UP,
    ],
  },
  {
    operation: "delete with environment",
    others: "wanted",
    title: "the adoption of a key fails while its environment is removed",
    steps: [
      ...inStaging,
      UP,
      { do: "remove", name: "env" },
      adopting("a", { environment: STAGING, name: "Store" }),
      {
        do: "up",
        flags: { continueOnError: true },
        trouble: {
          kind: "fault",
          fault: "wrong body",
          at: 3,
          isForever: false,
        },
      },
    ],
  },
];
