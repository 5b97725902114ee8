import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, dirname } from "node:path";
import { findEngine, findLanguageHost } from "@devid/engine";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LocalWorkspace } from "../helpers/local-workspace";
import { PackedPackages } from "../helpers/packed-packages";
import { UserShell } from "../helpers/user-shell";

type Json = Record<string, unknown>;

let packages: PackedPackages;

beforeAll(async () => {
  packages = await PackedPackages.ofThisRun();
});

// One story for each form of the program. Each test continues from the state that the previous test left.
describe.each([
  ["dynamic resources", ""],
  ["the plugin in YAML", " --language yaml"],
])("with %s", (_, form) => {
  let workspace: LocalWorkspace;
  let shell: UserShell;

  beforeAll(async () => {
    workspace = await LocalWorkspace.start();
    const { us, eu } = workspace.service.workspaces;
    shell = await UserShell.open({
      DEVID_ENDPOINT: workspace.url,
      DEVID_MANAGEMENT_KEY_US: us.managementKey,
      DEVID_MANAGEMENT_KEY_EU: eu.managementKey,
      PATH: dirname(await findLanguageHost("yaml", await findEngine())),
    });
    const post = (path: string, body: Json, region: "us" | "eu" = "us") =>
      workspace.call("POST", path, body, region) as Promise<{ id: string }>;
    const { id: environment } = await post("/environments", {
      name: "Staging",
    });
    await post("/api-keys", { name: "Shop", type: "public" });
    await post("/api-keys", { name: "Server", type: "secret", environment });
    await post("/webhooks", { url: "https://hooks.shop.example/fraud" });
    await post("/webhooks", { url: "https://internal.example/us-only" });
    await post("/filtering-rules/bulk", {
      mode: "overwrite",
      rules: [
        {
          name: "our shop",
          expression:
            "http.request.headers['Origin'][0] == 'https://shop.example'",
          action: "allow",
        },
        { name: "rest", expression: "sdk.platform.is_ios", action: "deny" },
      ],
    });
    await post("/api-keys", { name: "Shop", type: "public" }, "eu");
    await post("/api-keys", { name: "Only here", type: "proxy" }, "eu");
  });

  afterAll(async () => {
    shell?.close();
    await workspace?.close();
  });

  const COMMAND = `devid sync us eu --out eu --yes${form}`;
  const sync = (flags = "") => shell.run(COMMAND + flags);
  const path = (name: string) => join(shell.folder, "eu", name);
  const named = async (list: string, name: string) =>
    (await workspace.list(list, "eu")).filter((one) => one.name === name);
  /** The addresses of the webhooks in the state of the copy. */
  function webhooksInState(): unknown[] {
    const stacks = join(shell.folder, ".engine/state/.pulumi/stacks");
    const [project = ""] = readdirSync(stacks);
    const state = JSON.parse(
      readFileSync(join(stacks, project, "eu.json"), "utf8"),
    ) as { checkpoint: { latest: { resources: { outputs?: Json }[] } } };
    return state.checkpoint.latest.resources.map(({ outputs }) => outputs?.url);
  }
  /** The writes to `eu` during some work. */
  async function writesOf(run: () => Promise<unknown>): Promise<string[]> {
    const mark = await workspace.mark();
    await run();
    return (await workspace.requestsSince(mark))
      .filter(({ method }) => method !== "GET")
      .map(({ method, path: at }) => `${method} ${at}`);
  }

  it("writes the program, and reports that its packages are missing", async () => {
    mkdirSync(path(""), { recursive: true });
    writeFileSync(
      path("differences.yaml"),
      [
        "eu:",
        "  exclude: ['webhooks:*internal*']",
        "  replace:",
        "    - { from: shop.example, to: eu.shop.example }",
        "    - { from: nowhere.example, to: x }",
        "  set:",
        "    ApiKey: { Server: { status: disabled } }",
        "",
      ].join("\n"),
    );
    const { code, text } = await sync();
    expect(text).toContain(
      'eu/differences.yaml: replace "nowhere.example" is in none of the names, urls, rules.',
    );
    expect(text).toContain("Run npm install there");
    expect(code).toBe(1);
    await packages.install(path(""));
  });

  it("plans without changing either workspace or the stack", async () => {
    let planned = { code: 0 as number | null, stdout: "", text: "" };
    const writes = await writesOf(async () => {
      planned = await sync(" --plan");
    });
    expect(writes).toEqual([]);
    expect(planned.text).toContain("+ Environment staging");
    expect(planned.text).toContain("+ ApiKey server");
    expect(planned.text).not.toContain("ApiKey shop\n");
    expect(planned.text).toContain("API key Only here (tok_");
    expect(planned.code).toBe(2);
    const state = await shell.ok("pulumi stack export --stack eu", {
      in: "eu",
    });
    expect(state).not.toContain("tok_");
  });

  it("creates the copy with its intended differences, and keeps a map of IDs", async () => {
    const { code, text } = await sync();
    expect(code, text).toBe(0);
    expect(await named("api-keys", "Server")).toMatchObject([
      { type: "secret", status: "disabled" },
    ]);
    expect(await named("api-keys", "Shop")).toHaveLength(1);
    expect(await named("api-keys", "Only here")).toHaveLength(1);
    const hooks = await workspace.list("webhooks", "eu");
    expect(hooks.map(({ url }) => url)).toEqual([
      "https://hooks.eu.shop.example/fraud",
    ]);
    const rules = await workspace.list("filtering-rules", "eu");
    expect(rules.map(({ expression }) => expression)).toEqual([
      "http.request.headers['Origin'][0] == 'https://eu.shop.example'",
      "sdk.platform.is_ios",
    ]);
    const { ids } = JSON.parse(readFileSync(path("sync.json"), "utf8")) as {
      ids: Record<string, Record<string, string>>;
    };
    const [us] = await workspace.list("webhooks", "us");
    expect(ids.Webhook).toEqual({ [String(us?.id)]: hooks[0]?.id });
    const keys = await workspace.list("api-keys", "us");
    expect(Object.keys(ids.ApiKey ?? {})).toEqual(
      expect.arrayContaining(keys.map(({ id }) => id)),
    );
  });

  it("writes nothing the second time, and requests each list of each region once", async () => {
    const mark = await workspace.mark();
    const { code, text } = await sync();
    expect(text).toContain("Nothing to do: eu has what us has.");
    expect(text).toContain("API key Only here (tok_");
    expect(code).toBe(0);
    const calls = await workspace.requestsSince(mark);
    expect(calls.map(({ method }) => method)).toEqual(Array(10).fill("GET"));
  });

  // The comparison and the plan do not depend on the form of the program.
  const itOnce = form === "" ? it : () => undefined;

  itOnce(
    "follows a rename, and keeps what is gone in the first region",
    async () => {
      const keys = await workspace.list("api-keys");
      const idOf = (name: string) =>
        String(keys.find((one) => one.name === name)?.id);
      const [before] = await named("api-keys", "Shop");
      await workspace.call("PATCH", `/api-keys/${idOf("Shop")}`, {
        name: "Till",
      });
      await workspace.call("DELETE", `/api-keys/${idOf("Server")}`);
      // The key is gone, so its difference no longer matters.
      const { code, text } = await sync();
      expect(code, text).toBe(0);
      expect(await named("api-keys", "Till")).toMatchObject([
        { id: before?.id },
      ]);
      expect(await named("api-keys", "Server")).toHaveLength(1);
    },
  );

  itOnce(
    "refuses to delete rules that only the second region has",
    async () => {
      const rules = await workspace.list("filtering-rules", "eu");
      const { environment } = rules[0] ?? {};
      await workspace.call(
        "POST",
        "/filtering-rules",
        {
          ...{ name: "by hand", expression: "sdk.platform.is_android" },
          ...{ action: "deny", environment },
        },
        "eu",
      );
      const { code, text } = await sync();
      expect(text).toMatch(
        /eu has filtering rules that us does not have.*\n.*by hand/,
      );
      expect(code).toBe(1);
      expect(await workspace.list("filtering-rules", "eu")).toHaveLength(3);
    },
  );

  itOnce("prunes what only the second region has, when told to", async () => {
    const { code, text } = await sync(" --prune");
    expect(code, text).toBe(0);
    expect(text).toMatch(/- ApiKey only-there-tok_/);
    expect(await named("api-keys", "Only here")).toEqual([]);
    expect(await named("api-keys", "Server")).toEqual([]);
    expect(await workspace.list("filtering-rules", "eu")).toHaveLength(2);
    expect(await named("api-keys", "Till")).toHaveLength(1);
  });

  it("finds every object again after a lost state and a killed update, and creates nothing twice", async () => {
    // A retry of this test may find a lock of the first try.
    await shell.run("pulumi cancel --yes --stack eu", { in: "eu" });
    await shell.ok("pulumi stack rm eu --yes --force --preserve-config", {
      in: "eu",
    });
    const { id: environment } = (await workspace.call("POST", "/environments", {
      name: "Late",
    })) as { id: string };
    const key = { name: "Late", type: "secret", environment };
    await workspace.call("POST", "/api-keys", key);
    await workspace.call("POST", "/webhooks", { url: "https://late.example/" });
    const mark = await workspace.mark();
    // The key is created, and no state knows it.
    await workspace.fault({
      match: { method: "POST", path: "/management/api-keys" },
      times: 1,
      then: "hang",
      after: true,
    });
    const killed = shell.start(COMMAND);
    const waiting = { timeout: 180_000 };
    await expect.poll(() => named("api-keys", "Late"), waiting).toHaveLength(1);
    // The state already has the other objects, so the kill interrupts no write of the state.
    await expect
      .poll(webhooksInState, waiting)
      .toContain("https://late.example/");
    await killed.kill();
    const [made] = await named("api-keys", "Late");

    const refused = await writesOf(async () => {
      const { code, text } = await sync();
      expect(text).toContain("pulumi cancel");
      expect(code).toBe(1);
    });
    expect(refused).toEqual([]);
    await shell.ok("pulumi cancel --yes --stack eu", { in: "eu" });
    const { code, text } = await sync();
    expect(code, text).toBe(0);
    expect(await named("api-keys", "Late")).toMatchObject([{ id: made?.id }]);
    expect(await named("environments", "Late")).toHaveLength(1);
    const log = await workspace.requestsSince(mark);
    const writes = log.filter(({ method }) => method !== "GET");
    expect(
      writes.map(({ method, path: at }) => `${method} ${at}`).toSorted(),
    ).toEqual([
      "POST /management/api-keys",
      "POST /management/environments",
      "POST /management/webhooks",
    ]);
    const third = await writesOf(async () => {
      expect((await sync()).text).toContain("Nothing to do");
    });
    expect(third).toEqual([]);
  });
});
