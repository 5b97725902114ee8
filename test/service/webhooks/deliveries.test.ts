import { verifyWebhook } from "@devid/sdk/webhooks";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Webhooks } from "../../../service/src/store/records";
import { beginAttempts } from "../../../service/src/webhooks/attempts";
import { CourierBench } from "./courier-bench.js";
import { WebhookReceiver } from "../../helpers/webhook-receiver.js";

const FIVE_MINUTES = 5 * 60_000;

let bench: CourierBench;
let receiver: WebhookReceiver;
beforeEach(async () => {
  bench = CourierBench.forTest().start();
  receiver = await WebhookReceiver.forTest();
});

/** A receiver that answers only when the test says. */
async function slowReceiver(): Promise<WebhookReceiver> {
  const slow = await WebhookReceiver.forTest();
  slow.reply = undefined;
  return slow;
}

/** The one warning is about this delivery. */
const expectWarning = (webhook: string, event: string, reason: string) =>
  expect(bench.warnings.map((line) => JSON.parse(line) as object)).toEqual([
    expect.objectContaining({
      ...{ msg: "delivery given up", webhook, event, reason },
    }),
  ]);

/** A delivery to a new webhook, whose first attempt was refused. */
async function refusedOnce(event: Parameters<typeof bench.visit>[0] = {}) {
  receiver.reply = { status: 500 };
  const webhook = bench.webhook(receiver.url);
  const visited = bench.visit(event);
  await receiver.get(1);
  const [delivery] = await bench.settled();
  return { id: webhook.id, event: visited, delivery };
}

describe("an event", () => {
  // contract: versions-5, webhook-1, webhook-5, webhook-10
  it("is posted, signed, as the events API returns it", async () => {
    const { signing_key } = bench.webhook(receiver.url);
    const event = bench.visit({ linked_id: "Žofie", tags: { plan: "pro" } });
    const [got] = await receiver.get(1);
    expect(JSON.parse(String(got?.body))).toEqual(event);
    expect([got?.method, got?.path]).toEqual(["POST", "/hook"]);
    const signature = String(got?.headers["fpjs-event-signature"]);
    const body = got?.body ?? "";
    expect(await verifyWebhook(body, signature, signing_key)).toBe(true);
    const { host: _, connection: __, ...headers } = got?.headers ?? {};
    expect(headers).toEqual({
      "content-type": "application/json",
      "content-length": String(Buffer.byteLength(body)),
      "user-agent": "devid",
      "fpjs-event-signature": signature,
    });
  });

  // contract: management-191, management-210, management-211
  it("goes to webhooks of its environment and of the whole workspace only", async () => {
    const { id } = bench.store.environments.create("us", { name: "Staging" });
    const paths = {
      all: {},
      own: { environment: bench.environment() },
      staging: { environment: id },
      disabled: { status: "disabled" },
      unverified: { verified: false },
    } as const;
    for (const [path, more] of Object.entries(paths))
      bench.webhook(`${receiver.url}/${path}`, more);
    bench.webhook(`${receiver.url}/eu`, {}, "eu");
    bench.visit();
    await bench.settled();
    const got = receiver.received.map(({ path }) => path).sort();
    expect(got).toEqual(["/hook/all", "/hook/own"]);
    expect(bench.deliveries()).toHaveLength(2);
    bench.visit({ environment_id: id });
    await bench.settled();
    const more = receiver.received.slice(2).map(({ path }) => path);
    expect(more.sort()).toEqual(["/hook/all", "/hook/staging"]);
  });

  it("reads the webhooks once, not again for each of its deliveries", async () => {
    const receiving = vi.spyOn(bench.store.webhooks, "receiving");
    for (let n = 0; n < 20; n++) bench.webhook(receiver.url);
    bench.visit();
    expect(await bench.settled()).toHaveLength(20);
    expect(receiving).toHaveBeenCalledOnce();
  });

  it("does not contain inactive signals", async () => {
    bench.webhook(receiver.url);
    bench.store.settings.set("us", "", { signals: ["bot"] });
    bench.visit({ bot: "bad", vpn: true, suspect_score: 3 });
    const [got] = await receiver.get(1);
    const body = JSON.parse(String(got?.body)) as object;
    expect(body).toMatchObject({ bot: "bad", suspect_score: 3 });
    expect(body).not.toHaveProperty("vpn");
  });

  it("is not sent if the transaction that stores it fails", async () => {
    bench.webhook(receiver.url);
    const work = () =>
      bench.store.transaction(() => {
        bench.visit();
        throw new Error("full");
      });
    expect(work).toThrow("full");
    expect(bench.deliveries()).toEqual([]);
    bench.visit({ linked_id: "second" });
    const [got] = await receiver.get(1);
    expect(String(got?.body)).toContain("second");
  });

  // contract: webhook-6
  it("goes to each webhook separately, so that a webhook that hangs delays no other", async () => {
    const slow = await slowReceiver();
    bench.webhook(slow.url);
    bench.webhook(receiver.url);
    bench.visit();
    await receiver.get(1);
    await slow.get(1);
    const states = bench.deliveries().map(({ state }) => state);
    expect(states[0]).toBe("sending");
    slow.close();
    const [first] = await bench.settled();
    expect(first?.state).toBe("pending");
  });

  it("waits in the queue of its webhook, so that a full queue delays no other", async () => {
    const slow = await slowReceiver();
    const { id } = bench.webhook(slow.url);
    bench.webhook(receiver.url);
    for (let n = 0; n < 50; n++) bench.visit();
    await receiver.get(50);
    const toSlow = bench.deliveries().filter(({ webhook }) => webhook === id);
    const sending = toSlow.filter(({ state }) => state === "sending");
    expect(sending).toHaveLength(10);
    expect(slow.received).toHaveLength(10);
    slow.reply = { status: 200 };
    for (const response of slow.open) response.writeHead(200).end();
    await slow.get(50);
    const states = (await bench.settled()).map(({ state }) => state);
    expect(new Set(states)).toEqual(new Set(["delivered"]));
  });
});

it("a full queue accepts no more events, reports that, and delays no other queue", async () => {
  const slow = await slowReceiver();
  const { id: webhook } = bench.webhook(slow.url);
  const tags = { filler: "x".repeat(5_000_000) };
  for (let n = 0; n < 6; n++) bench.visit({ tags });
  bench.webhook(receiver.url);
  const { event_id: event } = bench.visit({ tags });
  await receiver.get(1);
  await slow.get(6);
  const toSlow = bench.deliveries().filter((row) => row.webhook === webhook);
  const reason =
    "10000 deliveries or 32 MB already wait for this webhook, which is the maximum.";
  expect(toSlow.at(-1)).toMatchObject({ event_id: event, reason });
  expect(toSlow.filter(({ state }) => state === "given_up")).toHaveLength(1);
  expectWarning(webhook, event, reason);
});

describe("an answer", () => {
  it.each([
    [200, "delivered"],
    // contract: webhook-6
    [204, "delivered"],
    [299, "delivered"],
    // contract: webhook-7
    [302, "pending"],
    [404, "pending"],
    [500, "pending"],
  ])("of %i leaves a delivery %s", async (status, state) => {
    const elsewhere = await WebhookReceiver.forTest();
    receiver.reply = { status, headers: { location: elsewhere.url } };
    bench.webhook(receiver.url);
    bench.visit();
    await receiver.get(1);
    const [delivery] = await bench.settled();
    expect(delivery?.state).toBe(state);
    expect(delivery?.attempts[0]).toMatchObject({ status, error: null });
    expect(elsewhere.received).toEqual([]);
  });

  // contract: webhook-6
  it("is recorded up to 4 KB, with any content", async () => {
    receiver.reply = {
      status: 200,
      headers: { "x-a": "a", "x-long": "b".repeat(5_000), "x-c": "c" },
      body: Buffer.concat([Buffer.of(0, 255), Buffer.alloc(100_000, "x")]),
    };
    bench.webhook(receiver.url);
    bench.visit();
    await receiver.get(1);
    const [delivery] = await bench.settled();
    const { body, headers } = delivery?.attempts[0]?.answer ?? {};
    expect(body).toBe(`\uFFFD\uFFFD${"x".repeat(4_094)}`);
    expect(headers).toMatchObject({ "x-a": "a" });
    expect(headers).not.toHaveProperty("x-long");
  });

  // contract: webhook-6
  it("counts from its status line, and must come within 3 s", async () => {
    receiver.reply = undefined;
    bench.webhook(`${receiver.url}/1`);
    bench.webhook(`${receiver.url}/2`);
    bench.visit();
    await receiver.get(2);
    const first = receiver.received.findIndex(({ path }) => path.endsWith("1"));
    receiver.open[first]?.writeHead(200).write("begun");
    const [begun, silent] = await bench.settled();
    expect(begun?.state).toBe("delivered");
    expect(begun?.attempts[0]).toMatchObject({ answer: { body: "begun" } });
    expect(silent?.state).toBe("pending");
    const { took_ms, error, status } = silent?.attempts[0] ?? {};
    expect([error, status]).toEqual(["No answer within 3 s.", null]);
    expect(took_ms).toBeGreaterThan(2_900);
    expect(took_ms).toBeLessThan(4_500);
  });

  it("that never comes is recorded with the error", async () => {
    receiver.close();
    bench.webhook(receiver.url);
    bench.visit();
    const [delivery] = await bench.settled();
    expect(delivery?.state).toBe("pending");
    expect(delivery?.attempts[0]?.error).toContain("ECONNREFUSED");
  });
});

describe("the retry of a delivery", () => {
  // contract: webhook-6
  it("comes once, 5 minutes later by the service's clock, with the same event", async () => {
    const { event, delivery: failed } = await refusedOnce();
    const dueIn = Number(failed?.due_at) - bench.clock.nowMs();
    expect(dueIn).toBeGreaterThan(FIVE_MINUTES - 5_000);
    expect(dueIn).toBeLessThanOrEqual(FIVE_MINUTES);

    bench.advance(dueIn - 2_000);
    const [queue] = bench.store.deliveries.queues();
    expect(queue?.due_at).toBe(failed?.due_at);
    expect(queue?.due_at).toBeGreaterThan(bench.clock.nowMs());
    bench.advance(2_000);
    const [first, second] = await receiver.get(2);
    expect(second?.body).toBe(first?.body);
    expect(second?.headers).toEqual(first?.headers);

    const [given] = await bench.settled();
    const { event_id } = event;
    expect(given).toMatchObject({ event_id, state: "failed", due_at: null });
    expect(given?.attempts.map(({ attempt }) => attempt)).toEqual([1, 2]);
    bench.advance(10 * FIVE_MINUTES);
    expect(bench.store.deliveries.queues()).toEqual([]);
  });

  it("sends the event as it was at first, and can succeed", async () => {
    const { event } = await refusedOnce({ linked_id: "before" });
    const row = bench.store.events.get("us", event.event_id);
    bench.store.events.replace(row?.seq ?? 0, { ...event, linked_id: "after" });
    receiver.reply = { status: 201 };
    bench.advance(FIVE_MINUTES);
    const [, second] = await receiver.get(2);
    expect(String(second?.body)).toContain('"before"');
    const [delivery] = await bench.settled();
    expect(delivery?.state).toBe("delivered");
    expect(delivery?.attempts.map(({ status }) => status)).toEqual([500, 201]);
  });

  const change = (id: string, to: Parameters<Webhooks["update"]>[1]) =>
    bench.store.webhooks.update({ workspace: "us", id }, to);

  // contract: webhook-7
  it("goes to the current url of the webhook", async () => {
    const { id } = await refusedOnce();
    const url = `${receiver.url}/moved`;
    change(id, { url });
    bench.store.webhooks.verify(id, url);
    bench.advance(FIVE_MINUTES);
    const [, second] = await receiver.get(2);
    expect(second?.path).toBe("/hook/moved");
  });

  it.each<[string, (id: string) => unknown]>([
    ["disabled", (id) => change(id, { status: "disabled" })],
    ["no longer verified", (id) => change(id, { url: "https://a.example/" })],
    [
      "in another environment",
      (id) => {
        const other = bench.store.environments.create("us", { name: "Other" });
        change(id, { environment: other.id });
      },
    ],
    // contract: webhook-7
    ["gone", (id) => bench.store.webhooks.remove({ workspace: "us", id })],
  ])("is dropped if the webhook is %s", async (_, happen) => {
    const { id } = await refusedOnce();
    happen(id);
    bench.advance(FIVE_MINUTES);
    const [delivery] = await bench.settled();
    expect(delivery?.state).toBe("dropped");
    expect(delivery?.attempts).toHaveLength(1);
    expect(receiver.received).toHaveLength(1);
  });

  it("is sent until the end of its week, and then given up", async () => {
    await bench.courier.close();
    const { id: webhook } = bench.webhook(receiver.url);
    bench.visit();
    const [delivery] = bench.deliveries();
    const end = (delivery?.made_at ?? 0) + 7 * 86_400_000;
    const begin = (at: number) => beginAttempts(bench.store, webhook, at, 1);
    expect(begin(end)).toMatchObject({ attempts: [{ attempt: 1 }] });
    bench.visit();
    expect(begin(end + 60_000)).toMatchObject({ attempts: [], givenUp: [{}] });
  });

  it("is given up after a week, and this is reported", async () => {
    const { id: webhook, event } = await refusedOnce();
    bench.advance(8 * 86_400_000);
    const [delivery] = await bench.settled();
    const reason = "It was not sent within 7 days.";
    expect(delivery).toMatchObject({ state: "given_up", due_at: null, reason });
    const ended = Number(delivery?.ended_at);
    expect(ended).toBeGreaterThanOrEqual(bench.clock.nowMs() - 9e4);
    expect(receiver.received).toHaveLength(1);
    expectWarning(webhook, event.event_id, reason);
  });

  it.each<[what: string, ahead: (ms: number) => void, back: () => void]>([
    ["clock", (ms) => bench.advance(ms), () => bench.clock.reset()],
    [
      "machine's clock",
      (ms) => vi.setSystemTime(Date.now() + ms),
      () => vi.useRealTimers(),
    ],
  ])("does not wait longer if the %s is moved back", async (_, ahead, back) => {
    ahead(365 * 86_400_000);
    await refusedOnce();
    back();
    bench.clock.nowMs();
    const [delivery] = await bench.settled();
    const dueIn = Number(delivery?.due_at) - bench.clock.nowMs();
    expect(dueIn).toBeGreaterThan(0);
    expect(dueIn).toBeLessThanOrEqual(FIVE_MINUTES);
    bench.advance(dueIn);
    await receiver.get(2);
  });
});
