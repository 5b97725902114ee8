import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Host, Properties } from "../../../helpers/dynamic-host";
import { HostedResource } from "../../../helpers/hosted-resource";
import { LocalWorkspace } from "../../../helpers/local-workspace";
import { openForTests } from "../../../helpers/open-for-tests";
import { WebhookReceiver } from "../../../helpers/webhook-receiver";
import { hostForTests } from "../../host-for-tests";

let host: Host;
let receiver: WebhookReceiver;
let url: string;
/** The ID of the legacy webhook. */
let legacy: string;
let webhook: HostedResource;

const workspace = openForTests(new LocalWorkspace());
hostForTests(workspace, (started) => (host = started));
beforeAll(async () => {
  receiver = await WebhookReceiver.start();
  ({ url } = receiver);
});
beforeEach(async () => {
  await workspace.control("/reset", undefined);
  const old = { url, legacy: true, verified: true };
  const added = await workspace.control("/us/webhooks", old);
  legacy = (added as { id: string }).id;
  receiver.reply = { status: 200 };
  host.stderr = "";
  webhook = new HostedResource(host, "Webhook");
});
afterAll(() => receiver.close());

const webhooks = async () =>
  (await workspace.list("webhooks")).map(({ id }) => id);
/** The programs of the two steps: in the first both webhooks run, in the second the legacy webhook is retired. */
const beside = (more: Properties = {}) => ({
  url,
  replacesLegacy: legacy,
  ...more,
});
const retiring = (more: Properties = {}) =>
  beside({ retireLegacy: true, ...more });
const retired = () =>
  `The legacy webhook ${legacy} was deleted; ${webhook.id} has taken its place.\n`;
const standsBeside = () =>
  `Webhook ${webhook.id} runs beside the legacy webhook ${legacy}: both deliver every event. Once the new receiver has proven itself, retireLegacy: true deletes the legacy one.\n`;
const stays = () =>
  `The legacy webhook ${legacy} stays for now, because its replacement, webhook ${webhook.id}, was not verified before this update and has delivered nothing yet. ` +
  `The next update that finds it verified (by a WebhookVerification, or in the dashboard) deletes ${legacy}.\n`;
const stillToRetire = () =>
  `Webhook ${webhook.id}: still to retire the legacy webhook ${legacy}, which is then deleted.\n`;

/** Makes the webhook, and then its verification. */
async function make(program: Properties): Promise<void> {
  await webhook.up(program);
  await verify();
}
async function verify(): Promise<void> {
  const verification = new HostedResource(host, "WebhookVerification");
  await verification.up({ webhookId: webhook.id, url });
}
const standsUnverified = () =>
  `The new webhook runs beside the legacy webhook ${legacy}: it gets no events before it is verified (a WebhookVerification, or the dashboard).\n`;
describe("replacing a legacy webhook in two steps", () => {
  it("lets both run and verifies the new one, then deletes the legacy webhook", async () => {
    await make(beside());
    expect(webhook.state).not.toHaveProperty("replacedLegacy");
    expect(await webhooks()).toEqual([legacy, webhook.id]);
    await expect.poll(() => host.stderr).toBe(standsUnverified());
    expect(await webhook.refresh()).toBe(true);
    expect(webhook.state).toMatchObject({ verified: true });
    expect(await webhook.up(beside())).toBe("same");
    host.stderr = "";
    const described = { description: "Fraud" };
    expect(await webhook.up(beside(described))).toBe("update");
    expect(await webhooks()).toEqual([legacy, webhook.id]);
    await expect.poll(() => host.stderr).toBe(standsBeside());
    host.stderr = "";

    expect(await webhook.preview(retiring(described))).toEqual({
      changes: true,
      replaces: [],
    });
    await expect.poll(() => host.stderr).toBe(stillToRetire());
    expect(await webhooks()).toEqual([legacy, webhook.id]);
    host.stderr = "";

    expect(await webhook.up(retiring(described))).toBe("update");
    expect(webhook.state).toMatchObject({ replacedLegacy: legacy });
    expect(await webhooks()).toEqual([webhook.id]);
    await expect.poll(() => host.stderr).toBe(stillToRetire() + retired());

    expect(await webhook.refresh()).toBe(true);
    expect(webhook.state).toMatchObject({ replacedLegacy: legacy });
    expect(await webhook.up(retiring(described))).toBe("same");
    const last = { url, description: "Fraud" };
    expect(await webhook.up(last)).toBe("update");
    expect(await webhook.up(last)).toBe("same");
  });
});

describe("retireLegacy", () => {
  it("declared in the creation waits for an update that finds the new webhook verified", async () => {
    await make(retiring());
    expect(webhook.state).not.toHaveProperty("replacedLegacy");
    expect(await webhooks()).toEqual([legacy, webhook.id]);
    expect(await webhook.up(retiring())).toBe("update");
    expect(webhook.state).toMatchObject({ replacedLegacy: legacy });
    expect(await webhooks()).toEqual([webhook.id]);
    expect(await webhook.up(retiring())).toBe("same");
  });

  it("deletes nothing while the new webhook is unverified, and every update says so", async () => {
    await webhook.up(retiring());
    expect(await webhooks()).toEqual([legacy, webhook.id]);
    await expect.poll(() => host.stderr).toBe(standsUnverified());

    expect(await webhook.refresh()).toBe(true);
    host.stderr = "";
    expect(await webhook.up(retiring())).toBe("update");
    await expect.poll(() => host.stderr).toBe(stillToRetire() + stays());
    expect(await webhooks()).toContain(legacy);

    // Somebody verified the webhook in another way, so the next update can delete the legacy webhook.
    await workspace.call("POST", `/webhooks/${webhook.id}/verification`);
    await expect
      .poll(() => workspace.call("GET", `/webhooks/${webhook.id}`))
      .toMatchObject({ verified: true });
    expect(await webhook.up(retiring())).toBe("update");
    expect(webhook.state).toMatchObject({ replacedLegacy: legacy });
    expect(await webhooks()).toEqual([webhook.id]);
    expect(await webhook.up(retiring())).toBe("same");
  });

  it("deletes nothing when a new url makes the webhook unverified", async () => {
    await make(beside());
    const moved = { url: `${url}/2` };
    expect(await webhook.up(retiring(moved))).toBe("update");
    expect(await webhooks()).toEqual([legacy, webhook.id]);
  });

  it("needs replacesLegacy", async () => {
    await expect(webhook.up({ url, retireLegacy: true })).rejects.toSay(
      "legacy-webhook/retired-without-its-id",
    );
    expect(await webhooks()).toEqual([legacy]);
  });
});

describe("a legacy webhook", () => {
  it("is kept when the verification fails, and later updates finish the replacement", async () => {
    receiver.reply = { status: 500 };
    await webhook.up(retiring());
    const verification = new HostedResource(host, "WebhookVerification");
    const declared = { webhookId: webhook.id, url, timeoutSeconds: 1 };
    await expect(verification.up(declared)).rejects.toSay(
      "verification/failed",
    );
    expect(await webhook.up(retiring())).toBe("update");
    expect(webhook.state).not.toHaveProperty("replacedLegacy");
    expect(await webhooks()).toEqual([legacy, webhook.id]);
    receiver.reply = { status: 200 };
    expect(await verification.up(declared)).toBe("create");
    expect(await webhook.up(retiring())).toBe("update");
    expect(await webhooks()).toEqual([webhook.id]);
  });

  it("is kept when its deletion fails, and the next update deletes it", async () => {
    await make(beside());
    await workspace.fault({
      match: { method: "DELETE" },
      times: 1,
      then: { status: 409, body: { error: { message: "Not now", code: "x" } } },
    });
    const program = retiring();
    await expect(webhook.up(program)).rejects.toThrow("Not now");
    expect(webhook.state).toHaveProperty("signingKey");
    expect(webhook.state).not.toHaveProperty("replacedLegacy");
    expect(await webhooks()).toEqual([legacy, webhook.id]);
    expect(await webhook.up(program)).toBe("update");
    expect(await webhooks()).toEqual([webhook.id]);
  });

  it("that does not exist any more causes no error", async () => {
    await workspace.call("DELETE", `/webhooks/${legacy}`);
    await webhook.up(beside());
    await verify();
    await webhook.up(retiring());
    await expect
      .poll(() => host.stderr)
      .toContain(
        `The legacy webhook ${legacy} does not exist, so nothing was deleted.\n`,
      );
    expect(await webhook.up(retiring())).toBe("same");
  });

  it("is required in replacesLegacy, and another webhook's ID changes nothing", async () => {
    const { id } = await workspace.make("/webhooks", { url });
    const before = await webhooks();
    const program = beside({ replacesLegacy: id });
    await expect(webhook.up(program)).rejects.toSay("legacy-webhook/is-none", {
      id,
    });
    expect(await webhooks()).toEqual(before);

    await make(beside());
    await expect(webhook.up(retiring({ replacesLegacy: id }))).rejects.toSay(
      "legacy-webhook/is-none",
    );
    expect(await webhooks()).toContain(id);
  });

  it("does not replace itself", async () => {
    const program = retiring({ adopt: { id: legacy } });
    await expect(webhook.up(program)).rejects.toSay("legacy-webhook/itself", {
      legacy,
    });
    expect(await webhooks()).toEqual([legacy]);
  });

  it("keeps running when the new webhook is destroyed before the replacement", async () => {
    await webhook.up(retiring());
    await webhook.destroy();
    expect(await webhooks()).toEqual([legacy]);
  });
});
