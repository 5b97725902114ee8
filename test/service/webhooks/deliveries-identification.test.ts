import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { verifyWebhook } from "@devid/sdk/webhooks";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import {
  eventOf,
  identify,
  setRules,
} from "../identification/identify-calls.js";
import { LocalWorkspace } from "../../helpers/local-workspace.js";
import { sender, type Send } from "../sender.js";
import { openForTests } from "../../helpers/open-for-tests.js";
import { ServiceProcess } from "../service-process.js";
import { WebhookReceiver } from "../../helpers/webhook-receiver.js";

interface Delivery {
  readonly event_id: string;
  readonly state: string;
  readonly attempts: readonly {
    readonly retry: boolean;
    readonly status: number | null;
    readonly error: string | null;
  }[];
}

let receiver: WebhookReceiver;
const local = openForTests(new LocalWorkspace());
beforeEach(async () => {
  await local.controlCall("POST", "/reset");
  receiver = await WebhookReceiver.start();
});
afterEach(() => receiver.close());

/** Waits until the deliveries match. */
const become = (control: Send, expected: readonly object[]) =>
  vi.waitFor(async () => {
    const { body } = await control("GET", "/us/deliveries");
    expect(body).toMatchObject(expected);
    return body as Delivery[];
  }, 10_000);

const addWebhook = async (control: Send) => {
  const body = { url: receiver.url, verified: true };
  const answer = await control("POST", "/us/webhooks", { body });
  return (answer.body as { signing_key: string }).signing_key;
};

// contract: webhook-1, webhook-4
it("a visit is delivered as GET /events/{id} returns it", async () => {
  const key = await addWebhook(local.controlCall);
  const tag = { plan: "pro" };
  const answer = await identify(local, { linked_id: "user-1", tag });
  const [got] = await receiver.get(1);
  const { event_id } = answer.body as { event_id: string };
  expect(JSON.parse(String(got?.body))).toEqual(await eventOf(local, answer));
  const signature = String(got?.headers["fpjs-event-signature"]);
  expect(await verifyWebhook(got?.body ?? "", signature, key)).toBe(true);
  await become(local.controlCall, [{ event_id, state: "delivered" }]);
});

// contract: management-213
it("a visit is not delivered while the webhook is disabled", async () => {
  const url = `${receiver.url}/switched`;
  const { body } = await local.controlCall("POST", "/us/webhooks", {
    body: { url, verified: true },
  });
  const path = `/webhooks/${(body as { id: string }).id}`;
  const turn = (status: string) =>
    local.us("PATCH", path, { body: { status } });
  await turn("disabled");
  await identify(local, { linked_id: "unheard" });
  await turn("enabled");
  await identify(local, { linked_id: "heard" });
  await receiver.get(1);
  const deliveries = await become(local.controlCall, [{ state: "delivered" }]);
  expect(deliveries).toHaveLength(1);
  expect(String(receiver.received[0]?.body)).toContain('"heard"');
});

// contract: rules-1
it("a visit that a rule denies is not delivered", async () => {
  await addWebhook(local.controlCall);
  await setRules(local, [
    { name: "nobody", expression: "true", action: "deny", status: "enabled" },
  ]);
  expect((await identify(local)).status).toBe(403);
  expect((await local.controlCall("GET", "/us/deliveries")).body).toEqual([]);
});

it("a failed delivery is repeated once, by the service's clock", async () => {
  receiver.reply = { status: 500 };
  await addWebhook(local.controlCall);
  await identify(local);
  await become(local.controlCall, [
    { state: "pending", attempts: [{ retry: false, status: 500 }] },
  ]);
  await local.controlCall("POST", "/clock", { body: { advance: "5m" } });
  await become(local.controlCall, [
    { state: "failed", attempts: [{ retry: false }, { retry: true }] },
  ]);
  const [first, second] = receiver.received;
  expect(second?.body.equals(first?.body ?? Buffer.of())).toBe(true);
});

it("a delivery that a killed service had begun is sent again, marked as a retry", async () => {
  const directory = mkdtempSync(join(tmpdir(), "devid-kill-"));
  const data = join(directory, "data.db");
  const start = async () => {
    // A killed service leaves its ready file behind.
    rmSync(`${data}.ready`, { force: true });
    const service = await ServiceProcess.start(data);
    return { service, control: sender(`${service.url}/_local`, {}) };
  };
  const { service: killed, control } = await start();
  let next: ServiceProcess | undefined;
  try {
    await addWebhook(control);
    receiver.reply = undefined;
    const body = { publicKey: "local-public-us", url: "https://shop.example/" };
    await control("POST", "/identify/us", { body });
    const [first] = await receiver.get(1);
    await killed.kill();

    receiver.reply = { status: 200 };
    const again = await start();
    next = again.service;
    await become(again.control, [
      {
        state: "pending",
        attempts: [{ error: "The service ended before it got the answer." }],
      },
    ]);
    await again.control("POST", "/clock", { body: { advance: "5m" } });
    const [, second] = await receiver.get(2);
    expect(second?.body.equals(first?.body ?? Buffer.of())).toBe(true);
    const [delivery] = await become(again.control, [{ state: "delivered" }]);
    expect(delivery?.attempts.map(({ retry }) => retry)).toEqual([false, true]);
  } finally {
    await killed.kill();
    await next?.kill();
    rmSync(directory, { recursive: true });
  }
}, 60_000);
