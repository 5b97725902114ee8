import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { decisionsOf, identify } from "./identify-calls.js";
import { startLocal } from "../local-service.js";

const folder = mkdtempSync(join(tmpdir(), "devid-identify-"));
afterAll(() => rmSync(folder, { recursive: true }));

it("keeps visitors and decisions in the data file, until a reset", async () => {
  const data = join(folder, "workspace.db");
  const before = await startLocal({ data });
  const first = (await identify(before)).body;
  const decisions = await decisionsOf(before);
  await before.service.close();

  const after = await startLocal({ data });
  expect(await decisionsOf(after)).toEqual(decisions);
  const { visitor_id, storage_id } = first as Record<string, string>;
  const known = { visitor_id, storage_id };
  expect((await identify(after)).body).toMatchObject(known);
  await after.control("POST", "/reset");
  expect(await decisionsOf(after)).toEqual([]);
  expect((await identify(after)).body).not.toMatchObject(known);
  await after.service.close();
});
