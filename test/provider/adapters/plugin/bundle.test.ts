import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import type { Readable } from "node:stream";
import { afterAll, describe, expect, it } from "vitest";
import { LocalWorkspace } from "../../../helpers/local-workspace";
import { openForTests } from "../../../helpers/open-for-tests";
import { PluginHost } from "../../../helpers/plugin-host";

const PROVIDER = resolve(__dirname, "../../../../provider");
const LAUNCHER = resolve(PROVIDER, "bin/pulumi-resource-devid");

describe("the bundle", () => {
  const workspace = openForTests(new LocalWorkspace());
  const folder = mkdtempSync(join(tmpdir(), "devid-plugin-"));
  afterAll(() => rmSync(folder, { recursive: true }));

  it("does everything where nothing but the package is installed", async () => {
    for (const part of ["bin", "package.json"])
      cpSync(join(PROVIDER, part), join(folder, part), { recursive: true });
    const bundle = [join(PROVIDER, "bundle.mjs"), join(folder, "dist/bundle")];
    execFileSync(process.execPath, bundle);
    const { managementKey } = workspace.service.workspaces.us;
    const plugin = await PluginHost.start(
      { endpoint: workspace.url, managementKey },
      [join(folder, "bin/pulumi-resource-devid")],
    );
    try {
      const rule = { name: "all", expression: "true", action: "deny" };
      const { inputs, failures } = await plugin.check("FilteringRuleSet", {
        rules: [rule],
      });
      expect(failures).toEqual([]);
      await plugin.create("FilteringRuleSet", inputs);
      const { result } = await plugin.invoke("getFilteringRules");
      expect(result.filteringRules).toMatchObject([rule]);
      expect(plugin.stderr).toBe("");
    } finally {
      await plugin.stop();
    }
  });
});

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
