import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { signWebhook, WEBHOOK_SIGNATURE_HEADER } from "@devid/sdk/webhooks";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  DynamicHost,
  type HostError,
  type Properties,
} from "../../../helpers/dynamic-host";
import { HostedResource } from "../../../helpers/hosted-resource";
import { LocalWorkspace } from "../../../helpers/local-workspace";
import { openForTests } from "../../../helpers/open-for-tests";
import { WebhookReceiver } from "../../../helpers/webhook-receiver";
import { hostForTests } from "../../host-for-tests";
import { settingsOf } from "../../settings-of";

let host: DynamicHost;
let receiver: WebhookReceiver;
let url: string;

const workspace = openForTests(new LocalWorkspace());
hostForTests(workspace, (started) => (host = started));
beforeAll(async () => {
  receiver = await WebhookReceiver.start();
  ({ url } = receiver);
});
beforeEach(() => {
  receiver.reply = { status: 200 };
  receiver.received.length = 0;
});
afterAll(() => receiver.close());

const stored = ({ id }: HostedResource) =>
  workspace.call("GET", `/webhooks/${id}`);

/** Makes a webhook, and puts its verification into the state in a second update. */
async function makeVerified(program: Properties): Promise<HostedResource> {
  const webhook = new HostedResource(host, "Webhook");
  await webhook.up(program);
  await expect.poll(() => stored(webhook)).toMatchObject({ verified: true });
  expect(await webhook.up(program)).toBe("update");
  return webhook;
}

describe("the verification of a webhook", () => {
  it("starts once the create has answered with the signing key, and the next update records it", async () => {
    const webhook = new HostedResource(host, "Webhook");
    await webhook.up({ url, verify: true });
    expect(webhook.state).toMatchObject({
      verified: false,
      signingKey: expect.any(String) as string,
    });
    await expect.poll(() => stored(webhook)).toMatchObject({ verified: true });
    expect(await webhook.up({ url, verify: true })).toBe("update");
    expect(webhook.state).toMatchObject({ verified: true });
    expect(await stored(webhook)).toMatchObject({ verified: true });
    expect(receiver.received).toHaveLength(1);
    const [sent] = receiver.received;
    expect(sent?.headers[WEBHOOK_SIGNATURE_HEADER.toLowerCase()]).toBe(
      await signWebhook(String(sent?.body), String(webhook.state.signingKey)),
    );
    expect(await webhook.up({ url, verify: true })).toBe("same");
    await webhook.destroy();
  });

  it("is repeated for another url, and not for another description", async () => {
    const webhook = await makeVerified({ url, verify: true });
    await webhook.up({ url, verify: true, description: "Orders" });
    expect(receiver.received).toHaveLength(1);
    await webhook.up({ url: `${url}/2`, verify: true, description: "Orders" });
    expect(receiver.received.map(({ path }) => path)).toEqual([
      "/hook",
      "/hook/2",
    ]);
    expect(webhook.state).toMatchObject({ verified: true });
    await webhook.destroy();
  });

  it("can be added later", async () => {
    const webhook = new HostedResource(host, "Webhook");
    await webhook.up({ url });
    expect(webhook.state).toMatchObject({ verified: false });
    expect(webhook.state).not.toHaveProperty("verify");
    expect(await webhook.up({ url, verify: true })).toBe("update");
    expect(webhook.state).toMatchObject({ verified: true });
    await webhook.destroy();
  });

  it("that times out leaves the webhook in state, and the next update verifies again", async () => {
    receiver.reply = { status: 500 };
    const webhook = new HostedResource(host, "Webhook");
    const program = { url, verify: true, verifyTimeoutSeconds: 1 };
    await webhook.up(program);
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
    receiver.reply = { status: 200 };
    expect(await webhook.up(program)).toBe("update");
    expect(webhook.id).toBe(id);
    expect(webhook.state).toMatchObject({
      verified: true,
      signingKey: state.signingKey,
    });
    await webhook.destroy();
  });

  it("that times out in an update leaves the service's values in state", async () => {
    const webhook = new HostedResource(host, "Webhook");
    await webhook.up({ url, description: "Orders" });
    const { signingKey } = webhook.state;
    receiver.reply = { status: 500 };
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

  it("loses the fields that the program no longer declares", async () => {
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

  it("whose creation was cut off is found and then replaced, because its signing key is lost", async () => {
    const webhook = new HostedResource(host, "Webhook");
    const mark = await workspace.mark();
    await workspace.fault({
      match: { method: "POST" },
      times: 1,
      after: true,
      then: "reset",
    });
    await expect(webhook.up({ url })).rejects.toThrow(
      "only that answer showed its signingKey. The next pulumi up creates a new one and deletes",
    );
    const posts = (await workspace.requestsSince(mark)).filter(
      ({ method }) => method === "POST",
    );
    expect(posts).toHaveLength(1);
    const { id } = webhook;
    expect((await webhook.preview({ url })).replaces).toEqual(["signingKey"]);
    expect(await webhook.up({ url })).toBe("replace");
    expect(webhook.state.signingKey).toEqual(expect.any(String));
    const ids = (await workspace.list("webhooks")).map((one) => one.id);
    expect(ids).toContain(webhook.id);
    expect(ids).not.toContain(id);
  });
});

describe("an update of a webhook", () => {
  /** The bodies of the changes that `work` sends, as a relay before the service sees them. */
  async function sent(
    work: (relayed: HostedResource) => Promise<unknown>,
    of: HostedResource,
  ): Promise<unknown[]> {
    const bodies: unknown[] = [];
    const relay = createServer((request, response) => {
      void (async () => {
        const body = await text(request);
        if (request.method === "PATCH") bodies.push(JSON.parse(body));
        const named = ["authorization", "content-type", "x-api-version"];
        const headers = Object.entries(request.headers).filter(([name]) =>
          named.includes(name),
        ) as [string, string][];
        const answer = await fetch(workspace.url + String(request.url), {
          method: request.method,
          headers,
          ...(body && { body }),
        });
        response.writeHead(answer.status, {
          "content-type": "application/json",
        });
        response.end(await answer.text());
      })();
    });
    await new Promise<void>((resolve) => {
      relay.listen(0, "127.0.0.1", resolve);
    });
    const { port } = relay.address() as AddressInfo;
    const relayed = await DynamicHost.start({
      ...settingsOf(workspace),
      "devid:endpoint": `http://127.0.0.1:${port}`,
    });
    try {
      await work(of.on(relayed));
    } finally {
      await relayed.stop();
      relay.close();
    }
    return bodies;
  }

  it("sends the changed fields, and null only when there was a value", async () => {
    const webhook = new HostedResource(host, "Webhook");
    await webhook.up({ url, description: "Orders" });
    const bodies = await sent(async (relayed) => {
      await relayed.up({ url: `${url}/2`, description: "Orders" });
      await relayed.up({ url: `${url}/2` });
      await relayed.up({ url: `${url}/2`, status: "disabled" });
      await relayed.up({
        url: `${url}/2`,
        status: "disabled",
        description: "Returns",
      });
    }, webhook);
    expect(bodies).toEqual([
      { url: `${url}/2` },
      { description: null },
      { status: "disabled" },
      { description: "Returns" },
    ]);
    await webhook.destroy();
  });

  it("sends nothing when only local inputs change", async () => {
    const webhook = new HostedResource(host, "Webhook");
    await webhook.up({ url });
    const mark = await workspace.mark();
    expect(await webhook.up({ url, verifyTimeoutSeconds: 5 })).toBe("update");
    expect(webhook.state).toMatchObject({ verifyTimeoutSeconds: 5 });
    expect(
      await webhook.up({
        url,
        verifyTimeoutSeconds: 5,
        replacesLegacy: "wh_old",
      }),
    ).toBe("update");
    expect(webhook.state).toMatchObject({ replacesLegacy: "wh_old" });
    expect(await webhook.up({ url })).toBe("update");
    expect(webhook.state).not.toHaveProperty("replacesLegacy");
    expect(await workspace.requestsSince(mark)).toEqual([]);
    await webhook.destroy();
  });

  it("of a webhook that somebody deleted says so, and which command to run", async () => {
    const webhook = new HostedResource(host, "Webhook");
    await webhook.up({ url });
    await workspace.call("DELETE", `/webhooks/${webhook.id}`);
    const gone =
      `Webhook ${webhook.id} was not updated: it is no longer in the workspace, because somebody deleted it. ` +
      `Run pulumi refresh --run-program, which removes it from the state, and then pulumi up, which creates a new one.`;
    await expect(webhook.up({ url: `${url}/2` })).rejects.toThrow(gone);
    await expect(webhook.up({ url, verify: true })).rejects.toThrow(gone);
    expect(await webhook.refresh()).toBe(false);
    expect(await webhook.up({ url: `${url}/2` })).toBe("create");
    await webhook.destroy();
  });
});
