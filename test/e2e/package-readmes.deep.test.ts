import { execFile, spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, it } from "vitest";
import { typescriptProgram } from "../../clone/src/write/program/typescript-program";
import { LocalWorkspace } from "../helpers/local-workspace";
import { PackedPackages } from "../helpers/packed-packages";
import { folderForTests } from "../helpers/test-folder";
import { openForTests } from "../helpers/open-for-tests";
import { blocksOf } from "../helpers/page-blocks";

const run = promisify(execFile);

// A user's program, with our packages installed from tarballs.
const program = folderForTests();
const local = openForTests(new LocalWorkspace());

beforeAll(async () => {
  const files = typescriptProgram(
    { resources: [], ruleSets: [], lookedUp: [], outputs: [], leftOut: [] },
    { project: "readmes", description: "Examples" },
    false,
  );
  for (const [path, text] of files) writeFileSync(join(program, path), text);
  const packages = await PackedPackages.ofThisRun();
  await packages.install(program);
});

/** The examples of one language in the README of an installed package, with the test's service as their address. */
function examples(name: string, language: string): string[] {
  const path = join(program, "node_modules/@devid", name, "README.md");
  return blocksOf(readFileSync(path, "utf8"), language).map((text) =>
    text.replaceAll("http://127.0.0.1:8787", local.url),
  );
}

/** The only example of a language. */
function example(name: string, language: string): string {
  const found = examples(name, language);
  expect(found).toHaveLength(1);
  return found[0] ?? "";
}

/** Runs a program in the user's folder. No variable of devid is set, except the given ones. */
async function node(file: string, text: string): Promise<string> {
  writeFileSync(join(program, file), text);
  const { stdout } = await run(process.execPath, [file], {
    cwd: program,
    env: { PATH: process.env.PATH },
  });
  return stdout;
}

it("@devid/rules runs a file's tests and says what a change means", async () => {
  expect(await node("rules.mjs", example("rules", "js"))).toMatch(
    /^passed a crawler is denied\n[^]*1 change: 1 added\. In total: denies more/,
  );
});

it("@devid/service responds to a program", async () => {
  const text = example("service", "js");
  expect(await node("service.mjs", text)).toBe("user-1\n");
});

it("@devid/cli checks, tests and compares a rule file", async () => {
  writeFileSync(join(program, "rules.yaml"), example("cli", "yaml"));
  const commands = examples("cli", "sh").at(-1) ?? "";
  const env = {
    PATH: process.env.PATH,
    HOME: program,
    DEVID_ENDPOINT: local.url,
    DEVID_MANAGEMENT_KEY: local.service.workspaces.us.managementKey,
  };
  // The last command exits with 2, because it finds differences.
  const failed = (await run("bash", ["-c", `${commands}exit $?`], {
    cwd: program,
    env,
  }).catch((error: unknown) => error)) as { code?: number; stdout: string };
  expect(failed.stdout).toMatch(
    /Nothing found in 1 file\.[^]*1 test passed in 1 file\.[^]*1 change: 1 added\./,
  );
  expect(failed.code).toBe(2);
});

it("@devid/pulumi has the types for its example", async () => {
  writeFileSync(join(program, "index.ts"), example("pulumi", "ts"));
  const tsc = join(program, "node_modules/.bin/tsc");
  const args = ["--noEmit", "--skipLibCheck", "-p", "."];
  const { stdout } = await run(tsc, args, { cwd: program });
  expect(stdout).toBe("");
});

/** Runs a policy pack until it prints its port, as the engine does. */
async function servedBy(
  file: string,
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const child = spawn(process.execPath, [file], {
    cwd: program,
    env: { PATH: process.env.PATH, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  for await (const chunk of child.stdout) {
    text += String(chunk);
    if (text.includes("\n")) child.kill();
  }
  return text;
}

it("@devid/policy is served with the configuration of its example, and inside a user's own pack", async () => {
  const configuration = join(program, "policies.json");
  writeFileSync(configuration, example("policy", "json"));
  writeFileSync(join(program, "pack.cjs"), `require("@devid/policy");`);
  expect(
    await servedBy("pack.cjs", { DEVID_POLICY_CONFIG: configuration }),
  ).toMatch(/^\d+\n$/);
  writeFileSync(join(program, "own-pack.cjs"), example("policy", "js"));
  expect(await servedBy("own-pack.cjs")).toMatch(/^\d+\n$/);
});
