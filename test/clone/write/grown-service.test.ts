import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  LostResourceError,
  readManifest,
  writeProgram,
  type ExportedProgram,
} from "@devid/clone";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { GrownService, type Grow } from "../../helpers/grown-service";
import { localForTests } from "../../helpers/local-for-tests";
import { folderForEachTest } from "../../helpers/test-folder";
import { exported } from "./exported";
import { lifecycleOf } from "../../provider/lifecycle-of";
import { sessionOf } from "../../provider/session-of";

const workspace = localForTests();
let service: GrownService;
let grow: Grow;
let folder: string;
folderForEachTest((path) => (folder = path));

beforeAll(async () => {
  service = await GrownService.before(workspace.url, (object, path) =>
    grow(object, path),
  );
});
afterAll(() => service.close());

beforeEach(async () => {
  grow = (object) => object;
  const rule = (n: number) => ({
    name: `rule ${n}`,
    expression: `http.request.headers["X"][0] == "${n}"`,
    action: "deny",
  });
  const rules = Array.from({ length: 40 }, (_, n) => rule(n));
  await workspace.enforce(rules);
  for (const [name, type] of [
    ["Shop", "public"],
    ["Server", "secret"],
  ])
    await workspace.call("POST", "/api-keys", { name, type });
});

type Options = Parameters<typeof exported>[1];

/** Exports the grown workspace into the folder, as `devid export` does. */
async function exportAgain(options: Options = {}): Promise<ExportedProgram> {
  const place = { url: service.url, service: workspace.service };
  const { names } = readManifest(folder);
  const program = await exported(place, options, { names });
  writeProgram(folder, program);
  return program;
}

const file = (path: string) => readFileSync(join(folder, path), "utf8");

/** Gives a field of some objects another value. */
const withValue =
  (list: string, name: unknown, member: string, value: unknown): Grow =>
  (object, path) =>
    path.startsWith(`/management/${list}`) && object.name === name
      ? { ...object, [member]: value }
      : object;

it.each([
  ["type", "agent"],
  ["status", "suspended"],
])(
  "keeps a key with a %s that this version does not know",
  async (member, value) => {
    const before = await exportAgain();
    grow = withValue("api-keys", "Server", member, value);
    const program = await exportAgain();
    expect(program.leftOut).toEqual([]);
    expect(program.names).toEqual(before.names);
    expect(file("api-keys.ts")).toContain(`${member}: "${value}" as never`);
    expect(file("REPORT.md")).toContain(`\`${member}\` \`${value}\``);
  },
);

it("refuses to remove a rule set from a program because of one rule", async () => {
  const before = await exportAgain();
  const texts = new Map(
    [...before.files.keys()].map((path) => [path, file(path)]),
  );
  grow = withValue("filtering-rules", "rule 7", "action", "challenge");
  const refused = await exportAgain().catch(String);
  expect(refused).toMatch(
    /FilteringRuleSet "default" \(ae_\w+\): rules\["rule 7"\]\.action: must be one of allow, deny, and is "challenge"/,
  );
  for (const [path, text] of texts) expect(file(path)).toBe(text);
});

it("writes no rule file for an undeclared rule set", async () => {
  grow = withValue("filtering-rules", "rule 7", "action", "challenge");
  const { files, leftOut } = await exportAgain();
  expect(leftOut).toHaveLength(1);
  expect([...files.keys()].filter((path) => path.startsWith("rules"))).toEqual(
    [],
  );
});

it("keeps the name of a resource when its object is renamed, and gives that name to no other resource", async () => {
  const before = await exportAgain();
  const [shop] = (await workspace.list("api-keys")).filter(
    ({ name }) => name === "Shop",
  );
  await workspace.call("PATCH", `/api-keys/${String(shop?.id)}`, {
    name: "Till",
  });
  await workspace.call("POST", "/api-keys", { name: "Shop", type: "public" });
  const { names } = await exportAgain();
  expect(names.ApiKey).toMatchObject(before.names.ApiKey ?? {});
  const others = Object.entries(names.ApiKey ?? {}).filter(
    ([id]) => !(id in (before.names.ApiKey ?? {})),
  );
  expect(others.map(([, name]) => name)).toEqual([
    expect.stringMatching(/^shop-\w{4}$/),
  ]);
  expect(file("api-keys.ts")).toMatch(
    /new devid\.ApiKey\("shop", \{\n {2}name: "Till"/,
  );
});

it("refuses to drop a renamed object that --include no longer matches", async () => {
  await exportAgain({ include: ["*:Sh*"] });
  const [shop] = (await workspace.list("api-keys")).filter(
    ({ name }) => name === "Shop",
  );
  await workspace.call("PATCH", `/api-keys/${String(shop?.id)}`, {
    name: "Till",
  });
  await expect(exportAgain({ include: ["*:Sh*"] })).rejects.toBeInstanceOf(
    LostResourceError,
  );
});

it.each(["x = process.exit(); //", "../../x", "a\nb"])(
  "an edited manifest puts no code and no path into the program: %j",
  async (name) => {
    const { files } = await exportAgain();
    const path = join(folder, ".devid-export.json");
    const manifest = JSON.parse(readFileSync(path, "utf8")) as ExportedProgram;
    for (const names of Object.values(manifest.names))
      for (const id in names) Object.assign(names, { [id]: name });
    writeFileSync(path, JSON.stringify(manifest));
    expect((await exportAgain()).files).toEqual(files);
  },
);

it("removes a deleted object from the program", async () => {
  await exportAgain();
  const [shop] = await workspace.list("api-keys");
  await workspace.call("DELETE", `/api-keys/${String(shop?.id)}`);
  const { names } = await exportAgain();
  expect(Object.keys(names.ApiKey ?? {})).not.toContain(shop?.id);
});

it("imports, refreshes and updates an object with an unknown value", async () => {
  grow = withValue("api-keys", "Server", "type", "agent");
  const found = (await workspace.list("api-keys")).find(
    ({ name }) => name === "Server",
  );
  const id = String(found?.id);
  const place = { url: service.url, service: workspace.service };
  const lifecycle = lifecycleOf("ApiKey", sessionOf(place).session);
  const read =
    (await lifecycle.read({ id, owns: true })) ?? expect.fail("is gone");
  const news = { ...read.program, description: "For the server" };
  const checked = await lifecycle.check({ news, olds: read.inputs });
  expect(checked.failures).toEqual([]);
  const { state } = read;
  const asked = { id, state, news: checked.inputs };
  expect(lifecycle.diff(asked)).toMatchObject({
    replaces: [],
    changes: true,
  });
  const updated = await lifecycle.update({ id, state, inputs: checked.inputs });
  expect(updated.state).toMatchObject({
    type: "agent",
    description: "For the server",
  });
  const refused = await lifecycle.check({
    news: { ...news, type: "agnt" },
    olds: read.inputs,
  });
  expect(refused.failures).toEqual([
    { property: "type", reason: "must be one of public, secret, proxy" },
  ]);
});
