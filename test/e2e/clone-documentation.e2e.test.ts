import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { LocalWorkspace } from "../helpers/local-workspace";
import { PackedPackages } from "../helpers/packed-packages";
import { shellCommands } from "../helpers/shell-commands";
import { UserShell } from "../helpers/user-shell";

const read = (path: string) =>
  readFileSync(resolve(__dirname, "../..", path), "utf8");
const PAGE = read("docs/cloning.md");

/** `pulumi` with the user's settings: Pulumi checks the types of the program. */
const CHECKED =
  "PULUMI_DEBUG_LANGUAGES= PULUMI_NODEJS_TRANSPILE_ONLY=false NODE_OPTIONS= pulumi";

let workspace: LocalWorkspace;
let packages: PackedPackages;
let shell: UserShell;

beforeAll(async () => {
  workspace = await LocalWorkspace.start();
  packages = await PackedPackages.ofThisRun();
  const { us, eu, ap } = workspace.service.workspaces;
  shell = await UserShell.open({
    DEVID_ENDPOINT: workspace.url,
    DEVID_MANAGEMENT_KEY_US: us.managementKey,
    DEVID_MANAGEMENT_KEY_EU: eu.managementKey,
    DEVID_MANAGEMENT_KEY_AP: ap.managementKey,
  });
  for (const region of ["eu", "ap"] as const)
    for (const { id } of await workspace.list("api-keys", region))
      await workspace.call(
        "DELETE",
        `/api-keys/${String(id)}`,
        undefined,
        region,
      );
  const staging = (await workspace.call("POST", "/environments", {
    name: "Staging",
  })) as { id: string };
  await workspace.call("POST", "/api-keys", {
    name: "Staging browser",
    type: "public",
    environment: staging.id,
  });
  for (const environment of [undefined, staging.id])
    await workspace.call("POST", "/filtering-rules/bulk", {
      environment,
      mode: "overwrite",
      rules: [
        { name: "a", expression: "sdk.platform.is_ios", action: "deny" },
        { name: "b", expression: "sdk.platform.is_android", action: "allow" },
      ],
    });
});

afterAll(async () => {
  shell?.close();
  await workspace?.close();
});

it("docs/cloning.md, followed line by line, brings a workspace into a stack and creates a copy in eu", async () => {
  const folder = { in: "." };
  const printed: string[] = [];
  const follow = async (heading: string, region: "us" | "eu") => {
    const { managementKey } = workspace.service.workspaces[region];
    for (const line of shellCommands(PAGE, heading)) {
      if (line.startsWith("cd ")) {
        folder.in = line.slice(3);
        continue;
      }
      if (line === "npm install") {
        await packages.install(join(shell.folder, folder.in));
        continue;
      }
      const command = line
        .replace(/^npx --no devid/, "devid")
        .replace(/^pulumi(?= preview)/, CHECKED)
        // No person is here to look at a preview and confirm it.
        .replace(/^pulumi up$/, "pulumi up --yes --skip-preview");
      const input = line.includes("--secret") ? `${managementKey}\n` : "";
      printed.push(await shell.ok(command, { ...folder, input }));
    }
  };
  const mark = await workspace.mark();
  await follow("Take a workspace over", "us");
  const log = await workspace.requestsSince(mark);
  expect(log.length).toBeGreaterThan(0);
  expect(log.filter(({ method }) => method !== "GET")).toEqual([]);
  expect(printed.at(-1)).toContain("unchanged");

  await follow("Bring it up in another region", "eu");
  expect(printed.at(-1)).toBe("us -> eu\n\nNo differences.\n");
});

it("adopts, as the page says, the objects that an interrupted update left in the workspace", async () => {
  const inProgram = { in: "workspace" };
  const { managementKey } = workspace.service.workspaces.ap;
  await shell.ok("pulumi stack init ap", inProgram);
  await shell.ok("pulumi config set --secret devid:managementKey", {
    ...inProgram,
    input: `${managementKey}\n`,
  });
  // The engine was killed after this call, and no state has the new object.
  await workspace.call("POST", "/environments", { name: "Staging" }, "ap");
  const [, staging] = await workspace.list("environments", "ap");
  await workspace.call(
    "POST",
    "/filtering-rules/bulk",
    {
      environment: staging?.id,
      mode: "overwrite",
      rules: [{ name: "c", expression: "sdk.platform.is_ios", action: "deny" }],
    },
    "ap",
  );
  const preview = await shell.ok("pulumi preview", inProgram);
  expect(preview).toMatch(
    /The workspace in region ap already has what this stack would create, under the same name or address:\s+Environment staging: "Staging" exists \(ae_\w+\)\s+FilteringRuleSet staging: is there already \(ae_\w+\)\s/,
  );
  // The setting that the preview suggests, and a setting that names an environment.
  const [advice] = /pulumi config set --path .*/.exec(preview) ?? [];
  await shell.ok(advice ?? "", inProgram);
  await shell.ok(
    "pulumi config set --path settings.ApiKey.staging-browser.environment Staging",
    inProgram,
  );
  await shell.ok("pulumi up --yes --skip-preview", inProgram);
  expect(await shell.ok("devid compare us ap")).toContain("No differences.");
  await shell.ok("pulumi config rm --path settings.adopt", inProgram);
  const mark = await workspace.mark();
  const again = await shell.ok("pulumi up --yes --skip-preview", inProgram);
  // Only the state changes: takeOver is no longer set.
  expect(again).toMatch(/~ 1 updated\s+8 unchanged/);
  expect(await workspace.requestsSince(mark)).toEqual([]);
});

it("copies the default environment into another environment, as the page says", async () => {
  await shell.ok("devid export --region us --environment Default --out one");
  await packages.install(join(shell.folder, "one"));
  const { managementKey } = workspace.service.workspaces.us;
  for (const line of shellCommands(PAGE, "Another environment")) {
    if (line === "pulumi up") {
      await shell.ok("pulumi config rm environmentName", { in: "one" });
      const { code, text } = await shell.run("pulumi preview", { in: "one" });
      expect(code).not.toBe(0);
      expect(text).toContain(
        "  the environment Default, because environmentName is not set\n",
      );
      const [advice] = /pulumi config set environmentName .*/.exec(text) ?? [];
      await shell.ok((advice ?? "").replace(/".*"/, "Another"), { in: "one" });
    }
    await shell.ok(
      line.replace(/^pulumi up$/, "pulumi up --yes --skip-preview"),
      {
        in: "one",
        input: line.includes("--secret") ? `${managementKey}\n` : "",
      },
    );
  }
  expect(await shell.ok("devid compare us/Default us/Another")).toContain(
    "No differences.",
  );
});

it("finds undeclared environments by name, and fails when a name does not exist", async () => {
  await shell.ok(
    "devid export --region us --environment Staging --include api-keys --out keys",
  );
  await packages.install(join(shell.folder, "keys"));
  const inKeys = { in: "keys" };
  const { us, eu } = workspace.service.workspaces;
  const [stagingOfEu] = (await workspace.list("environments", "eu")).slice(-1);
  await workspace.call(
    "POST",
    `/environments/${String(stagingOfEu?.id)}`,
    { name: "Renamed" },
    "eu",
  );
  await shell.ok("pulumi stack init us", inKeys);
  await shell.ok(
    `pulumi config set --secret devid:managementKey ${us.managementKey}`,
    inKeys,
  );
  await shell.ok("pulumi stack import --file import.json", inKeys);
  await shell.ok("pulumi preview --expect-no-changes", inKeys);

  await shell.ok("pulumi stack init eu", inKeys);
  await shell.ok(
    `pulumi config set --secret devid:managementKey ${eu.managementKey}`,
    inKeys,
  );
  const { code, text } = await shell.run("pulumi preview", inKeys);
  expect(code).not.toBe(0);
  expect(text).toContain("The workspace has no environment named Staging.");
});
