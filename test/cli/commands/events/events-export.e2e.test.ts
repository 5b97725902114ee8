import {
  chmodSync,
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { execFile, execFileSync } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeEach, describe, expect, it } from "vitest";
import { localForTests } from "../../../helpers/local-for-tests";
import { BIN, DevidProcess, failed, succeeded } from "../../devid-process";
import { UNTHROTTLED } from "../../../helpers/unthrottled";
import { folderForEachTest } from "../../../helpers/test-folder";
import { lineWith } from "../../../helpers/sentences";

const workspace = localForTests();
let folder: string;
folderForEachTest((path) => (folder = path));
let out: string;

beforeEach(() => void (out = join(folder, "events.ndjson")));

const env = () => workspace.env;
const args = (...more: string[]) => [
  ...["events", "export", "--out", out, "--since", "1d"],
  ...more,
];
const run = (...more: string[]) => DevidProcess.run(args(...more), env());

/** Seeds events, many of them at the same times. Returns their IDs in the order of their times. */
async function seed(count: number): Promise<string[]> {
  const from = Date.now() - 3_600_000;
  const events = Array.from({ length: count }, (_, n) => ({
    event_id: `${from}.e${n}`,
    timestamp: from + Math.floor(n / 7) * 300,
    linked_id: n % 2 === 0 ? "even" : "odd",
  }));
  for (let n = 0; n < count; n += 1_000)
    await workspace.control("/us/events", events.slice(n, n + 1_000));
  return events.map(({ event_id: id }) => id);
}

/** What the service does with each search from now on. */
const fault = (then: object) =>
  workspace.fault({ match: { surface: "events" }, then });

/** The number of events in the checkpoint. */
const exportedSoFar = () =>
  existsSync(`${out}.checkpoint`)
    ? ((
        JSON.parse(readFileSync(`${out}.checkpoint`, "utf8") || "{}") as {
          events?: number;
        }
      ).events ?? 0)
    : 0;

const written = () =>
  readFileSync(out, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { event_id: string; timestamp: number });
const exported = () => written().map(({ event_id: id }) => id);

describe("devid events export", () => {
  it("reads day by day, and shorter parts of a day when the service takes too long", async () => {
    const now = Date.now();
    const events = Array.from({ length: 6 }, (_, n) => ({
      event_id: `e${n}`,
      timestamp: now - (6 - n) * 24 * 3_600_000 + 60_000,
    }));
    await workspace.control("/us/events", events);
    const body = { error: { code: "failed", message: "Too slow." } };
    const then = { status: 504, body };
    await workspace.fault({ match: { method: "GET" }, times: 2, then });
    const done = await DevidProcess.run(
      ["events", "export", "--out", out, "--since", "6d"],
      env(),
    );
    expect(done).toMatchObject({ code: 0 });
    expect(exported()).toEqual(events.map(({ event_id: id }) => id));
  });

  it("writes every event once, oldest first", async () => {
    const ids = await seed(1_234);
    const { stdout, stderr } = await succeeded(run());
    expect(stdout).toMatch(
      /^1234 events in \S+, complete from \S+Z until \S+Z\.\n$/,
    );
    expect(stderr).toMatch(/^Warning: without --visitor-id/);
    expect(exported().sort()).toEqual(ids.sort());
    const times = written().map(({ timestamp }) => timestamp);
    expect(times).toEqual([...times].sort((a, b) => a - b));
  });

  it("writes a file that only this user can read, and keeps later changes of its mode", async () => {
    await seed(10);
    const paths = [out, `${out}.checkpoint`];
    const modes = () => paths.map((path) => statSync(path).mode & 0o777);
    const umask = process.umask(0o022);
    await run();
    expect(modes()).toEqual([0o600, 0o600]);
    for (const path of paths) chmodSync(path, 0o640);
    await run();
    expect(modes()).toEqual([0o640, 0o640]);
    await run("--force");
    expect(modes()).toEqual([0o600, 0o600]);
    process.umask(umask);
  });

  it("filters by an indexed field without a warning", async () => {
    await seed(30);
    const { stdout, stderr } = await run("--linked-id", "even", "--json");
    expect(JSON.parse(stdout)).toMatchObject({ file: out, events: 15 });
    expect(stderr).toBe("");
  });

  it("continues after kills, with every event exactly once", async () => {
    const ids = await seed(3_000);
    // Each page takes a while, so that a kill interrupts the export.
    await fault({ delayMs: 300 });
    for (let kills = 0; kills < 2; kills++) {
      const before = exportedSoFar();
      const devid = DevidProcess.start(args(), env());
      while (exportedSoFar() <= before && devid.child.exitCode === null)
        await new Promise((resolve) => setTimeout(resolve, 10));
      devid.child.kill("SIGKILL");
      await devid.ended();
      expect(existsSync(`${out}.checkpoint`)).toBe(true);
      // Text after the checkpoint does not count.
      writeFileSync(out, "half a li", { flag: "a" });
    }
    await workspace.forgetFaults();
    const { stderr } = await succeeded(run());
    expect(stderr).toMatch(/Continuing after \d+ events/);
    expect(exported().sort()).toEqual(ids.sort());
  });

  it.each([[""], ["", ".checkpoint"]])(
    "begins after a kill before the first checkpoint, which leaves empty files",
    async (...files) => {
      const ids = await seed(3);
      for (const file of files) writeFileSync(`${out}${file}`, "");
      await succeeded(run());
      expect(exported()).toEqual(ids);
    },
  );

  it("stops when it is interrupted, and says how to continue", async () => {
    await seed(2_000);
    await fault({ delayMs: 200 });
    const devid = DevidProcess.start(args(), env());
    while (!existsSync(`${out}.checkpoint`))
      await new Promise((resolve) => setTimeout(resolve, 10));
    devid.child.kill("SIGINT");
    expect(await devid.ended()).toBe(130);
    expect(lineWith("SIGINT", devid.stderr)).toSay("events-export/stopped", {
      out,
      events: String(exportedSoFar()),
    });
    const forced = DevidProcess.start(args("--force"), env());
    while (!forced.stderr.includes("Warning"))
      await new Promise((resolve) => setTimeout(resolve, 10));
    forced.child.kill("SIGINT");
    expect(await forced.ended()).toBe(130);
    expect(forced.stderr).toContain("Without --force, the same command");
    await workspace.forgetFaults();
    expect((await run()).code).toBe(0);
    expect(new Set(exported()).size).toBe(2_000);
    expect(exported()).toHaveLength(2_000);
  });

  it("continues after a write that failed, with every event exactly once", async () => {
    const ids = await seed(3_000);
    // No file may be larger than about 100 KB.
    const limited = promisify(execFile)(
      "sh",
      [
        ...["-c", 'ulimit -f 200 && exec "$0" "$@"'],
        ...[process.execPath, BIN, ...args()],
      ],
      { env: { ...process.env, ...UNTHROTTLED, ...env() } },
    );
    const failed = await limited.catch(
      (error: unknown) => error as { code: number; stderr: string },
    );
    expect(failed).toMatchObject({ code: 1 });
    expect(failed.stderr).not.toContain("    at ");
    const lines = readFileSync(out, "utf8").split("\n").length - 1;
    const events = exportedSoFar();
    expect(events).toBeLessThanOrEqual(lines);
    expect(lineWith("is not complete", failed.stderr)).toSay(
      "events-export/not-complete",
      { out, events: String(events) },
    );
    expect(lineWith("cannot be written", failed.stderr)).toSay(
      "events-export/file-too-large",
      { out },
    );
    expect((await run()).code).toBe(0);
    expect(exported()).toEqual(ids);
  });

  it("continues only with the same filters", async () => {
    await seed(2_000);
    await workspace.refuseOnce({ surface: "events" });
    expect((await run("--linked-id", "even")).code).toBe(1);
    expect(await failed(run("--linked-id", "odd"))).toContain(
      "is an export of something else",
    );
    expect((await run("--linked-id", "odd", "--force")).code).toBe(0);
    expect(exported()).toHaveLength(1_000);
  });

  it("does not overwrite a file of somebody else", async () => {
    writeFileSync(out, "precious");
    expect(await failed(run())).toSay("events-export/file-of-somebody-else", {
      out,
    });
    expect(readFileSync(out, "utf8")).toBe("precious");
  });

  it("leaves a pipe or a device as it is, even by force", async () => {
    execFileSync("mkfifo", ["-m", "644", out]);
    const bothEnds = openSync(out, "r+");
    expect(await failed(run("--force"))).toContain("Name a plain file");
    closeSync(bothEnds);
    expect(statSync(out).mode & 0o777).toBe(0o644);
  });

  describe("with a complete file", () => {
    const FROM = Math.floor(Date.now() / 60_000 - 24 * 60) * 60_000;
    const at = (minutes: number) =>
      new Date(FROM + minutes * 60_000).toISOString();

    /** Creates an event for each minute in a range, without the last minute. */
    const minutely = (first: number, end: number) =>
      workspace.control(
        "/us/events",
        Array.from({ length: end - first }, (_, n) => ({
          event_id: `${FROM + (first + n) * 60_000}.e`,
          timestamp: FROM + (first + n) * 60_000,
        })),
      );
    const night = (...flags: string[]) =>
      DevidProcess.run(["events", "export", "--out", out, ...flags], env());
    const minutes = () =>
      exported().map((id) => (Number(id.split(".")[0]) - FROM) / 60_000);
    const upTo = (end: number) => Array.from({ length: end }, (_, n) => n);

    it("adds new events, without a gap and without repeating an event", async () => {
      await minutely(0, 11);
      // The file already has the events of the last minute, and one more event arrives.
      await succeeded(night("--since", at(0), "--until", at(10)));
      expect(minutes()).toEqual(upTo(11));
      await workspace.control("/us/events", [
        { event_id: `${FROM + 600_000}.late`, timestamp: FROM + 600_000 },
      ]);
      await minutely(11, 30);
      // The next range begins after the end of this one.
      const second = await succeeded(
        night("--since", at(12), "--until", at(19), "--json"),
      );
      expect(second.stderr).toContain(
        `Continuing after 11 events in ${out}, from ${at(10)}.`,
      );
      expect(JSON.parse(second.stdout)).toEqual({
        version: 1,
        file: out,
        events: 21,
        bytes: readFileSync(out).length,
        start: FROM,
        completeUntil: Date.parse(at(19)),
      });
      expect(minutes().sort((a, b) => a - b)).toEqual(
        [...upTo(20), 10].sort((a, b) => a - b),
      );
      // The start is optional, because the file records it.
      expect((await night("--until", at(29))).code).toBe(0);
      expect(new Set(exported()).size).toBe(31);
      expect(exported()).toHaveLength(31);
    });

    it("loses no event behind an end in the future, as of a clock that is ahead", async () => {
      await minutely(0, 11);
      const soon = new Date(Date.now() + 3_600_000).toISOString();
      await night("--since", at(0), "--until", soon);
      await minutely(11, 20);
      expect((await night()).code).toBe(0);
      expect(minutes()).toEqual(upTo(20));
    });

    it("does nothing for a range that the file already has", async () => {
      await minutely(0, 11);
      await night("--since", at(0), "--until", at(10));
      const before = readFileSync(out, "utf8");
      const again = await succeeded(night("--since", at(2), "--until", at(5)));
      expect(again.stdout).toContain(` until ${at(10)}`);
      expect(readFileSync(out, "utf8")).toBe(before);
    });

    it("continues after a kill during the second night", async () => {
      await minutely(0, 11);
      await night("--since", at(0), "--until", at(10));
      await minutely(11, 800);
      await workspace.refuseOnce({ surface: "events" });
      const broken = await night("--until", at(799));
      expect(broken.code).toBe(1);
      writeFileSync(out, "half a li", { flag: "a" });
      expect((await night("--until", at(799))).code).toBe(0);
      expect(minutes()).toEqual(upTo(800));
    });

    it("refuses events before its start", async () => {
      await minutely(0, 11);
      await night("--since", at(5), "--until", at(10));
      expect(
        await failed(night("--since", at(0), "--until", at(20))),
      ).toContain(`begins at ${at(5)}, and nothing can be put`);
    });

    it("keeps lines that somebody else added, and reports a missing file", async () => {
      await minutely(0, 11);
      await night("--since", at(0), "--until", at(10));
      writeFileSync(out, "{}\n", { flag: "a" });
      expect(await failed(night("--until", at(20)))).toContain(
        "has changed since it was exported",
      );
      expect(readFileSync(out, "utf8")).toMatch(/\{\}\n$/);
      rmSync(out);
      expect(await failed(night("--until", at(20)))).toContain(
        `${out} is gone`,
      );
    });
  });

  it("needs a start", async () => {
    expect(
      await failed(DevidProcess.run(["events", "export", "--out", out], env())),
    ).toContain("Give --since");
  });
});
