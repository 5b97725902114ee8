import { beforeEach, describe, expect, it } from "vitest";
import { LocalWorkspace } from "../../helpers/local-workspace.js";
import { openForTests } from "../../helpers/open-for-tests.js";

const local = openForTests(new LocalWorkspace());
beforeEach(() => local.controlCall("POST", "/reset"));

const create = async (body: object) =>
  (await local.us("POST", "/environments", { body })).data;
const encryptionKeysOf = async (id: string) =>
  (await local.us("GET", `/encryption-keys?environment=${id}`)).list;

describe("GET /environments", () => {
  // contract: management-225, management-228, management-233
  it("lists the default environment first", async () => {
    const made = await create({ name: "staging" });
    const { ids, list } = await local.us("GET", "/environments");
    expect(ids).toEqual([local.service.workspaces.us.environment, made.id]);
    expect(list[0]).toMatchObject({ name: "Default", limit_mode: "none" });
  });

  // contract: management-229
  it("cannot read a single environment", async () => {
    const answer = await local.us(
      "GET",
      `/environments/${local.service.workspaces.us.environment}`,
    );
    expect(answer.status).toBe(405);
    expect(answer.headers.get("allow")).toBe("POST, DELETE");
  });
});

describe("POST /environments", () => {
  // contract: management-112, management-218, management-219, management-220
  // contract: management-221, management-222, management-223, management-224
  // contract: management-228
  it("creates an environment with its own disabled encryption key", async () => {
    const answer = await local.us("POST", "/environments", {
      body: {
        name: "staging",
        description: "for tests",
        limit_mode: "notify",
        limit_value: 100,
      },
    });
    expect(answer.status).toBe(201);
    expect(answer.data).toEqual({
      id: expect.stringMatching(/^ae_/) as string,
      name: "staging",
      description: "for tests",
      limit_mode: "notify",
      limit_value: 100,
      is_restricted: false,
      restricted_at: null,
      created_at: expect.stringMatching(
        /^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/,
      ) as string,
      updated_at: null,
    });
    const keys = await encryptionKeysOf(answer.data.id);
    expect(keys).toHaveLength(1);
    expect(keys[0]).toMatchObject({ status: "disabled" });
  });

  // contract: management-231, management-232, management-234
  it("accepts names of 3 to 255 characters, descriptions of up to 256, and limits of at least 1", async () => {
    for (const [body, status] of [
      [{ name: "abc" }, 201],
      [{ name: "n".repeat(255) }, 201],
      [{ name: "n".repeat(256) }, 400],
      [{ name: "abc", description: "" }, 201],
      [{ name: "abc", description: "d".repeat(256) }, 201],
      [{ name: "abc", limit_mode: "restrict", limit_value: 1 }, 201],
      [{ name: "abc", limit_mode: "notify", limit_value: 0 }, 400],
    ] as const) {
      const answer = await local.us("POST", "/environments", { body });
      expect([body, answer.status]).toEqual([body, status]);
    }
  });

  it.each([
    // contract: management-219
    [{ name: "ab" }, ["name"]],
    [{ name: "long", description: "d".repeat(257) }, ["description"]],
    // contract: management-234
    [{ name: "mode", limit_mode: "restrict" }, ["limit_value"]],
    // contract: management-233
    [
      { name: "mode", limit_mode: "stop", limit_value: 0 },
      ["limit_mode", "limit_value"],
    ],
    [{ limit_mode: "notify", color: "red" }, ["color", "limit_value", "name"]],
  ])("refuses %j", async (body, violated) => {
    const answer = await local.us("POST", "/environments", { body });
    expect([answer.status, answer.violated]).toEqual([400, violated]);
  });
});

describe("POST /environments/{id}", () => {
  // contract: management-25, management-220, management-224, management-235
  it("changes only the given fields", async () => {
    const { id } = await create({ name: "before", description: "text" });
    const limited = await local.us("POST", `/environments/${id}`, {
      body: { limit_mode: "restrict", limit_value: 10 },
    });
    expect(limited.status).toBe(200);
    expect(limited.data).toMatchObject({
      name: "before",
      description: "text",
      limit_mode: "restrict",
      limit_value: 10,
      updated_at: expect.any(String) as string,
    });
    const renamed = await local.us("POST", `/environments/${id}`, {
      body: { name: "after", description: null },
    });
    expect(renamed.data).toMatchObject({
      name: "after",
      description: null,
      limit_value: 10,
    });
  });

  // contract: management-235
  it("accepts names of any length up to 255 characters; PATCH is not allowed", async () => {
    const { id } = await create({ name: "before" });
    const path = `/environments/${id}`;
    for (const [length, status] of [
      [1, 200],
      [255, 200],
      [256, 400],
    ] as const) {
      const body = { name: "n".repeat(length) };
      const answer = await local.us("POST", path, { body });
      expect([length, answer.status]).toEqual([length, status]);
    }
    expect((await local.us("PATCH", path, { body: {} })).status).toBe(405);
  });

  // contract: management-221
  it("requires a limit_value if there is a limit_mode", async () => {
    const { id } = await create({
      name: "limited",
      limit_mode: "notify",
      limit_value: 5,
    });
    const refused = await local.us("POST", `/environments/${id}`, {
      body: { limit_value: null },
    });
    expect([refused.status, refused.violated]).toEqual([400, ["limit_value"]]);
    const freed = await local.us("POST", `/environments/${id}`, {
      body: { limit_mode: "none", limit_value: null },
    });
    expect(freed.data).toMatchObject({ limit_mode: "none", limit_value: null });
  });

  it("refuses environments of another workspace", async () => {
    const { id } = await create({ name: "of us" });
    const answer = await local.eu("POST", `/environments/${id}`, {
      body: { name: "taken" },
    });
    expect(answer.status).toBe(404);
  });
});

describe("DELETE /environments/{id}", () => {
  // contract: management-225
  it("is refused for the default environment", async () => {
    const { environment } = local.service.workspaces.us;
    const answer = await local.us("DELETE", `/environments/${environment}`);
    expect([answer.status, answer.error.code]).toEqual([409, "conflict"]);
    expect((await local.us("GET", "/environments")).ids).toEqual([environment]);
  });

  // contract: management-19, management-237, management-238
  it("is refused while an enabled key uses the environment, but not after the key is disabled", async () => {
    const { id } = await create({ name: "in use" });
    const body = { type: "secret", name: "user", environment: id };
    const key = (await local.us("POST", "/api-keys", { body })).data;
    const refused = await local.us("DELETE", `/environments/${id}`);
    expect([refused.status, refused.error.code]).toEqual([
      409,
      "environment_in_use",
    ]);
    await local.us("PATCH", `/api-keys/${key.id}`, {
      body: { status: "disabled" },
    });
    expect((await local.us("DELETE", `/environments/${id}`)).status).toBe(204);
    expect((await local.us("GET", `/api-keys/${key.id}`)).status).toBe(404);
  });

  // contract: management-112, management-238
  it("deletes its rules, webhooks and encryption key, and nothing else", async () => {
    const { id } = await create({ name: "going" });
    const webhook = { url: "https://shop.example/hook" };
    const kept = (await local.us("POST", "/webhooks", { body: webhook })).data;
    const gone = (
      await local.us("POST", "/webhooks", {
        body: { ...webhook, environment: id },
      })
    ).data;
    const rule = {
      name: "rule",
      expression: "true",
      action: "deny",
      environment: id,
    };
    await local.us("POST", "/filtering-rules", { body: rule });
    const [encryptionKey] = await encryptionKeysOf(id);
    expect((await local.us("DELETE", `/environments/${id}`)).status).toBe(204);
    expect((await local.us("GET", "/filtering-rules")).list).toEqual([]);
    expect((await local.us("GET", "/webhooks")).ids).toEqual([kept.id]);
    expect((await local.us("GET", `/webhooks/${gone.id}`)).status).toBe(404);
    expect(
      (await local.us("GET", `/encryption-keys/${encryptionKey?.id}`)).status,
    ).toBe(404);
    expect((await local.us("DELETE", `/environments/${id}`)).status).toBe(404);
  });
});
