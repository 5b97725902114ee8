import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { PackedPackages } from "../helpers/packed-packages";
import { PUBLISHED } from "../helpers/published";

const run = promisify(execFile);
const BIN = resolve(__dirname, "../../tools/release/node_modules/.bin");

let packages: PackedPackages;

beforeAll(async () => {
  packages = await PackedPackages.ofThisRun();
});

describe.each(PUBLISHED)("$name", ({ folder, manifest }) => {
  it("has no findings of publint", async () => {
    const { stdout } = await run(`${BIN}/publint`, [
      "run",
      packages.tarball(folder),
      "--strict",
    ]);
    expect(stdout).toContain("All good!");
  });

  // The command line package exports nothing to import.
  if (manifest.exports === undefined) return;
  it("has types that every import finds", async () => {
    const { stdout } = await run(
      `${BIN}/attw`,
      [packages.tarball(folder), "--format=json"],
      { maxBuffer: 1 << 28 },
    );
    const { analysis } = JSON.parse(stdout) as {
      analysis: { problems: unknown[] };
    };
    expect(analysis.problems).toEqual([]);
  });
});
