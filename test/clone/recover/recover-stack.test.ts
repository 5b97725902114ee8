import {
  leftoversOf,
  readPreviewedProgram,
  recoverStack,
  type StackDeployment,
} from "@devid/clone";
import { beforeEach, describe, expect, it } from "vitest";
import type { ResourceDefinition } from "../../../provider/src/definition/define-resource";
import { Lifecycle } from "../../../provider/src/lifecycle/lifecycle";
import * as registry from "../../../provider/src/registry";
import { Session } from "../../../provider/src/session/session";
import { fillAwkwardly } from "../../helpers/awkward-workspace";
import { LocalWorkspace } from "../../helpers/local-workspace";
import { openForTests } from "../../helpers/open-for-tests";
import { inForm } from "../../helpers/program-form";
import {
  entriesOf,
  isProvider,
  previewOfExport,
  type StateEntry,
} from "../../helpers/preview-of-export";
import { clientOf, exported } from "../write/exported";

const workspace = openForTests(new LocalWorkspace());

beforeEach(() => workspace.control("/reset", {}));

/** The entries of an exported state, as declarations. */
async function exportedEntries(): Promise<readonly StateEntry[]> {
  const { files } = await exported(workspace);
  return entriesOf(JSON.parse(files.get("import.json") ?? ""));
}

const EMPTY: StackDeployment = { version: 3, deployment: {} };

const recovered = (
  preview: string,
  choices: readonly string[] = [],
  before = EMPTY,
) =>
  recoverStack({
    program: readPreviewedProgram(preview),
    before,
    stackConfig: {
      "devid:endpoint": workspace.url,
      "devid:managementKey": workspace.service.workspaces.us.managementKey,
      "devid:requestsPerSecond": "100000",
    },
    choices,
  });

/** Expects that a preview with this state shows no change. */
function expectNoChange(state: unknown, declared: readonly StateEntry[]): void {
  const session = new Session(
    () => clientOf(workspace),
    () => Promise.resolve(),
  );
  const definitions: Readonly<Record<string, ResourceDefinition>> = registry;
  const news = new Map(declared.map(({ urn, inputs }) => [urn, inputs]));
  const own = entriesOf(state).filter(
    (entry) => entry.id !== undefined && !isProvider(entry),
  );
  expect(own.length).toBeGreaterThan(0);
  for (const { urn, type, id = "", outputs = {} } of own) {
    const definition = definitions[type.split(":").at(-1) ?? ""];
    const lifecycle = new Lifecycle(definition ?? expect.fail(type), session);
    const difference = lifecycle.diff({
      id,
      state: outputs,
      news: news.get(urn) ?? {},
    });
    expect(difference, urn).toMatchObject({ changes: false });
  }
}

it("finds the object of every resource of an awkward workspace, and shows no change", async () => {
  await fillAwkwardly(workspace);
  const entries = await exportedEntries();
  const { state, workspaces } = await recovered(previewOfExport(entries));
  expect(workspaces[0]).toMatchObject({ ambiguous: [], missing: [] });
  expect(workspaces[0]?.unclaimed).toEqual([]);
  const ids = (all: readonly StateEntry[]) =>
    all
      .filter((entry) => !isProvider(entry))
      .map(({ urn, id, type, provider, ...entry }) => ({
        urn,
        id,
        provider: provider?.replace(/[^:]+$/, ""),
        dependencies: entry.propertyDependencies ?? {},
      }))
      .sort((a, b) => (a.urn < b.urn ? -1 : 1));
  expect(ids(entriesOf(state))).toEqual(ids(entries));
  expectNoChange(state, entries);
});

it("is refused when the rules of a declared rule set cannot be read", async () => {
  await workspace.call("POST", "/filtering-rules/bulk", {
    rules: [{ name: "a", expression: "true", action: "deny" }],
  });
  const preview = previewOfExport(await exportedEntries());
  await workspace.fault({
    match: { method: "GET", path: "/management/filtering-rules" },
    then: { status: 403, body: { error: { code: "c", message: "no" } } },
  });
  await expect(recovered(preview)).rejects.toThrow(
    "The filtering rules of the workspace in region us could not be read, so the state cannot have default of kind FilteringRuleSet. Listing filtering rules failed: 403 c: no.",
  );
  await workspace.forgetFaults();
});

it("recovers 190 objects in at most 30 calls, and none of them writes", async () => {
  const post = async (path: string, body: object) =>
    (await workspace.call("POST", path, body)) as { id: string };
  for (let n = 0; n < 38; n += 1) {
    const { id } = await post("/environments", { name: `Shop ${n}` });
    await post("/api-keys", {
      name: "Shop",
      type: "public",
      environment: id,
    });
    await post("/webhooks", {
      url: "https://hooks.example/shop",
      environment: id,
    });
    await post("/filtering-rules/bulk", {
      environment: id,
      mode: "overwrite",
      rules: [{ name: "r", expression: "sdk.platform.is_ios", action: "deny" }],
    });
  }
  const entries = await exportedEntries();
  const mark = await workspace.mark();
  const { state } = await recovered(previewOfExport(entries));
  const log = await workspace.requestsSince(mark);
  expect(log.filter(({ method }) => method !== "GET")).toEqual([]);
  expect(log.length).toBeLessThanOrEqual(30);
  // The default environment has two keys and an encryption key.
  expect(entriesOf(state)).toHaveLength(190 + 3 + 2);
  expectNoChange(state, entries);
});

it("gives a program with the plugin a state with the plugin's types, and a list to import", async () => {
  const entries = await exportedEntries();
  const preview = inForm("plugin", previewOfExport(entries));
  const { state, pluginImports } = await recovered(preview);
  const own = entriesOf(state).filter(({ type }) => type.startsWith("devid:"));
  expect(own.length).toBeGreaterThan(0);
  expect(pluginImports?.resources).toEqual(
    own.map(({ urn, type, id }) => ({ type, name: urn.split("::")[3], id })),
  );
  for (const { inputs, outputs } of own) {
    expect(inputs).not.toHaveProperty("__provider");
    expect(outputs).not.toHaveProperty("__provider");
  }
  const [provider] = entriesOf(state).filter(isProvider);
  expect(provider?.inputs).toEqual({ version: "0.1.0" });
});

describe("a resource with two matching objects", () => {
  const twice = async () => {
    const entries = await exportedEntries();
    const [key] = entries.filter(({ type }) => type.endsWith(":ApiKey"));
    const { name, type } = key?.inputs ?? {};
    const copy = await workspace.call("POST", "/api-keys", { name, type });
    return {
      preview: previewOfExport(entries),
      name: key?.urn.split("::").at(-1) ?? "",
      ids: [String(key?.id), (copy as { id: string }).id],
    };
  };

  it("gets no state until one of the two is chosen", async () => {
    const { preview, name, ids } = await twice();
    const { state, workspaces } = await recovered(preview);
    expect(state).toBeUndefined();
    const [ambiguous] = workspaces[0]?.ambiguous ?? [];
    expect(ambiguous?.candidates.map(({ id }) => id)).toEqual(ids);

    const after = await recovered(preview, [`${name}=${ids[1]}`]);
    const entry = entriesOf(after.state).find(({ id }) => id === ids[1]);
    expect(entry?.urn).toMatch(new RegExp(`::${name}$`));
    const [left] = after.workspaces[0]?.unclaimed ?? [];
    expect(left).toMatchObject({
      object: { id: ids[0] },
      duplicateOf: { object: { id: ids[1] } },
    });
  });

  it.each([
    ["nothing", "has another form than NAME=ID"],
    ["other=tok_1", 'does not declare: "other"'],
    ["NAME=tok_none", "no ApiKey of the workspace has the ID tok_none"],
  ])("refuses the choice %s", async (choice, message) => {
    const { preview, name } = await twice();
    await expect(
      recovered(preview, [choice.replace("NAME", name)]),
    ).rejects.toThrow(message);
  });

  it("refuses an object that no update can turn into the declared object", async () => {
    const { preview, name } = await twice();
    const other = (await workspace.call("POST", "/api-keys", {
      name: "Other",
      type: "proxy",
    })) as { id: string };
    await expect(recovered(preview, [`${name}=${other.id}`])).rejects.toThrow(
      /does not fit: its type is "proxy", the program says "\w+"\. .* would delete tok_/,
    );
  });
});

it("deletes only objects that resemble an object of a state", async () => {
  const byHand = async (path: string, body: object) =>
    (await workspace.call("POST", path, body)) as { readonly id: string };
  const key = { name: "Till", type: "secret" };
  const hook = { url: "https://till.example/hook" };
  const place = { name: "Staging" };
  for (const [path, body] of [
    ["/api-keys", key],
    ["/webhooks", hook],
    ["/environments", place],
  ] as const)
    await byHand(path, body);
  const allIds = async () =>
    [
      ...(await workspace.list("api-keys")),
      ...(await workspace.list("webhooks")),
      ...(await workspace.list("environments")),
    ].map(({ id }) => id);
  const first = await allIds();
  const entries = await exportedEntries();
  const preview = previewOfExport(entries);
  const before = {
    version: 3,
    deployment: { resources: entries },
  } as unknown as StackDeployment;
  const equals = [
    await byHand("/api-keys", key),
    await byHand("/webhooks", hook),
  ];
  const staying = [
    await byHand("/api-keys", { ...key, type: "public" }),
    await byHand("/api-keys", { name: "Other", type: "secret" }),
    await byHand("/environments", { name: "Staging" }),
  ];

  const lost = await recovered(preview);
  expect(leftoversOf(lost, EMPTY)).toEqual([]);

  const found = leftoversOf(await recovered(preview, [], before), before);
  expect(found.map(({ object }) => object.id).sort()).toEqual(
    equals.map(({ id }) => id).sort(),
  );
  for (const leftover of found) await leftover.delete();
  // Somebody else has deleted it already.
  for (const leftover of found) await leftover.delete();
  expect(new Set(await allIds())).toEqual(
    new Set([...first, ...staying.map(({ id }) => id)]),
  );
});
