import { providerText } from "../../../../provider/src/definition/engine-names";
import { expect, it } from "vitest";
import {
  Handler,
  type HostSession,
} from "../../../../provider/src/adapters/dynamic/handler";
import type { ResourceDefinition } from "../../../../provider/src/definition/define-resource";
import { FilteringRuleSet } from "../../../../provider/src/resources/filtering-rule-set/filtering-rule-set";
import { silentSession } from "../../session-of";

// A stack whose program goes back from the provider plugin has states and inputs
// without the text by which the host finds a resource's code.

const handler = new Handler(
  () => Promise.resolve(FilteringRuleSet as unknown as ResourceDefinition),
  { current: silentSession() } as HostSession,
);
const __provider = providerText("FilteringRuleSet");
const inputs = {
  rules: [{ name: "bots", expression: "sdk.platform.is_ios", action: "deny" }],
};

/** The inputs as a check answers them, with the text that the class sends. */
const checked = async (olds: Record<string, unknown>) => {
  const answer = await handler.check(olds, { ...inputs, __provider });
  const news = answer.inputs as Record<string, unknown>;
  return { news, failures: answer.failures };
};

it("old inputs without the text are those of an existing object, which a check does not take over", async () => {
  // A new object would be asked for, and nobody answers here.
  const { failures } = await checked(inputs);
  expect(failures).toEqual([]);
});

it("a state without the text gets it by an update, which replaces nothing", async () => {
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
