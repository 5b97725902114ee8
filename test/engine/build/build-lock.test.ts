import { mkdir, mkdtemp, readdir, rm, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { withBuildLock } from "../../../tools/engine/src/build/build-lock.js";

describe("the build lock", () => {
  let folder: string;
  let place: string;
  let lines: string[];

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "devid-lock-"));
    place = path.join(folder, "deeper", "build.lock");
    lines = [];
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  const lock = <Result>(
    work: () => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result> => {
    const report = (line: string): number => lines.push(line);
    return withBuildLock(place, { report, pollMs: 5, signal }, work);
  };

  /** Leaves the lock of a process behind that gave its last sign of life some time ago. */
  const leaveLock = async (agoMs: number): Promise<void> => {
    await mkdir(place, { recursive: true });
    const at = new Date(Date.now() - agoMs);
    await utimes(place, at, at);
  };

  /** Does work eight times at once and counts that no two of them overlap. */
  const allAtOnce = async (): Promise<void> => {
    let inside = 0;
    const work = async (): Promise<void> => {
      inside += 1;
      expect(inside).toBe(1);
      await new Promise(setImmediate);
      inside -= 1;
    };
    await Promise.all(Array.from({ length: 8 }, () => lock(work)));
    expect(await readdir(path.dirname(place))).toEqual([]);
  };

  it("lets one in at a time, and is gone afterwards", async () => {
    await allAtOnce();
    expect(lines[0]).toContain("waiting for another process");
  });

  it("is given back by work that fails", async () => {
    const failing = lock(() => Promise.reject(new Error("no tea")));
    await expect(failing).rejects.toThrow("no tea");
    expect(await lock(() => Promise.resolve("done"))).toBe("done");
  });

  it("of a process that has died is taken over by exactly one", async () => {
    await leaveLock(21_000);
    await allAtOnce();
  });

  it("holds while its process gives signs of life", async () => {
    await leaveLock(0);
    const impatient = lock(() => Promise.resolve(), AbortSignal.timeout(50));
    await expect(impatient).rejects.toThrow("aborted");
    expect(lines[0]).toContain("waiting for another process");
  });
});
