import { expect, it } from "vitest";
import { openForTests } from "../helpers/open-for-tests";
import { WorkspaceStack } from "../helpers/workspace-stack";

const local = openForTests(new WorkspaceStack());
const { workspace } = local;

it("shows every mistake of a resource in the preview, without a request to the service", async () => {
  const mark = await workspace.mark();
  local.stack.declare([
    {
      kind: "ApiKey",
      as: "short",
      args: { name: "ab", type: "secret", rateLimit: 0 },
    },
  ]);
  const said = await local.stack.failing("preview");
  for (const text of [
    "problem: name: ",
    "must have at least 3 characters",
    "problem: rateLimit: ",
    "must be at least 0.1",
  ])
    expect(said).toContain(text);
  expect(await workspace.requestsSince(mark)).toEqual([]);
});
