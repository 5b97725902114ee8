import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { FORMS, type Form } from "../helpers/program-form";
import { KINDS, OPTION_ROWS, type OptionRow } from "./resource-options";
import { Simulator } from "./simulator";

let simulator: Simulator;
beforeAll(async () => {
  simulator = await Simulator.start();
}, 60_000);
afterAll(() => simulator.close());

const NAMES: Readonly<Record<Form, string>> = {
  dynamic: "TypeScript",
  plugin: "plugin",
};

/** What stands before the colon of the line about a row. */
const subjectOf = ({ option, when, kinds, form }: OptionRow) => {
  const about = [
    ...(kinds.length === KINDS.length ? [] : [kinds.join(", ")]),
    ...(form ? [NAMES[form]] : []),
  ].join("; ");
  return `${option}: ${when}${about && ` (${about})`}`;
};

it("the page has these lines in this order", () => {
  const page = readFileSync(
    resolve(__dirname, "../../docs/resource-options.md"),
    "utf8",
  );
  let option = "";
  const subjects = page.split("\n").flatMap((line) => {
    option = /^## (.*)$/.exec(line)?.[1] ?? option;
    const [, first = "", rest = ""] = /^- (.)(.+?): /.exec(line) ?? [];
    return first ? [`${option}: ${first.toLowerCase()}${rest}`] : [];
  });
  expect(subjects).toEqual(OPTION_ROWS.map(subjectOf));
});

const CASES = OPTION_ROWS.flatMap((row) =>
  row.kinds.flatMap((kind) =>
    (row.form ? [row.form] : FORMS).map((form) => ({ ...row, kind, form })),
  ),
);

it.each(CASES)(
  "$option of a $kind, $when ($form)",
  async ({ steps, kind, form, does, sends, fails }) => {
    const story = { form, seed: 1, steps: steps(kind) };
    const { outcomes } = await simulator.play(story);
    const commands = story.steps.filter(({ do: step }) =>
      ["up", "destroy"].includes(step),
    );
    const last = outcomes[commands.length - 1];
    if (!last) throw new Error("The story ended before its last command.");
    const changes = last.steps.filter(({ op }) => op !== "same");
    const expected = sends as Partial<Record<string, readonly string[]>>;
    const methods = Array.isArray(sends) ? sends : (expected[kind] ?? []);
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
      sent: methods,
      does: [...does].sort(),
    });
    if (fails) expect(last.printed).toMatch(fails);
  },
);
