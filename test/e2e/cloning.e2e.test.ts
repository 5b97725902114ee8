import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { killTree } from "../helpers/kill-tree";
import { LocalWorkspace } from "../helpers/local-workspace";
import { PackedPackages } from "../helpers/packed-packages";
import { shellCommands } from "../helpers/shell-commands";
import { UserShell } from "../helpers/user-shell";

// docs/cloning.md, followed line by line. Each test continues from the state that the previous test
// left, because a stack has one history.

const PAGE = readFileSync(resolve(__dirname, "../../docs/cloning.md"), "utf8");

type Region = "us" | "eu";

let workspace: LocalWorkspace;
let packages: PackedPackages;
let shell: UserShell;

const post = (path: string, body: object) =>
  workspace.call("POST", path, body) as Promise<{ id: string }>;

const rule = (name: string, expression: string) => ({
  ...{ name, expression },
  action: "deny",
});

beforeAll(async () => {
  workspace = await LocalWorkspace.start();
  packages = await PackedPackages.ofThisRun();
  const { us, eu } = workspace.service.workspaces;
  shell = await UserShell.open({
    DEVID_ENDPOINT: workspace.url,
    DEVID_MANAGEMENT_KEY_US: us.managementKey,
    DEVID_MANAGEMENT_KEY_EU: eu.managementKey,
  });
  for (const { id } of await workspace.list("api-keys", "eu"))
    await workspace.call("DELETE", `/api-keys/${String(id)}`, undefined, "eu");
  const staging = await post("/environments", { name: "Staging" });
  const environment = staging.id;
  await post("/api-keys", {
    ...{ name: "Staging browser", type: "public", environment },
  });
  await post("/api-keys", { name: "Server", type: "secret" });
  // Only their IDs tell these from each other.
  for (let n = 0; n < 2; n++)
    await post("/api-keys", { name: "Twin", type: "proxy" });
  await post("/webhooks", { url: "https://hooks.shop.example/fraud" });
  for (const place of [undefined, environment])
    await post("/filtering-rules/bulk", {
      ...{ environment: place, mode: "overwrite" },
      rules: [
        rule("ios", "sdk.platform.is_ios"),
        rule("crawlers", "http.user_agent.is_crawler_bot"),
      ],
    });
});

afterAll(async () => {
  shell?.close();
  await workspace?.close();
});

/** Follows a section of the page. Returns the output of each command. */
async function follow(heading: string, region: Region): Promise<string[]> {
  const { managementKey } = workspace.service.workspaces[region];
  const printed: string[] = [];
  for (const line of shellCommands(PAGE, heading)) {
    if (line.startsWith("npm install")) {
      await packages.install(join(shell.folder, "workspace"));
      continue;
    }
    const command = line
      .replace(/^npx --no devid/, "devid")
      // No person is here to look at a preview and confirm it.
      .replace(/^pulumi up /, "pulumi up --yes --skip-preview ");
    const input = line.includes("--secret") ? `${managementKey}\n` : "";
    printed.push(await shell.ok(command, { input }));
  }
  return printed;
}

/** The writes that changed something. */
const writes = async (mark: number) =>
  (await workspace.requestsSince(mark))
    .filter(({ method, status }) => method !== "GET" && status < 400)
    .map(({ method, path }) => `${method} ${path}`);

const named = async (name: string, region: Region) =>
  (await workspace.list("api-keys", region)).filter((one) => one.name === name);

it("takes a workspace over without a write, also objects that are alike", async () => {
  const mark = await workspace.mark();
  const printed = await follow("Take a workspace over", "us");
  expect(await writes(mark)).toEqual([]);
  expect(printed.at(-1)).toMatch(/unchanged/);
  const state = await shell.ok("pulumi stack export --stack us", {
    in: "workspace",
  });
  for (const { id } of await workspace.list("api-keys"))
    expect(state).toContain(String(id));
});

it("brings it up in another region, with what differs there", async () => {
  const printed = await follow("Bring it up in another region", "eu");
  expect(printed.at(-1)).toContain("rateLimit");
  expect(printed.at(-1)).toContain("1 difference: 1 changed.");
  expect(await named("Staging browser", "eu")).toMatchObject([
    { rate_limit: 20 },
  ]);
  expect(await named("Twin", "eu")).toHaveLength(2);
});

it("brings changes over, deletes what was deleted, and then has nothing to do", async () => {
  const [server] = await named("Server", "us");
  const [copy] = await named("Server", "eu");
  const [twin] = await named("Twin", "us");
  await workspace.call("PATCH", `/api-keys/${String(server?.id)}`, {
    name: "Backend",
    rate_limit: 7,
  });
  await workspace.call("DELETE", `/api-keys/${String(twin?.id)}`);
  await post("/api-keys", { name: "By hand", type: "proxy" });
  const mark = await workspace.mark();
  await follow("Bring changes over", "eu");
  expect(await named("Backend", "eu")).toMatchObject([
    { id: copy?.id, rate_limit: 7 },
  ]);
  expect(await named("Twin", "eu")).toHaveLength(1);
  expect(await named("By hand", "eu")).toHaveLength(1);
  // The key by hand was taken over.
  expect(await named("By hand", "us")).toHaveLength(1);
  expect((await writes(mark)).map((one) => one.split(" ")[0]).sort()).toEqual([
    "DELETE",
    "PATCH",
    "POST",
  ]);
  const again = await workspace.mark();
  await follow("Bring changes over", "eu");
  expect(await writes(again)).toEqual([]);
});

it("goes on after a kill in the middle, and makes nothing twice", async () => {
  for (const n of [1, 2, 3])
    await post("/api-keys", { name: `Late ${n}`, type: "secret" });
  await shell.ok("devid export --region us --out workspace");
  await workspace.fault({
    match: { method: "POST", path: "/management/api-keys" },
    times: 1,
    then: "hang",
    after: true,
  });
  const killed = shell.run(
    "pulumi up --yes --skip-preview --stack eu --cwd workspace & echo $! >pid; wait",
  );
  while (
    (await workspace.list("api-keys", "eu")).filter(({ name }) =>
      String(name).startsWith("Late"),
    ).length < 3
  )
    await sleep(50);
  await killTree(Number(readFileSync(join(shell.folder, "pid"), "utf8")));
  await killed;
  await workspace.forgetFaults();
  await follow("Killed in the middle", "eu");
  for (const n of [1, 2, 3])
    expect(await named(`Late ${n}`, "eu")).toHaveLength(1);
  expect(await shell.run("devid compare us eu")).toMatchObject({
    text: expect.stringContaining("1 difference: 1 changed.") as string,
  });
});
