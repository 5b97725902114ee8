import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import type { PlainServer } from "../../../sdk/http/plain-server";
import {
  ALL_BORDERS,
  bordersServer,
  crowdedEvents,
} from "../../../sdk/server-api/borders-server";
import { DevidProcess, succeeded } from "../../devid-process";
import { folderForEachTest } from "../../../helpers/test-folder";

const START = 1_700_000_000_000;
const EVENTS = crowdedEvents(2_000, START);
const END = EVENTS.at(-1)?.timestamp ?? 0;

let server: PlainServer;
let folder: string;
folderForEachTest((path) => (folder = path));
afterEach(async () => {
  await server.close();
});

it.each(ALL_BORDERS)(
  "an export from a service with %j has every event once, even after an interruption",
  async (borders) => {
    // The export stops in the middle of many events with one time.
    let isBroken = true;
    server = await bordersServer(
      EVENTS,
      borders,
      (calls) => isBroken && calls > 3,
    );
    const out = join(folder, "events.ndjson");
    const iso = (time: number) => new Date(time).toISOString();
    const run = () =>
      DevidProcess.run(
        [
          "events",
          "export",
          ...["--out", out],
          ...["--since", iso(START), "--until", iso(END)],
        ],
        { DEVID_ENDPOINT: server.url, DEVID_SECRET_KEY: "a-secret-key" },
      );
    expect((await run()).code).toBe(1);
    isBroken = false;
    const { stderr } = await succeeded(run());
    expect(stderr).toContain("Continuing after");
    const ids = readFileSync(out, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => (JSON.parse(line) as { event_id: string }).event_id);
    expect(ids).toEqual(EVENTS.map(({ event_id: id }) => id));
  },
);
