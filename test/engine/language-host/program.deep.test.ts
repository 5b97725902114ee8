import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { findEngine } from "@devid/engine";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPulumiProject, type PulumiProject } from "./pulumi-project.js";

const PROGRAM = `
import * as fs from "node:fs";
import * as pulumi from "@pulumi/pulumi";

interface NoteInputs { file: string; text: string }

const noteProvider: pulumi.dynamic.ResourceProvider = {
  async create(inputs: NoteInputs) {
    require("node:fs").writeFileSync(inputs.file, inputs.text);
    return { id: "note", outs: { ...inputs } };
  },
  async read(id: string, props: NoteInputs) {
    const text = require("node:fs").readFileSync(props.file, "utf8");
    return { id, props: { ...props, text } };
  },
  async update(_id: string, _olds: NoteInputs, news: NoteInputs) {
    require("node:fs").writeFileSync(news.file, news.text);
    return { outs: { ...news } };
  },
  async delete(_id: string, props: NoteInputs) {
    require("node:fs").rmSync(props.file);
  },
};

class Note extends pulumi.dynamic.Resource {
  declare readonly text: pulumi.Output<string>;
  constructor(name: string, args: pulumi.Inputs) {
    super(noteProvider, name, { text: undefined, ...args });
  }
}

const config = new pulumi.Config();
const note = new Note("note", { file: config.require("file"), text: config.require("text") });
export const text = note.text;
export const folderExists: boolean = fs.existsSync("index.ts");
export const apart = pulumi.runtime.isDryRun() ? "dry" : "wet";
export const secret = config.requireSecret("token");
`;

const UP = ["up", "--yes", "--skip-preview"];

describe("a TypeScript program with a dynamic resource", () => {
  let project: PulumiProject;
  let file: string;

  beforeAll(async () => {
    project = await createPulumiProject(await findEngine());
    file = path.join(project.folder, "note.txt");
    await project.write(
      "Pulumi.yaml",
      "name: notes\nruntime: nodejs\nmain: programs/first\n",
    );
    await project.write("programs/first/index.ts", PROGRAM);
    await project.pulumi(["stack", "init", "test"]);
    await project.pulumi(["config", "set", "file", file]);
    await project.pulumi(["config", "set", "text", "one"]);
    await project.pulumi(["config", "set", "--secret", "token", "hush"]);
  }, 600_000);

  afterAll(() => project.remove());

  it("is previewed, created, found unchanged and updated", async () => {
    const preview = await project.pulumi(["preview"]);
    expect(preview).toMatchObject({ exitCode: 0 });
    await expect(readFile(file)).rejects.toThrow("ENOENT");

    expect(await project.pulumi(UP)).toMatchObject({
      exitCode: 0,
    });
    expect(await readFile(file, "utf8")).toBe("one");
    const outputs = await project.pulumi(["stack", "output", "--json"]);
    expect(JSON.parse(outputs.stdout)).toEqual({
      text: "one",
      folderExists: true,
      apart: "wet",
      secret: "[secret]",
    });

    await project.pulumi(["config", "set", "text", "two"]);
    expect(await project.pulumi(UP)).toMatchObject({
      exitCode: 0,
    });
    expect(await readFile(file, "utf8")).toBe("two");
  }, 120_000);

  it("shows an outside change after a refresh", async () => {
    await writeFile(file, "three");
    const refresh = await project.pulumi([
      "refresh",
      "--yes",
      "--skip-preview",
    ]);
    expect(refresh).toMatchObject({ exitCode: 0 });
    const outputs = await project.pulumi(["stack", "export"]);
    expect(outputs.stdout).toContain("three");
  }, 120_000);

  it("shows its runtime and dependencies in `pulumi about`", async () => {
    await project.write(
      "programs/first/package.json",
      '{ "name": "first", "dependencies": { "@pulumi/pulumi": "^3.0.0" } }',
    );
    const about = await project.pulumi(["about", "--json"]);
    const { runtime, dependencies } = JSON.parse(about.stdout) as {
      runtime: unknown;
      dependencies: unknown[];
    };
    expect(runtime).toMatchObject({
      language: "nodejs",
      version: process.version,
    });
    expect(dependencies).toContainEqual({
      name: "@pulumi/pulumi",
      version: expect.stringMatching(/^3\.\d+\.\d+$/) as string,
    });
  }, 120_000);

  it("is destroyed", async () => {
    const destroy = await project.pulumi([
      "destroy",
      "--yes",
      "--skip-preview",
    ]);
    expect(destroy).toMatchObject({ exitCode: 0 });
    await expect(readFile(file)).rejects.toThrow("ENOENT");
  }, 120_000);
});

describe("a program that fails", () => {
  let project: PulumiProject;

  beforeAll(async () => {
    project = await createPulumiProject(await findEngine(), {
      checksTypes: true,
    });
    await project.write("Pulumi.yaml", "name: failing\nruntime: nodejs\n");
    await project.pulumi(["stack", "init", "test"]);
  }, 600_000);

  afterAll(() => project.remove());

  async function failingRun(program: string): Promise<string> {
    await project.write("index.ts", program);
    const preview = await project.pulumi(["preview"]);
    expect(preview.exitCode).toBeGreaterThan(0);
    return preview.stdout + preview.stderr;
  }

  it("shows its own error once", async () => {
    const output = await failingRun('throw new Error("no tea left");');
    expect(output.split("Error: no tea left")).toHaveLength(2);
    expect(output).not.toContain("exited with");
    expect(output).not.toContain("rpc error");
  }, 60_000);

  it("shows a type error with its place", async () => {
    const output = await failingRun('export const tea: number = "green";');
    expect(output).toContain("index.ts");
    expect(output).toContain(
      "Type 'string' is not assignable to type 'number'",
    );
  }, 60_000);

  it("shows the exit code of a program that exits by itself", async () => {
    const output = await failingRun("process.exit(3);");
    expect(output).toContain("The program exited with code 3.");
    expect(output).not.toContain("rpc error");
  }, 60_000);
});
