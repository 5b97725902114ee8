import { expect, it } from "vitest";
import { HostedResource } from "../../../helpers/hosted-resource";
import { hostForTests } from "../../host-for-tests";

const url = "https://hooks.example/hook";

const { workspace, host } = hostForTests();

it("a webhook whose creation was cut off is found and then replaced, because its signing key is lost", async () => {
  const webhook = new HostedResource(host, "Webhook");
  const mark = await workspace.mark();
  await workspace.faultOnce("POST /webhooks", "reset", { after: true });
  await expect(webhook.up({ url })).rejects.toSay("webhook/signing-key-lost");
  expect(await workspace.writesSince(mark)).toEqual(["POST /webhooks"]);
  const { id } = webhook;
  expect((await webhook.preview({ url })).replaces).toEqual(["signingKey"]);
  expect(await webhook.up({ url })).toBe("replace");
  expect(webhook.state.signingKey).toEqual(expect.any(String));
  const ids = (await workspace.list("webhooks")).map((one) => one.id);
  expect(ids).toContain(webhook.id);
  expect(ids).not.toContain(id);
});
