import type { ServerResponse } from "node:http";
import { once } from "node:events";
import { setTimeout } from "node:timers/promises";
import { verifyWebhook } from "@devid/sdk/webhooks";
import { describe, expect, it, vi } from "vitest";
import { WebhookReceiver } from "../../helpers/webhook-receiver.js";
import { LocalWorkspace } from "../../helpers/local-workspace.js";
import { openForTests } from "../../helpers/open-for-tests.js";

/** The log of the service about its test events. */
const outcomes: unknown[] = [];
const local = openForTests(
  new LocalWorkspace({
    logLevel: "info",
    logTo: { write: (line) => outcomes.push(JSON.parse(line)) },
  }),
);

/** A receiver that answers with one status, or whose answers the test sends. */
async function receiver(status?: number, headers: Record<string, string> = {}) {
  const receiver = await WebhookReceiver.forTest();
  receiver.reply = status ? { status, headers, body: "thanks" } : undefined;
  return receiver;
}

/** Waits for a request, and returns its response. */
async function arrival(receiver: WebhookReceiver): Promise<ServerResponse> {
  await receiver.get(1);
  const [response] = receiver.open;
  if (!response) throw new Error("The request was answered.");
  return response;
}

const create = (url: string) => local.make("/webhooks", { url });
const verify = (id: string) => local.us("POST", `/webhooks/${id}/verification`);
const isVerified = async (id: string) =>
  (await local.us("GET", `/webhooks/${id}`)).data.verified;

const becomesVerified = (id: string) =>
  expect.poll(() => isVerified(id)).toBe(true);
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
    const { url, received } = await receiver(200);
    const { id, signing_key: key } = await create(url);
    const answer = await verify(id);
    expect([answer.status, answer.data.id]).toEqual([200, id]);
    await becomesVerified(id);
    expect(received).toHaveLength(1);
    const [delivery] = received;
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
    const { url, received } = await receiver(200);
    const { environment } = local.service.workspaces.us;
    const { id } = await local.make("/webhooks", { url, environment });
    await verify(id);
    await becomesVerified(id);
    expect(JSON.parse(String(received[0]?.body))).toEqual({
      event_id: expect.any(String) as string,
      timestamp: expect.any(Number) as number,
      environment_id: environment,
      replayed: false,
    });
  });

  // contract: management-217
  it("answers before the webhook does", async () => {
    const held = await receiver();
    const { id } = await create(held.url);
    expect((await verify(id)).data.verified).toBe(false);
    const response = await arrival(held);
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
      expect(elsewhere.received).toHaveLength(0);
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
    const held = await receiver();
    const { id } = await create(held.url);
    await verify(id);
    const response = await arrival(held);
    await local.call("PATCH", `/webhooks/${id}`, { url: `${held.url}/other` });
    response.end();
    await ended({ webhook: id, status: 200 });
    expect(await isVerified(id)).toBe(false);
  });

  // contract: management-217
  it("fails after 3 s without an answer", async () => {
    const held = await receiver();
    const { id } = await create(held.url);
    const timer = new AbortController();
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    const spy = vi
      .spyOn(AbortSignal, "timeout")
      .mockImplementation((ms) => (ms === 3_000 ? timer.signal : timeout(ms)));
    await verify(id);
    const response = await arrival(held);
    expect(spy).toHaveBeenCalledWith(3_000);
    spy.mockRestore();
    timer.abort();
    await once(response, "close");
    expect(await isVerified(id)).toBe(false);
  });

  it("returns 404 for a webhook of another workspace", async () => {
    const { url, received } = await receiver(200);
    const { id } = await create(url);
    const answer = await local.eu("POST", `/webhooks/${id}/verification`);
    expect([answer.status, received]).toEqual([404, []]);
  });

  // contract: management-217
  it("ends before the service stops", async () => {
    const held = await receiver();
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
    const { id } = await own.make("/webhooks", { url: held.url });
    await own.us("POST", `/webhooks/${id}/verification`);
    const response = await arrival(held);
    const closed = own.service.close().then(() => order.push("closed"));
    // The server has stopped, so only the delivery can still delay the stop.
    await vi.waitFor(
      () => expect(fetch(own.service.url)).rejects.toThrow(),
      10_000,
    );
    await setTimeout(100);
    expect(order).toEqual([]);
    response.end();
    await closed;
    expect(order).toEqual(["delivery ended", "closed"]);
  });
});
