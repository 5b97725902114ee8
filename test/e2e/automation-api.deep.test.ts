import { execFile } from "node:child_process";
import { copyFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { engineIn, makeWorkFolder, TESTS } from "../helpers/engine-stack";
import { pluginProject } from "../helpers/form-stack";
import { LocalWorkspace } from "../helpers/local-workspace";
import { UNTHROTTLED } from "../helpers/unthrottled";

const PROGRAM = join(TESTS, "e2e/inline-program/main.mjs");

it.each(["@devid/pulumi", "@devid/pulumi/plugin"])(
  "an inline program of the Automation API deploys, changes and destroys resources of %s",
  async (packageName) => {
    const workspace = await LocalWorkspace.start();
    const folder = makeWorkFolder();
    try {
      const program = join(folder, "main.mjs");
      copyFileSync(PROGRAM, program);
      const project = pluginProject("inline", "nodejs");
      writeFileSync(join(folder, "Pulumi.yaml"), project);
      const { variables } = await engineIn(folder);
      const env = {
        ...process.env,
        ...variables,
        ...UNTHROTTLED,
        ...workspace.env,
      };
      const { stdout } = await promisify(execFile)(
        process.execPath,
        [program, packageName],
        { env, cwd: folder },
      );
      const lines: unknown[] = stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as unknown);
      expect(lines).toMatchObject([
        { create: 4 },
        { isSecret: true },
        { same: 3, update: 1 },
        { same: 3, update: 1 },
        { same: 4 },
        { delete: 4 },
      ]);
      expect(await workspace.list("environments")).toHaveLength(1);
    } finally {
      await workspace.close();
      rmSync(folder, { recursive: true });
    }
  },
);
