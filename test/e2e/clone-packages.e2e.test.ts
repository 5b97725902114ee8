import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, it } from "vitest";
import {
  PackedPackages,
  type PackedWorkspace,
} from "../helpers/packed-packages";

const run = promisify(execFile);
const BIN = resolve(__dirname, "../../node_modules/.bin");

let packages: PackedPackages;

beforeAll(async () => {
  packages = await PackedPackages.ofThisRun();
});

const WORKSPACES: PackedWorkspace[] = ["sdk", "agent", "rules", "provider"];

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

// Node 10 knows no `exports`; 20.19 is the oldest that is served. The agent is
// for browsers: ES modules alone, and its script is for a `<script>`, not an import.
it.each([
  ["sdk", "node16", []],
  ["agent", "esm-only", ["--exclude-entrypoints", "script"]],
  ["rules", "node16", []],
  ["provider", "node16", []],
] as const)(
  "the imports of %s find their types (%s)",
  async (workspace, profile, entries) => {
    const tarball = packages.tarball(workspace);
    const args = [tarball, "--profile", profile, "--format=json", ...entries];
    const { stdout } = await run(`${BIN}/attw`, args, { maxBuffer: 1 << 28 });
    const { analysis } = JSON.parse(stdout) as {
      analysis: { problems: { resolutionKind?: string }[] };
    };
    const served =
      profile === "esm-only" ? /^(node16-esm|bundler)$/ : /^(?!node10)/;
    const problems = analysis.problems.filter(({ resolutionKind = "" }) =>
      served.test(resolutionKind),
    );
    expect(problems).toEqual([]);
  },
);
