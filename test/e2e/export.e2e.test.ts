import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { fillAwkwardly } from "../helpers/awkward-workspace";
import { LocalWorkspace } from "../helpers/local-workspace";
import { PackedPackages } from "../helpers/packed-packages";
import { shellCommands } from "../helpers/shell-commands";
import { UserShell } from "../helpers/user-shell";

let workspace: LocalWorkspace;
let packages: PackedPackages;
let shell: UserShell;

beforeAll(async () => {
  workspace = await LocalWorkspace.start();
  packages = PackedPackages.pack();
  const { managementKey } = workspace.service.workspaces.us;
  shell = await UserShell.open({
    DEVID_ENDPOINT: workspace.url,
    DEVID_MANAGEMENT_KEY_US: managementKey,
  });
});

afterAll(async () => {
  shell?.close();
  packages?.remove();
  await workspace?.close();
});

const key = () => workspace.service.workspaces.us.managementKey;

/** Follows the README of a written program literally; answers what each command printed. */
async function takeOver(folder: string): Promise<string[]> {
  const readme = readFileSync(join(shell.folder, folder, "README.md"), "utf8");
  const printed: string[] = [];
  for (const command of shellCommands(readme, "Take the workspace over"))
    printed.push(await shell.ok(command, { in: folder, input: `${key()}\n` }));
  return printed;
}

it("takes over a workspace of awkward names without touching it", async () => {
  await fillAwkwardly(workspace);
  const found = await workspace.contents();
  const mark = await workspace.mark();
  await shell.ok("devid export --out program");
  packages.serve(join(shell.folder, "program"));
  const printed = await takeOver("program");
  expect(printed.at(-1)).toMatch(/81 unchanged\n/);

  await shell.ok("pulumi refresh --yes --expect-no-changes", { in: "program" });
  await shell.ok("pulumi up --yes --skip-preview --expect-no-changes", {
    in: "program",
  });
  const log = await workspace.requestsSince(mark);
  expect(log.filter(({ method }) => method !== "GET")).toEqual([]);
  expect(await workspace.contents()).toEqual(found);
});

it("keeps no token in plain text, in the state neither", async () => {
  const state = await shell.ok("pulumi stack export", { in: "program" });
  const keys = await workspace.list("api-keys");
  const sealing = await workspace.list("encryption-keys");
  const secrets = [
    ...keys.map(({ token }) => token),
    ...sealing.flatMap((one) => [one.token, one.next_token]),
    key(),
  ].filter((token) => typeof token === "string");
  expect(secrets.length).toBeGreaterThan(40);
  expect(secrets.filter((secret) => state.includes(secret))).toEqual([]);
});

it("exports the same again over what Pulumi has written to", async () => {
  const { text } = await shell.run("devid export --force --out program");
  expect(text).toContain(
    "Pulumi.us.yaml has changed since; it stays as it is.",
  );
  await shell.ok("pulumi preview --expect-no-changes", { in: "program" });
});
