import { afterAll, beforeAll, expect, it } from "vitest";
import type { Host } from "../../../helpers/dynamic-host";
import { HostedResource } from "../../../helpers/hosted-resource";
import { LocalWorkspace } from "../../../helpers/local-workspace";
import { openForTests } from "../../../helpers/open-for-tests";
import { WebhookReceiver } from "../../../helpers/webhook-receiver";
import { hostForTests } from "../../host-for-tests";
import { LIFE } from "../../kind-rows";

let host: Host;
let receiver: WebhookReceiver;
const workspace = openForTests(new LocalWorkspace());
hostForTests(workspace, (started) => (host = started));
beforeAll(async () => (receiver = await WebhookReceiver.start()));
afterAll(() => receiver.close());

/** ID of a webhook with the address of the receiver. */
let webhook: string;
beforeAll(async () => {
  const body = { url: receiver.url };
  const made = await workspace.call("POST", "/webhooks", body);
  webhook = (made as { id: string }).id;
});

const place = () => {
  const { environment } = workspace.service.workspaces.us;
  return { url: receiver.url, environment, webhook };
};

it.each(["EncryptionKey", "FilteringRuleSet"] as const)(
  "%s: a refresh after someone deleted the environment finds it gone, and deleting it succeeds",
  async (kind) => {
    const environment = new HostedResource(host, "Environment");
    await environment.up({ name: "Short-lived" });
    const [first] = LIFE[kind](place());
    const resource = new HostedResource(host, kind);
    const status = kind === "EncryptionKey" ? { status: "enabled" } : {};
    await resource.up({ ...first, ...status, environment: environment.id });
    await workspace.call("DELETE", `/environments/${environment.id}`);
    await resource.destroy();
    expect(await resource.refresh()).toBe(false);
  },
);
