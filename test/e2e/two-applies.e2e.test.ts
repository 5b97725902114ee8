import { expect, it } from "vitest";
import { FormStack } from "../helpers/form-stack";
import { LocalWorkspace } from "../helpers/local-workspace";
import { FORMS } from "../helpers/program-form";

it.each(FORMS)(
  "of two applies at once, the second is refused and sends nothing: %s",
  async (form) => {
    const workspace = await LocalWorkspace.start();
    const { managementKey } = workspace.service.workspaces.us;
    const stack = await FormStack.open(form, {
      DEVID_ENDPOINT: workspace.url,
      DEVID_MANAGEMENT_KEY: managementKey,
    });
    try {
      const declare = (name: string) =>
        stack.declare({
          resources: [
            {
              kind: "FilteringRuleSet",
              as: "rules",
              args: {
                rules: [
                  { name, expression: "sdk.platform.is_ios", action: "deny" },
                ],
              },
            },
          ],
        });
      // The first apply is in the middle of its write until the service answers.
      await workspace.fault({
        match: { method: "POST" },
        times: 1,
        then: { delayMs: 12_000 },
      });
      declare("first");
      const mark = await workspace.mark();
      const first = stack.engine.operate("up", "--yes", "--skip-preview");
      await expect
        .poll(() => writes(workspace, mark), { timeout: 60_000 })
        .toBe(1);
      declare("second");
      const { code, output } = await stack.engine.shell(
        "pulumi up --yes --skip-preview --non-interactive --stack test",
      );
      expect(code).not.toBe(0);
      expect(output).toContain("the stack is currently locked");
      expect(await writes(workspace, mark)).toBe(1);
      expect((await first).code).toBe(0);
      const inForce = await workspace.list("filtering-rules");
      expect(inForce.map(({ name }) => name)).toEqual(["first"]);
    } finally {
      stack.close();
      await workspace.close();
    }
  },
);

const writes = async (workspace: LocalWorkspace, mark: number) =>
  (await workspace.requestsSince(mark)).filter(
    ({ method }) => method === "POST",
  ).length;
