import { issueMessage } from "@devid/sdk/wire";
import { expect, it } from "vitest";
import { z } from "zod";

const Schema = z.object({
  name: z.string(),
  kind: z.enum(["a", "b"]),
  size: z.number().min(1),
});

const messages = (value: unknown) => {
  const result = Schema.safeParse(value, { error: issueMessage });
  return result.error?.issues.map((issue) => issue.message);
};

it("says that what is missing is required", () => {
  expect(messages({})).toEqual(["is required", "is required", "is required"]);
});

it("leaves every other message to zod", () => {
  expect(messages({ name: 1, kind: "c", size: 0 })).toEqual([
    "Invalid input: expected string, received number",
    'Invalid option: expected one of "a"|"b"',
    "Too small: expected number to be >=1",
  ]);
});
