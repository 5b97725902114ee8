import { describe, expect, it } from "vitest";
import { openForTests } from "../helpers/open-for-tests";
import { REGRESSIONS, type Regression } from "./regressions";
import { Simulator } from "./simulator";
import { stepsOf } from "./story-language";
import type { Step, Story } from "./story";
import { storyText } from "./story-language";
import { inEachForm } from "./forms";
import { FORMS, type Form } from "../helpers/program-form";

const simulator = openForTests(new Simulator());

it.each(inEachForm(REGRESSIONS))(
  "a story that once had a violation $title ($form)",
  async (regression) => {
    expect(await firstFailure(regression)).toBe("");
  },
);

const SHOP = "ApiKey {name: Shop, type: public, adopt: {id: {object: shop}}}";

describe.each(FORMS)("an update without a preview (%s)", (form) => {
  it.each<[string, string, readonly object[]]>([
    [
      "writes neither of two encryption keys of one environment",
      `declare a: EncryptionKey {name: Key a}
         declare b: EncryptionKey {name: Key b}`,
      [{ name: "Key a" }],
    ],
    [
      "does not write an encryption key that a later resource has in the state",
      `declare a: EncryptionKey {name: Key a}
         up
         remove a
         declare b: EncryptionKey {name: Key b}
         declare a: EncryptionKey {name: Key a}`,
      [],
    ],
    [
      "does not take over a key that a later resource has in the state",
      `make shop: ApiKey {name: Shop, type: public}
         declare a: ${SHOP}
         up
         remove a
         declare b: ${SHOP}
         declare a: ${SHOP}`,
      [],
    ],
  ])("%s", async (_, text, writtenByA) => {
    const steps = stepsOf(text);
    const { outcomes, violations, isSettled } = await simulator.play({
      ...{ form, seed: 1 },
      steps: [...steps, ...stepsOf("up\nremove b\nup")],
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
});

it.each(FORMS)(
  "a second adoption that was too early to be refused leaves the state when it is removed (%s)",
  async (form) => {
    const after = (name: string) =>
      `declare a: ${SHOP.replace("adopt", `description: {ref: ${name}, field: name}, adopt`)}`;
    const { outcomes, violations, isSettled } = await simulator.play({
      ...{ form, seed: 1 },
      steps: stepsOf(
        `make shop: ApiKey {name: Shop, type: public}
         declare first: ApiKey {name: Slow, type: public}
         ${after("first")}
         up
         remove a
         declare b: ${SHOP}
         declare second: ApiKey {name: Slow, type: public}
         declare third: ApiKey {name: {ref: second, field: name}, type: public}
         declare fourth: ApiKey {name: {ref: third, field: name}, type: public}
         declare fifth: ApiKey {name: {ref: fourth, field: name}, type: public}
         ${after("fifth")}
         up
         remove b
         up`,
      ),
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
