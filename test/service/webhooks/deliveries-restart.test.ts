import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { beginAttempts } from "../../../service/src/webhooks/attempts";
import { CourierBench } from "./courier-bench.js";
import { WebhookReceiver } from "../../helpers/webhook-receiver.js";
import { folderForEachTest } from "../../helpers/test-folder";

const FIVE_MINUTES = 5 * 60_000;

let directory: string;
folderForEachTest((path) => (directory = path));
let receiver: WebhookReceiver;
let bench: CourierBench;
beforeEach(async () => {
  receiver = await WebhookReceiver.forTest();
  bench = open();
});
afterEach(async () => {
  await bench.close();
});

function open(): CourierBench {
  return new CourierBench(join(directory, "data.db"));
}

/** Ends a service that was not started, like a kill: nothing is recorded. */
function reopen(): CourierBench {
  bench.store.close();
  bench = open();
  return bench;
}

/** Records attempts of due deliveries, as the courier does before it sends. */
const begin = () =>
  bench.store.deliveries
    .queues()
    .flatMap(
      ({ webhook }) =>
        beginAttempts(bench.store, webhook, bench.clock.nowMs(), 100).attempts,
    ).length;

it("an event that was not sent is sent once after a restart", async () => {
  bench.webhook(receiver.url);
  const events = [bench.visit(), bench.visit(), bench.visit()];
  await new Promise(setImmediate);
  expect(bench.deliveries()[0]?.state).toBe("pending");
  reopen().start();
  const got = await receiver.get(3);
  const ids = events.map(({ event_id }) => event_id);
  expect(got.map(({ body }) => idOf(body)).sort()).toEqual(ids.sort());
  const deliveries = await bench.settled();
  for (const { state, attempts } of deliveries)
    expect([state, attempts.length]).toEqual(["delivered", 1]);
});

/** Stops the service after an event was refused, and opens its data again. */
async function reopenAfterRefusal(): Promise<void> {
  receiver.reply = { status: 500 };
  bench.webhook(receiver.url);
  bench.start().visit();
  await receiver.get(1);
  await bench.settled();
  await bench.close();
  bench = open();
}

it("a retry that became due during the stop, or is due later, is sent", async () => {
  await reopenAfterRefusal();
  bench.start();
  expect((await bench.settled())[0]?.state).toBe("pending");
  bench.advance(FIVE_MINUTES);
  await receiver.get(2);
  const [delivery] = await bench.settled();
  expect(delivery?.state).toBe("failed");
  expect(delivery?.attempts.map(({ attempt }) => attempt)).toEqual([1, 2]);
});

it("an interrupted attempt is followed by a retry 5 minutes after its start", async () => {
  bench.webhook(receiver.url);
  bench.visit();
  expect(begin()).toBe(1);
  const began = Date.parse(bench.deliveries()[0]?.attempts[0]?.at ?? "");
  reopen().start();
  const [cut] = await bench.settled();
  expect(cut).toMatchObject({
    state: "pending",
    due_at: began + FIVE_MINUTES,
    attempts: [
      { status: null, error: "The service ended before it got the answer." },
    ],
  });
  bench.advance(FIVE_MINUTES);
  await receiver.get(1);
  const [delivery] = await bench.settled();
  expect(delivery?.state).toBe("delivered");
  expect(delivery?.attempts.map(({ attempt }) => attempt)).toEqual([1, 2]);
});

it("an interrupted retry is sent again", async () => {
  await reopenAfterRefusal();
  bench.advance(FIVE_MINUTES);
  expect(begin()).toBe(1);
  reopen().start();
  bench.advance(FIVE_MINUTES);
  await receiver.get(2);
  const [delivery] = await bench.settled();
  const statuses = delivery?.attempts.map(({ status }) => status);
  expect(statuses).toEqual([500, null, 500]);
  expect(delivery?.state).toBe("failed");
});

it("an interrupted verification has failed, and a waiting verification is sent", async () => {
  const cut = bench.webhook(`${receiver.url}/cut`, { verified: false });
  bench.verify(cut);
  expect(begin()).toBe(1);
  const late = bench.webhook(`${receiver.url}/late`, { verified: false });
  bench.verify(late);
  reopen().start();
  await receiver.get(1);
  const states = (await bench.settled()).map(({ state }) => state);
  expect(states).toEqual(["failed", "delivered"]);
  const isVerified = (id: string) =>
    bench.store.webhooks.get({ workspace: "us", id })?.verified;
  expect([isVerified(cut.id), isVerified(late.id)]).toEqual([false, true]);
  expect(receiver.received.map(({ path }) => path)).toEqual(["/hook/late"]);
});

it("nothing is started after the stop, and running attempts are recorded", async () => {
  receiver.reply = undefined;
  bench.webhook(receiver.url);
  bench.start().visit();
  await receiver.get(1);
  const closed = bench.close();
  receiver.open[0]?.writeHead(200).end();
  await closed;
  bench = open();
  expect(bench.deliveries()[0]).toMatchObject({
    state: "delivered",
    attempts: [{ status: 200 }],
  });
});

it.each(["there is space again", "the service stops"])(
  "an attempt that ended on a full disk is recorded when %s, and sent once",
  async (when) => {
    bench.webhook(receiver.url);
    receiver.reply = undefined;
    bench.start().visit();
    await receiver.get(1);
    const { store } = bench;
    const transaction = store.transaction.bind(store);
    store.transaction = () => {
      throw new Error("database or disk is full");
    };
    receiver.open[0]?.writeHead(200).end();
    await expect.poll(() => bench.warnings.join()).toContain("is full");
    expect(bench.deliveries()[0]?.state).toBe("sending");
    store.transaction = transaction;
    if (when === "there is space again") await bench.settled();
    await bench.close();
    bench = open();
    const [delivery] = bench.deliveries();
    expect(delivery).toMatchObject({ state: "delivered", attempts: [{}] });
    bench.start().advance(FIVE_MINUTES);
    await bench.settled();
    expect(receiver.received).toHaveLength(1);
  },
);

function idOf(body: string): unknown {
  return (JSON.parse(body) as { event_id: unknown }).event_id;
}
