import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Clock } from "../../../service/src/clock";
import { DEVELOPMENT_KEYS } from "../../../service/src/keys";
import { openStore, type Store } from "../../../service/src/store/store";
import { folderForEachTest } from "../../helpers/test-folder";
import { SLICE, VisitorEraser } from "../../../service/src/visitor-eraser";

let folder: string;
folderForEachTest((path) => (folder = path));

let clock: Clock;
let store: Store;
beforeEach(() => {
  clock = new Clock();
  store = openStore(":memory:", clock, DEVELOPMENT_KEYS);
});
afterEach(() => store.close());

function addEvents(visitorId: string, count: number): void {
  const timestamp = clock.nowMs();
  const events = Array.from({ length: count }, (_, n) => ({
    ...{ event_id: `${visitorId}-${n}`, timestamp },
    identification: { visitor_id: visitorId, visitor_found: true },
  }));
  store.events.insert("us", events);
}

/** Adds events of a visitor, and asks for its deletion. */
function condemn(visitorId: string, count: number): void {
  addEvents(visitorId, count);
  const nowMs = clock.nowMs();
  store.visitors.askDeletion("us", visitorId, nowMs, nowMs);
}

/** How many events are stored. */
const left = () => {
  const all = { startMs: 0, endMs: Infinity, limit: 10_000, reverse: false };
  const lastSeq = store.events.lastSeq();
  const walk = { ...all, workspace: "us", conditions: [], lastSeq } as const;
  return [...store.events.walk(walk)].flat().length;
};

it("deletes the events of a busy visitor in slices, between which the event loop turns", async () => {
  condemn("busy", 3 * SLICE);
  condemn("quiet", 2);
  const eraser = new VisitorEraser(store, clock);
  let before = left();
  eraser.eraseDue();
  for (let turns = 0; before > 0; turns++) {
    const now = left();
    expect(before - now).toBeLessThanOrEqual(SLICE);
    // A request between two slices waits for no further slice.
    eraser.eraseDue();
    expect(left()).toBe(now);
    expect(turns).toBeLessThan(6);
    before = now;
    await setImmediate();
  }
  expect(store.visitors.firstDeletionDue(clock.nowMs())).toBeUndefined();
});

it("deletes many visitors that are due in one slice", () => {
  for (let n = 0; n < 30; n++) condemn(`v${n}`, 3);
  new VisitorEraser(store, clock).eraseDue();
  expect(left()).toBe(0);
});

it("leaves nothing of a visitor in the data file and its log", () => {
  const file = join(folder, "devid.db");
  store.close();
  store = openStore(file, clock, DEVELOPMENT_KEYS);
  addEvents("kept-visitor", 50);
  condemn("gone-visitor", 50);
  const files = () =>
    readdirSync(folder).map((name) => readFileSync(join(folder, name)));
  const isIn = (text: string) => files().some((file) => file.includes(text));
  expect(["kept-visitor", "gone-visitor"].map(isIn)).toEqual([true, true]);
  new VisitorEraser(store, clock).eraseDue();
  expect(["kept-visitor", "gone-visitor"].map(isIn)).toEqual([true, false]);
});

it("leaves the rest to the next start when it is stopped", async () => {
  condemn("busy", 2 * SLICE);
  const eraser = new VisitorEraser(store, clock);
  eraser.eraseDue();
  eraser.stop();
  await setImmediate();
  expect(left()).toBe(SLICE);
  new VisitorEraser(store, clock).eraseDue();
  await setImmediate();
  expect(left()).toBe(0);
  expect(store.visitors.firstDeletionDue(clock.nowMs())).toBeUndefined();
});

it("leaves a slice that cannot be stored to the next request", async () => {
  condemn("busy", 2 * SLICE);
  let slices = 0;
  const eraser = new VisitorEraser(
    {
      ...store,
      transaction: (work) => {
        if (++slices === 2) throw new Error("The disk is full.");
        return store.transaction(work);
      },
    },
    clock,
  );
  eraser.eraseDue();
  await setImmediate();
  expect([slices, left()]).toEqual([2, SLICE]);
  eraser.eraseDue();
  expect(left()).toBe(0);
  eraser.stop();
});
