import type { ServerResponse } from "node:http";
import { once } from "node:events";
import { setTimeout } from "node:timers/promises";
import { verifyWebhook } from "@devid/sdk/webhooks";
import { afterEach, describe, expect, it, vi } from "vitest";
import { WebhookReceiver } from "../../helpers/webhook-receiver.js";
import { LocalWorkspace } from "../../helpers/local-workspace.js";
import { openForTests } from "../../helpers/open-for-tests.js";

/** The log of the service about its test events. */
const outcomes: unknown[] = [];
const receivers: WebhookReceiver[] = [];
const local = openForTests(
  new LocalWorkspace({
    logLevel: "info",
    logTo: { write: (line) => outcomes.push(JSON.parse(line)) },
  }),
);
afterEach(() => {
  for (const receiver of receivers.splice(0)) receiver.close();
});

/** A receiver that answers with one status. */
async function receiver(status: number, headers: Record<string, string> = {}) {
  const receiver = await WebhookReceiver.start();
  receivers.push(receiver);
  receiver.reply = { status, headers, body: "thanks" };
  return { url: receiver.url, deliveries: receiver.received };
}

/** A receiver whose answers the test sends. */
async function holding() {
  const receiver = await WebhookReceiver.start();
  receivers.push(receiver);
  receiver.reply = undefined;
  return {
    url: receiver.url,
    /** Waits for a request, and returns its response. */
    async arrival(): Promise<ServerResponse> {
      await receiver.get(1);
      const [response] = receiver.open;
      if (!response) throw new Error("The request was answered.");
      return response;
    },
  };
}

const create = async (url: string) =>
  (await local.us("POST", "/webhooks", { body: { url } })).data;
const verify = (id: string) => local.us("POST", `/webhooks/${id}/verification`);
const isVerified = async (id: string) =>
  (await local.us("GET", `/webhooks/${id}`)).data.verified;

const becomesVerified = (id: string) =>
  vi.waitFor(async () => expect(await isVerified(id)).toBe(true), 10_000);
/** Waits until the service logs the end of a delivery. */
const ended = (outcome: object) =>
  vi.waitFor(
    () =>
      expect(outcomes).toContainEqual(
        expect.objectContaining({ msg: "delivery ended", ...outcome }),
      ),
    10_000,
  );

describe("POST /webhooks/{id}/verification", () => {
  // contract: management-190, management-216, webhook-4
  it("sends one signed event, and an answer with status 200 verifies the webhook", async () => {
    const { url, deliveries } = await receiver(200);
    const { id, signing_key: key } = await create(url);
    const answer = await verify(id);
    expect([answer.status, answer.data.id]).toEqual([200, id]);
    await becomesVerified(id);
    expect(deliveries).toHaveLength(1);
    const [delivery] = deliveries;
    const signature = String(delivery?.headers["fpjs-event-signature"]);
    const body = delivery?.body ?? Buffer.of();
    expect(delivery?.method).toBe("POST");
    expect(delivery?.headers["content-type"]).toBe("application/json");
    expect(await verifyWebhook(body, signature, String(key))).toBe(true);
    expect(JSON.parse(body.toString())).toMatchObject({
      event_id: expect.any(String) as string,
      timestamp: expect.any(Number) as number,
      replayed: false,
    });
  });

  // contract: management-217
  it("sends the environment of a webhook that has one", async () => {
    const { url, deliveries } = await receiver(200);
    const { environment } = local.service.workspaces.us;
    const body = { url, environment };
    const { id } = (await local.us("POST", "/webhooks", { body })).data;
    await verify(id);
    await becomesVerified(id);
    expect(JSON.parse(String(deliveries[0]?.body))).toEqual({
      event_id: expect.any(String) as string,
      timestamp: expect.any(Number) as number,
      environment_id: environment,
      replayed: false,
    });
  });

  // contract: management-217
  it("answers before the webhook does", async () => {
    const held = await holding();
    const { id } = await create(held.url);
    expect((await verify(id)).data.verified).toBe(false);
    const response = await held.arrival();
    expect(await isVerified(id)).toBe(false);
    response.end();
    await becomesVerified(id);
  });

  // contract: management-216, management-217
  it.each([201, 204, 302, 404, 500])(
    "does not verify a webhook that answers %i",
    async (status) => {
      const elsewhere = await receiver(200);
      const { url } = await receiver(status, { location: elsewhere.url });
      const { id } = await create(url);
      await verify(id);
      await ended({ webhook: id, status });
      expect(await isVerified(id)).toBe(false);
      expect(elsewhere.deliveries).toHaveLength(0);
    },
  );

  // contract: management-213
  it("is undone by another url, but not by the same url", async () => {
    const { url } = await receiver(200);
    const { id } = await create(url);
    await verify(id);
    await becomesVerified(id);
    const change = async (body: object) =>
      (await local.us("PATCH", `/webhooks/${id}`, { body })).data.verified;
    expect(await change({ url, status: "disabled" })).toBe(true);
    expect(await change({ url: `${url}/other` })).toBe(false);
  });

  it("does not verify a webhook whose url was changed meanwhile", async () => {
    const held = await holding();
    const { id } = await create(held.url);
    await verify(id);
    const response = await held.arrival();
    await local.us("PATCH", `/webhooks/${id}`, {
      body: { url: `${held.url}/other` },
    });
    response.end();
    await ended({ webhook: id, status: 200 });
    expect(await isVerified(id)).toBe(false);
  });

  // contract: management-217
  it("fails after 3 s without an answer", async () => {
    const held = await holding();
    const { id } = await create(held.url);
    const timer = new AbortController();
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    const spy = vi
      .spyOn(AbortSignal, "timeout")
      .mockImplementation((ms) => (ms === 3_000 ? timer.signal : timeout(ms)));
    await verify(id);
    const response = await held.arrival();
    expect(spy).toHaveBeenCalledWith(3_000);
    spy.mockRestore();
    timer.abort();
    await once(response, "close");
    expect(await isVerified(id)).toBe(false);
  });

  it("returns 404 for a webhook of another workspace", async () => {
    const { url, deliveries } = await receiver(200);
    const { id } = await create(url);
    const answer = await local.eu("POST", `/webhooks/${id}/verification`);
    expect([answer.status, deliveries]).toEqual([404, []]);
  });

  // contract: management-217
  it("ends before the service stops", async () => {
    const held = await holding();
    const order: string[] = [];
    const own = await LocalWorkspace.start({
      logLevel: "info",
      logTo: {
        write: (line) => {
          const { msg } = JSON.parse(line) as { readonly msg: string };
          if (msg === "delivery ended") order.push(msg);
        },
      },
    });
    const { id } = (
      await own.us("POST", "/webhooks", { body: { url: held.url } })
    ).data;
    await own.us("POST", `/webhooks/${id}/verification`);
    const response = await held.arrival();
    const closed = own.service.close().then(() => order.push("closed"));
    // The server has stopped, so only the delivery can still delay the stop.
    await vi.waitFor(() => expect(fetch(own.service.url)).rejects.toThrow());
    await setTimeout(100);
    expect(order).toEqual([]);
    response.end();
    await closed;
    expect(order).toEqual(["delivery ended", "closed"]);
  });
});
