import { expect, it } from "vitest";
import { openForTests } from "../helpers/open-for-tests";
import { FORMS } from "../helpers/program-form";
import { OPTION_ROWS } from "./resource-options";
import { Simulator } from "./simulator";
import { isCommand } from "./story";
import { textOf } from "../helpers/repository";

const simulator = openForTests(new Simulator());

it("the page has these lines in this order", () => {
  const page = textOf("docs/resource-options.md");
  let option = "";
  const subjects = page.split("\n").flatMap((line) => {
    option = /^## (.*)$/.exec(line)?.[1] ?? option;
    const [, first = "", rest = ""] = /^- (.)(.+?): /.exec(line) ?? [];
    return first ? [`${option}: ${first.toLowerCase()}${rest}`] : [];
  });
  expect(subjects).toEqual(OPTION_ROWS.map(({ subject }) => subject));
});

const CASES = OPTION_ROWS.flatMap((row) =>
  row.kinds.flatMap((kind) =>
    (row.form ? [row.form] : FORMS).map((form) => ({ ...row, kind, form })),
  ),
);

it.each(CASES)(
  "$subject of a $kind ($form)",
  async ({ steps, kind, form, does, sends, fails }) => {
    const story = { form, seed: 1, steps: steps(kind) };
    const { outcomes } = await simulator.play(story);
    const commands = story.steps.filter(isCommand);
    const last = outcomes[commands.length - 1];
    if (!last) throw new Error("The story ended before its last command.");
    const changes = last.steps.filter(({ op }) => op !== "same");
    expect({
      isOk: last.isOk,
      sent: last.exchanges
        .filter(({ method }) => method !== "GET")
        .map(({ method }) => method),
      // Steps of a destroy run at once, in any order.
      does: changes
        .map(({ op, urn }) => `${op} ${urn.split("::").at(-1)}`)
        .filter((step) => !fails || does.includes(step))
        .sort(),
    }).toEqual({
      isOk: fails === undefined,
      sent: sends(kind),
      does: [...does].sort(),
    });
    if (fails) expect(last.printed).toMatch(fails);
  },
);
