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

/** One of each kind, in a component, with references, a secret and two providers. */
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
    MANAGEMENT_URL: `${workspace.url}/management`,
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

/** Runs a command line of the page in the program's folder; answers its code and output. */
const shell = (line: string) =>
  stack.shell(
    line
      .replace(/^npx devid/, `node ${join(ROOT, "cli/bin/devid.js")}`)
      .replaceAll(/\bprod\b/g, "test"),
  );

/** Follows a section of the page; answers what each command printed. */
async function follow(heading: string): Promise<string[]> {
  const printed: string[] = [];
  for (const line of shellCommands(PAGE, heading)) {
    const { code, output } = await shell(line);
    expect(code, `${line}\n${output}`).toBe(0);
    printed.push(output);
  }
  return printed;
}

/** The IDs of the state by the names of the resources. */
async function ids(): Promise<Map<string | undefined, string | undefined>> {
  const all = await stack.resources();
  const own = all.filter(({ type }) => type.includes("devid:"));
  return new Map(own.map(({ urn, id }) => [urn.split("::").at(-1), id]));
}

it("gives a stack its lost state back, as the page says, and no secret in plain text", async () => {
  declare();
  await stack.up();
  const known = await ids();
  await shell("pulumi stack rm prod --force --yes --preserve-config");
  const mark = await workspace.mark();
  const printed = await follow("Lost state");
  expect(await ids()).toEqual(known);
  expect(printed[1]).toContain("Stack declared/test: 7 of 7 resources found");
  expect(printed.at(-1)).toContain("unchanged");
  const log = await workspace.requestsSince(mark);
  expect(log.filter(({ method }) => method !== "GET")).toEqual([]);
  const state = JSON.stringify(await stack.resources());
  const { eu } = workspace.service.workspaces;
  for (const secret of ["key=hush", eu.managementKey])
    expect(state).not.toContain(secret);
});
