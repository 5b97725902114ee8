import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { copyProgram, engineIn } from "../helpers/engine-stack";
import { LocalWorkspace } from "../helpers/local-workspace";
import { PackedPackages } from "../helpers/packed-packages";
import { openForTests } from "../helpers/open-for-tests";

const run = promisify(execFile);
const EXAMPLES = resolve(__dirname, "../../examples");

let packages: PackedPackages;
const workspace = openForTests(new LocalWorkspace());

beforeAll(async () => {
  packages = await PackedPackages.ofThisRun();
});

/** What a preview of an example needs. The others read what a test has to make first. */
const CONFIG: Readonly<Record<string, Record<string, string>>> = {
  gitops: {},
  policed: {},
  quickstart: {},
  regions: { managementKeyEu: "local-management-eu" },
  rotation: { generations: '["2026-11"]' },
  shop: {},
};

const found = readdirSync(EXAMPLES).filter((name) =>
  existsSync(join(EXAMPLES, name, "package.json")),
);

describe.each(found)("the example %s, copied out of the repository", (name) => {
  it("compiles with the packages as they are published, and shows its plan", async () => {
    const root = mkdtempSync(join(tmpdir(), "devid-example-"));
    // The shop keeps the configuration of its stacks two folders above it.
    const folder = join(root, "examples", name);
    try {
      const place = join(EXAMPLES, name);
      copyProgram(place, folder);
      await packages.install(folder, { name: `example-${name}`, place });
      await run(join(folder, "node_modules/.bin/tsc"), ["-p", "."], {
        cwd: folder,
      });
      const config = CONFIG[name];
      if (config) expect(await preview(folder, config)).toContain("create");
    } finally {
      rmSync(root, { recursive: true });
    }
  });
});

it("are all of those that have a program", () => {
  expect(found.length).toBeGreaterThan(8);
  for (const name of Object.keys(CONFIG)) expect(found).toContain(name);
});

async function preview(folder: string, config: Record<string, string>) {
  const { enginePath, variables } = await engineIn(folder);
  const env = {
    ...process.env,
    ...variables,
    ...workspace.env,
  };
  const pulumi = (...args: string[]) =>
    run(enginePath, [...args, "--non-interactive"], { cwd: folder, env });
  await pulumi("stack", "init", "try");
  for (const [key, value] of Object.entries(config))
    await pulumi("config", "set", "--secret", key, value);
  return (await pulumi("preview")).stdout;
}
