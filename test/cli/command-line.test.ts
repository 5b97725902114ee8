import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { DevidProcess } from "./devid-process";

const ROOT = resolve(__dirname, "../..");

it("prints its version, that of every package", async () => {
  const { stdout } = await DevidProcess.run(["--version"]);
  for (const room of ["sdk", "provider", "service", "cli"]) {
    const text = readFileSync(join(ROOT, room, "package.json"), "utf8");
    const { version } = JSON.parse(text) as { version: string };
    expect(stdout.trim(), room).toBe(version);
  }
});

it.each([
  [["--help"]],
  [["serve", "--help"]],
  [["whoami", "--help"]],
  [["rules", "check", "--help"]],
  [["rules", "diff", "--help"]],
  [["rules", "eval", "--help"]],
])("%s fits 80 columns", async (args) => {
  const { code, stdout } = await DevidProcess.run(args);
  expect(code).toBe(0);
  expect(stdout).toContain("Usage: devid");
  for (const line of stdout.split("\n"))
    expect(line.length).toBeLessThanOrEqual(80);
});

it("refuses a command that it does not know", async () => {
  const { code, stderr } = await DevidProcess.run(["severe"]);
  expect(code).toBe(1);
  expect(stderr).toContain("unknown command 'severe'");
  expect(stderr).toContain("Did you mean serve?");
});
