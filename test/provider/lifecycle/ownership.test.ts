import { beforeEach, describe, expect, it } from "vitest";
import type { IncompleteError } from "../../../provider/src/definition/errors";
import type { Properties } from "../../../provider/src/definition/value";
import type { Session } from "../../../provider/src/session/session";
import { localForTests } from "../../helpers/local-for-tests";
import { commandOn, lifecycleOf } from "../lifecycle-of";
import { sessionOf, type LoggedMessage } from "../session-of";
import { rejection } from "../../sdk/workspace";

let session: Session;
let logged: LoggedMessage[];
const workspace = localForTests();
beforeEach(() => newSession());

/** Starts a new session, as the next command does. */
const newSession = () => void ({ session, logged } = sessionOf(workspace));
const keys = () => lifecycleOf("ApiKey", session);
const shop = { name: "Shop", type: "secret", status: "enabled" };
const here = () => ({
  region: "us",
  workspace: workspace.service.workspaces.us.environment,
});
const make = async (inputs: Properties = shop) => keys().create({ inputs });
const isThere = async (id: string) =>
  (await workspace.list("api-keys")).some((key) => key.id === id);
const claimOf = (state: Properties) =>
  (state.owner as { claim?: string }).claim;
const CLAIM = expect.stringMatching(/^[0-9a-f-]{36}$/) as string;
const othersOf = (key: string, claim: string | undefined) =>
  session.ledger.others("delete", key, { claim });
/** A session with the key of another workspace in the same region. */
const elsewhere = () =>
  sessionOf(workspace, {
    managementKey: workspace.service.workspaces.eu.managementKey,
  }).session;

describe("the owner in state", () => {
  it("records where the object is, and which create made it", async () => {
    const { state } = await make();
    const claim = claimOf(state);
    expect(state.owner).toEqual({ ...here(), claim });
    expect(claim).toMatch(/^[0-9a-f-]{36}$/);
    expect(claimOf((await make()).state)).not.toBe(claim);
  });

  it("survives updates and reads, and is not an input", async () => {
    const { id, state } = await make();
    const { owner } = state;
    const inputs = { ...shop, name: "Store" };
    const updated = await keys().update({ id, state, inputs });
    expect(updated.state.owner).toEqual(owner);
    const read = await keys().read({ id, state: updated.state });
    expect(read?.state.owner).toEqual(owner);
    expect(read?.inputs).not.toHaveProperty("owner");
    expect(read?.program).not.toHaveProperty("owner");
    const same = { ...inputs, status: "enabled" };
    const kept = await keys().update({
      id,
      state: updated.state,
      inputs: same,
    });
    expect(kept.state.owner).toEqual(owner);
  });

  it("is recorded by an adoption, with a new claim", async () => {
    const made = await make();
    newSession();
    const adopt = { id: made.id };
    const adopted = await make({ ...shop, adopt });
    expect(adopted.id).toBe(made.id);
    expect(adopted.state.owner).toMatchObject(here());
    expect(claimOf(adopted.state)).not.toBe(claimOf(made.state));
  });

  it("is added by the next read or update to a state from which somebody removed it", async () => {
    const { id, state } = await make();
    const edited = { ...state, owner: undefined };
    newSession();
    const read = await keys().read({ id, state: edited });
    expect(read?.state.owner).toEqual({ ...here(), claim: CLAIM });
    const inputs = { ...shop, name: "Store" };
    const updated = await keys().update({ id, state: edited, inputs });
    expect(updated.state.owner).toEqual({ ...here(), claim: CLAIM });
  });

  it("is in the state of a partly done creation, and this session owns the object", async () => {
    await workspace.refuseOnce({ method: "PATCH" });
    const inputs = { ...shop, type: "public", status: "disabled" };
    const error = (await rejection(make(inputs))) as IncompleteError;
    const state = error.outputs;
    expect(state.owner).toEqual({ ...here(), claim: claimOf(state) });
    expect(claimOf(state)).toMatch(/^[0-9a-f-]{36}$/);
    expect(othersOf(error.id, claimOf(state))).toBe("nobody");
    expect(othersOf(error.id, "another")).toBe("had");
  });

  it("is in the state of a partly done update", async () => {
    const kind = lifecycleOf("EncryptionKey", session);
    const { id, state } = await kind.create({ inputs: {} });
    await workspace.refuseOnce({ method: "PATCH" });
    const inputs = { rotation: "1", name: "Sealing" };
    const error = await rejection(kind.update({ id, state, inputs }));
    const { outputs } = error as IncompleteError;
    expect(outputs.owner).toEqual(state.owner);
  });
});

describe("the deletion of an object", () => {
  const urn = "urn:pulumi:dev::shop::old";
  /** Two resources with the same object: an earlier command created it, and the second resource adopted it. */
  const two = async (type = "public") => {
    const first = await make({ ...shop, type });
    newSession();
    const second = await make({ ...shop, type, adopt: { id: first.id } });
    return { id: first.id, first: first.state, second: second.state };
  };
  const olds = { name: "Shop", type: "secret" };

  it("keeps an object that another resource adopted in this session, and says so", async () => {
    const { id, first, second } = await two();
    logged.length = 0;
    const mark = await workspace.mark();
    await keys().delete({ id, state: first, urn });
    expect(logged).toEqual([
      {
        severity: "info",
        text: expect.toSay("ownership/kept-for-another-resource", { id }),
        urn,
      },
    ]);
    expect(await workspace.callsSince(mark)).toEqual([]);
    expect(await isThere(id)).toBe(true);
    await keys().delete({ id, state: second });
    expect(await isThere(id)).toBe(false);
  });

  it("keeps an object that another resource adopted in a later run that was killed", async () => {
    const { id, first, second } = await two();
    newSession();
    await keys().check({ news: shop, olds });
    keys().diff({ id, state: second, news: shop });
    await keys().delete({ id, state: first, urn });
    expect(logged.at(-1)?.text).toContain(
      "another resource of the program has it",
    );
    expect(await isThere(id)).toBe(true);
  });

  it("is refused when another resource adopted the object but its state lacks the token, in this session and later", async () => {
    const { id, first, second } = await two("secret");
    const lost = await rejection(keys().delete({ id, state: first, urn }));
    expect(lost.message).toSay("ownership/another-resource-has-no-secret", {
      id,
    });
    newSession();
    await keys().check({ news: shop, olds });
    keys().diff({ id, state: second, news: shop });
    const again = await rejection(keys().delete({ id, state: first, urn }));
    expect(again.message).toBe(lost.message);
    expect(again.message).toContain(
      "Give the resource an alias with the old name",
    );
    expect(await isThere(id)).toBe(true);
  });

  it("deletes an object that only a refresh saw with another resource, because that resource may no longer exist", async () => {
    for (const withProgram of [true, false]) {
      const { id, first, second } = await two();
      newSession();
      for (const state of [first, second]) {
        await keys().read({ id, state });
        keys().diff({ id, state, news: shop });
      }
      if (withProgram) await keys().check({ news: shop, olds });
      await keys().delete({ id, state: first });
      expect(await isThere(id)).toBe(false);
    }
  });
});

it("a refresh within an update may read without a URN an object that the program then declares", async () => {
  const { id, state } = await make();
  newSession();
  await keys().check({ news: shop, olds: shop, urn: "urn:pulumi:dev::p::a" });
  await keys().read({ id, state });
  const urn = "urn:pulumi:dev::p::b";
  await keys().check({ news: shop, olds: shop, urn });
  expect(keys().diff({ id, state, news: shop, urn }).changes).toBe(false);
  const another = "urn:pulumi:dev::p::c";
  expect(() => keys().diff({ id, state, news: shop, urn: another })).toSay(
    "ownership/two-resources-of-a-state",
  );
});

it("check, diff and read record nothing that makes a delete keep an object", async () => {
  const first = await make();
  newSession();
  const urn = "urn:pulumi:dev::shop::shop";
  const program = { ...shop, adopt: { id: first.id } };
  expect((await keys().check({ news: program, urn })).failures).toEqual([]);
  await keys().read({ id: first.id, state: first.state });
  await keys().create({ inputs: program, dryRun: true, urn });
  await keys().delete({ id: first.id, state: first.state, urn });
  expect(await isThere(first.id)).toBe(false);
});

it("a state of another region is reported by the diff, also in a preview, without a request", async () => {
  const { id, state } = await make();
  const { session: eu } = sessionOf(workspace, { region: "eu" });
  const lifecycle = lifecycleOf("ApiKey", eu);
  const mark = await workspace.mark();
  expect(() => lifecycle.diff({ id, state, news: shop })).toSay(
    "ownership/another-region",
    { id, workspace: here().workspace },
  );
  expect(await workspace.callsSince(mark)).toEqual([]);
});

describe("a state of another workspace", () => {
  it("is refused by reads, updates and deletes, with one list request for all of them", async () => {
    const { id, state } = await make();
    const before = await workspace.contents("us");
    const lifecycle = lifecycleOf("ApiKey", elsewhere());
    const mark = await workspace.mark();
    const inputs = { ...shop, name: "Store" };
    for (const work of [
      lifecycle.delete({ id, state }),
      lifecycle.read({ id, state }),
      lifecycle.update({ id, state, inputs }),
    ]) {
      const { name, message } = await rejection(work);
      expect(name).toBe("WorkspaceMismatchError");
      expect(message).toSay("ownership/another-workspace", {
        id,
        workspace: here().workspace,
        environment: workspace.service.workspaces.eu.environment,
      });
    }
    expect(await workspace.callsSince(mark)).toEqual(["GET /environments"]);
    expect(await workspace.contents("us")).toEqual(before);
  });

  it("does not make a missing object count as deleted", async () => {
    const { id, state } = await make();
    await workspace.call("DELETE", `/api-keys/${id}`);
    const lifecycle = lifecycleOf("ApiKey", elsewhere());
    await expect(lifecycle.delete({ id, state })).rejects.toThrow("region us");
    await expect(lifecycle.read({ id, state })).rejects.toThrow("region us");
    await keys().delete({ id, state });
    expect(await keys().read({ id, state })).toBeUndefined();
  });
});

it("the first write, delete or read of a session checks the workspace once", async () => {
  const { id, state } = await make();
  newSession();
  const mark = await workspace.mark();
  const inputs = { ...shop, name: "Store" };
  const updated = await keys().update({ id, state, inputs });
  await keys().read({ id, state: updated.state });
  await keys().delete({ id, state: updated.state });
  expect(await workspace.callsSince(mark)).toEqual([
    "GET /environments",
    `PATCH /api-keys/${id}`,
    `GET /api-keys/${id}`,
    `DELETE /api-keys/${id}`,
  ]);
});

it("an update of an object that somebody deleted says so, and which command to run", async () => {
  for (const [kind, inputs, change, collection] of [
    ["ApiKey", shop, { name: "Store" }, "api-keys"],
    [
      "Webhook",
      { url: "https://a.example/" },
      { description: "x" },
      "webhooks",
    ],
    ["Environment", { name: "Staging" }, { name: "Testing" }, "environments"],
  ] as const) {
    const lifecycle = lifecycleOf(kind, session);
    const { id, state } = await lifecycle.create({ inputs });
    await workspace.call("DELETE", `/${collection}/${id}`);
    const news = { ...inputs, ...change };
    const error = await rejection(
      lifecycle.update({ id, state, inputs: news }),
    );
    expect(error).toMatchObject({ name: "GoneError" });
    // Each kind has IDs of its own form.
    const said = error.message.replace(id, "ID");
    expect(said).toSay("update/object-is-gone", { kind, id: "ID" });
  }
});

it("creates nothing when the unchanged objects of the program are in another workspace", async () => {
  const { id, state } = await make();
  const wrong = lifecycleOf("ApiKey", elsewhere());
  wrong.diff({ id, state, news: shop });
  const mark = await workspace.mark();
  const { message } = await rejection(wrong.create({ inputs: shop }));
  expect(message).toContain(`ApiKey ${id} is in the workspace in region us`);
  expect(await workspace.callsSince(mark)).toEqual(["GET /environments"]);
});

it("an object is not deleted when its adoption by another resource failed in this update", async () => {
  const { id, state } = await make();
  newSession();
  await workspace.refuseOnce({ method: "PATCH" }, 400);
  const inputs = { ...shop, name: "Store", adopt: { id } };
  await rejection(
    keys().create({ inputs, urn: "urn:pulumi:dev::shop::store" }),
  );
  const { message } = await rejection(keys().delete({ id, state }));
  expect(message).toContain("should take it over in this update but could not");
  expect(await isThere(id)).toBe(true);
});

it("the default environment is not imported, changed or deleted", async () => {
  const id = String((await workspace.list("environments"))[0]?.id);
  const lifecycle = commandOn(workspace).lifecycle("Environment");
  const state = (await lifecycle.read({ id }))?.state ?? {};
  const inputs = { name: "Ours", limitMode: "none" };
  const said = expect.toSay("ownership/default-environment", { id }) as Error;
  await expect(lifecycle.read({ id, owns: true })).rejects.toThrow(said);
  expect(() => lifecycle.diff({ id, state, news: inputs })).toThrow(said);
  await expect(lifecycle.update({ id, state, inputs })).rejects.toThrow(said);
  await expect(lifecycle.delete({ id, state })).rejects.toThrow(said);
});

it("an object that a program only reads is the same in each preview, also with a part of its state", async () => {
  const { id, state } = await make();
  const read = () => keys().read({ id });
  const first = await read();
  expect(first?.state.owner).toMatchObject({ claim: "read" });
  expect(await read()).toEqual(first);
  const refreshed = await keys().read({ id, state: first?.state ?? {} });
  expect(refreshed).not.toHaveProperty("inputs");
  const { name } = state;
  const given = await keys().read({ id, state: { name } });
  expect(given?.state.owner).toEqual(first?.state.owner);
  const imported = await keys().read({ id, owns: true });
  expect(imported?.state.owner).not.toEqual(first?.state.owner);
});
