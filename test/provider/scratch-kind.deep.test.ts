import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import {
  cloneKinds,
  compareWorkspaces,
  exportProgram,
  formatComparison,
  readExport,
  readWorkspace,
  select,
  writeProgram,
  type SelectionOptions,
} from "@devid/clone";
import { createClient, optionsFromEnvironment, type Client } from "@devid/sdk";
import ts from "typescript";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Secret } from "../../provider/src/definition/value";
import { resourcePage } from "../../provider/src/generate/pages";
import {
  classesFile,
  resourcesFile,
} from "../../provider/src/generate/program-files";
import { Lifecycle } from "../../provider/src/lifecycle/lifecycle";
import * as registry from "../../provider/src/registry";
import { Session } from "../../provider/src/session/session";
import { formatted } from "../helpers/formatted";
import { LocalWorkspace } from "../helpers/local-workspace";
import { openForTests } from "../helpers/open-for-tests";
import { folderForTests } from "../helpers/test-folder";
import { CANARIES, defineSeat, SeatService } from "../helpers/scratch-kind";

// A made-up kind that has only a wire schema, a service and a definition. It passes through every step that a
// real kind passes through.

let service: SeatService;
let client: Client;
let staging: string;
const folder = folderForTests();
let definition: ReturnType<typeof defineSeat>;
let kinds: ReturnType<typeof cloneKinds>;
/** Everything that was printed, thrown or written. */
const said: string[] = [];

const lifecycle = () => {
  const log = (_severity: string, text: string) => {
    said.push(text);
    return Promise.resolve();
  };
  return new Lifecycle(definition, new Session(() => client, log));
};

const workspace = openForTests(new LocalWorkspace());
beforeAll(async () => {
  service = await SeatService.start(workspace.url);
  const { managementKey } = workspace.service.workspaces.us;
  const settings = {
    endpoint: service.url,
    managementKey,
    requestsPerSecond: "100000",
  };
  const describe = (name: string) => `test ${name}`;
  client = createClient(optionsFromEnvironment([{ settings, describe }], {}));
  definition = defineSeat(service.client(managementKey));
  kinds = cloneKinds({ ...registry, Seat: definition });
  const made = await workspace.call("POST", "/environments", {
    name: "Staging",
  });
  staging = (made as { id: string }).id;
});

afterAll(async () => {
  await service.close();
});

/** Creates a seat as an engine does, and returns its ID and state. */
async function created(news: Record<string, unknown>) {
  const checked = await lifecycle().check({ news });
  expect(checked.failures).toEqual([]);
  return lifecycle().create({ inputs: checked.inputs });
}

const checked = async (news: object) =>
  (await lifecycle().check({ news: { ...news }, olds: {} })).inputs;

const read = async (options: SelectionOptions = {}) =>
  select(await readWorkspace(client, { kinds }), options, kinds);

const exported = async (options?: SelectionOptions) => {
  const program = exportProgram(await read(options), client.configuration);
  said.push(...program.files.values(), JSON.stringify(program.leftOut));
  return program;
};

const seat = (name: string) =>
  [...service.seats.values()].find((one) => one.name === name) ?? {};

// Each test continues from the state that the previous test left.

it("is created with defaults, secrets and an owner", async () => {
  const { id, state } = await created({
    name: "Ann Field",
    environment: staging,
    pin: new Secret(CANARIES.pin),
  });
  expect(id).toBe("seat_1");
  expect(state).toMatchObject({
    name: "Ann Field",
    role: "viewer",
    environment: staging,
    pin: new Secret(CANARIES.pin),
    token: new Secret(CANARIES.token),
    recoveryCode: new Secret(CANARIES.recoveryCode),
    owner: {
      region: "us",
      workspace: workspace.service.workspaces.us.environment,
    },
  });
  await created({ name: "Bo Stone", role: "editor" });
});

it("is refused with all mistakes at once and no secret", async () => {
  const { failures } = await lifecycle().check({
    news: { name: "x", pin: new Secret("1"), colour: "red" },
  });
  expect(failures.map(({ property }) => property).sort()).toEqual([
    "colour",
    "name",
    "pin",
  ]);
});

it("is replaced when an immutable field changes, and updated when another field changes", async () => {
  const { id, state } = await created({ name: "Cy Marsh" });
  const same = await checked({ name: "Cy Marsh" });
  const wanted = await checked({ name: "Cy Marsh", role: "editor" });
  const renamed = await checked({ name: "Cyril Marsh" });
  const diff = (news: Record<string, unknown>) =>
    lifecycle().diff({ id, state, news });
  expect(diff(same).changes).toBe(false);
  expect(diff(wanted)).toMatchObject({
    properties: [{ path: "role", kind: "update", replaces: false }],
    replaces: [],
  });
  expect(diff(renamed)).toMatchObject({ replaces: ["name"] });

  const updated = await lifecycle().update({ id, state, inputs: wanted });
  expect(updated.state).toMatchObject({
    role: "editor",
    token: new Secret(CANARIES.token),
  });
  const next = await created({ name: "Cyril Marsh" });
  await lifecycle().delete({ id, state: updated.state });
  expect(seat("Cy Marsh")).toEqual({});
  await lifecycle().delete({ id: next.id, state: next.state });
});

it("shows drift, and keeps the values that were shown once", async () => {
  const inputs = await checked({ name: "Di Brook" });
  const { id, state } = await lifecycle().create({ inputs });
  Object.assign(seat("Di Brook"), { role: "owner" });
  const found = await lifecycle().read({ id, state });
  expect(found?.state).toMatchObject({
    role: "owner",
    token: new Secret(CANARIES.token),
  });
  const drift = lifecycle().diff({
    id,
    state: found?.state ?? {},
    news: inputs,
  });
  expect(drift.properties.map(({ path }) => path)).toEqual(["role"]);
  await lifecycle().delete({ id, state });
  expect(await lifecycle().read({ id, state })).toBeUndefined();
});

it("is exported as code, after the objects that it refers to", async () => {
  const { files, leftOut } = await exported();
  expect(leftOut).toEqual([]);
  expect(files.get("seats.ts")).toBe(`// The seats.
import * as devid from "@devid/pulumi";
import * as environments from "./environments";

export const annField = new devid.Seat("ann-field", {
  name: "Ann Field",
  environment: environments.staging.id,
});

export const boStone = new devid.Seat("bo-stone", {
  name: "Bo Stone",
  role: "editor",
});
`);
  expect(files.get("index.ts")).toMatch(/"\.\/environments";[^]*"\.\/seats";/);
  const report = files.get("REPORT.md") ?? "";
  expect(report).toContain("2 `Seat`");
  expect(report).toContain("## Secrets of seats");
  expect(report).toContain("No export writes `token`, `recoveryCode`");
  expect(report).toContain("## Secret inputs of seats");
  expect(await formatted("REPORT.md", report)).toBe(report);
});

it("is in the list for pulumi import, and an imported object shows no change in the next preview", async () => {
  const { files } = await exported();
  const { resources } = JSON.parse(files.get("import.json") ?? "") as {
    resources: { type: string; name: string; id: string }[];
  };
  const seats = resources.filter(({ type }) => type.endsWith(":Seat"));
  expect(seats).toHaveLength(2);
  for (const { id } of seats) {
    const found = await lifecycle().read({ id });
    const { state = {}, inputs = {} } = found ?? {};
    expect(lifecycle().diff({ id, state, news: inputs }).changes).toBe(false);
  }
});

it("is selected by its kind, its name and its environment", async () => {
  const names = async (options: SelectionOptions) =>
    ((await read(options)).workspace.objects.Seat ?? []).map(
      ({ outputs }) => outputs.name,
    );
  expect(await names({ include: ["seats"] })).toHaveLength(2);
  expect(await names({ include: ["api-keys"] })).toEqual([]);
  expect(await names({ name: "Bo*" })).toEqual(["Bo Stone"]);
  expect(await names({ environment: "Staging" })).toEqual(["Ann Field"]);
});

it("is compared by the fields that a program can declare, and never by a secret", async () => {
  const before = await read();
  writeProgram(folder, await exported());
  Object.assign(seat("Ann Field"), {
    role: "owner",
    pin: `${CANARIES.pin}-2`,
    recovery_code: `${CANARIES.recoveryCode}-2`,
  });
  const changed = {
    change: "changed",
    what: "seat",
    name: "Ann Field",
    ids: { before: "seat_1", after: "seat_1" },
    environment: "Staging",
    fields: [{ field: "role", before: "viewer", after: "owner" }],
  };
  const after = { name: "after", selection: await read() };
  for (const selection of [before, readExport(folder, kinds).selection]) {
    const comparison = compareWorkspaces({ name: "before", selection }, after);
    expect(comparison.objects).toEqual([changed]);
    said.push(
      JSON.stringify(comparison),
      formatComparison([comparison], "text"),
      formatComparison([comparison], "markdown"),
    );
  }
});

it("masks addresses that may hold a secret in reports and comparisons, and names the place of the full address", async () => {
  const before = await read();
  const url = `https://user:${CANARIES.query}@hooks.example/seats?key=${CANARIES.query}`;
  await workspace.call("POST", "/webhooks", { url });
  const after = await read();
  const comparison = compareWorkspaces(
    { name: "before", selection: before },
    { name: "after", selection: after },
  );
  expect(comparison.objects).toHaveLength(1);
  const { files } = exportProgram(after, client.configuration);
  const report = files.get("REPORT.md") ?? "";
  expect(report).toContain("## Addresses that may hold a secret");
  for (const text of [
    report,
    JSON.stringify(comparison),
    formatComparison([comparison], "text"),
    formatComparison([comparison], "markdown"),
  ]) {
    expect(text).toContain("hooks.example/seats");
    expect(text).not.toContain(CANARIES.query);
  }
});

it("shows no secret in an error", async () => {
  const { id, state } = await created({ name: "Ed Wood" });
  const inputs = await checked({
    name: "Ed Wood",
    role: "refused",
    pin: new Secret(CANARIES.pin),
  });
  const refused = await lifecycle()
    .update({ id, state, inputs })
    .then(
      () => expect.fail("it was not refused"),
      (error: unknown) => error as Error,
    );
  expect(refused.message).toContain("Updating seat seat_");
  said.push(refused.message, refused.stack ?? "");

  const path = join(folder, "workspace.json");
  for (const text of [
    `{"version":2,"${CANARIES.pin}`,
    `{"version":2,"workspace":{"region":"${CANARIES.pin}"}}`,
    `{"version":1}`,
  ]) {
    writeFileSync(path, text);
    const read = () => readExport(folder, kinds);
    expect(read).toThrow(/cannot be read: .*\. Export again\.$/);
    try {
      read();
    } catch (error) {
      said.push(String(error));
    }
  }
});

it("shows none of its secrets anywhere", () => {
  const all = said.join("\n");
  expect(all.length).toBeGreaterThan(10_000);
  for (const canary of Object.values(CANARIES))
    expect(all).not.toContain(canary);
});

it("has a page in the reference", () => {
  const page = resourcePage(definition);
  for (const line of [
    "- `name` (`string`, required): Name, at least 3 characters. **A change replaces the resource.**",
    "- `pin` (`string`): What its holder enters. **Secret.**",
    "- `token` (`string`): Shown once, on creation. **Secret.**",
  ])
    expect(page).toContain(line);
});

it("has a typed class", () => {
  const inRoom = (path: string) =>
    resolve(__dirname, "../../provider/src/program", path);
  const texts = new Map([
    [inRoom("resources.ts"), resourcesFile([definition])],
    [inRoom("dynamic/classes.ts"), classesFile([definition])],
    [
      inRoom("dynamic/seats.ts"),
      `import type { Output } from "@pulumi/pulumi";
import { Seat } from "./classes";

const { token, role } = new Seat("one", { name: "Ann Field", role: "editor" });
export const typed: [Output<string | undefined>, Output<string>] = [token, role];
// @ts-expect-error -- it has to have a name
new Seat("two", {});
// @ts-expect-error -- a name is a text
new Seat("three", { name: 3 });
`,
    ],
  ]);
  const options: ts.CompilerOptions = {
    strict: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.Node16,
    moduleResolution: ts.ModuleResolutionKind.Node16,
    skipLibCheck: true,
    noEmit: true,
    types: [],
  };
  const host = ts.createCompilerHost(options);
  const ofDisk = ts.createCompilerHost(options);
  host.fileExists = (path) => texts.has(path) || ofDisk.fileExists(path);
  host.readFile = (path) => texts.get(path) ?? ofDisk.readFile(path);
  host.getSourceFile = (path, version, ...rest) => {
    const text = texts.get(path);
    return text === undefined
      ? ofDisk.getSourceFile(path, version, ...rest)
      : ts.createSourceFile(path, text, version);
  };
  const program = ts.createProgram([...texts.keys()], options, host);
  const mistakes = [...texts.keys()].flatMap((path) => {
    const source = program.getSourceFile(path);
    return [
      ...program.getSyntacticDiagnostics(source),
      ...program.getSemanticDiagnostics(source),
    ].map(({ messageText }) =>
      ts.flattenDiagnosticMessageText(messageText, "\n"),
    );
  });
  expect(mistakes).toEqual([]);
}, 60_000);
