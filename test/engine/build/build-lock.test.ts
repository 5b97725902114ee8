import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { withBuildLock } from "../../../tools/engine/src/build/build-lock.js";
import { folderForEachTest } from "../../helpers/test-folder";

describe("the build lock", () => {
  let place: string;
  let lines: string[];

  folderForEachTest((folder) => {
    place = path.join(folder, "deeper", "build-lock.sqlite");
    lines = [];
  });

  const lock = <Result>(
    work: () => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result> => {
    const report = (line: string): number => lines.push(line);
    return withBuildLock(place, { report, pollMs: 5, signal }, work);
  };

  /** Starts another process that holds the lock until it is killed. */
  const otherHolder = async () => {
    await mkdir(path.dirname(place), { recursive: true });
    const script = `
      const { DatabaseSync } = require("@photostructure/sqlite");
      const file = new DatabaseSync(${JSON.stringify(place)});
      file.exec("BEGIN EXCLUSIVE");
      console.log("held");
      process.stdin.resume();`;
    const holder = spawn(process.execPath, ["-e", script], {
      cwd: __dirname,
      stdio: ["pipe", "pipe", "inherit"],
    });
    await once(holder.stdout, "data");
    return {
      kill: async () => {
        holder.kill("SIGKILL");
        await once(holder, "exit");
      },
    };
  };

  /** Does work eight times at once, and counts runs that overlap. Expects none. */
  const allAtOnce = async (): Promise<void> => {
    let inside = 0;
    const work = async (): Promise<void> => {
      inside += 1;
      expect(inside).toBe(1);
      await new Promise(setImmediate);
      inside -= 1;
    };
    await Promise.all(Array.from({ length: 8 }, () => lock(work)));
  };

  it("lets one process in at a time, and the next one afterwards", async () => {
    await allAtOnce();
    expect(lines[0]).toContain("waiting for another process");
  });

  it("is released when the work fails", async () => {
    const failing = lock(() => Promise.reject(new Error("no tea")));
    await expect(failing).rejects.toThrow("no tea");
    expect(await lock(() => Promise.resolve("done"))).toBe("done");
  });

  it("of a dead process is taken over by exactly one process", async () => {
    const holder = await otherHolder();
    const waiting = allAtOnce();
    await holder.kill();
    await waiting;
  });

  it("is held while its process lives", async () => {
    const holder = await otherHolder();
    const impatient = lock(() => Promise.resolve(), AbortSignal.timeout(50));
    await expect(impatient).rejects.toThrow("aborted");
    expect(lines[0]).toContain("waiting for another process");
    await holder.kill();
  });
});
