import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { EngineStack, type Declared } from "../helpers/engine-stack";
import { LocalWorkspace } from "../helpers/local-workspace";
import { shellCommands } from "../helpers/shell-commands";

const ROOT = resolve(__dirname, "../..");
const PAGE = readFileSync(join(ROOT, "docs/recovery.md"), "utf8");

let workspace: LocalWorkspace;
let stack: EngineStack;

/** One resource of each kind, in a component, with references, a secret and two providers. */
const PROGRAM: Declared[] = [
  { kind: "Component", as: "box", args: {} },
  {
    kind: "Environment",
    as: "staging",
    args: { name: "Staging" },
    opts: { parent: "$box" },
  },
  {
    kind: "ApiKey",
    as: "pages",
    args: { name: "Pages", type: "public", environment: "$staging.id" },
    opts: { parent: "$box", protect: true },
  },
  { kind: "ApiKey", as: "server", args: { name: "Server", type: "secret" } },
  {
    kind: "Webhook",
    as: "fraud",
    args: {
      url: "secret:https://hooks.example/fraud?key=hush",
      environment: "$staging.id",
    },
  },
  {
    kind: "EncryptionKey",
    as: "sealing",
    args: { environment: "$staging.id", status: "enabled" },
  },
  {
    kind: "FilteringRuleSet",
    as: "rules",
    args: {
      rules: [
        { name: "ios", expression: "sdk.platform.is_ios", action: "deny" },
      ],
    },
  },
  {
    kind: "ApiKey",
    as: "europe",
    provider: "eu",
    args: { name: "Europe", type: "public" },
  },
];

beforeAll(async () => {
  workspace = await LocalWorkspace.start();
  const { us } = workspace.service.workspaces;
  stack = await EngineStack.open({
    DEVID_ENDPOINT: workspace.url,
    DEVID_MANAGEMENT_KEY_US: us.managementKey,
  });
});

afterAll(async () => {
  stack?.close();
  await workspace?.close();
});

function declare(...more: Declared[]): void {
  const { managementKey } = workspace.service.workspaces.eu;
  stack.declare([...PROGRAM, ...more], {
    eu: { region: "eu", managementKey: `secret:${managementKey}` },
  });
}

/** Runs a command line of the page in the program's folder. Returns its exit code and output. */
const shell = (line: string, variables: Record<string, string> = {}) =>
  stack.shell(
    line
      .replaceAll(/^npx --no devid/gm, `node ${join(ROOT, "cli/bin/devid.js")}`)
      // No person is here to look at a preview.
      .replaceAll(/^pulumi (up|refresh) /gm, "pulumi $1 --skip-preview ")
      .replaceAll(/\bprod\b/g, "test"),
    variables,
  );

/** Follows a section of the page. Returns the output of each command. */
async function follow(heading: string): Promise<string[]> {
  const printed: string[] = [];
  for (const line of shellCommands(PAGE, heading)) {
    const { code, output } = await shell(line);
    expect(code, `${line}\n${output}`).toBe(0);
    printed.push(output);
  }
  return printed;
}

/** The IDs in the state, by resource name. */
async function ids(): Promise<Map<string | undefined, string | undefined>> {
  const all = await stack.resources();
  const own = all.filter(({ type }) => type.includes("devid:"));
  return new Map(own.map(({ urn, id }) => [urn.split("::").at(-1), id]));
}

it("restores the lost state of a stack, as the page says, without a secret in plain text", async () => {
  declare();
  await stack.up();
  const known = await ids();
  await shell("pulumi stack rm prod --force --yes --preserve-config");
  const mark = await workspace.mark();
  const printed = await follow("Lost state");
  expect(await ids()).toEqual(known);
  expect(printed[1]).toContain("7 of 7 resources found in the workspace.");
  expect(printed.at(-1)).toContain("unchanged");
  const log = await workspace.requestsSince(mark);
  expect(log.filter(({ method }) => method !== "GET")).toEqual([]);
  const state = JSON.stringify(await stack.resources());
  const { eu } = workspace.service.workspaces;
  for (const secret of ["key=hush", eu.managementKey])
    expect(state).not.toContain(secret);
});

/** Kills the engine after the service has created keys but before it answers. */
async function killWhileMaking(...names: string[]): Promise<void> {
  await workspace.fault({
    match: { method: "POST", path: "/management/api-keys" },
    times: names.length,
    then: "hang",
    after: true,
  });
  await stack.killedUp(async () => {
    const made = (await workspace.list("api-keys")).map(({ name }) => name);
    return names.every((name) => made.includes(name));
  });
  await workspace.forgetFaults();
}

const key = (as: string): Declared => ({
  kind: "ApiKey",
  as,
  args: { name: as, type: "secret" },
});

const idsOf = async (name: string) =>
  (await workspace.list("api-keys"))
    .filter((one) => one.name === name)
    .map(({ id }) => String(id));

it("adds the objects of a killed engine to the state, so that the next update creates only the rest", async () => {
  declare(key("first"), key("second"), key("third"));
  await killWhileMaking("first", "second");
  await follow("Killed engine");
  for (const name of ["first", "second", "third"])
    expect(await idsOf(name)).toEqual([(await ids()).get(name)]);
});

it("names an object that the next update created twice, and deletes it after a question", async () => {
  const more = ["first", "second", "third", "fourth"].map(key);
  declare(...more);
  await killWhileMaking("fourth");
  const [lost = ""] = await idsOf("fourth");
  const { said } = await stack.operate("up", "--yes", "--skip-preview");
  const made = (await ids()).get("fourth");
  expect(said).toContain(
    `A new API key is created, although the workspace already has ${lost}`,
  );
  const { code, output } = await shell("npx --no devid recover . --add");
  expect(code).toBe(2);
  expect(output).toContain(`API key ${lost} fourth`);
  expect(output).toContain(`like ${made} of ApiKey "fourth"`);
  const [, deletion = ""] = PAGE.split("and delete it:");
  const [line = ""] = shellCommands(`## Here\n${deletion}`, "Here");
  const unasked = await shell(line);
  expect(unasked.code).toBe(1);
  expect(unasked.output).toContain(`These would be deleted: ${lost}.`);
  expect(await idsOf("fourth")).toHaveLength(2);
  const done = await shell(`${line} --yes`);
  expect(done.code, done.output).toBe(0);
  expect(done.output).toContain(`Deleted API key ${lost} fourth`);
  expect(await idsOf("fourth")).toEqual([made]);
});

it("creates the objects of a wiped workspace again", async () => {
  for (const { id } of await workspace.list("api-keys"))
    await workspace.call("DELETE", `/api-keys/${String(id)}`);
  for (const { id, name } of await workspace.list("environments"))
    if (name === "Staging")
      await workspace.call("DELETE", `/environments/${String(id)}`);
  await follow("Wiped workspace");
  expect(await idsOf("first")).toEqual([(await ids()).get("first")]);
});

it("recovers a stack whose passphrase is lost", async () => {
  await shell("pulumi config set --secret devid:managementKey old");
  const known = await ids();
  const lines = shellCommands(PAGE, "Wrong passphrase").join("\n");
  const { managementKey } = workspace.service.workspaces.us;
  const { code, output } = await shell(
    lines.replace(/(set --secret \S+)/, `$1 ${managementKey}`),
    { PULUMI_CONFIG_PASSPHRASE: "forgotten" },
  );
  expect(code, output).toBe(0);
  await shell("pulumi stack import --file recovered.json", {
    PULUMI_CONFIG_PASSPHRASE: "a new passphrase",
  });
  expect(await ids()).toEqual(known);
});
