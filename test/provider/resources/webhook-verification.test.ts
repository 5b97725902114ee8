import { signWebhook, WEBHOOK_SIGNATURE_HEADER } from "@devid/sdk/webhooks";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { HostedResource } from "../../helpers/hosted-resource";
import { WebhookReceiver } from "../../helpers/webhook-receiver";
import { hostForTests } from "../host-for-tests";
import { rejection } from "../../sdk/workspace";

let receiver: WebhookReceiver;
let url: string;
let webhook: HostedResource;
let verification: HostedResource;

const { workspace, host } = hostForTests();
beforeAll(async () => {
  receiver = await WebhookReceiver.start();
  ({ url } = receiver);
});
beforeEach(async () => {
  receiver.reply = { status: 200 };
  receiver.received.length = 0;
  webhook = new HostedResource(host, "Webhook");
  verification = new HostedResource(host, "WebhookVerification");
  await webhook.up({ url });
});
afterAll(() => receiver.close());

const stored = () => workspace.call("GET", `/webhooks/${webhook.id}`);
const program = (more = {}) => ({ webhookId: webhook.id, url, ...more });
const paths = () => receiver.received.map(({ path }) => path);

describe("the verification of a webhook", () => {
  it("sends a signed test event, and ends when the service has the answer", async () => {
    expect(await verification.up(program())).toBe("create");
    expect(await stored()).toMatchObject({ verified: true });
    expect(verification.id).toBe(webhook.id);
    const [sent, ...others] = receiver.received;
    expect(others).toEqual([]);
    expect(sent?.headers[WEBHOOK_SIGNATURE_HEADER.toLowerCase()]).toBe(
      await signWebhook(String(sent?.body), String(webhook.state.signingKey)),
    );
    expect(await verification.refresh()).toBe(true);
    expect(await verification.up(program())).toBe("same");
  });

  it("fails when the address does not answer with 200, and the next update asks again", async () => {
    receiver.reply = { status: 202 };
    const short = program({ timeoutSeconds: 1 });
    await expect(verification.up(short)).rejects.toSay("verification/failed", {
      webhook: webhook.id,
      url,
    });
    expect(verification.id).toBe("");
    receiver.reply = { status: 200 };
    expect(await verification.up(short)).toBe("create");
    expect(paths()).toEqual(["/hook", "/hook"]);
  });

  it("is replaced for another address, which is verified anew, and the delete of the old one makes no call", async () => {
    await verification.up(program());
    await webhook.up({ url: `${url}/2` });
    expect(await stored()).toMatchObject({ verified: false });
    const mark = await workspace.mark();
    const moved = program({ url: `${url}/2` });
    expect(await verification.up(moved)).toBe("replace");
    expect(await stored()).toMatchObject({ verified: true });
    expect(paths()).toEqual(["/hook", "/hook/2"]);
    expect(await workspace.writesSince(mark)).toHaveLength(1);
    expect(host.stderr).toBe("");
  });

  it("is gone from a refreshed state when the webhook has another address, is unverified, or is gone", async () => {
    await verification.up(program());
    const kept = {
      id: verification.id,
      inputs: verification.inputs,
      state: verification.state,
    };
    const refreshed = () =>
      new HostedResource(host, "WebhookVerification", kept).refresh();
    await webhook.up({ url: `${url}/2` });
    expect(await refreshed()).toBe(false);
    await workspace.call("POST", `/webhooks/${webhook.id}/verification`);
    await expect.poll(stored).toMatchObject({ verified: true });
    expect(await refreshed()).toBe(false);
    await workspace.call("PATCH", `/webhooks/${webhook.id}`, { url });
    expect(await refreshed()).toBe(false);
    await webhook.destroy();
    expect(await refreshed()).toBe(false);
  });

  it("leaves the webhook verified when it is deleted, and makes no call of its own", async () => {
    await verification.up(program());
    const mark = await workspace.mark();
    await verification.destroy();
    expect(await workspace.requestsSince(mark)).toEqual([]);
    expect(await stored()).toMatchObject({ verified: true });
  });

  it("refuses an address that the webhook does not have, before it sends anything", async () => {
    const wrong = program({ url: `${url}/other` });
    await expect(verification.up(wrong)).rejects.toSay(
      "verification/private-address",
      { webhook: webhook.id },
    );
    expect(receiver.received).toEqual([]);
  });

  it("of one webhook may be declared by two resources", async () => {
    await verification.up(program());
    const second = new HostedResource(host, "WebhookVerification");
    expect(await second.up(program())).toBe("create");
    expect(await second.up(program())).toBe("same");
    expect(await verification.up(program())).toBe("same");
    await second.destroy();
    expect(await verification.refresh()).toBe(true);
  });

  it("gives the secret parts of an address no place in an error", async () => {
    receiver.reply = { status: 500 };
    const hidden = url.replace("//", "//user:pass-of-ours@");
    await webhook.up({ url: `${hidden}?key=key-of-ours` });
    const failing = program({
      url: `${hidden}?key=key-of-ours`,
      timeoutSeconds: 1,
    });
    const error = await rejection(verification.up(failing));
    expect(String(error)).toSay("verification/failed-at-a-hidden-address");
    expect(String(error)).not.toMatch(/pass-of-ours|key-of-ours/);
  });
});
