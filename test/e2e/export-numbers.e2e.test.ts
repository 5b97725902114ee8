import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { LocalWorkspace } from "../helpers/local-workspace";
import { PackedPackages } from "../helpers/packed-packages";
import { UserShell } from "../helpers/user-shell";

let workspace: LocalWorkspace;
let packages: PackedPackages;
let shell: UserShell;

beforeAll(async () => {
  packages = PackedPackages.pack();
  workspace = await LocalWorkspace.start();
  shell = await UserShell.open({
    DEVID_ENDPOINT: workspace.url,
    DEVID_MANAGEMENT_KEY: workspace.service.workspaces.us.managementKey,
  });
});

afterAll(async () => {
  shell?.close();
  packages?.remove();
  await workspace?.close();
});

/** So many of each kind; every environment has an encryption key, and one rule set the rules. */
async function fill(count: number): Promise<void> {
  const post = async (path: string, body: object) =>
    (await workspace.call("POST", path, body)) as { id: string };
  for (const { id } of await workspace.list("api-keys"))
    await workspace.call("DELETE", `/api-keys/${String(id)}`);
  const numbers = Array.from({ length: count }, (_, n) => n);
  for (const n of numbers) {
    const { id } = await post("/environments", { name: `Shop ${n}` });
    await post("/api-keys", {
      name: `Key ${n}`,
      type: "public",
      environment: id,
    });
    await post("/webhooks", { url: `https://hooks.example/${n}` });
    const rule = {
      name: "r",
      expression: "sdk.platform.is_ios",
      action: "deny",
    };
    await post("/filtering-rules", { ...rule, environment: id });
  }
  const rules = numbers.map((n) => ({
    name: `Rule ${n}`,
    expression: `http.request.headers["X"][0] == "${n}"`,
    action: n % 2 ? "deny" : "allow",
  }));
  await post("/filtering-rules/bulk", { mode: "overwrite", rules });
}

let installed: string | undefined;

/** Installs what a program needs; the same for all of them. */
async function install(folder: string): Promise<void> {
  const program = join(shell.folder, folder);
  if (installed !== undefined) return packages.share(installed, program);
  packages.serve(program);
  await shell.ok("npm install", { in: folder });
  installed = program;
}

it.each([0, 1, 101, 250])(
  "takes over %d of each kind without touching them",
  async (count) => {
    await workspace.control("/reset", {});
    await fill(count);
    const mark = await workspace.mark();
    const folder = `program-${count}`;
    await shell.ok(`devid export --out ${folder}`);
    const inProgram = { in: folder };
    await install(folder);
    const managementKey = workspace.service.workspaces.us.managementKey;
    for (const command of [
      "pulumi stack init us",
      `pulumi config set --secret devid:managementKey ${managementKey}`,
      "pulumi stack import --file import.json",
    ])
      await shell.ok(command, inProgram);
    const printed = await shell.ok(
      "pulumi preview --expect-no-changes",
      inProgram,
    );
    // Environments, keys, webhooks, encryption keys and rule sets; the encryption
    // key and the rules of the default environment; the stack.
    const expected = 5 * count + 1 + (count > 0 ? 1 : 0) + 1;
    expect(printed).toContain(`${expected} unchanged`);
    const log = await workspace.requestsSince(mark);
    expect(log.filter(({ method }) => method !== "GET")).toEqual([]);
    // Pages of 100: a list of n takes as many calls.
    expect(
      log.filter(({ path }) => path === "/management/environments"),
    ).toHaveLength(Math.ceil((count + 1) / 100));
    await shell.ok("pulumi stack rm us --force --yes", inProgram);
  },
  600_000,
);
