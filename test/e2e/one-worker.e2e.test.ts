import { expect, it } from "vitest";
import { openForTests } from "../helpers/open-for-tests";
import { WorkspaceStack } from "../helpers/workspace-stack";
import { declared } from "../helpers/engine-stack";

const local = openForTests(new WorkspaceStack());

it("a destroy with one worker deletes an environment whose ID the program writes out, as its error says", async () => {
  const { workspace, stack } = local;
  const found = await workspace.list("environments");
  const staging = declared("Environment", "staging", { name: "Staging" });
  stack.declare([staging]);
  await stack.up();
  const [made] = (await workspace.list("environments")).filter(
    ({ id }) => !found.some((one) => one.id === id),
  );
  const tills = Array.from({ length: 6 }, (_, n) =>
    declared("ApiKey", `till${n}`, {
      name: `Till ${n}`,
      type: "public",
      environment: made?.id,
    }),
  );
  stack.declare([staging, ...tills]);
  await stack.up();

  const destroy = ["destroy", "--yes", "--skip-preview", "--parallel", "1"];
  const first = await stack.operate(...destroy, "--continue-on-error");
  expect(first.said).not.toContain("does not delete");
  // The engine knows of no order among them. In one of seven runs, it happens to delete
  // the environment last.
  if (first.code !== 0) {
    expect(first.said).toContain(
      "Objects of this stack are deleted before the environment: run the same command without --parallel 1.",
    );
    const { code } = await stack.operate(...destroy);
    expect(code).toBe(0);
  }
  expect(await workspace.list("environments")).toEqual(found);
});
