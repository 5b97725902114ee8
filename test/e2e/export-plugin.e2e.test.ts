import {
  copyFileSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { findEngine, findLanguageHost } from "@devid/engine";
import { afterAll, beforeAll, expect, it } from "vitest";
import { fillAwkwardly } from "../helpers/awkward-workspace";
import { LocalWorkspace } from "../helpers/local-workspace";
import { PackedPackages } from "../helpers/packed-packages";
import { shellCommands } from "../helpers/shell-commands";
import { UserShell } from "../helpers/user-shell";

// Exported programs for the plugin, brought into a stack by `pulumi import`. Each test continues from the
// state that the previous test left.

/** Names that a YAML parser could read as another type than a string. */
const NAMES = ["yes", "1e3", "2001-01-01", "0x1F", "1_000", "<<a", "$${y} $$"];

let workspace: LocalWorkspace;
let packages: PackedPackages;
let shell: UserShell;

beforeAll(async () => {
  workspace = await LocalWorkspace.start();
  packages = await PackedPackages.ofThisRun();
  const { us, eu } = workspace.service.workspaces;
  shell = await UserShell.open({
    DEVID_ENDPOINT: workspace.url,
    DEVID_MANAGEMENT_KEY_US: us.managementKey,
    DEVID_MANAGEMENT_KEY_EU: eu.managementKey,
    PATH: dirname(await findLanguageHost("yaml", await findEngine())),
  });
  await fillAwkwardly(workspace);
  for (const name of NAMES) {
    const type = "public";
    await workspace.call("POST", "/api-keys", { name, type });
  }
  await shell.ok("devid export --language yaml --out yaml");
  await shell.ok("devid export --plugin --environment class --out typescript");
  // Every program with the plugin needs the packages of a TypeScript program.
  await packages.install(path("typescript"));
  symlinkSync(path("typescript/node_modules"), path("yaml/node_modules"));
});

afterAll(async () => {
  shell?.close();
  await workspace?.close();
});

const path = (name: string) => join(shell.folder, name);

/** Replaces a text in a file of a program. */
function edit(file: string, from: string, to: string): void {
  const text = readFileSync(path(file), "utf8");
  expect(text).toContain(from);
  writeFileSync(path(file), text.replace(from, to));
}

/**
 * Follows the README of a program literally, except that it changes the program before the last
 * command, `pulumi up`. Returns the output of the preview and the update.
 */
async function takeOver(folder: string, change: () => void) {
  const readme = readFileSync(path(`${folder}/README.md`), "utf8");
  const commands = shellCommands(readme, "Take the workspace over");
  expect(commands.at(-1)).toBe("pulumi up");
  const found = await workspace.contents();
  const mark = await workspace.mark();
  const input = `${workspace.service.workspaces.us.managementKey}\n`;
  const printed: string[] = [];
  for (const command of commands.slice(1, -1)) {
    // No person is here to confirm the import.
    const unasked = command.replace("--file", "--yes --skip-preview --file");
    printed.push(await shell.ok(unasked, { in: folder, input }));
  }
  const log = await workspace.requestsSince(mark);
  expect(log.filter(({ method }) => method !== "GET")).toEqual([]);
  expect(await workspace.contents()).toEqual(found);
  change();
  const up = "pulumi up --yes --skip-preview";
  return {
    preview: printed.at(-1),
    update: await shell.ok(up, { in: folder }),
  };
}

/** The ID of the environment with a name. */
const environment = async (name: string) =>
  (await workspace.list("environments")).find((one) => one.name === name);

it("imports a workspace with awkward names into a YAML program, and changes it", async () => {
  await shell.ok("pulumi install", { in: "yaml" });
  const { preview, update } = await takeOver("yaml", () =>
    edit("yaml/Pulumi.yaml", "description: About found", "description: Mine"),
  );
  expect(preview).toMatch(/88 unchanged\n/);
  expect(update).toMatch(/~ 1 updated\n +87 unchanged\n/);
  expect(await environment("found")).toMatchObject({ description: "Mine" });
});

it("keeps no token in plain text, not even in the state", async () => {
  const state = await shell.ok("pulumi stack export", { in: "yaml" });
  const { resources } = (
    JSON.parse(state) as {
      deployment: {
        resources: { type: string; propertyDependencies?: object }[];
      };
    }
  ).deployment;
  const keys = await workspace.list("api-keys");
  const secrets = [
    ...keys.map(({ token }) => token),
    workspace.service.workspaces.us.managementKey,
  ].filter((token) => typeof token === "string");
  expect(secrets.length).toBeGreaterThan(10);
  expect(secrets.filter((secret) => state.includes(secret))).toEqual([]);
  // The dependencies that the update after the import added.
  const dependent = resources.filter(
    ({ propertyDependencies = {} }) => "environment" in propertyDependencies,
  );
  expect(dependent.length).toBeGreaterThan(30);
});

it("continues with the same stack in TypeScript", async () => {
  await shell.ok("devid export --language typescript --plugin --out other");
  symlinkSync(path("typescript/node_modules"), path("other/node_modules"));
  copyFileSync(path("yaml/Pulumi.us.yaml"), path("other/Pulumi.us.yaml"));
  await shell.ok("pulumi stack select us", { in: "other" });
  const preview = "pulumi preview --expect-no-changes";
  expect(await shell.ok(preview, { in: "other" })).toMatch(/88 unchanged\n/);
});

it("imports an environment into a TypeScript program, and changes it", async () => {
  const { preview, update } = await takeOver("typescript", () =>
    edit("typescript/environments.ts", '"About class"', '"Theirs"'),
  );
  expect(preview).toContain("unchanged");
  expect(update).toMatch(/~ 1 updated\n/);
  expect(await environment("class")).toMatchObject({ description: "Theirs" });
});
