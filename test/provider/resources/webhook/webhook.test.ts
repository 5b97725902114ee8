import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { signWebhook, WEBHOOK_SIGNATURE_HEADER } from "@devid/sdk/delivery";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { DynamicHost, type HostError } from "../../../helpers/dynamic-host";
import { HostedResource } from "../../../helpers/hosted-resource";
import { LocalWorkspace } from "../../../helpers/local-workspace";
import { settingsOf } from "../../settings-of";

let workspace: LocalWorkspace;
let host: DynamicHost;
let receiver: Server;
let url: string;
/** How the receiver answers, and what it was sent. */
let answers = 200;
let received: { path?: string; body: string; signature: unknown }[] = [];

beforeAll(async () => {
  workspace = await LocalWorkspace.start();
  host = await DynamicHost.start(settingsOf(workspace));
  receiver = createServer((request, response) => {
    void text(request).then((body) => {
      const signature = request.headers[WEBHOOK_SIGNATURE_HEADER.toLowerCase()];
      received.push({ path: request.url, body, signature });
      response.writeHead(answers).end();
    });
  });
  await new Promise<void>((resolve) => {
    receiver.listen(0, "127.0.0.1", resolve);
  });
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
});
beforeEach(() => {
  answers = 200;
  received = [];
});
afterAll(async () => {
  await host.stop();
  await workspace.close();
  receiver.close();
});

const stored = ({ id }: HostedResource) =>
  workspace.call("GET", `/webhooks/${id}`);

describe("the verification of a webhook", () => {
  it("sends it one signed event, and waits for the answer", async () => {
    const webhook = new HostedResource(host, "Webhook");
    await webhook.up({ url, verify: true });
    expect(webhook.state).toMatchObject({ verified: true });
    expect(await stored(webhook)).toMatchObject({ verified: true });
    expect(received).toHaveLength(1);
    const [{ body, signature } = { body: "", signature: "" }] = received;
    expect(signature).toBe(signWebhook(body, String(webhook.state.signingKey)));
    expect(await webhook.up({ url, verify: true })).toBe("same");
    await webhook.destroy();
  });

  it("is done again for another url, and not for another description", async () => {
    const webhook = new HostedResource(host, "Webhook");
    await webhook.up({ url, verify: true });
    await webhook.up({ url, verify: true, description: "Orders" });
    expect(received).toHaveLength(1);
    await webhook.up({ url: `${url}/2`, verify: true, description: "Orders" });
    expect(received.map(({ path }) => path)).toEqual(["/hook", "/hook/2"]);
    expect(webhook.state).toMatchObject({ verified: true });
    await webhook.destroy();
  });

  it("can be asked for later", async () => {
    const webhook = new HostedResource(host, "Webhook");
    await webhook.up({ url });
    expect(webhook.state).toMatchObject({ verified: false, verify: false });
    expect(await webhook.up({ url, verify: true })).toBe("update");
    expect(webhook.state).toMatchObject({ verified: true });
    await webhook.destroy();
  });

  it("that times out leaves the webhook in state, and the next update goes on", async () => {
    answers = 500;
    const webhook = new HostedResource(host, "Webhook");
    const program = { url, verify: true, verifyTimeoutSeconds: 1 };
    const error = await webhook.up(program).catch((thrown: unknown) => thrown);
    expect((error as HostError).message).toContain(
      `was not verified within 1 s: ${url} must answer the service's test event with HTTP 200`,
    );
    expect((error as HostError).kept).toMatchObject({
      id: expect.stringMatching(/^wh_/) as string,
      properties: {
        url,
        verified: false,
        signingKey: expect.any(String) as string,
      },
    });
    const { id, state } = webhook;

    await webhook.refresh();
    expect(await webhook.preview(program)).toEqual({
      changes: true,
      replaces: [],
    });
    answers = 200;
    expect(await webhook.up(program)).toBe("update");
    expect(webhook.id).toBe(id);
    expect(webhook.state).toMatchObject({
      verified: true,
      signingKey: state.signingKey,
    });
    await webhook.destroy();
  });

  it("that times out in an update leaves what the service has in state", async () => {
    const webhook = new HostedResource(host, "Webhook");
    await webhook.up({ url, description: "Orders" });
    const { signingKey } = webhook.state;
    answers = 500;
    const program = { url, verify: true, verifyTimeoutSeconds: 1 };
    await expect(webhook.up(program)).rejects.toThrow("was not verified");
    expect(webhook.incomplete).toBe(true);
    expect(webhook.state).toMatchObject({ verified: false, signingKey });
    expect(webhook.state).not.toHaveProperty("description");
    await webhook.destroy();
  });
});

describe("a webhook", () => {
  it("keeps the signing key that was shown once", async () => {
    const webhook = new HostedResource(host, "Webhook");
    await webhook.up({ url });
    const { signingKey } = webhook.state;
    expect(signingKey).toMatch(/^[\w-]{43}$/);
    expect(await stored(webhook)).not.toHaveProperty("signing_key");
    await webhook.up({ url: `${url}/2` });
    expect(webhook.state.signingKey).toBe(signingKey);
    await webhook.refresh();
    expect(webhook.state.signingKey).toBe(signingKey);
    await webhook.destroy();
  });

  it("has nothing left of what the program no longer says", async () => {
    const { environment } = workspace.service.workspaces.us;
    const webhook = new HostedResource(host, "Webhook");
    await webhook.up({ url, description: "Orders", environment });
    expect(await stored(webhook)).toMatchObject({
      description: "Orders",
      environment,
    });
    await webhook.up({ url });
    expect(await stored(webhook)).toMatchObject({
      description: null,
      environment: null,
    });
    await webhook.refresh();
    expect(await webhook.up({ url })).toBe("same");
    await webhook.destroy();
  });

  it("whose creation was cut off is not made again", async () => {
    const webhook = new HostedResource(host, "Webhook");
    const mark = await workspace.mark();
    await workspace.fault({
      match: { method: "POST" },
      times: 1,
      after: true,
      then: "reset",
    });
    await expect(webhook.up({ url })).rejects.toThrow(
      `Creating webhook ${url} got no clear answer`,
    );
    const posts = await workspace.requestsSince(mark);
    expect(posts).toHaveLength(1);
  });
});
