import { beforeAll, describe, expect, it } from "vitest";
import type { ResourceDefinition } from "../../../provider/src/definition/define-resource";
import type { Properties } from "../../../provider/src/definition/value";
import { Lifecycle } from "../../../provider/src/lifecycle/lifecycle";
import * as registry from "../../../provider/src/registry";
import { Session } from "../../../provider/src/session/session";
import { fillAwkwardly } from "../../helpers/awkward-workspace";
import { LocalWorkspace } from "../../helpers/local-workspace";
import { openForTests } from "../../helpers/open-for-tests";
import { clientOf, exported } from "./exported";

interface Entry {
  readonly kind: string;
  readonly id: string;
  readonly inputs: Properties;
  readonly state: Properties;
}

let entries: Entry[];

const workspace = openForTests(new LocalWorkspace());
beforeAll(async () => {
  await fillAwkwardly(workspace);
  // The service keeps the value of a disabled limit.
  const limited = (await workspace.list("environments")).find(
    ({ limit_value }) => limit_value !== null,
  );
  await workspace.call("POST", `/environments/${String(limited?.id)}`, {
    limit_mode: "none",
  });
  entries = await entriesOf();
});

/** The resources of an exported state. */
async function entriesOf(): Promise<Entry[]> {
  const { files } = await exported(workspace);
  const state = JSON.parse(files.get("import.json") ?? "") as {
    deployment: {
      resources: {
        id: string;
        type: string;
        inputs: Properties;
        outputs: Properties;
      }[];
    };
  };
  return state.deployment.resources
    .filter(({ type }) => type.startsWith("pulumi-nodejs:dynamic/"))
    .map(({ id, type, inputs, outputs }) => {
      const { __provider, ...state } = outputs;
      const { __provider: _, ...given } = inputs;
      return { kind: type.split(":").at(-1) ?? "", id, inputs: given, state };
    });
}

const definitions: Readonly<Record<string, ResourceDefinition>> = registry;

const session = () =>
  new Session(
    () => clientOf(workspace),
    () => Promise.resolve(),
  );

const lifecycleOf = (kind: string, one: Session) =>
  new Lifecycle(definitions[kind] ?? expect.fail(kind), one);

it("records the owner of each object, and that a rule set owns all its rules", () => {
  expect(entries.length).toBe(80);
  for (const { id, state } of entries)
    expect(state.owner).toEqual({
      claim: id,
      region: "us",
      workspace: workspace.service.workspaces.us.environment,
    });
  const sets = entries.filter(({ kind }) => kind === "FilteringRuleSet");
  for (const { state } of sets) {
    expect(Object.keys(state.ruleIds as object)).toHaveLength(4);
    expect(state.seenRuleIds).toEqual(state.ruleIds);
  }
});

it("shows no change in a preview, which sends no request", async () => {
  const mark = await workspace.mark();
  expectNoChange(entries);
  expect(await workspace.requestsSince(mark)).toEqual([]);
});

/** Compares each exported state with its own inputs, as a preview does. */
function expectNoChange(exportedEntries: readonly Entry[]): void {
  const one = session();
  for (const { kind, id, inputs, state } of exportedEntries) {
    const difference = lifecycleOf(kind, one).diff({ id, state, news: inputs });
    expect(difference, `${kind} ${id}`).toMatchObject({ changes: false });
  }
}

it("shows no change after a refresh", async () => {
  const one = session();
  await Promise.all(
    entries.map(async ({ kind, id, inputs, state }) => {
      const lifecycle = lifecycleOf(kind, one);
      const found = await lifecycle.read({ id, state });
      const refreshed = found?.state ?? expect.fail(`${kind} ${id} is gone`);
      const difference = lifecycle.diff({ id, state: refreshed, news: inputs });
      expect(difference, `${kind} ${id}`).toMatchObject({ changes: false });
    }),
  );
});

describe("objects of each kind", () => {
  /** Creates environments with a key, a webhook and a rule each. The service adds an encryption key to each environment. */
  const fill = async (count: number): Promise<void> => {
    const post = async (path: string, body: object) =>
      (await workspace.call("POST", path, body)) as { id: string };
    for (const { id } of await workspace.list("api-keys"))
      await workspace.call("DELETE", `/api-keys/${String(id)}`);
    const numbers = Array.from({ length: count }, (_, n) => n);
    const expression = "sdk.platform.is_ios";
    const rule = { name: "r", expression, action: "deny" };
    for (const n of numbers) {
      const { id } = await post("/environments", { name: `Shop ${n}` });
      const key = { name: `Key ${n}`, type: "public", environment: id };
      await Promise.all([
        post("/api-keys", key),
        post("/webhooks", { url: `https://hooks.example/${n}` }),
        post("/filtering-rules", { ...rule, environment: id }),
      ]);
    }
    const rules = numbers.map((n) => ({
      name: `Rule ${n}`,
      expression: `http.request.headers["X"][0] == "${n}"`,
      action: n % 2 ? "deny" : "allow",
    }));
    await post("/filtering-rules/bulk", { mode: "overwrite", rules });
  };

  it.each([0, 1, 101, 250])(
    "are exported without a change, page by page: %d",
    async (count) => {
      await workspace.control("/reset", {});
      await fill(count);
      const mark = await workspace.mark();
      const all = await entriesOf();
      // Environments, keys, webhooks, encryption keys and rule sets, and the default environment's encryption
      // key and rules.
      expect(all).toHaveLength(5 * count + 1 + (count > 0 ? 1 : 0));
      expectNoChange(all);
      const log = await workspace.requestsSince(mark);
      expect(log.filter(({ method }) => method !== "GET")).toEqual([]);
      // Pages have 100 entries, and each list is read once.
      const lists = log.filter(({ path }) =>
        path.startsWith("/management/environments"),
      );
      expect(lists).toHaveLength(Math.ceil((count + 1) / 100));
    },
    60_000,
  );
});
