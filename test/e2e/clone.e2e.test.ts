import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Comparison } from "@devid/clone";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { fillAwkwardly } from "../helpers/awkward-workspace";
import { LocalWorkspace } from "../helpers/local-workspace";
import { PackedPackages } from "../helpers/packed-packages";
import { shellCommands } from "../helpers/shell-commands";
import { UserShell } from "../helpers/user-shell";

let workspace: LocalWorkspace;
let packages: PackedPackages;
let shell: UserShell;

const LEGACY = "https://hooks.shop.example/legacy";
const VERIFIED = "https://hooks.shop.example/verified";
const AN_ID = expect.stringMatching(/^wh_/) as string;
const inProgram = { in: "program" };

/** The command of a pipeline, without the preview that is meant for a person. */
const UP = "pulumi up --yes --skip-preview";

beforeAll(async () => {
  workspace = await LocalWorkspace.start();
  packages = await PackedPackages.ofThisRun();
  const { us, eu } = workspace.service.workspaces;
  shell = await UserShell.open({
    DEVID_ENDPOINT: workspace.url,
    DEVID_MANAGEMENT_KEY_US: us.managementKey,
    DEVID_MANAGEMENT_KEY_EU: eu.managementKey,
  });
  await fillAwkwardly(workspace);
  await workspace.control("/us/webhooks", { url: LEGACY, legacy: true });
  await workspace.control("/us/webhooks", { url: VERIFIED, verified: true });
  // The workspace to be cloned has keys of these names, too.
  for (const { id } of await workspace.list("api-keys", "eu"))
    await workspace.call("DELETE", `/api-keys/${String(id)}`, undefined, "eu");
  await shell.ok("devid export --region us --out program");
  await packages.install(join(shell.folder, "program"));
});

afterAll(async () => {
  shell?.close();
  await workspace?.close();
});

const file = (path: string) =>
  readFileSync(join(shell.folder, "program", path), "utf8");

async function compare(): Promise<Comparison> {
  const { stdout } = await shell.run("devid compare us eu --json");
  return JSON.parse(stdout) as Comparison;
}

/** Writes the settings of the eu stack into its config. */
function setSettings(settings: object): void {
  const content = parse(file("Pulumi.eu.yaml")) as { config: object };
  const config = { ...content.config, "devid-workspace:settings": settings };
  writeFileSync(
    join(shell.folder, "program", "Pulumi.eu.yaml"),
    stringify({ ...content, config }),
  );
}

/** The write calls since a mark. */
const writes = async (mark: number) =>
  (await workspace.requestsSince(mark)).filter(
    ({ method }) => method !== "GET",
  );

// Each test continues from the state that the previous test left, because a stack has one history.

it("an update stops when a call fails, and the next up completes the copy without duplicates", async () => {
  const commands = shellCommands(
    file("README.md"),
    "Bring it up in another region",
  );
  expect(commands.slice(2)).toEqual(["pulumi up", "devid compare us eu"]);
  const { managementKey } = workspace.service.workspaces.eu;
  for (const command of commands.slice(0, 2))
    await shell.ok(command, { ...inProgram, input: `${managementKey}\n` });

  // The fault comes after several objects of each kind, because a webhook waits for no environment.
  await workspace.fault({
    match: { method: "POST", path: "/management/webhooks" },
    times: 1,
    then: { status: 500 },
  });
  const { code, text } = await shell.run(UP, inProgram);
  expect(code).not.toBe(0);
  expect(text).toContain("500 Internal Server Error");
  await shell.ok(UP, inProgram);
  for (const collection of ["environments", "api-keys", "encryption-keys"])
    expect(await workspace.list(collection, "eu"), collection).toHaveLength(
      (await workspace.list(collection, "us")).length,
    );
});

it("the copy differs only in what the report says", async () => {
  const { objects, ruleSets } = await compare();
  expect(ruleSets).toEqual([]);
  expect(objects).toEqual([
    {
      change: "removed",
      what: "legacy webhook",
      name: LEGACY,
      ids: { before: AN_ID },
    },
    {
      change: "changed",
      what: "webhook",
      name: VERIFIED,
      ids: { before: AN_ID, after: AN_ID },
      fields: [{ field: "verified", before: true, after: false }],
    },
  ]);
  const report = file("REPORT.md");
  expect(report).toContain(`legacy webhook \`${LEGACY}\``);
  expect(report).toContain("get no events until they are verified");
  expect(report).toContain(`- \`${VERIFIED}\``);
});

it("the stack has an output for each new token and key, and the report's commands read them", async () => {
  const commands = [
    ...file("REPORT.md").matchAll(/`(pulumi stack output .*)`/g),
  ];
  const names = commands.map(([, command = ""]) => command.split(" ")[3]);
  const all = await shell.ok(
    "pulumi stack output --json --show-secrets",
    inProgram,
  );
  const outputs = JSON.parse(all) as Record<string, string>;
  expect(Object.keys(outputs).sort()).toEqual(names.sort());
  expect(Object.values(outputs).filter((value) => !value)).toEqual([]);
  const keys = await workspace.list("api-keys", "eu");
  const { token } = keys.find(({ type }) => type === "public") ?? {};
  const [name] =
    Object.entries(outputs).find(([, value]) => value === token) ?? [];
  const [, command = ""] =
    commands.find(([, one]) => one?.includes(` ${name} `)) ?? [];
  expect(await shell.ok(command, inProgram)).toBe(`${String(token)}\n`);
  const shown = await shell.ok("pulumi stack output", inProgram);
  expect(
    Object.values(outputs).filter((value) => shown.includes(value)),
  ).toEqual([]);
});

it("a second up and a second clone change nothing", async () => {
  const mark = await workspace.mark();
  await shell.ok("devid export --region us --out again");
  for (const path of ["environments.ts", "api-keys.ts", "webhooks.ts"])
    expect(readFileSync(join(shell.folder, "again", path), "utf8")).toBe(
      file(path),
    );
  await shell.ok("devid export --region us --out program --force");
  await shell.ok(`${UP} --expect-no-changes`, inProgram);
  expect(await writes(mark)).toEqual([]);
});

it("a region gets what its stack config says", async () => {
  writeFileSync(
    join(shell.folder, "program", "rules", "eu.yaml"),
    "rules:\n  - name: eu only\n    expression: sdk.platform.is_ios\n    action: deny\n",
  );
  setSettings({
    ApiKey: { default: { rateLimit: 77, status: "disabled" } },
    Webhook: {
      "hooks-shop-example-class": {
        url: "https://eu.hooks.shop.example/class",
      },
    },
    FilteringRuleSet: {
      default: { without: ["- a dash"], first: "rules/eu.yaml" },
    },
  });
  await shell.ok(UP, inProgram);
  const { objects, ruleSets } = await compare();
  const changes = objects.map(({ change, name }) => `${change} ${name}`);
  expect(changes.sort()).toEqual([
    "added https://eu.hooks.shop.example/class",
    "changed default",
    `changed ${VERIFIED}`,
    "removed https://hooks.shop.example/class",
    `removed ${LEGACY}`,
  ]);
  expect(
    ruleSets.map(({ diff }) =>
      diff.changes.map(({ kind, rule }) => `${kind} ${rule.name}`),
    ),
  ).toEqual([["removed - a dash", "added eu only"]]);
});

it("a second stack that would copy the workspace into itself creates nothing, even without a preview", async () => {
  await shell.ok("pulumi stack init us-again", inProgram);
  await shell.ok("pulumi config set devid:region us", inProgram);
  await shell.ok("pulumi config set --secret devid:managementKey", {
    ...inProgram,
    input: `${workspace.service.workspaces.us.managementKey}\n`,
  });
  const mark = await workspace.mark();
  const { code, text } = await shell.run(`${UP} --stack us-again`, inProgram);
  expect(code, text).not.toBe(0);
  expect(text).toContain("its program was exported from this very workspace");
  expect(await writes(mark)).toEqual([]);
});
