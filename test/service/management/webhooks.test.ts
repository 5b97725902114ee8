import { beforeEach, describe, expect, it } from "vitest";
import { LocalWorkspace } from "../../helpers/local-workspace.js";
import { openForTests } from "../../helpers/open-for-tests.js";

const local = openForTests(new LocalWorkspace());
beforeEach(() => local.controlCall("POST", "/reset"));

const url = "https://shop.example/hook";
const create = async (body: object) =>
  (await local.us("POST", "/webhooks", { body })).data;

describe("POST /webhooks", () => {
  // contract: management-185, management-186, management-187, management-188
  // contract: management-194, management-195, management-199, management-204
  // contract: management-211, management-212
  it("creates an enabled, unverified webhook, and shows its signing key", async () => {
    const answer = await local.us("POST", "/webhooks", {
      body: { url, description: "orders" },
    });
    expect(answer.status).toBe(201);
    expect(answer.data).toEqual({
      id: expect.stringMatching(/^wh_/) as string,
      url,
      description: "orders",
      status: "enabled",
      verified: false,
      environment: null,
      legacy: false,
      basic_auth: null,
      created_at: expect.stringMatching(
        /^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/,
      ) as string,
      signing_key: expect.stringMatching(/^[\w-]{43}$/) as string,
      last_enabled_at: answer.data.created_at,
      last_disabled_at: null,
    });
  });

  // contract: management-196, management-197
  it("shows the signing key only once", async () => {
    const made = await create({ url });
    const path = `/webhooks/${made.id}`;
    const later = [
      await local.us("GET", path),
      await local.us("GET", "/webhooks"),
      await local.us("PATCH", path, { body: { description: "still" } }),
    ];
    for (const { text } of later) {
      expect(text).toContain(made.id);
      expect(text).not.toContain("signing_key");
      expect(text).not.toContain(String(made.signing_key));
    }
  });

  it.each([
    "https://shop.example/a?b=c",
    // contract: management-207
    "http://127.0.0.1:9/hook",
    "http://localhost:9/hook",
    "http://[::1]:9/hook",
  ])("accepts %s", async (given) => {
    const answer = await local.us("POST", "/webhooks", {
      body: { url: given },
    });
    expect([answer.status, answer.data.url]).toEqual([201, given]);
  });

  // contract: management-205
  it.each([
    "http://shop.example/hook",
    // contract: management-207
    "http://127.0.0.1.shop.example/hook",
    "http://localhost.shop.example/hook",
    "ftp://shop.example",
    // contract: management-206
    "https://203.0.113.5/hook",
    "https://[2001:db8::1]/hook",
    "https://3405803781/hook",
    "shop.example",
    "",
    null,
    undefined,
  ])("refuses the url %j", async (given) => {
    const answer = await local.us("POST", "/webhooks", {
      body: { url: given },
    });
    expect([answer.status, answer.violated]).toEqual([400, ["url"]]);
  });

  // contract: management-208
  it("accepts a description of any length", async () => {
    const description = "d".repeat(5_000);
    expect((await create({ url, description })).description).toBe(description);
  });

  // contract: management-23, management-189, management-193, management-209
  // contract: management-210
  it("reports all violations at once", async () => {
    const answer = await local.us("POST", "/webhooks", {
      body: {
        url: "http://shop.example",
        status: "on",
        environment: "ae_none",
        legacy: true,
        basic_auth: {},
      },
    });
    expect(answer.violated).toEqual([
      "basic_auth",
      "environment",
      "legacy",
      "status",
      "url",
    ]);
  });
});

describe("PATCH /webhooks/{id}", () => {
  // contract: management-25, management-188, management-191, management-203
  // contract: management-213
  it("changes only the given fields; null clears description and environment", async () => {
    const { environment } = local.service.workspaces.us;
    const { id } = await create({ url, description: "text", environment });
    const path = `/webhooks/${id}`;
    const named = await local.us("PATCH", path, {
      body: { description: "new" },
    });
    expect(named.data).toMatchObject({ url, description: "new", environment });
    expect(named.body).toHaveProperty("environment", environment);
    const cleared = await local.us("PATCH", path, {
      body: { description: null, environment: null },
    });
    expect(cleared.data).toMatchObject({
      url,
      description: null,
      environment: null,
    });
    expect((await local.us("GET", path)).data).toEqual(cleared.data);
  });

  // contract: management-189, management-198, management-199, management-209
  // contract: management-213
  it("sets the times when a webhook is enabled and disabled", async () => {
    const { id } = await create({ url, status: "disabled" });
    const set = async (now: string, status: string) => {
      await local.controlCall("POST", "/clock", { body: { now } });
      return (await local.us("PATCH", `/webhooks/${id}`, { body: { status } }))
        .data;
    };
    const { data } = await local.us("GET", `/webhooks/${id}`);
    expect([data.last_enabled_at, data.last_disabled_at]).toEqual([null, null]);
    const on = await set("2030-01-01T00:00:00Z", "enabled");
    expect(on.last_enabled_at).toMatch(/^2030-01-01/);
    const off = await set("2030-01-02T00:00:00Z", "disabled");
    expect(off.last_enabled_at).toBe(on.last_enabled_at);
    expect(off.last_disabled_at).toMatch(/^2030-01-02/);
    expect(await set("2030-01-03T00:00:00Z", "disabled")).toEqual(off);
  });

  it("refuses an unknown environment, and an http url of another machine", async () => {
    const { id } = await create({ url });
    const answer = await local.us("PATCH", `/webhooks/${id}`, {
      body: { url: "http://shop.example", environment: "ae_none" },
    });
    expect([answer.status, answer.violated]).toEqual([
      400,
      ["environment", "url"],
    ]);
  });
});

describe("GET and DELETE /webhooks", () => {
  // contract: management-201, management-202, management-214, management-215
  it("filter by status and environment, and delete", async () => {
    const { environment } = local.service.workspaces.us;
    const first = await create({ url, status: "disabled" });
    const second = await create({ url, environment });
    expect((await local.us("GET", "/webhooks?status=disabled")).ids).toEqual([
      first.id,
    ]);
    expect(
      (await local.us("GET", `/webhooks?environment=${environment}`)).ids,
    ).toEqual([second.id]);
    expect((await local.eu("GET", "/webhooks")).ids).toEqual([]);
    expect((await local.eu("DELETE", `/webhooks/${first.id}`)).status).toBe(
      404,
    );
    expect((await local.us("DELETE", `/webhooks/${first.id}`)).status).toBe(
      204,
    );
    expect((await local.us("DELETE", `/webhooks/${first.id}`)).status).toBe(
      404,
    );
    expect((await local.us("GET", "/webhooks")).ids).toEqual([second.id]);
  });
});
