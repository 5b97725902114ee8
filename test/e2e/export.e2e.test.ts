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
  packages = await PackedPackages.ofThisRun();
  const { us, eu } = workspace.service.workspaces;
  shell = await UserShell.open({
    DEVID_ENDPOINT: workspace.url,
    DEVID_MANAGEMENT_KEY_US: us.managementKey,
    DEVID_MANAGEMENT_KEY_EU: eu.managementKey,
  });
});

afterAll(async () => {
  shell?.close();
  await workspace?.close();
});

const key = () => workspace.service.workspaces.us.managementKey;

/** Follows the README of a written program literally. Returns the output of each command. */
async function takeOver(folder: string, managementKey: string) {
  const readme = readFileSync(join(shell.folder, folder, "README.md"), "utf8");
  const printed: string[] = [];
  for (const command of shellCommands(readme, "Take the workspace over"))
    if (command === "npm install")
      await packages.install(join(shell.folder, folder));
    else
      printed.push(
        await shell.ok(command, { in: folder, input: `${managementKey}\n` }),
      );
  return printed;
}

it("brings a workspace with awkward names into a stack without changing it", async () => {
  await fillAwkwardly(workspace);
  const found = await workspace.contents();
  const mark = await workspace.mark();
  await shell.ok("devid export --out program");
  const printed = await takeOver("program", key());
  expect(printed.at(-1)).toMatch(/81 unchanged\n/);

  await shell.ok(
    "pulumi up --yes --skip-preview --refresh --expect-no-changes",
    {
      in: "program",
    },
  );
  const log = await workspace.requestsSince(mark);
  expect(log.filter(({ method }) => method !== "GET")).toEqual([]);
  expect(await workspace.contents()).toEqual(found);
});

it("brings an empty workspace into a stack, with only the objects that always exist", async () => {
  const { managementKey } = workspace.service.workspaces.eu;
  for (const { id } of await workspace.list("api-keys", "eu"))
    await workspace.call("DELETE", `/api-keys/${String(id)}`, undefined, "eu");
  await shell.ok("devid export --region eu --out empty");
  const printed = await takeOver("empty", managementKey);
  // The stack and the encryption key of the default environment.
  expect(printed.at(-1)).toMatch(/2 unchanged\n/);
});

it("the preview of an exported program shows what was deleted after the export", async () => {
  const { managementKey } = workspace.service.workspaces.ap;
  const { id } = (await workspace.call(
    "POST",
    "/webhooks",
    { url: "https://hooks.shop.example/short-lived" },
    "ap",
  )) as { id: string };
  const shellOfAp = { in: "changed", input: `${managementKey}\n` };
  await shell.ok(
    "DEVID_MANAGEMENT_KEY=" +
      managementKey +
      " devid export --region ap --out changed",
  );
  await packages.install(join(shell.folder, "changed"));
  await workspace.call("DELETE", `/webhooks/${id}`, undefined, "ap");
  const readme = readFileSync(
    join(shell.folder, "changed", "README.md"),
    "utf8",
  );
  const commands = shellCommands(readme, "Take the workspace over").slice(1);
  const last = commands.pop() ?? "";
  for (const command of commands) await shell.ok(command, shellOfAp);
  const { code, text } = await shell.run(last, shellOfAp);
  expect(code).not.toBe(0);
  expect(text).toMatch(/Webhook\s+hooks-shop-example-short\S*\s+create/);
});

it("keeps no token in plain text, not even in the state", async () => {
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

it("a second export writes the same files, and keeps the file that Pulumi changed", async () => {
  const { text } = await shell.run("devid export --force --out program");
  expect(text).toContain(
    "Pulumi.us.yaml has changed since the last export; it stays as it is.",
  );
  await shell.ok("pulumi preview --expect-no-changes", { in: "program" });
});
