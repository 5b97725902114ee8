import { expect, it } from "vitest";
import type { Kind } from "../../helpers/provider-host";
import type { Properties } from "../../simulation/engine/property-value";
import { HostedResource } from "../../helpers/hosted-resource";
import { hostForTests } from "../host-for-tests";

const { workspace, host } = hostForTests();

/** For each kind, the inputs of a program, and one change of them. */
const PROGRAMS: [Kind, string, Properties, Properties][] = [
  [
    "ApiKey",
    "api-keys",
    { name: "Server", type: "secret" },
    { name: "Server 2" },
  ],
  [
    "Webhook",
    "webhooks",
    { url: "https://hooks.example/a" },
    { status: "disabled" },
  ],
  ["Environment", "environments", { name: "Staging" }, { name: "Testing" }],
];

it.each(PROGRAMS)(
  "%s: an update keeps fields that the program never declared, and clears fields that it declares no more",
  async (kind, collection, program, change) => {
    const described = { ...program, description: "Declared" };
    const [silent, spoken] = [described, described].map(
      () => new HostedResource(host, kind),
    ) as [HostedResource, HostedResource];
    await silent.up(program);
    await spoken.up({ ...described, ...nameOfItsOwn(program) });
    const path = ({ id }: HostedResource) => `/${collection}/${id}`;
    await workspace.call(
      kind === "Environment" ? "POST" : "PATCH",
      path(silent),
      {
        description: "By hand",
      },
    );

    expect(await silent.up({ ...program, ...change })).toBe("update");
    expect(await spoken.up({ ...program, ...nameOfItsOwn(program) })).toBe(
      "update",
    );
    const found = async ({ id }: HostedResource) =>
      (await workspace.list(collection)).find((one) => one.id === id);
    expect(await found(silent)).toMatchObject({
      ...change,
      description: "By hand",
    });
    expect(await found(spoken)).toMatchObject({ description: null });
    for (const one of [silent, spoken]) await one.destroy();
  },
);

const GONE =
  /was not updated: it is no longer in the workspace, because somebody deleted it\. Run pulumi refresh --run-program, /;

it("an update names pulumi refresh when the environment of an object is gone", async () => {
  const environment = new HostedResource(host, "Environment");
  await environment.up({ name: "Staging" });
  const inIt = { environment: environment.id };
  const rule = { name: "a", expression: "sdk.platform.is_ios" };
  const rules = new HostedResource(host, "FilteringRuleSet");
  await rules.up({ ...inIt, rules: [{ ...rule, action: "deny" }] });
  const sealing = new HostedResource(host, "EncryptionKey");
  const sealed = { ...inIt, name: "Results", status: "enabled" };
  await sealing.up(sealed);
  const webhook = new HostedResource(host, "Webhook");
  const url = "https://hooks.example/c";
  await webhook.up({ url });
  await workspace.call("DELETE", `/environments/${environment.id}`);

  const changed = { ...inIt, rules: [{ ...rule, action: "allow" }] };
  await expect(rules.up(changed)).rejects.toSay("update/environment-is-gone", {
    environment: environment.id,
  });
  await expect(sealing.up({ ...sealed, rotation: "1" })).rejects.toThrow(GONE);
  await expect(webhook.up({ url, ...inIt })).rejects.toThrow(
    /environment: is not an environment of this workspace\.?\nIf somebody deleted what it refers to, run pulumi refresh --run-program, /,
  );
  for (const gone of [rules, sealing]) {
    await gone.destroy();
    expect(await gone.refresh()).toBe(false);
  }
  await webhook.destroy();
});

/** Another name for the second object, because the service refuses two objects of one name. */
const nameOfItsOwn = ({ name }: Properties) =>
  typeof name === "string" ? { name: `${name}, too` } : {};
