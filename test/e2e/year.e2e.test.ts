import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { findEngine, findLanguageHost } from "@devid/engine";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { GrownService, type Grow } from "../helpers/grown-service";
import { LocalWorkspace } from "../helpers/local-workspace";
import { PackedPackages } from "../helpers/packed-packages";
import { shellCommands } from "../helpers/shell-commands";
import { UserShell } from "../helpers/user-shell";

const PAGE = readFileSync(resolve(__dirname, "../../docs/cloning.md"), "utf8");

let packages: PackedPackages;

beforeAll(async () => {
  packages = await PackedPackages.ofThisRun();
});

// The section "A year of a workspace" of docs/cloning.md, line by line, with each form of the program. The
// management key of `us` is in stack config. Only devid commands that read no stack config get it from the
// environment.
describe.each([
  ["dynamic resources", "typescript"],
  ["the plugin in YAML", "yaml"],
])("a year with %s", (_, language) => {
  let workspace: LocalWorkspace;
  let service: GrownService;
  let grow: Grow = (object) => object;
  let shell: UserShell;
  const isYaml = language === "yaml";

  beforeAll(async () => {
    workspace = await LocalWorkspace.start();
    service = await GrownService.before(workspace.url, (object, path) =>
      grow(object, path),
    );
    shell = await UserShell.open({
      DEVID_ENDPOINT: service.url,
      PATH: dirname(await findLanguageHost("yaml", await findEngine())),
    });
    await post("/api-keys", { name: "Shop", type: "public" });
    await post("/api-keys", { name: "Server", type: "secret" });
    await post("/webhooks", { url: "https://hooks.shop.example/fraud" });
    await post("/filtering-rules/bulk", {
      mode: "overwrite",
      rules: [
        { name: "ios", expression: "sdk.platform.is_ios", action: "deny" },
      ],
    });
  });

  afterAll(async () => {
    shell?.close();
    await service?.close();
    await workspace?.close();
  });

  const post = (path: string, body: object) =>
    workspace.call("POST", path, body) as Promise<{ id: string }>;
  const named = async (name: string) =>
    (await workspace.list("api-keys")).find((one) => one.name === name);

  /** The environment variables with the keys for devid commands that read no stack config. */
  function keys(): string {
    const { us, eu } = workspace.service.workspaces;
    return `DEVID_MANAGEMENT_KEY_US=${us.managementKey} DEVID_MANAGEMENT_KEY_EU=${eu.managementKey}`;
  }

  /** Follows the commands of a month. Returns the output of each. `before` runs before each command. */
  async function follow(
    month: string,
    variables: Record<string, string> = {},
    before: (command: string) => Promise<void> = () => Promise.resolve(),
  ): Promise<string[]> {
    const given = Object.entries(variables).map(
      ([name, value]) => `${name}='${value}'; `,
    );
    const printed: string[] = [];
    for (const line of shellCommands(PAGE, month)) {
      const [, folder] = /^npm install --prefix (\w+)$/.exec(line) ?? [];
      if (folder !== undefined) {
        await packages.install(join(shell.folder, folder));
        continue;
      }
      const isFirst = /^npx --no devid export .*--out workspace/;
      const command = line
        .replace(/^npx --no devid (?=export)/, `${keys()} devid `)
        .replace(/^npx --no devid/, "devid")
        .replace(
          "pulumi stack import --file import.json",
          isYaml
            ? "pulumi import --file import.json --generate-code=false --protect=false --yes --skip-preview"
            : "$&",
        )
        .replace(/^pulumi refresh /, "$&--skip-preview ");
      const flags =
        isYaml && isFirst.test(line) && !line.includes("--add")
          ? command.replace(/(--out \w+)/, "$1 --language yaml")
          : command;
      const { managementKey } = workspace.service.workspaces.us;
      const input = line.includes("--secret") ? `${managementKey}\n` : "";
      await before(command);
      printed.push(await shell.ok(given.join("") + flags, { input }));
    }
    return printed;
  }

  it("brings the workspace into a stack", async () => {
    const mark = await workspace.mark();
    await follow("January");
    const log = await workspace.requestsSince(mark);
    expect(log.filter(({ method }) => method !== "GET")).toEqual([]);
  });

  // test/clone/write/grown-service.test.ts tests the programs of both forms.
  const itOnce = isYaml ? () => undefined : it;

  itOnce(
    "keeps what it cannot read in a program that is exported again",
    async () => {
      const [shop, server] = [await named("Shop"), await named("Server")];
      const values = new Map<unknown, object>([
        [shop?.id, { type: "agent" }],
        [server?.id, { status: "suspended" }],
      ]);
      grow = (object) => ({ ...object, ...values.get(object.id) });
      const again = `${keys()} devid export --region us --out workspace`;
      await shell.ok(again);
      const shown = await shell.ok(
        "pulumi preview --refresh --run-program --expect-no-changes --stack us",
        { in: "workspace" },
      );
      expect(shown).toMatch(/unchanged/);
      const program = join(shell.folder, "workspace", "api-keys.ts");
      const text = readFileSync(program, "utf8");
      expect(text).toMatch(/type: "agent"/);
      expect(text).toMatch(/status: "suspended"/);

      grow = (object) =>
        object.name === "ios" ? { ...object, action: "challenge" } : object;
      const refused = await shell.run(again);
      expect(refused.code, refused.text).toBe(1);
      expect(refused.text).toContain('rules["ios"].action');
      expect(refused.text).toContain('"challenge"');
      expect(readFileSync(program, "utf8")).toBe(text);
      grow = (object) => object;
    },
  );

  it("adds renamed, changed and hand-made objects to the program", async () => {
    const [shop, server] = [await named("Shop"), await named("Server")];
    await workspace.call("PATCH", `/api-keys/${String(shop?.id)}`, {
      name: "Till",
    });
    await workspace.call("PATCH", `/api-keys/${String(server?.id)}`, {
      rate_limit: 7,
    });
    const { id } = await post("/api-keys", { name: "By hand", type: "proxy" });
    await post("/api-keys", { name: "Nobody asked", type: "proxy" });
    const mark = await workspace.mark();
    const printed = await follow("June", { NEW_KEY: id });
    expect(printed[0]).toContain("1 of 1 others found in the workspace.");
    expect(printed[3]).toMatch(/unchanged/);
    const state = await shell.ok("pulumi stack export --stack us", {
      in: "workspace",
    });
    expect(state).toContain(id);
    expect(state).not.toContain("Nobody asked");
    // The resource of the renamed key keeps its name.
    expect(state).toContain('::shop"');
    const writes = (await workspace.requestsSince(mark)).filter(
      ({ method }) => method !== "GET",
    );
    expect(writes).toEqual([]);
  });

  it("restores the lost state, with all settings in stack config", async () => {
    await shell.ok("pulumi stack rm us --yes --force --preserve-config", {
      in: "workspace",
    });
    const mark = await workspace.mark();
    const server = String((await named("Server"))?.id);
    const printed = await follow("November", {}, async (command) => {
      if (!command.startsWith("devid recover")) return;
      // Fields that no update can change must be equal.
      const refused = await shell.run(`${command} --choose shop=${server}`);
      expect(refused.code, refused.text).toBe(1);
      expect(refused.text).toContain(
        `The choice shop=${server} does not fit: its type is "secret", the program says "public".`,
      );
    });
    expect(printed.at(-1)).toMatch(/unchanged/);
    const log = await workspace.requestsSince(mark);
    expect(log.filter(({ method }) => method !== "GET")).toEqual([]);
    // The token of the public key was read again, so no rotation is needed.
    const { said, code } = await up();
    expect(code, said).toBe(0);
    expect(said).not.toContain("rotation");
    // The state has no tokens of secret keys, and no update warns about that.
    expect(said).not.toContain("Undefined value");
  });

  async function up() {
    const { code, text } = await shell.run(
      "pulumi up --yes --skip-preview --expect-no-changes --stack us",
      { in: "workspace" },
    );
    return { code, said: text };
  }
});
