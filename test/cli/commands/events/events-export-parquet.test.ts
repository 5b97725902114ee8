import { copyFileSync, mkdtempSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { Warehouse } from "@devid/warehouse";
import { beforeAll, describe, expect, it } from "vitest";
import { LocalWorkspace } from "../../../helpers/local-workspace";
import { openForTests } from "../../../helpers/open-for-tests";
import { DevidProcess } from "../../devid-process";
import { folderForTests } from "../../../helpers/test-folder";
import { columnOf } from "../../../warehouse/rows-of";

const workspace = openForTests(new LocalWorkspace());
const folder = folderForTests();
let from: number;
const COUNT = 700;

beforeAll(async () => {
  from = Date.now() - 3_600_000;
  await workspace.control(
    "/us/events",
    Array.from({ length: COUNT }, (_, n) => ({
      event_id: `e${n}`,
      // Seven events have the same time, so that an export stops between equal times.
      timestamp: from + Math.floor(n / 7) * 1_000,
      user_agent: n % 2 === 0 ? "curl/8" : "Mozilla/5.0",
    })),
  );
});
const run = (out: string, ...more: string[]) =>
  DevidProcess.run(
    ["events", "export", "--format", "parquet", "--out", out, ...more],
    {
      DEVID_ENDPOINT: workspace.url,
      DEVID_SECRET_KEY: workspace.service.workspaces.us.secretKey,
    },
  );

async function idsIn(out: string): Promise<string[]> {
  const warehouse = await Warehouse.open(`parquet:${join(out, "*.parquet")}`);
  try {
    return await columnOf(warehouse, "event_id");
  } finally {
    await warehouse.close();
  }
}

const ALL = Array.from({ length: COUNT }, (_, n) => `e${n}`).sort();

describe("devid events export --format parquet", () => {
  it("continues where it stopped, without a gap and without a repeated event", async () => {
    const out = mkdtempSync(join(folder, "resumed-"));
    const until = String(from + 50_000);
    const first = await run(out, "--since", "1d", "--until", until);
    expect(first).toMatchObject({ code: 0 });
    const found = await idsIn(out);
    expect(found.length).toBeGreaterThan(300);
    expect(found.length).toBeLessThan(400);
    expect(await run(out)).toMatchObject({ code: 0 });
    expect((await idsIn(out)).sort()).toEqual(ALL);
    // Without new events there is no new part.
    const parts = readdirSync(out);
    expect(await run(out)).toMatchObject({ code: 0 });
    expect(readdirSync(out)).toEqual(parts);
    const modes = parts.map((name) => statSync(join(out, name)).mode & 0o777);
    expect(new Set(modes)).toEqual(new Set([0o600]));
  }, 60_000);

  it("removes a part that a killed export wrote after its checkpoint", async () => {
    const out = mkdtempSync(join(folder, "killed-"));
    const until = String(from + 50_000);
    await run(out, "--since", "1d", "--until", until);
    const [part = ""] = readdirSync(out).filter((n) => n.endsWith(".parquet"));
    copyFileSync(join(out, part), join(out, "events-000002.parquet"));
    expect(await run(out)).toMatchObject({ code: 0 });
    expect((await idsIn(out)).sort()).toEqual(ALL);
  }, 60_000);

  it("keeps its parts when the service fails, and continues later", async () => {
    const out = mkdtempSync(join(folder, "failed-"));
    await workspace.fault({
      match: { path: "/us/v4/events" },
      times: 100,
      then: { status: 400, body: { error: { code: "x", message: "no" } } },
    });
    expect((await run(out, "--since", "1d")).code).not.toBe(0);
    await workspace.forgetFaults();
    expect(await run(out)).toMatchObject({ code: 0 });
    expect((await idsIn(out)).sort()).toEqual(ALL);
  }, 60_000);

  it("refuses a folder with another export of events", async () => {
    const out = mkdtempSync(join(folder, "other-"));
    await run(out, "--since", "1d");
    const other = await run(out, "--visitor-id", "v");
    expect(other.code).toBe(1);
    expect(other.stderr).toContain("is an export of something else");
  }, 60_000);
});
