import { expect, it, vi } from "vitest";
import { openForTests } from "../helpers/open-for-tests";
import { definitionOf } from "./forms";
import { argsOf, COLLECTIONS, inEnvironment } from "./kinds";
import type { Kind } from "../helpers/provider-host";
import { Simulator } from "./simulator";
import { stepsOf } from "./story-language";
import type { Step } from "./story";

// The oracle needs no line for a kind: it finds what the operations of each kind leave undone.

const simulator = openForTests(new Simulator());

const ENVIRONMENT = "env";
const KINDS = Object.keys(COLLECTIONS) as Kind[];

/** A resource of the kind in an environment of the program, as `kind-rows.ts` declares it first or next. */
const declare = (kind: Kind, turn: 0 | 1): Step => ({
  do: "declare",
  resource: {
    name: "it",
    kind,
    args: inEnvironment(kind, argsOf(kind)[turn] ?? {}, { ref: ENVIRONMENT }),
  },
});

async function violationsOf(
  kind: Kind,
  ...rest: readonly Step[]
): Promise<string[]> {
  const [environment, up] = stepsOf(
    `declare ${ENVIRONMENT}: Environment {name: Place}
     up`,
  ) as [Step, Step];
  const steps = [environment, declare(kind, 0), up, ...rest];
  const story = { form: "dynamic" as const, seed: 1, steps };
  const { violations, outcomes, text } = await simulator.play(story);
  expect(outcomes[0]?.isOk, text).toBe(true);
  return violations.map(({ wrong }) => wrong);
}

it.each(KINDS)("the stories of %s go well", async (kind) => {
  const found = await violationsOf(kind, declare(kind, 1), { do: "up" });
  expect(found).toEqual([]);
});

// An environment has its encryption key from the start to the end.
const DELETED = KINDS.filter((kind) => kind !== "EncryptionKey");

it.each(DELETED)("a delete of %s that does nothing is found", async (kind) => {
  vi.spyOn(definitionOf(kind), "delete").mockResolvedValue();
  const found = await violationsOf(kind, ...stepsOf("remove it\nup"));
  expect(found).toContain("object in no state");
});

it.each(KINDS)("an update of %s that does nothing is found", async (kind) => {
  vi.spyOn(definitionOf(kind), "update").mockImplementation(({ last }) =>
    Promise.resolve(last),
  );
  const found = await violationsOf(kind, declare(kind, 1), { do: "up" });
  expect(found).toContain("not as declared");
});
