import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { EngineBuilder } from "../../../tools/engine/src/build/build-engine.js";
import { engineHash } from "../../../tools/engine/src/build/engine-hash.js";
import { EngineMissingError } from "../../../tools/engine/src/errors.js";
import {
  findEngine,
  type FindEngineOptions,
} from "../../../tools/engine/src/find/find-engine.js";
import { folderForEachTest } from "../../helpers/test-folder";

const FILES = [
  "pulumi",
  "pulumi-language-nodejs",
  "pulumi-resource-pulumi-nodejs",
];

/** The files in a folder of the cache, except the lock file, which remains. */
const entriesOf = async (folder: string) =>
  (await readdir(folder)).filter((name) => name !== "build-lock.sqlite");

describe("finding an engine", () => {
  let root: string;
  let env: NodeJS.ProcessEnv;
  let asked: string[];

  folderForEachTest((folder) => {
    root = folder;
    env = {
      PATH: path.join(root, "bin"),
      XDG_CACHE_HOME: path.join(root, "cache"),
    };
    asked = [];
  });

  async function install(bin: string, version = "3.246.0"): Promise<string> {
    await mkdir(bin, { recursive: true });
    for (const name of FILES) {
      const file = path.join(bin, name);
      await writeFile(file, `#!/bin/sh\necho v${version}\n`);
      await chmod(file, 0o755);
    }
    return path.join(bin, "pulumi");
  }

  const working =
    (name: string): EngineBuilder =>
    async (folder) => {
      asked.push(name);
      await install(path.join(folder, "bin"));
    };

  const failing =
    (name: string, reason: string): EngineBuilder =>
    () => {
      asked.push(name);
      return Promise.reject(new Error(reason));
    };

  const find = (
    options: FindEngineOptions = {},
  ): ReturnType<typeof findEngine> =>
    findEngine({
      env,
      report: () => undefined,
      download: failing("download", "no network"),
      build: failing("build", "no `go` on PATH"),
      ...options,
    });

  it("uses DEVID_PULUMI first", async () => {
    env.DEVID_PULUMI = await install(path.join(root, "mine"));
    await install(path.join(root, "bin"));
    expect(await find()).toEqual({
      path: env.DEVID_PULUMI,
      version: "3.246.0",
      source: "DEVID_PULUMI",
    });
  });

  it("fails when DEVID_PULUMI does not work, and tries no other engine", async () => {
    env.DEVID_PULUMI = path.join(root, "nothing");
    await install(path.join(root, "bin"));
    await expect(find()).rejects.toSay("engine/variable-names-no-engine");
  });

  it("uses the engine on PATH, and no folder of its name", async () => {
    const pulumi = await install(path.join(root, "bin"), "3.300.0");
    await mkdir(path.join(root, "opt/pulumi"), { recursive: true });
    env.PATH = [path.join(root, "opt"), env.PATH].join(path.delimiter);
    expect(await find()).toEqual({
      path: pulumi,
      version: "3.300.0",
      source: "PATH",
    });
  });

  it.each([
    ["is too old", "3.100.0", () => undefined, "older than 3.200.0"],
    [
      "has no language host",
      "3.246.0",
      (bin: string) => rm(path.join(bin, "pulumi-language-nodejs")),
      "has no pulumi-language-nodejs beside it",
    ],
  ])("skips an engine on PATH that %s", async (_, version, change, reason) => {
    const bin = path.join(root, "bin");
    await install(bin, version);
    await change(bin);
    await expect(find()).rejects.toThrow(reason);
  });

  it("downloads an engine before it builds one, and keeps it in the cache", async () => {
    const options = { download: working("download"), build: working("build") };
    const first = await find(options);
    expect(first.source).toBe("download");
    expect(await find(options)).toEqual({ ...first, source: "cache" });
    expect(asked).toEqual(["download"]);
  });

  it("builds when it cannot download, into a folder named by the hash of the sources", async () => {
    const first = await find({ build: working("build") });
    const folder = path.join(root, "cache/devid/engine");
    expect(first).toEqual({
      path: path.join(folder, `3.246.0-${await engineHash()}`, "bin/pulumi"),
      version: "3.246.0",
      source: "build",
    });
    expect((await find()).source).toBe("cache");
    expect(asked).toEqual(["download", "build"]);
  });

  it("builds once for two processes that ask at the same time", async () => {
    const both = [1, 2].map(() => find({ build: working("build") }));
    const sources = (await Promise.all(both)).map(({ source }) => source);
    expect(sources.sort()).toEqual(["build", "cache"]);
    expect(asked).toEqual(["download", "build"]);
  });

  it("says why no engine was found, and names three ways out", async () => {
    const error: unknown = await find().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(EngineMissingError);
    expect((error as Error).message.split("\n")).toEqual([
      expect.stringContaining("Looking for a Pulumi engine failed"),
      "  PATH: no `pulumi` there",
      "  download: no network",
      "  build: no `go` on PATH",
      "Three ways out:",
      expect.stringContaining("1. Install the Pulumi CLI 3.200.0 or later"),
      expect.stringContaining("2. Set DEVID_PULUMI"),
      expect.stringContaining("3. Install Go"),
    ]);
    expect(await entriesOf(path.join(root, "cache/devid/engine"))).toEqual([]);
  });

  it.each(["SIGKILL", "SIGTERM"] as const)(
    "recovers from a build that %s ended",
    async (signal) => {
      const script = `
        const fs = require("node:fs");
        require(${JSON.stringify(path.resolve(__dirname, "../../../tools/engine"))}).findEngine({
          env: ${JSON.stringify(env)},
          report: () => {},
          download: () => Promise.reject(new Error("no network")),
          build: (folder, { signal }) => new Promise((_, reject) => {
            fs.mkdirSync(folder + "/bin");
            fs.writeFileSync(folder + "/bin/pulumi", "half", { mode: 0o755 });
            setInterval(() => {}, 1000);
            signal.addEventListener("abort", () => reject(new Error("interrupted")));
            console.log("half");
          }),
        });`;
      const builder = spawn(process.execPath, ["-e", script]);
      await once(builder.stdout, "data");
      builder.kill(signal);
      expect(await once(builder, "exit")).toEqual([null, signal]);

      const folder = path.join(root, "cache/devid/engine");
      const left = await entriesOf(folder);
      if (signal === "SIGTERM") expect(left).toEqual([]);
      const target = `3.246.0-${await engineHash()}`;
      expect(left).not.toContain(target);

      const found = await find({ build: working("build") });
      expect(found.source).toBe("build");
      expect(await entriesOf(folder)).toEqual([target]);
    },
  );
});
