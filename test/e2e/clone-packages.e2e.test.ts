import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  PackedPackages,
  type PackedWorkspace,
} from "../helpers/packed-packages";

const run = promisify(execFile);
const BIN = resolve(__dirname, "../../node_modules/.bin");

let packages: PackedPackages;

beforeAll(() => {
  packages = PackedPackages.pack();
});

afterAll(() => packages.remove());

const WORKSPACES: PackedWorkspace[] = ["sdk", "provider"];

it.each(WORKSPACES)(
  "publint has nothing to say about %s",
  async (workspace) => {
    const { stdout } = await run(`${BIN}/publint`, [
      "run",
      packages.tarball(workspace),
      "--strict",
    ]);
    expect(stdout).toContain("All good!");
  },
);

it.each(WORKSPACES)(
  "every import of %s finds its types, from CommonJS, ES modules and bundlers",
  async (workspace) => {
    // Node 10 knows no `exports`; 20.19 is the oldest that is served.
    const args = [packages.tarball(workspace), "--profile", "node16"];
    const { stdout } = await run(`${BIN}/attw`, [...args, "--format=json"], {
      maxBuffer: 1 << 28,
    });
    const { analysis } = JSON.parse(stdout) as {
      analysis: { problems: { resolutionKind?: string }[] };
    };
    const problems = analysis.problems.filter(
      ({ resolutionKind }) => resolutionKind !== "node10",
    );
    expect(problems).toEqual([]);
  },
);
