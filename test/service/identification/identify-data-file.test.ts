import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { expect, it } from "vitest";
import { decisionsOf, eventOf, identify } from "./identify-calls.js";
import { LocalWorkspace } from "../../helpers/local-workspace.js";
import { folderForTests } from "../../helpers/test-folder";

const folder = folderForTests();

it("the data file keeps visitors and decisions until a reset", async () => {
  const data = join(folder, "workspace.db");
  const before = await LocalWorkspace.start({ data });
  const first = (await identify(before)).body;
  const decisions = await decisionsOf(before);
  await before.service.close();

  const after = await LocalWorkspace.start({ data });
  expect(await decisionsOf(after)).toEqual(decisions);
  const { visitor_id, storage_id } = first as Record<string, string>;
  const known = { visitor_id, storage_id };
  expect((await identify(after)).body).toMatchObject(known);
  await after.controlCall("POST", "/reset");
  expect(await decisionsOf(after)).toEqual([]);
  expect((await identify(after)).body).not.toMatchObject(known);
  await after.service.close();
});

it("visitors of earlier versions get a High Recall ID, which is deleted with the last of its visitors", async () => {
  const data = join(folder, "recall.db");
  const change = (sql: string) => {
    const file = new DatabaseSync(data);
    file.exec(`PRAGMA foreign_keys = ON; ${sql}`);
    file.close();
  };
  const visit = async () => {
    const local = await LocalWorkspace.start({ data });
    const event = await eventOf(local, await identify(local));
    await local.service.close();
    return event;
  };
  const { supplementary_id_high_recall: first, timestamp } = await visit();
  change("UPDATE visitors SET high_recall = NULL; DELETE FROM high_recall_ids");
  const { supplementary_id_high_recall: second } = await visit();
  expect(second?.visitor_id).not.toBe(first?.visitor_id);
  expect(second).toMatchObject({
    visitor_found: true,
    first_seen_at: timestamp,
    last_seen_at: timestamp,
  });
  change("DELETE FROM visitors");
  const { supplementary_id_high_recall: third } = await visit();
  expect(third?.visitor_found).toBe(false);
  expect(third?.visitor_id).not.toBe(second?.visitor_id);
});
