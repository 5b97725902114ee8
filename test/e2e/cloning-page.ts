import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { LocalWorkspace } from "../helpers/local-workspace";
import { PackedPackages } from "../helpers/packed-packages";
import { shellCommands } from "../helpers/shell-commands";
import { UserShell } from "../helpers/user-shell";
import { openForTests } from "../helpers/open-for-tests";
import { rule } from "../rules/diff/rule";
import { textOf } from "../helpers/repository";

const PAGE = textOf("docs/cloning.md");

type Region = "us" | "eu";

/**
 * docs/cloning.md, followed line by line, to the copy in another region. What follows
 * continues from there, because a stack has one history.
 */
export function itCopies() {
  const workspace = openForTests(new LocalWorkspace());
  let packages: PackedPackages;
  let shell: UserShell;

  const post = (path: string, body: object) => workspace.make(path, body);

  beforeAll(async () => {
    packages = await PackedPackages.ofThisRun();
    const { us, eu } = workspace.service.workspaces;
    shell = await UserShell.open({
      DEVID_ENDPOINT: workspace.url,
      DEVID_MANAGEMENT_KEY_US: us.managementKey,
      DEVID_MANAGEMENT_KEY_EU: eu.managementKey,
    });
    for (const { id } of await workspace.list("api-keys", "eu"))
      await workspace.eu("DELETE", `/api-keys/${String(id)}`);
    const environment = await workspace.newEnvironment("Staging");
    await post("/api-keys", {
      ...{ name: "Staging browser", type: "public", environment },
    });
    await post("/api-keys", { name: "Server", type: "secret" });
    // Only their IDs tell these from each other.
    for (let n = 0; n < 2; n++)
      await post("/api-keys", { name: "Twin", type: "proxy" });
    await post("/webhooks", { url: "https://hooks.shop.example/fraud" });
    const ios = rule("ios", "sdk.platform.is_ios");
    const crawlers = rule("crawlers", "http.user_agent.is_crawler_bot");
    for (const place of [undefined, environment])
      await workspace.enforce([ios, crawlers], place);
  });

  afterAll(() => shell?.close());

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
    (await workspace.list("api-keys", region)).filter(
      (one) => one.name === name,
    );

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

  return {
    get workspace() {
      return workspace;
    },
    get shell() {
      return shell;
    },
    post,
    follow,
    writes,
    named,
  };
}
