import { providerText } from "../../../../provider/src/definition/engine-names";
import { expect, it } from "vitest";
import {
  Handler,
  type HostSession,
} from "../../../../provider/src/adapters/dynamic/handler";
import type { ResourceDefinition } from "../../../../provider/src/definition/define-resource";
import { FilteringRuleSet } from "../../../../provider/src/resources/filtering-rule-set/filtering-rule-set";
import { silentSession } from "../../session-of";

// The plugin's states and inputs lack the text by which the dynamic host finds a resource's code. A stack
// whose program goes back from the plugin has such states.

const handler = new Handler(
  () => Promise.resolve(FilteringRuleSet as unknown as ResourceDefinition),
  { current: silentSession() } as HostSession,
);
const __provider = providerText("FilteringRuleSet");
const inputs = {
  rules: [{ name: "bots", expression: "sdk.platform.is_ios", action: "deny" }],
};

/** Inputs as a check returns them. The class sends `__provider` with them. */
const checked = async (olds: Record<string, unknown>) => {
  const answer = await handler.check(olds, { ...inputs, __provider });
  const news = answer.inputs as Record<string, unknown>;
  return { news, failures: answer.failures };
};

it("a check takes old inputs without the provider text for an existing object, and does not look for rules to take over", async () => {
  // For a new object, the check would ask the service, and no service is running.
  const { failures } = await checked(inputs);
  expect(failures).toEqual([]);
});

it("a state without the provider text gets the text by an update, which replaces nothing", async () => {
  const { news } = await checked(inputs);
  const state = { ...news, environmentId: "ae_1", schemaVersion: 1 };
  const given = { ...news, __provider };
  expect(await handler.diff("ae_1", state, given)).toMatchObject({
    changes: true,
    replaces: [],
  });
  expect(
    await handler.diff("ae_1", { ...state, __provider }, given),
  ).toMatchObject({ changes: false });
});
