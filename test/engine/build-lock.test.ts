import { spawnSync } from "node:child_process";
import { mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { withBuildLock } from "../../tools/engine/src/build-lock.js";

describe("the build lock", () => {
  let folder: string;
  let file: string;
  let lines: string[];

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "devid-lock-"));
    file = path.join(folder, "deeper", "lock");
    lines = [];
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  const lock = <Result>(
    work: () => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result> => {
    const report = (line: string): number => lines.push(line);
    return withBuildLock(file, { report, pollMs: 5, signal }, work);
  };

  const writeLock = async (holder: object): Promise<void> => {
    await lock(() => Promise.resolve());
    await writeFile(file, JSON.stringify({ token: "other", ...holder }));
  };

  it("lets one in at a time, and is gone afterwards", async () => {
    let inside = 0;
    const work = async (): Promise<void> => {
      inside += 1;
      expect(inside).toBe(1);
      await new Promise(setImmediate);
      inside -= 1;
    };
    await Promise.all(Array.from({ length: 8 }, () => lock(work)));
    expect(await readdir(path.dirname(file))).toEqual([]);
    expect(lines[0]).toContain(`waiting for process ${process.pid}`);
  });

  it("is given back by work that fails", async () => {
    const failing = lock(() => Promise.reject(new Error("no tea")));
    await expect(failing).rejects.toThrow("no tea");
    expect(await lock(() => Promise.resolve("done"))).toBe("done");
  });

  it("of a process that has died is taken over by exactly one", async () => {
    const { pid } = spawnSync(process.execPath, ["-e", ""]);
    await writeLock({ pid, host: hostname() });
    let inside = 0;
    const work = async (): Promise<void> => {
      inside += 1;
      expect(inside).toBe(1);
      await new Promise(setImmediate);
      inside -= 1;
    };
    await Promise.all(Array.from({ length: 8 }, () => lock(work)));
    expect(await readdir(path.dirname(file))).toEqual([]);
  });

  it("of another machine holds while it is touched, and not for ever", async () => {
    await writeLock({ pid: 1, host: "elsewhere.invalid" });
    const impatient = lock(() => Promise.resolve(), AbortSignal.timeout(50));
    await expect(impatient).rejects.toThrow("aborted");
    expect(lines[0]).toContain("waiting for process 1");

    const longAgo = new Date(Date.now() - 61_000);
    await utimes(file, longAgo, longAgo);
    expect(await lock(() => Promise.resolve("mine"))).toBe("mine");
  });
});
