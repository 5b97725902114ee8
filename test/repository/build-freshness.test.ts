import {
  lutimesSync,
  mkdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeEach, describe, expect, it } from "vitest";
import { folderForEachTest } from "../helpers/test-folder";

const MODULE = resolve(__dirname, "../../tools/build-freshness.mjs");

const BEFORE = new Date("2026-01-01T11:00:00Z");
const BEGUN = new Date("2026-01-01T12:00:00Z");
const DURING = new Date("2026-01-01T12:00:15Z");
const ENDED = new Date("2026-01-01T12:00:30Z");

/** A build that began at `BEGUN` and ended at `ENDED`. All that it read is older. */
describe("a build is fresh", () => {
  let folder: string;
  const at = (path: string) => join(folder, path);
  const date = (path: string, time: Date) => utimesSync(at(path), time, time);

  async function isFresh(): Promise<boolean> {
    const { isFresh } = (await import(pathToFileURL(MODULE).href)) as {
      isFresh: (
        stamp: string,
        inputs: { sources: string[]; files: string[] },
      ) => boolean;
    };
    const inputs = { sources: [at("src")], files: [at("tools")] };
    return isFresh(at("built"), inputs);
  }

  folderForEachTest((path) => (folder = path));
  beforeEach(() => {
    mkdirSync(at("src/deep"), { recursive: true });
    mkdirSync(at("tools/engine/dist"), { recursive: true });
    writeFileSync(at("built"), `${BEGUN.toISOString()}\n`);
    date("built", ENDED);
    const files = ["src/deep/a.ts", "tools/pack.mjs"];
    for (const path of files) writeFileSync(at(path), "");
    const folders = ["src/deep", "src", "tools/engine/dist", "tools/engine"];
    for (const path of [...files, ...folders, "tools"]) date(path, BEFORE);
  });

  it("until something changes", async () => {
    expect(await isFresh()).toBe(true);
  });

  it("beside the link to nowhere by which an editor locks a tool", async () => {
    symlinkSync("ana@machine.4711", at("tools/.#pack.mjs"));
    lutimesSync(at("tools/.#pack.mjs"), BEFORE, BEFORE);
    date("tools", BEFORE);
    expect(await isFresh()).toBe(true);
  });

  it.each([
    ["a source", "src/deep/a.ts"],
    ["a source folder, which a file has left", "src/deep"],
    ["a tool", "tools/pack.mjs"],
  ])("unless %s changed while it ran", async (_, path) => {
    date(path, DURING);
    expect(await isFresh()).toBe(false);
  });

  it("although it wrote its own outputs and what the compiler remembers", async () => {
    for (const path of [
      "tools/engine/tsconfig.tsbuildinfo",
      "tools/engine/dist/a.js",
    ]) {
      writeFileSync(at(path), "");
      date(path, DURING);
    }
    date("tools/engine", DURING);
    expect(await isFresh()).toBe(true);
  });

  it("only if there was a build", async () => {
    rmSync(at("built"));
    expect(await isFresh()).toBe(false);
  });
});
