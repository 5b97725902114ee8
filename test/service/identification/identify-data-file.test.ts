import { join } from "node:path";
import { expect, it } from "vitest";
import { decisionsOf, identify } from "./identify-calls.js";
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
  await after.reset();
  expect(await decisionsOf(after)).toEqual([]);
  expect((await identify(after)).body).not.toMatchObject(known);
  await after.service.close();
});
