import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { DynamicHost } from "../../../helpers/dynamic-host";
import { HostedResource } from "../../../helpers/hosted-resource";
import { LocalWorkspace } from "../../../helpers/local-workspace";
import { settingsOf } from "../../settings-of";

let workspace: LocalWorkspace;
let host: DynamicHost;
let receiver: Server;
let url: string;
/** How the receiver answers the test event. */
let answers = 200;
/** The legacy webhook that is there. */
let legacy: string;

beforeAll(async () => {
  workspace = await LocalWorkspace.start();
  host = await DynamicHost.start(settingsOf(workspace));
  receiver = createServer((request, response) => {
    request.resume();
    response.writeHead(answers).end();
  });
  await new Promise<void>((resolve) => {
    receiver.listen(0, "127.0.0.1", resolve);
  });
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
});
beforeEach(async () => {
  await workspace.control("/reset", undefined);
  const old = { url, legacy: true, verified: true };
  const added = await workspace.control("/us/webhooks", old);
  legacy = (added as { id: string }).id;
  answers = 200;
  host.stderr = "";
});
afterAll(async () => {
  await host.stop();
  await workspace.close();
  receiver.close();
});

const webhooks = async () =>
  (await workspace.list("webhooks")).map(({ id }) => id);

it("is deleted once the new one is verified, in one update where that is asked for", async () => {
  const webhook = new HostedResource(host, "Webhook");
  const program = { url, verify: true, replacesLegacy: legacy };
  await webhook.up(program);
  expect(webhook.state).toMatchObject({
    verified: true,
    replacedLegacy: legacy,
  });
  expect(await webhooks()).toEqual([webhook.id]);
  await expect
    .poll(() => host.stderr)
    .toBe(
      `Webhook ${webhook.id} is verified; the legacy webhook ${legacy} was deleted.\n`,
    );
  expect(await webhook.refresh()).toBe(true);
  expect(await webhook.up(program)).toBe("same");
  const described = { ...program, description: "Fraud" };
  expect(await webhook.up(described)).toBe("update");
  expect(await webhook.up(described)).toBe("same");
  expect(await webhook.up({ url, verify: true })).toBe("update");
  expect(await webhook.up({ url, verify: true })).toBe("same");
});

it("runs beside the new one until that is verified, and every update says so", async () => {
  const webhook = new HostedResource(host, "Webhook");
  const program = { url, replacesLegacy: legacy };
  await webhook.up(program);
  expect(await webhooks()).toEqual([legacy, webhook.id]);
  const told =
    `Webhook ${webhook.id} runs beside the legacy webhook ${legacy}, which stays until ${webhook.id} is verified. ` +
    `Set verify: true, or have it verified in the dashboard; the next update then deletes ${legacy}.\n`;
  await expect.poll(() => host.stderr).toBe(told);

  expect(await webhook.refresh()).toBe(true);
  host.stderr = "";
  const pending = { changes: true, replaces: [] };
  expect(await webhook.preview(program)).toEqual(pending);
  await expect
    .poll(() => host.stderr)
    .toBe(
      `Webhook ${webhook.id}: still to replace the legacy webhook ${legacy}, once verified.\n`,
    );
  expect(await webhook.up(program)).toBe("update");
  await expect.poll(() => host.stderr).toContain(told);
  expect(await webhooks()).toContain(legacy);

  // Verified by other means meanwhile: the next update has what it waits for.
  await workspace.call("POST", `/webhooks/${webhook.id}/verification`);
  await expect
    .poll(() => workspace.call("GET", `/webhooks/${webhook.id}`))
    .toMatchObject({ verified: true });
  expect(await webhook.up(program)).toBe("update");
  expect(webhook.state).toMatchObject({ replacedLegacy: legacy });
  expect(await webhooks()).toEqual([webhook.id]);
  expect(await webhook.up(program)).toBe("same");
});

it("stays when the verification fails, and the next update finishes", async () => {
  answers = 500;
  const webhook = new HostedResource(host, "Webhook");
  const program = {
    url,
    verify: true,
    verifyTimeoutSeconds: 1,
    replacesLegacy: legacy,
  };
  await expect(webhook.up(program)).rejects.toThrow("was not verified");
  expect(webhook.state).not.toHaveProperty("replacedLegacy");
  expect(await webhooks()).toEqual([legacy, webhook.id]);
  answers = 200;
  expect(await webhook.up(program)).toBe("update");
  expect(await webhooks()).toEqual([webhook.id]);
});

it("stays when its deletion fails, and the next update deletes it", async () => {
  await workspace.fault({
    match: { method: "DELETE" },
    times: 1,
    then: { status: 409, body: { error: { message: "Not now", code: "x" } } },
  });
  const webhook = new HostedResource(host, "Webhook");
  const program = { url, verify: true, replacesLegacy: legacy };
  await expect(webhook.up(program)).rejects.toThrow("Not now");
  expect(webhook.state).toHaveProperty("signingKey");
  expect(await webhooks()).toEqual([legacy, webhook.id]);
  expect(await webhook.up(program)).toBe("update");
  expect(await webhooks()).toEqual([webhook.id]);
});

it("that is not there any more is no error", async () => {
  await workspace.call("DELETE", `/webhooks/${legacy}`);
  const webhook = new HostedResource(host, "Webhook");
  const program = { url, verify: true, replacesLegacy: legacy };
  await webhook.up(program);
  await expect
    .poll(() => host.stderr)
    .toBe(`The legacy webhook ${legacy} is not there: nothing was deleted.\n`);
  expect(await webhook.up(program)).toBe("same");
});

it("that is no legacy webhook is never deleted, and nothing is made", async () => {
  const other = await workspace.call("POST", "/webhooks", { url });
  const { id } = other as { id: string };
  const before = await webhooks();
  const webhook = new HostedResource(host, "Webhook");
  const program = { url, verify: true, replacesLegacy: id };
  await expect(webhook.up(program)).rejects.toThrow(
    `Webhook ${id} is not a legacy webhook, so nothing replaces it and it stays.`,
  );
  expect(await webhooks()).toEqual(before);
});

it("does not replace itself", async () => {
  const webhook = new HostedResource(host, "Webhook");
  const program = { url, replacesLegacy: legacy, adopt: { id: legacy } };
  await expect(webhook.up(program)).rejects.toThrow(
    `Webhook ${legacy} cannot replace itself`,
  );
  expect(await webhooks()).toEqual([legacy]);
});

it("keeps running when the new one is destroyed before it took its place", async () => {
  const webhook = new HostedResource(host, "Webhook");
  await webhook.up({ url, replacesLegacy: legacy });
  await webhook.destroy();
  expect(await webhooks()).toEqual([legacy]);
});
