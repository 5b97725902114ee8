import { beforeEach, describe, expect, it } from "vitest";
import { LocalWorkspace } from "../../helpers/local-workspace.js";
import { openForTests } from "../../helpers/open-for-tests.js";

const local = openForTests(new LocalWorkspace());
beforeEach(() => local.controlCall("POST", "/reset"));

const url = "https://shop.example/old";
const add = (body: object) =>
  local.controlCall("POST", "/us/webhooks", { body: { url, ...body } });

describe("POST /_local/{region}/webhooks", () => {
  // contract: management-193
  it("adds a legacy webhook with credentials, which the management API then lists", async () => {
    const basic_auth = { username: "shop", password: "p4ssw0rd" };
    const added = await add({ legacy: true, verified: true, basic_auth });
    expect(added.status).toBe(201);
    const { id, signing_key, ...rest } = added.body as Record<string, unknown>;
    expect(signing_key).toEqual(expect.any(String));
    expect(rest).toMatchObject({ url, legacy: true, verified: true });
    const { data } = await local.us("GET", `/webhooks/${String(id)}`);
    expect(data).toEqual({ id, ...rest, basic_auth });
    expect((await local.us("DELETE", `/webhooks/${String(id)}`)).status).toBe(
      204,
    );
  });

  it("adds an ordinary webhook by default", async () => {
    const added = await add({});
    expect(added.body).toMatchObject({
      legacy: false,
      verified: false,
      basic_auth: null,
      status: "enabled",
    });
  });

  it("refuses an unknown environment", async () => {
    const { status, body } = await add({ environment: "ae_none" });
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toContain("environment");
  });
});
