import { join } from "node:path";
import type { Event } from "@devid/sdk";
import { afterEach, describe, expect, it, vi } from "vitest";
import { addEvents, idsOf, searchPage, sendEvents } from "./event-calls.js";
import { LocalWorkspace } from "../../helpers/local-workspace.js";
import { ServiceProcess } from "../service-process.js";
import { folderForEachTest } from "../../helpers/test-folder";

let folder: string;
folderForEachTest((path) => (folder = path));
const started: LocalWorkspace[] = [];
const children: ServiceProcess[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map(({ service }) => service.close()));
  await Promise.all(children.splice(0).map((child) => child.kill()));
});

const start = async (data: string) => {
  const local = await LocalWorkspace.start({ data });
  started.push(local);
  return local;
};

describe("events in a data file", () => {
  it("are kept through a restart, with pagination keys, rulesets and settings", async () => {
    const data = join(folder, "data.db");
    const first = await start(data);
    const stored = await addEvents(first, [{}, { linked_id: "a" }, {}]);
    const page = await searchPage(sendEvents(first), "limit=2");
    const body = { id: "r", rules: [] };
    await first.controlCall("POST", "/us/rulesets", { body });
    await first.controlCall("POST", "/us/settings", {
      body: { lookbackDays: 30 },
    });
    await first.service.close();
    const second = await start(data);
    const events = sendEvents(second);
    const key = page.pagination_key ?? "";
    const rest = await searchPage(events, `limit=2&pagination_key=${key}`);
    expect([...page.events, ...rest.events]).toEqual([...stored].reverse());
    const id = stored[0]?.event_id;
    expect((await events("GET", `/events/${id}?ruleset_id=r`)).status).toBe(
      200,
    );
    expect(
      (await second.controlCall("GET", "/us/settings")).body,
    ).toMatchObject({
      lookbackDays: 30,
    });
  });

  it("are kept through a kill: every answered event, and each batch entirely or not at all", async () => {
    const data = join(folder, "data.db");
    const child = await ServiceProcess.start(data);
    children.push(child);
    const answered: string[] = [];
    const write = async (batch: string) => {
      const events = Array<object>(20).fill({ linked_id: batch });
      const response = await fetch(`${child.url}/_local/us/events`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(events),
      });
      answered.push(...idsOf((await response.json()) as Event[]));
    };
    // Four writers at once, until the kill interrupts them.
    const cutOff = Promise.allSettled(
      Array.from({ length: 4 }, async (_, writer) => {
        for (let n = 0; ; n += 1) await write(`${writer}-${n}`);
      }),
    );
    await vi.waitFor(() => expect(answered.length).toBeGreaterThan(400), {
      timeout: 10_000,
    });
    await child.kill();
    await cutOff;

    const local = await start(data);
    const events = sendEvents(local);
    for (const id of answered)
      expect((await events("GET", `/events/${id}`)).status).toBe(200);
    const batches = new Map<string, number>();
    let key = "";
    do {
      const page = await searchPage(events, `limit=100${key}`);
      for (const { linked_id } of page.events)
        batches.set(linked_id ?? "", (batches.get(linked_id ?? "") ?? 0) + 1);
      key = page.pagination_key ? `&pagination_key=${page.pagination_key}` : "";
    } while (key !== "");
    expect(new Set(batches.values())).toEqual(new Set([20]));
    expect(batches.size * 20).toBeGreaterThanOrEqual(answered.length);
  });
});
