import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sharedForTests } from "../../helpers/local-for-tests";
import { sessionOf, silentSession } from "../session-of";

let mark: number;
const workspace = sharedForTests();
beforeEach(async () => (mark = await workspace.mark()));
afterEach(() => workspace.forgetFaults());

const defaultOf = (region: "us" | "eu") =>
  workspace.service.workspaces[region].environment;
const keyOf = (region: "us" | "eu") =>
  workspace.service.workspaces[region].managementKey;
const calls = () => workspace.callsSince(mark);
const ENVIRONMENTS = "GET /environments";
const object = (region: "us" | "eu", at: string) => ({
  kind: "ApiKey",
  id: "tok_1",
  owner: { region, workspace: at },
});

describe("the workspace of a session", () => {
  it("is identified by its default environment with one request, however many callers ask and whatever is written", async () => {
    const { session } = sessionOf(workspace);
    const here = { region: "us", workspace: defaultOf("us") };
    const asked = [session.workspace(), session.workspace()];
    expect(await Promise.all(asked)).toEqual([here, here]);
    session.reads.drop();
    expect(await session.workspace()).toEqual(here);
    expect(await calls()).toEqual([ENVIRONMENTS]);
  });

  it("is requested again after a failure", async () => {
    const { session } = sessionOf(workspace);
    await workspace.refuseOnce({ path: "/management/environments*" });
    await expect(session.workspace()).rejects.toThrow("failed: 403");
    expect(await session.workspace()).toMatchObject({ region: "us" });
  });

  it("without any environment is an error", async () => {
    const { session } = sessionOf(workspace);
    await workspace.fault({
      match: { path: "/management/environments*" },
      then: { status: 200, body: { data: [] } },
    });
    await expect(session.workspace()).rejects.toSay("session/no-environment");
  });
});

describe("an object in the state", () => {
  it("in another region is refused without a request, with both regions and the ways out", () => {
    const session = silentSession();
    expect(() => session.assertRegion(object("eu", "ae_eu"))).toSay(
      "session/another-region",
      { ae: "ae_eu" },
    );
    expect(session.assertRegion(object("us", "ae_eu"))).toBeUndefined();
  });

  it("in another region is refused before its workspace is requested", async () => {
    const { session } = sessionOf(workspace);
    await expect(
      session.workspaceOf(object("eu", defaultOf("us"))),
    ).rejects.toSay("session/another-region");
    expect(await calls()).toEqual([]);
  });

  it("without a recorded workspace is accepted", async () => {
    const { session } = sessionOf(workspace);
    const unsaid = { kind: "ApiKey", id: "tok_1", owner: undefined };
    session.assertRegion(unsaid);
    const here = { region: "us", workspace: defaultOf("us") };
    expect(await session.workspaceOf(unsaid)).toEqual(here);
  });
});

it("the log of a session names the resource, no secret that its client knows, and nothing that acts on a terminal", async () => {
  const { session, logged } = sessionOf(workspace);
  await session.logFor("urn:a")("warning", `The key ${keyOf("us")} is old.`);
  await session.logFor(undefined)("info", "Done\u001b[2J.");
  expect(logged).toEqual([
    {
      severity: "warning",
      text: "The key [redacted] is old.",
      urn: "urn:a",
    },
    { severity: "info", text: "Done\\u001b[2J." },
  ]);
});

it("work that failed for several callers runs once more for all of them", async () => {
  const { session } = sessionOf(workspace);
  let runs = 0;
  const ask = () =>
    session.once("answer", () => {
      runs += 1;
      return runs === 1
        ? Promise.reject(new Error("no answer"))
        : Promise.resolve(runs);
    });
  const answers = [ask().catch(ask), ask().catch(ask)];
  expect(await Promise.all(answers)).toEqual([2, 2]);
});

it("two sessions of one process share nothing", async () => {
  const us = sessionOf(workspace).session;
  const eu = sessionOf(workspace, { managementKey: keyOf("eu") }).session;
  expect(us.isFirst("x")).toBe(true);
  expect(us.isFirst("x")).toBe(false);
  expect(us.isFirst("y")).toBe(true);
  expect(eu.isFirst("x")).toBe(true);

  const key = "tok_1";
  us.ledger.note("written", key, { claim: "a" });
  expect(us.ledger.others("delete", key, { claim: "b" })).toBe("had");
  expect(eu.ledger.others("delete", key, { claim: "b" })).toBe("nobody");

  expect((await us.workspace()).workspace).toBe(defaultOf("us"));
  expect((await eu.workspace()).workspace).toBe(defaultOf("eu"));
  const [usKeys, euKeys] = await Promise.all([
    us.reads.all(us.client.apiKeys),
    eu.reads.all(eu.client.apiKeys),
  ]);
  expect([...usKeys.keys()].some((id) => euKeys.has(id))).toBe(false);

  let free: () => void = () => undefined;
  const held = us.mutex.run("ae_1", () => {
    return new Promise<void>((resolve) => (free = resolve));
  });
  expect(await eu.mutex.run("ae_1", () => Promise.resolve(1))).toBe(1);
  free();
  await held;
});

describe("a cancelled session", () => {
  it("ends the running call and lets no other call begin", async () => {
    const { session } = sessionOf(workspace);
    await workspace.fault({ match: { method: "GET" }, times: 1, then: "hang" });
    const hanging = session.workspace();
    await expect.poll(calls).toContain(ENVIRONMENTS);
    session.cancel();
    await expect(hanging).rejects.toSay("session/cancelled");
    const before = await calls();
    await expect(session.client.apiKeys.get("tok_1")).rejects.toSay(
      "session/cancelled",
    );
    expect(await calls()).toEqual(before);
  });

  it("leaves other sessions alone", async () => {
    const { session: one } = sessionOf(workspace);
    const { session: other } = sessionOf(workspace);
    one.cancel();
    await expect(other.workspace()).resolves.toMatchObject({ region: "us" });
  });
});
