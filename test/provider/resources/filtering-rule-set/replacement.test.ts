import { expect, it } from "vitest";
import { LocalWorkspace } from "../../../helpers/local-workspace";
import { openForTests } from "../../../helpers/open-for-tests";
import { lifecycleOf, makeIn } from "../../lifecycle-of";
import { sessionOf } from "../../session-of";
import { rulesOf } from "./rule-set-scene";

const workspace = openForTests(new LocalWorkspace());

const UNTAINT = "pulumi state untaint";

it("a refused replacement says how to avoid a replacement, and a refused new resource does not", async () => {
  const news = { rules: rulesOf("a", "b") };
  const { session } = sessionOf(workspace);
  const made = await makeIn(session, "FilteringRuleSet", news);
  const { inputs, id, state } = made;

  // The engine's order: a check with the last inputs, the diff, and a check without last inputs.
  const next = lifecycleOf("FilteringRuleSet", sessionOf(workspace).session);
  await next.check({ news, olds: inputs });
  next.diff({ id, state, news: inputs });
  const replacement = await next.check({ news });
  expect(replacement.failures).toMatchObject([
    {
      property: "rules",
      reason: expect.stringContaining(UNTAINT) as unknown,
    },
  ]);

  const other = lifecycleOf("FilteringRuleSet", sessionOf(workspace).session);
  const { failures } = await other.check({ news });
  expect(failures).toHaveLength(1);
  expect(failures[0]?.reason).not.toContain(UNTAINT);
});
