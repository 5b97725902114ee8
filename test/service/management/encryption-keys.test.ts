import { beforeEach, describe, expect, it } from "vitest";
import { LocalWorkspace } from "../../helpers/local-workspace.js";
import { openForTests } from "../../helpers/open-for-tests.js";

let id: string;
const local = openForTests(new LocalWorkspace());
beforeEach(async () => {
  await local.controlCall("POST", "/reset");
  id = (await local.us("GET", "/encryption-keys")).ids[0] ?? "";
});

const get = async () => (await local.us("GET", `/encryption-keys/${id}`)).data;
const post = (action: string) =>
  local.us("POST", `/encryption-keys/${id}/${action}`);

describe("encryption keys", () => {
  // contract: management-100, management-101, management-105, management-106
  // contract: management-107, management-110, management-116
  it("exist for every environment, disabled, with tokens of 32 bytes", async () => {
    const key = await get();
    expect(key).toMatchObject({
      environment: local.service.workspaces.us.environment,
      status: "disabled",
      previous_token: null,
      last_activated_at: null,
      last_deactivated_at: null,
      last_rotated_at: null,
    });
    for (const token of [key.token, key.next_token])
      expect(Buffer.from(String(token), "base64")).toHaveLength(32);
    expect(key.token).not.toBe(key.next_token);
  });

  // contract: management-96, management-104, management-108
  it("have an ID and every field", async () => {
    const isText = expect.any(String) as string;
    expect(await get()).toEqual({
      id: expect.stringMatching(/^ek_[0-9A-Za-z]{16}$/) as string,
      name: isText,
      description: null,
      status: "disabled",
      environment: local.service.workspaces.us.environment,
      token: isText,
      previous_token: null,
      next_token: isText,
      created_at: expect.stringMatching(
        /^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/,
      ) as string,
      last_activated_at: null,
      last_rotated_at: null,
      last_deactivated_at: null,
    });
  });

  // contract: management-97, management-117, management-118
  it("accept a name and a description of any length, and null for none", async () => {
    const change = async (body: object) =>
      (await local.us("PATCH", `/encryption-keys/${id}`, { body })).data;
    const [name, description] = ["n".repeat(5_000), "d".repeat(5_000)];
    const before = await get();
    const changed = await change({ name, description });
    expect(changed).toEqual({ ...before, name, description });
    expect(await change({ description: null })).toEqual({
      ...changed,
      description: null,
    });
    expect(await change({})).toEqual(await get());
  });

  // contract: management-110
  it("cannot be created or deleted", async () => {
    expect(
      (await local.us("POST", "/encryption-keys", { body: {} })).status,
    ).toBe(405);
    expect((await local.us("DELETE", `/encryption-keys/${id}`)).status).toBe(
      405,
    );
  });

  // contract: management-98, management-99, management-105, management-107
  // contract: management-113, management-117
  it("have the times of their activation and deactivation", async () => {
    const set = async (now: string, body: object) => {
      await local.controlCall("POST", "/clock", { body: { now } });
      return (await local.us("PATCH", `/encryption-keys/${id}`, { body })).data;
    };
    const on = await set("2030-01-01T00:00:00Z", { status: "enabled" });
    expect(on.last_activated_at).toMatch(/^2030-01-01/);
    expect(on.last_deactivated_at).toBeNull();
    const named = await set("2030-01-02T00:00:00Z", {
      status: "enabled",
      name: "Results",
    });
    expect(named).toMatchObject({
      name: "Results",
      last_activated_at: on.last_activated_at,
    });
    const off = await set("2030-01-03T00:00:00Z", { status: "disabled" });
    expect(off.last_deactivated_at).toMatch(/^2030-01-03/);
    expect(off.last_activated_at).toBe(on.last_activated_at);
  });

  // contract: management-102, management-103, management-106, management-109
  // contract: management-119, management-120, management-121, management-122
  // contract: management-123
  it("get their next tokens by a rotation, and their previous tokens by a revert", async () => {
    const first = await get();
    const rotated = (await post("rotate")).data;
    expect(rotated).toMatchObject({
      previous_token: first.token,
      token: first.next_token,
      last_rotated_at: expect.any(String) as string,
    });
    expect([first.token, first.next_token]).not.toContain(rotated.next_token);
    const reverted = (await post("revert")).data;
    expect(reverted).toMatchObject({
      previous_token: null,
      token: first.token,
      next_token: first.next_token,
    });
    expect(await get()).toEqual(reverted);
  });

  // contract: management-124
  it("can revert one rotation only", async () => {
    expect((await post("revert")).status).toBe(409);
    const before = (await post("rotate")).data;
    await post("rotate");
    expect((await post("revert")).data.token).toBe(before.token);
    const refused = await post("revert");
    expect([refused.status, refused.error.code]).toEqual([409, "conflict"]);
    expect((await get()).token).toBe(before.token);
  });

  // contract: management-115
  it("can be filtered by status and environment", async () => {
    const other = (
      await local.us("POST", "/environments", { body: { name: "other" } })
    ).data;
    await local.us("PATCH", `/encryption-keys/${id}`, {
      body: { status: "enabled" },
    });
    const list = async (query: string) =>
      (await local.us("GET", `/encryption-keys?${query}`)).list.map(
        (key) => key.environment,
      );
    expect(await list("status=disabled")).toEqual([other.id]);
    expect(await list("status=enabled")).toEqual([
      local.service.workspaces.us.environment,
    ]);
    expect(await list(`environment=${other.id}`)).toEqual([other.id]);
  });

  // contract: management-118
  it("refuse unknown fields and invalid values", async () => {
    const refused = await local.us("PATCH", `/encryption-keys/${id}`, {
      body: { token: "mine", status: "on", name: "" },
    });
    expect([refused.status, refused.violated]).toEqual([
      400,
      ["name", "status", "token"],
    ]);
    for (const path of ["", "/rotate", "/revert"])
      expect(
        (await local.eu(path ? "POST" : "GET", `/encryption-keys/${id}${path}`))
          .status,
      ).toBe(404);
  });
});
