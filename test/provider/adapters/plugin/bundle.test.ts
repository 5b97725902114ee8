import { spawn } from "node:child_process";
import { once } from "node:events";
import { statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Readable } from "node:stream";
import { describe, expect, it } from "vitest";

const PROVIDER = resolve(__dirname, "../../../../provider");
const LAUNCHER = resolve(PROVIDER, "bin/pulumi-resource-devid");

describe("pulumi-resource-devid", () => {
  const started = async (
    stdin: "pipe" | "ignore",
    command = LAUNCHER,
    ...args: string[]
  ) => {
    const plugin = spawn(command, [...args, "127.0.0.1:9"], {
      stdio: [stdin, "pipe", "inherit"],
    });
    const ended = once(plugin, "exit") as Promise<[number | null]>;
    const [text] = (await once(plugin.stdout as Readable, "data")) as [Buffer];
    return { plugin, ended, port: text.toString() };
  };

  it("can be executed", () => {
    expect(statSync(LAUNCHER).mode & 0o111).toBe(0o111);
  });

  it("prints its port, and ends when standard input is closed", async () => {
    const { plugin, ended, port } = await started("pipe");
    expect(port).toMatch(/^\d+\n$/);
    plugin.stdin?.end();
    expect((await ended)[0]).toBe(0);
  });

  it("starts from its folder, as a language host starts a plugin", async () => {
    const folder = JSON.stringify(dirname(LAUNCHER));
    const script = ["-e", `require(${folder})`];
    const { plugin, port } = await started("pipe", process.execPath, ...script);
    expect(port).toMatch(/^\d+\n$/);
    plugin.kill();
  });

  it("without standard input, ends with a signal", async () => {
    const { plugin, ended } = await started("ignore");
    plugin.kill("SIGTERM");
    expect((await ended)[0]).toBe(0);
  });
});
