import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { LocalWorkspace } from "../../helpers/local-workspace.js";
import { sender } from "../sender.js";
import { ServiceProcess } from "../service-process.js";
import { searchPage, sendEvents } from "./event-calls.js";
import { folderForEachTest } from "../../helpers/test-folder";

let folder: string;
folderForEachTest((path) => (folder = path));

// contract: events-123
it("a deletion continues after a kill, and earlier deletions still count towards the limit", async () => {
  const data = join(folder, "data.db");
  const child = await ServiceProcess.start(data);
  try {
    const call = sender(child.url, {
      authorization: "Bearer local-secret-us",
    });
    await call("POST", "/_local/us/settings", {
      body: { visitorDeletion: true },
    });
    const { body } = await call("POST", "/_local/identify/us", {
      body: {
        publicKey: "local-public-us",
        ip: "203.0.113.7",
        headers: { "User-Agent": "x" },
      },
    });
    const { visitor_id } = body as { visitor_id: string };
    for (let n = 0; n < 30; n++) {
      const answer = await call("DELETE", `/us/v4/visitors/${visitor_id}`);
      expect(answer.status).toBe(200);
    }
  } finally {
    await child.kill();
  }
  const local = await LocalWorkspace.start({ data });
  try {
    const v4 = sendEvents(local);
    const [event] = (await searchPage(v4)).events;
    const id = event?.identification?.visitor_id ?? "";
    expect((await v4("DELETE", `/visitors/${id}`)).status).toBe(429);
    await local.controlCall("POST", "/clock", { body: { advance: "5m" } });
    await vi.waitFor(async () =>
      expect((await searchPage(v4)).events).toEqual([]),
    );
    await local.controlCall("POST", "/clock", { body: { advance: "1h" } });
    expect((await v4("DELETE", `/visitors/${id}`)).status).toBe(404);
  } finally {
    await local.close();
  }
});
