import { execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import type { Readable } from "node:stream";
import { promisify } from "node:util";
import { ConstructRequest } from "@pulumi/pulumi/proto/provider_pb";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sharedForTests } from "../../helpers/local-for-tests";
import { answer } from "../../helpers/protocol-provider";
import { PluginHost } from "../../helpers/plugin-host";

const run = promisify(execFile);
const PROVIDER = resolve(__dirname, "../../../provider");
const LAUNCHER = resolve(PROVIDER, "bin/pulumi-resource-devid");

describe("the package installed alone", () => {
  const workspace = sharedForTests();
  const program = mkdtempSync(join(tmpdir(), "devid-bundles-"));
  const folder = join(program, "node_modules/@devid/pulumi");
  afterAll(() => rmSync(program, { recursive: true }));

  beforeAll(() => {
    for (const part of ["bin", "package.json"])
      cpSync(join(PROVIDER, part), join(folder, part), { recursive: true });
    const bundle = [join(PROVIDER, "bundle.mjs"), join(folder, "dist/bundle")];
    execFileSync(process.execPath, bundle);
  });

  it("runs the plugin with every operation", async () => {
    const { managementKey } = workspace.service.workspaces.us;
    const plugin = await PluginHost.start(
      { endpoint: workspace.url, managementKey },
      [join(folder, "bin/plugin.js")],
    );
    try {
      const rule = { name: "all", expression: "true", action: "deny" };
      const { inputs, failures } = await plugin.check("FilteringRuleSet", {
        rules: [rule],
      });
      expect(failures).toEqual([]);
      const rulesFile = join(folder, "rules.yaml");
      writeFileSync(rulesFile, JSON.stringify({ rules: [rule] }));
      const ofFile = await plugin.check("FilteringRuleSet", { rulesFile });
      expect(ofFile).toEqual({ inputs, failures: [] });
      const other = new ConstructRequest().setType("devid:index:Other");
      const constructed = answer((done) =>
        plugin.client.construct(other, done),
      );
      await expect(constructed).rejects.toThrow("devid has no component");
      await plugin.create("FilteringRuleSet", inputs);
      expect(await workspace.list("filtering-rules")).toMatchObject([rule]);
      const args = { default: true };
      const { result } = await plugin.invoke("getEnvironment", args);
      expect(result.id).toBe(workspace.service.workspaces.us.environment);
      expect(plugin.stderr).toBe("");
    } finally {
      await plugin.stop();
    }
  });

  /** Runs the code as Pulumi's dynamic provider host does, in the folder of a program, and returns what it prints. */
  const hosted = async (code: string) => {
    const script = `const { ApiKey } = require("@devid/pulumi/provider"); ${code}`;
    const { stdout } = await run(process.execPath, ["-e", script], {
      cwd: program,
      env: {
        ...process.env,
        DEVID_ENDPOINT: workspace.url,
        DEVID_MANAGEMENT_KEY: workspace.service.workspaces.us.managementKey,
      },
    });
    return stdout;
  };

  it("runs the dynamic provider host with every operation, beside Pulumi", async () => {
    const installed = resolve(PROVIDER, "../node_modules");
    for (const scope of ["@grpc", "@pulumi"])
      symlinkSync(join(installed, scope), join(program, "node_modules", scope));
    const said = await hosted(`
      const news = { name: "shop", type: "secret" };
      ApiKey.check({}, news)
        .then(({ inputs }) => ApiKey.create(inputs))
        .then(({ id, outs }) => ApiKey.read(id, outs))
        .then(({ props }) => console.log(props.name));`);
    expect(said).toBe("shop\n");
  });

  it("reports how to build the bundle when it is missing", async () => {
    rmSync(join(folder, "dist/bundle"), { recursive: true });
    await expect(hosted("")).rejects.toThrow(
      "@devid/pulumi is not built: run npm run build",
    );
  });
});

describe("the launcher pulumi-resource-devid", () => {
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

  it("reports which Node.js it needs", async () => {
    const { engines } = JSON.parse(
      readFileSync(join(PROVIDER, "package.json"), "utf8"),
    ) as { engines: { node: string } };
    const needed = engines.node.replace(">=", "");
    const program = (version: string) =>
      `Object.defineProperty(process.versions, "node", { value: "${version}" });
      Object.defineProperty(process, "version", { value: "v${version}" });
      require(${JSON.stringify(join(PROVIDER, "bin/plugin.js"))});`;
    await expect(
      run(process.execPath, ["-e", program("18.20.4")]),
    ).rejects.toMatchObject({
      code: 1,
      stderr: `The provider plugin devid needs Node.js ${needed} or later; this is v18.20.4.\n`,
    });
    const running = run(process.execPath, ["-e", program(`${needed}.0`)]);
    running.child.stdin?.end();
    expect((await running).stdout).toMatch(/^\d+\n$/);
  });

  it("is an executable file", () => {
    expect(statSync(LAUNCHER).mode & 0o111).toBe(0o111);
  });

  it("prints its port, and exits when standard input is closed", async () => {
    const { plugin, ended, port } = await started("pipe");
    expect(port).toMatch(/^\d+\n$/);
    plugin.stdin?.end();
    expect((await ended)[0]).toBe(0);
  });

  it("starts from its folder, the way a language host starts a plugin", async () => {
    const folder = JSON.stringify(dirname(LAUNCHER));
    const script = ["-e", `require(${folder})`];
    const { plugin, port } = await started("pipe", process.execPath, ...script);
    expect(port).toMatch(/^\d+\n$/);
    plugin.kill();
  });

  it("exits on a signal when it has no standard input", async () => {
    const { plugin, ended } = await started("ignore");
    plugin.kill("SIGTERM");
    expect((await ended)[0]).toBe(0);
  });
});
