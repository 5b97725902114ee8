import { expect, it } from "vitest";
import { openForTests } from "../helpers/open-for-tests";
import { WorkspaceStack } from "../helpers/workspace-stack";

const local = openForTests(new WorkspaceStack());

it("the option import is refused with a sentence that names adopt", async () => {
  const args = { name: "Shop", type: "secret" };
  const opts = { import: "tok_1" };
  const key = { kind: "ApiKey", as: "key", args, opts };
  local.stack.declare([key]);
  const { code, text } = await local.stack.operate("preview");
  expect(code).not.toBe(0);
  expect(text).toContain('write adopt: { id: "tok_1" }');
  expect(text).not.toMatch(/^\s+at /m);
});
