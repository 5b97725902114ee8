import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { HostError } from "../../../helpers/protocol-provider";
import { DynamicHost } from "../../../helpers/dynamic-host";
import { HostedResource } from "../../../helpers/hosted-resource";
import { sharedForTests } from "../../../helpers/local-for-tests";
import { WebhookReceiver } from "../../../helpers/webhook-receiver";
import { KINDS, LIFE } from "../../kind-rows";
import { settingsOf } from "../../settings-of";
import { rejection } from "../../../sdk/workspace";

let host: DynamicHost;
let receiver: WebhookReceiver;
let url: string;
/** ID of a webhook with the address of the receiver. */
let webhook: string;
const workspace = sharedForTests();
beforeAll(async () => {
  host = await DynamicHost.start(settingsOf(workspace));
  receiver = await WebhookReceiver.start();
  ({ url } = receiver);
  webhook = (await workspace.make("/webhooks", { url })).id;
});
afterEach(() => workspace.forgetFaults());
afterAll(() => {
  receiver.close();
  return host.stop();
});

const place = () => ({ url, webhook });

async function outputOf(work: Promise<unknown>): Promise<string> {
  const { message, kept } = (await rejection(work)) as HostError;
  return message + JSON.stringify([kept?.id, kept?.reasons]);
}

describe("an answer in an unknown form", () => {
  const canary = "canary-of-an-answer";

  it.each([
    ["no JSON", `<html>${canary}</html>`],
    ["half of it", `{"data":{"id":"tok_1","token":"${canary}"`],
    ["no record", { data: { id: 5, name: canary, token: canary } }],
    ["no data", { token: canary }],
  ])("is not quoted: %s", async (_, body) => {
    const key = new HostedResource(host, "ApiKey");
    await key.up({ name: "Shop", type: "secret" });
    await workspace.fault({
      match: { surface: "management" },
      then: { status: 200, body },
    });
    const next = { name: "Store", type: "secret" };
    const texts = [
      await outputOf(new HostedResource(host, "ApiKey").up(next)),
      await outputOf(key.up(next)),
      await outputOf(key.refresh()),
    ];
    expect(texts.join("\n")).not.toContain(canary);
    expect(texts[1]).toContain("Updating API key");
    expect(texts[2]).toContain("Reading API key");
    await expect
      .poll(() => host.stderr)
      .toContain("the message is shown with its resource");
    expect(await host.allOutput()).not.toContain(canary);
    await workspace.forgetFaults();
    await key.destroy();
  });
});

it("errors do not quote a wrong key or an address with a password", async () => {
  const canary = "canary-of-a-setting";
  const settings: Record<string, string>[] = [
    { ...settingsOf(workspace), "devid:managementKey": canary },
    {
      ...settingsOf(workspace),
      "devid:managementUrl": `http://user:${canary}@127.0.0.1:9`,
    },
  ];
  for (const wrong of settings) {
    const misled = await DynamicHost.start(wrong);
    for (const kind of KINDS) {
      const resource = new HostedResource(misled, kind);
      const [first] = LIFE[kind](place());
      expect(await outputOf(resource.up(first))).not.toContain(canary);
      resource.id = "id";
      expect(await outputOf(resource.refresh())).not.toContain(canary);
    }
    const said = await misled.allOutput();
    expect(said).not.toBe("");
    expect(said).not.toContain(canary);
    await misled.stop();
  }
});
