import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { LocalWorkspace } from "../helpers/local-workspace";
import { PackedPackages } from "../helpers/packed-packages";
import { UserShell } from "../helpers/user-shell";

let workspace: LocalWorkspace;
let packages: PackedPackages;
let shell: UserShell;

beforeAll(() => {
  packages = PackedPackages.pack();
});

afterAll(() => packages.remove());

beforeEach(async () => {
  workspace = await LocalWorkspace.start();
  shell = await UserShell.open({
    DEVID_ENDPOINT: workspace.url,
    DEVID_MANAGEMENT_KEY: workspace.service.workspaces.us.managementKey,
    DEVID_REQUESTS_PER_SECOND: "10000",
  });
});

afterEach(async () => {
  shell.close();
  await workspace.close();
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

it.each([0, 1, 101, 250])(
  "takes over %d of each kind without touching them",
  async (count) => {
    await fill(count);
    const mark = await workspace.mark();
    await shell.ok("devid export --out program");
    const inProgram = { in: "program" };
    packages.serve(join(shell.folder, "program"));
    const managementKey = workspace.service.workspaces.us.managementKey;
    for (const command of [
      "npm install",
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
  },
  600_000,
);
