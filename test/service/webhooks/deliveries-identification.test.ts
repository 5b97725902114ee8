import { verifyWebhook } from "@devid/sdk/webhooks";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import {
  eventOf,
  identify,
  setRules,
} from "../identification/identify-calls.js";
import type { Send } from "../sender.js";
import { WebhookReceiver } from "../../helpers/webhook-receiver.js";
import { localForTests } from "../../helpers/local-for-tests.js";

let receiver: WebhookReceiver;
const local = localForTests();
beforeEach(async () => {
  receiver = await WebhookReceiver.start();
});
afterEach(() => receiver.close());

/** Waits until the deliveries match. */
const become = (control: Send, expected: readonly object[]) =>
  vi.waitFor(async () => {
    const { body } = await control("GET", "/us/deliveries");
    expect(body).toMatchObject(expected);
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

// contract: rules-1
it("a visit that a rule denies is not delivered", async () => {
  await addWebhook(local.controlCall);
  await setRules(local, [
    { name: "nobody", expression: "true", action: "deny", status: "enabled" },
  ]);
  expect((await identify(local)).status).toBe(403);
  expect((await local.controlCall("GET", "/us/deliveries")).body).toEqual([]);
});
