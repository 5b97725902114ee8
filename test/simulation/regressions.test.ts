import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { REGRESSIONS, type Regression } from "./regressions";
import { Simulator } from "./simulator";
import type { Step, Story } from "./story";
import { storyText } from "./story-text";
import type { Form } from "./forms";

let simulator: Simulator;
beforeAll(async () => {
  simulator = await Simulator.start();
}, 60_000);
afterAll(() => simulator.close());

const CASES = REGRESSIONS.flatMap((regression) =>
  (["dynamic", "plugin"] as const).map((form) => ({ ...regression, form })),
);

describe("a story that once had a violation", () => {
  it.each(CASES)("$title ($form)", async (regression) => {
    expect(await firstFailure(regression)).toBe("");
  });
});

const adopting = (name: string): Step => ({
  do: "declare",
  resource: {
    name,
    kind: "ApiKey",
    args: { name: "Shop", type: "public", adopt: { id: { object: "shop" } } },
  },
});

const key = (name: string): Step => ({
  do: "declare",
  resource: { name, kind: "EncryptionKey", args: { name: `Key ${name}` } },
});

describe.each(["dynamic", "plugin"] as const)(
  "an update without a preview (%s)",
  (form) => {
    it.each<[string, readonly Step[], readonly object[]]>([
      [
        "writes neither of two encryption keys of one environment",
        [key("a"), key("b")],
        [{ name: "Key a" }],
      ],
      [
        "does not write an encryption key that a later resource has in the state",
        [
          key("a"),
          { do: "up" },
          { do: "remove", name: "a" },
          key("b"),
          key("a"),
        ],
        [],
      ],
      [
        "does not take over a key that a later resource has in the state",
        [
          {
            do: "make by hand",
            label: "shop",
            kind: "ApiKey",
            body: { name: "Shop", type: "public" },
          },
          adopting("a"),
          { do: "up" },
          { do: "remove", name: "a" },
          adopting("b"),
          adopting("a"),
        ],
        [],
      ],
    ])("%s", async (_, steps, writtenByA) => {
      const { outcomes, violations, isSettled } = await simulator.play({
        form,
        seed: 1,
        steps: [
          ...steps,
          { do: "up" },
          { do: "remove", name: "b" },
          { do: "up" },
        ],
      });
      const updates = steps.filter((step) => step.do === "up").length;
      const [both, one] = outcomes
        .slice(updates)
        .map(({ isOk, exchanges, printed }) => ({
          isOk,
          printed,
          written: exchanges
            .filter(({ method }) => method !== "GET")
            .map(({ body }) => body),
        }));
      expect(both).toMatchObject({ isOk: false, written: [] });
      expect(both?.printed).toMatch(
        /Declare only one EncryptionKey for each environment|Declare it only once/,
      );
      expect(one).toMatchObject({ isOk: true, written: writtenByA });
      expect({ violations, isSettled }).toEqual({
        violations: [],
        isSettled: true,
      });
    });
  },
);

it.each(["dynamic", "plugin"] as const)(
  "a second adoption that was too early to be refused leaves the state when it is removed (%s)",
  async (form) => {
    const slow = (name: string, ...[last]: string[]): Step => ({
      do: "declare",
      resource: {
        name,
        kind: "ApiKey",
        args: {
          name: last === undefined ? "Slow" : { ref: last, field: "name" },
          type: "public",
        },
      },
    });
    const after = (name: string): Step => ({
      do: "declare",
      resource: {
        name: "a",
        kind: "ApiKey",
        args: {
          name: "Shop",
          type: "public",
          description: { ref: name, field: "name" },
          adopt: { id: { object: "shop" } },
        },
      },
    });
    const { outcomes, violations, isSettled } = await simulator.play({
      form,
      seed: 1,
      steps: [
        {
          do: "make by hand",
          label: "shop",
          kind: "ApiKey",
          body: { name: "Shop", type: "public" },
        },
        slow("first"),
        after("first"),
        { do: "up" },
        { do: "remove", name: "a" },
        adopting("b"),
        slow("second"),
        slow("third", "second"),
        slow("fourth", "third"),
        slow("fifth", "fourth"),
        after("fifth"),
        { do: "up" },
        { do: "remove", name: "b" },
        { do: "up" },
      ],
    });
    expect(outcomes.slice(1, 3).map(({ isOk }) => isOk)).toEqual([false, true]);
    expect({ violations, isSettled }).toEqual({
      violations: [],
      isSettled: true,
    });
  },
);

/** The text of the first story with a violation; empty if there is none. */
async function firstFailure({
  form,
  steps,
  isSwept,
}: Regression & { readonly form: Form }): Promise<string> {
  for (let at = 0; ; at++) {
    let effects = 0;
    const played: Step[] = steps.map((step) =>
      "trouble" in step && step.trouble && isSwept
        ? { ...step, trouble: { ...step.trouble, at } }
        : step,
    );
    const story: Story = { form, seed: 1, steps: played };
    const result = await simulator.play(story);
    if (result.violations.length > 0) return storyText(story, result);
    for (const outcome of result.outcomes)
      effects = Math.max(effects, outcome.effects.length);
    if (!isSwept || at > effects) return "";
  }
}
