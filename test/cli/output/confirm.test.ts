import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { confirm } from "../../../cli/src/output/confirm";

async function ask(answer: string): Promise<boolean> {
  const input = new PassThrough();
  const output = new PassThrough();
  input.end(answer);
  const answered = await confirm("Write?", input, output);
  output.end();
  const end = answer === "" ? "\n" : "";
  expect(await text(output)).toBe(`Write? [y/N] ${end}`);
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
