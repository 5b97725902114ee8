import { beforeEach, describe, expect, it } from "vitest";
import { LocalWorkspace } from "../../helpers/local-workspace.js";
import { openForTests } from "../../helpers/open-for-tests.js";

const local = openForTests(new LocalWorkspace());
beforeEach(() => local.controlCall("POST", "/reset"));

const create = async (body: object) =>
  (await local.us("POST", "/api-keys", { body })).data;

describe("POST /api-keys", () => {
  // contract: management-14, management-20, management-52, management-53
  // contract: management-54, management-55, management-66, management-67
  // contract: management-71, management-79, management-85
  it("creates an enabled key with a rate limit of 5", async () => {
    const answer = await local.us("POST", "/api-keys", {
      body: { type: "secret", name: "Backend", description: "for the shop" },
    });
    expect(answer.status).toBe(201);
    expect(answer.data).toEqual({
      id: expect.stringMatching(/^tok_/) as string,
      name: "Backend",
      description: "for the shop",
      type: "secret",
      status: "enabled",
      environment: null,
      rate_limit: 5,
      token: expect.stringMatching(/^\w{32}$/) as string,
      created_at: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/) as string,
      disabled_at: null,
    });
  });

  // contract: management-58, management-59, management-83
  it("puts a public key into the default environment, and other keys into none", async () => {
    const { environment } = local.service.workspaces.us;
    const make = (type: string) => create({ type, name: `a ${type} key` });
    expect((await make("public")).environment).toBe(environment);
    expect((await make("proxy")).environment).toBeNull();
    const placed = await create({ type: "proxy", name: "edge", environment });
    expect(placed.environment).toBe(environment);
  });

  // contract: management-5, management-15, management-18, management-56
  // contract: management-57, management-58, management-80, management-81
  // contract: management-84
  it("reports all violations at once", async () => {
    const answer = await local.us("POST", "/api-keys", {
      body: {
        type: "master",
        name: "ab",
        description: "",
        environment: "ae_none",
        rate_limit: 7,
        status: "enabled",
      },
    });
    expect(answer.status).toBe(400);
    expect(answer.error.code).toBe("validation_error");
    expect(answer.violated).toEqual([
      "description",
      "environment",
      "name",
      "rate_limit",
      "status",
      "type",
    ]);
  });

  // contract: management-54, management-81
  it("accepts names of 3 to 255 characters", async () => {
    for (const [length, status] of [
      [3, 201],
      [255, 201],
      [256, 400],
    ] as const) {
      const body = { type: "secret", name: "n".repeat(length) };
      const answer = await local.us("POST", "/api-keys", { body });
      expect([length, answer.status]).toEqual([length, status]);
    }
  });

  // contract: management-82
  it("accepts descriptions of 3 to 255 characters", async () => {
    for (const [length, status] of [
      [2, 400],
      [3, 201],
      [255, 201],
      [256, 400],
    ] as const) {
      const description = "d".repeat(length);
      const body = { type: "secret", name: "key", description };
      const answer = await local.us("POST", "/api-keys", { body });
      expect([length, answer.status]).toEqual([length, status]);
      if (status === 400) expect(answer.violated).toEqual(["description"]);
    }
  });

  it("requires a body", async () => {
    const answer = await local.us("POST", "/api-keys");
    expect([answer.status, answer.violated]).toEqual([400, ["body"]]);
  });
});

describe("tokens", () => {
  // contract: management-63, management-64, management-65
  it.each(["secret", "proxy"])(
    "of a %s key are shown only once",
    async (type) => {
      const made = await create({ type, name: "shown once" });
      const path = `/api-keys/${made.id}`;
      const got = await local.us("GET", path);
      const changed = await local.us("PATCH", path, {
        body: { name: "still" },
      });
      const listed = (await local.us("GET", `/api-keys?type=${type}`)).list;
      const token = String(made.token);
      for (const answer of [got, changed])
        expect(answer.data).not.toHaveProperty("token");
      expect(listed.some(({ id }) => id === made.id)).toBe(true);
      expect(got.text + changed.text + JSON.stringify(listed)).not.toContain(
        token,
      );
    },
  );

  // contract: management-63
  it("of a public key can be read at any time", async () => {
    const made = await create({ type: "public", name: "agent" });
    const { data } = await local.us("GET", `/api-keys/${made.id}`);
    const { list } = await local.us("GET", "/api-keys?type=public");
    expect(data.token).toBe(made.token);
    expect(list.find(({ id }) => id === made.id)?.token).toBe(made.token);
  });
});

describe("GET /api-keys", () => {
  // contract: management-32, management-33, management-38, management-51
  // contract: management-56
  it("lists the development keys from the start", async () => {
    const { list, pagination } = await local.us("GET", "/api-keys");
    expect(list).toHaveLength(2);
    expect(list[0]).toMatchObject({
      type: "secret",
      name: "Local development",
      environment: null,
      rate_limit: 5,
      disabled_at: null,
    });
    expect(list[1]).toMatchObject({ type: "public", token: "local-public-us" });
    expect(pagination).toEqual({
      ...{ next_cursor: null, prev_cursor: null },
      ...{ nextCursor: null, prevCursor: null },
    });
  });

  // contract: management-74, management-75, management-76
  it("filters by type, status and environment together", async () => {
    const env = await local.us("POST", "/environments", {
      body: { name: "other" },
    });
    const environment = env.data.id;
    const wanted = await create({ type: "proxy", name: "wanted", environment });
    await create({ type: "proxy", name: "elsewhere" });
    await create({ type: "secret", name: "other type", environment });
    const enabled = await create({
      type: "proxy",
      name: "enabled",
      environment,
    });
    await local.us("PATCH", `/api-keys/${wanted.id}`, {
      body: { status: "disabled" },
    });
    const query = `type=proxy&environment=${environment}`;
    const both = await local.us("GET", `/api-keys?${query}`);
    const one = await local.us("GET", `/api-keys?${query}&status=disabled`);
    expect(both.ids).toEqual([wanted.id, enabled.id]);
    expect(one.ids).toEqual([wanted.id]);
  });

  // contract: management-6, management-19, management-72
  it("never shows the keys of another workspace", async () => {
    const made = await create({ type: "secret", name: "of us" });
    expect((await local.eu("GET", "/api-keys")).ids).not.toContain(made.id);
    for (const [method, body] of [
      ["GET"],
      ["PATCH", { name: "taken" }],
      ["DELETE"],
    ] as const) {
      const answer = await local.eu(method, `/api-keys/${made.id}`, { body });
      expect([method, answer.status, answer.error.code]).toEqual([
        method,
        404,
        "not_found",
      ]);
    }
    expect((await local.us("GET", `/api-keys/${made.id}`)).data.name).toBe(
      "of us",
    );
  });
});

describe("PATCH /api-keys/{id}", () => {
  // contract: management-25, management-51, management-60, management-78
  // contract: management-87, management-89, management-91, management-93
  it("changes only the given fields, and null clears the description", async () => {
    const made = await create({
      type: "secret",
      name: "before",
      description: "text",
    });
    const path = `/api-keys/${made.id}`;
    const named = await local.us("PATCH", path, { body: { name: "after" } });
    expect(named.data).toMatchObject({
      name: "after",
      description: "text",
      rate_limit: 5,
    });
    const cleared = await local.us("PATCH", path, {
      body: { description: null, rate_limit: 0.1 },
    });
    expect(cleared.data).toMatchObject({
      name: "after",
      description: null,
      rate_limit: 0.1,
    });
    expect((await local.us("GET", path)).data).toEqual(cleared.data);
  });

  // contract: management-88, management-89
  it.each(["name", "description"])(
    "accepts a %s of 3 to 255 characters",
    async (member) => {
      const { id } = await create({ type: "secret", name: "before" });
      for (const [length, status] of [
        [2, 400],
        [3, 200],
        [255, 200],
        [256, 400],
      ] as const) {
        const body = { [member]: "x".repeat(length) };
        const answer = await local.us("PATCH", `/api-keys/${id}`, { body });
        expect([length, answer.status]).toEqual([length, status]);
      }
    },
  );

  // contract: management-57, management-67, management-68, management-69
  // contract: management-90
  it("sets the time when a key is disabled, keeps it, and clears it", async () => {
    const { id } = await create({ type: "secret", name: "switched" });
    const set = async (status: string) =>
      (await local.us("PATCH", `/api-keys/${id}`, { body: { status } })).data;
    await local.controlCall("POST", "/clock", {
      body: { now: "2030-01-01T00:00:00Z" },
    });
    const { disabled_at: disabledAt } = await set("disabled");
    expect(disabledAt).toMatch(/^2030-01-01T00:00:/);
    await local.controlCall("POST", "/clock", { body: { advance: "1d" } });
    expect((await set("disabled")).disabled_at).toBe(disabledAt);
    expect(await set("enabled")).toMatchObject({
      status: "enabled",
      disabled_at: null,
    });
  });

  // contract: management-87, management-91, management-92
  it("refuses fields that cannot change, and values out of range", async () => {
    const { id } = await create({ type: "secret", name: "fixed" });
    const answer = await local.us("PATCH", `/api-keys/${id}`, {
      body: {
        type: "public",
        environment: null,
        token: "x",
        rate_limit: 0.05,
        name: null,
      },
    });
    expect(answer.status).toBe(400);
    expect(answer.violated).toEqual([
      "environment",
      "name",
      "rate_limit",
      "token",
      "type",
    ]);
  });
});

describe("DELETE /api-keys/{id}", () => {
  // contract: management-20, management-94, management-95
  it("deletes the key for good", async () => {
    const { id } = await create({ type: "secret", name: "gone" });
    const gone = await local.us("DELETE", `/api-keys/${id}`);
    expect([gone.status, gone.text]).toEqual([204, ""]);
    expect((await local.us("GET", `/api-keys/${id}`)).status).toBe(404);
    expect((await local.us("DELETE", `/api-keys/${id}`)).status).toBe(404);
    expect((await local.us("GET", "/api-keys")).ids).not.toContain(id);
  });
});
