import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import type { Host } from "../../../helpers/dynamic-host";
import { HandlerHost } from "../../../helpers/handler-host";
import { HostedResource } from "../../../helpers/hosted-resource";
import { LocalWorkspace } from "../../../helpers/local-workspace";
import { openForTests } from "../../../helpers/open-for-tests";
import { hostForTests } from "../../host-for-tests";
import { settingsOf } from "../../settings-of";

let host: Host;
const url = "https://hooks.example/hook";

const workspace = openForTests(new LocalWorkspace());
hostForTests(workspace, (started) => (host = started));
const stored = ({ id }: HostedResource) =>
  workspace.call("GET", `/webhooks/${id}`);

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
    await expect(webhook.up({ url })).rejects.toSay("webhook/signing-key-lost");
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
    const relayed = new HandlerHost({
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
    const beside = { url, replacesLegacy: "wh_old" };
    expect(await webhook.up(beside)).toBe("update");
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
    expect(await webhook.refresh()).toBe(false);
    expect(await webhook.up({ url: `${url}/2` })).toBe("create");
    await webhook.destroy();
  });
});
