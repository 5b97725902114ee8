import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Host } from "../../../helpers/dynamic-host";
import { HostedResource } from "../../../helpers/hosted-resource";
import { LocalWorkspace } from "../../../helpers/local-workspace";
import { openForTests } from "../../../helpers/open-for-tests";
import { WebhookReceiver } from "../../../helpers/webhook-receiver";
import { hostForTests } from "../../host-for-tests";
import { KINDS, LIFE } from "../../kind-rows";

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

describe.each(KINDS)("%s", (kind) => {
  it("is created, found unchanged, updated, read and deleted", async () => {
    const [first, second] = LIFE[kind](place());
    const resource = new HostedResource(host, kind);
    expect(await resource.up(first)).toBe("create");
    expect(await resource.up(first)).toBe("same");
    expect(await resource.up(second)).toBe("update");
    expect(await resource.up(second)).toBe("same");

    const { id, state } = resource;
    expect(await resource.refresh()).toBe(true);
    expect(resource.id).toBe(id);
    expect(resource.state).toEqual(state);
    expect(await resource.up(second)).toBe("same");

    await resource.destroy();
    await resource.destroy();
  });
});

describe.each(["ApiKey", "Environment", "Webhook"] as const)("%s", (kind) => {
  it("that someone deleted is reported gone by a read, and created again", async () => {
    const [first] = LIFE[kind](place());
    const resource = new HostedResource(host, kind);
    await resource.up(first);
    const { id } = resource;
    const path = {
      ApiKey: "api-keys",
      Environment: "environments",
      Webhook: "webhooks",
    }[kind];
    await workspace.call("DELETE", `/${path}/${id}`);
    expect(await resource.refresh()).toBe(false);
    expect(await resource.up(first)).toBe("create");
    expect(resource.id).not.toBe(id);
    await resource.destroy();
  });
});

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
