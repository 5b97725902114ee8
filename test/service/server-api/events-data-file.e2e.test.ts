import { join } from "node:path";
import { expect, it } from "vitest";
import { addEvents, searchPage, sendEvents } from "./event-calls.js";
import { localForTest } from "../../helpers/local-for-tests.js";
import { folderForTests } from "../../helpers/test-folder";

const folder = folderForTests();

it("events in a data file are kept through a restart, with pagination keys, rulesets and settings", async () => {
  const data = join(folder, "data.db");
  const first = await localForTest({ data });
  const stored = await addEvents(first, [{}, { linked_id: "a" }, {}]);
  const page = await searchPage(sendEvents(first), "limit=2");
  const body = { id: "r", rules: [] };
  await first.controlCall("POST", "/us/rulesets", { body });
  await first.set({ lookbackDays: 30 });
  await first.service.close();
  const second = await localForTest({ data });
  const events = sendEvents(second);
  const key = page.pagination_key ?? "";
  const rest = await searchPage(events, `limit=2&pagination_key=${key}`);
  expect([...page.events, ...rest.events]).toEqual([...stored].reverse());
  const id = stored[0]?.event_id;
  expect((await events("GET", `/events/${id}?ruleset_id=r`)).status).toBe(200);
  expect((await second.controlCall("GET", "/us/settings")).body).toMatchObject({
    lookbackDays: 30,
  });
});
