import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { confirm } from "../../../cli/src/output/confirm";

async function ask(answer: string): Promise<boolean> {
  const input = new PassThrough();
  const output = new PassThrough();
  input.end(answer);
  const answered = await confirm("Write?", input, output);
  const end = answer === "" ? "\n" : "";
  expect(String(output.read())).toBe(`Write? [y/N] ${end}`);
  return answered;
}

it.each([
  ["y\n", true],
  ["Yes\n", true],
  [" y \n", true],
  ["y", true],
  ["n\n", false],
  ["\n", false],
  ["yikes\n", false],
  ["", false],
])("the answer %j means %s", async (answer, expected) => {
  expect(await ask(answer)).toBe(expected);
});
