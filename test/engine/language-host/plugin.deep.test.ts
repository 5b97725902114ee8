import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { findEngine } from "@devid/engine";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPulumiProject, type PulumiProject } from "./pulumi-project.js";

const PLUGIN = `
import * as pulumi from "@pulumi/pulumi";

class Echo implements pulumi.provider.Provider {
  readonly version = "1.2.3";
  async construct(
    name: string,
    type: string,
    inputs: pulumi.Inputs,
    options: pulumi.ComponentResourceOptions,
  ): Promise<pulumi.provider.ConstructResult> {
    const component = new pulumi.ComponentResource(type, name, {}, options);
    const answer = pulumi.output(inputs.word).apply((word) => "echo of " + word);
    return { urn: component.urn, state: { answer } };
  }
}

pulumi.provider.main(new Echo(), process.argv.slice(2));
`;

const PROGRAM = `
import * as pulumi from "@pulumi/pulumi";

class Echo extends pulumi.ComponentResource {
  declare readonly answer: pulumi.Output<string>;
  constructor(name: string, args: pulumi.Inputs) {
    super("echo:index:Echo", name, { answer: undefined, ...args }, {}, true);
  }
}

export const answer = new Echo("first", { word: "tea" }).answer;
`;

function projectFile(pluginFolder: string): string {
  return [
    "name: echoes",
    "runtime: nodejs",
    "plugins:",
    "  providers:",
    "    - name: echo",
    `      path: ${JSON.stringify(pluginFolder)}`,
    "",
  ].join("\n");
}

describe("a plugin in a folder", () => {
  let project: PulumiProject;
  let outside: string;

  beforeAll(async () => {
    project = await createPulumiProject(await findEngine());
    await project.write("Pulumi.yaml", projectFile("./plugin"));
    await project.write("index.ts", PROGRAM);
    await project.write("plugin/PulumiPlugin.yaml", "runtime: nodejs\n");
    const manifest = { name: "echo", version: "1.2.3", main: "index.ts" };
    await project.write("plugin/package.json", JSON.stringify(manifest));
    await project.pulumi(["stack", "init", "test"]);
    outside = await mkdtemp(path.join(tmpdir(), "devid-plugin-"));
  }, 600_000);

  afterAll(async () => {
    await project.remove();
    await rm(outside, { recursive: true, force: true });
  });

  it("runs when it is written in TypeScript", async () => {
    await project.write("plugin/index.ts", PLUGIN);
    const up = await project.pulumi(["up", "--yes", "--skip-preview"]);
    expect(up).toMatchObject({ exitCode: 0 });
    const output = await project.pulumi(["stack", "output", "answer"]);
    expect(output.stdout.trim()).toBe("echo of tea");
  });

  it("fails the deployment at once when it crashes while starting", async () => {
    await project.write("plugin/index.ts", 'throw new Error("no water");');
    const preview = await project.pulumi(["preview"], { timeoutMs: 60_000 });
    expect(preview.exitCode).toBeGreaterThan(0);
    expect(preview.stdout + preview.stderr).toContain("exit status");
  });

  it("fails the deployment at once when it cannot be started", async () => {
    await writeFile(
      path.join(outside, "PulumiPlugin.yaml"),
      "runtime: nodejs\n",
    );
    await writeFile(path.join(outside, "package.json"), '{ "name": "echo" }');
    await project.write("Pulumi.yaml", projectFile(outside));
    const preview = await project.pulumi(["preview"], { timeoutMs: 60_000 });
    expect(preview.exitCode).toBeGreaterThan(0);
    expect(preview.stdout + preview.stderr).toContain(
      "it looks like its dependencies are not installed; run `npm install` there",
    );
  });
});
