import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { LocalWorkspace } from "../../helpers/local-workspace.js";
import { openForTests } from "../../helpers/open-for-tests.js";

let environment: string;
const local = openForTests(new LocalWorkspace());
beforeAll(() => {
  ({ environment } = local.service.workspaces.us);
});
beforeEach(() => local.controlCall("POST", "/reset"));

const rule = (name: string, more: object = {}) => ({
  name,
  environment,
  expression: "http.user_agent.is_ai_bot",
  action: "deny",
  ...more,
});
const create = async (name: string, more: object = {}) =>
  (await local.us("POST", "/filtering-rules", { body: rule(name, more) })).data;
const update = (id: string, body: object) =>
  local.us("POST", `/filtering-rules/${id}`, { body });
const names = async (query = "") =>
  (await local.us("GET", `/filtering-rules${query}`)).list.map(
    ({ name }) => name,
  );

describe("POST /filtering-rules", () => {
  // contract: management-125, management-126, management-127, management-129
  // contract: management-130, management-131, management-132, management-133
  // contract: management-135, management-136, management-138, management-139
  // contract: management-150, management-155, management-158
  it("creates an enabled rule that denies with Forbidden", async () => {
    const answer = await local.us("POST", "/filtering-rules", {
      body: rule("bots"),
    });
    expect(answer.status).toBe(201);
    expect(answer.data).toEqual({
      id: expect.stringMatching(/^tr_/) as string,
      name: "bots",
      environment,
      expression: "http.user_agent.is_ai_bot",
      action: "deny",
      status: "enabled",
      deny_with: "Forbidden",
      created_at: expect.any(String) as string,
      updated_at: null,
    });
    expect(
      (await local.us("GET", `/filtering-rules/${answer.data.id}`)).data,
    ).toEqual(answer.data);
  });

  // contract: management-137
  it("sets no deny_with on an allow rule", async () => {
    expect((await create("us", { action: "allow" })).deny_with).toBeNull();
  });

  // contract: management-136, management-139, management-141, management-143
  // contract: management-145, management-146, management-147, management-157
  it("puts a rule last, or at its placement", async () => {
    const first = await create("first");
    const last = await create("last");
    await create("zero", { placement: { position: 0 } });
    await create("two", { placement: { position: 2 } });
    await create("beyond", { placement: { position: 99 } });
    await create("behind first", { placement: { after: first.id } });
    await create("before last", { placement: { before: last.id } });
    expect(await names()).toEqual([
      "zero",
      "first",
      "behind first",
      "two",
      "before last",
      "last",
      "beyond",
    ]);
  });

  // contract: management-23, management-131, management-132, management-133
  // contract: management-141, management-151, management-152, management-154
  // contract: management-155, management-156
  it("reports all violations at once", async () => {
    const answer = await local.us("POST", "/filtering-rules", {
      body: {
        name: "",
        environment: "ae_none",
        expression: " \n",
        action: "block",
        status: "on",
        deny_with: "Teapot",
        placement: { position: -1, first: true },
        order: 1,
      },
    });
    expect(answer.status).toBe(400);
    expect(answer.violated).toEqual([
      "action",
      "deny_with",
      "environment",
      "expression",
      "name",
      "order",
      "placement.first",
      "placement.position",
      "status",
    ]);
  });

  // contract: management-151, management-152, management-153, management-154
  it("requires name, environment, expression and action", async () => {
    const answer = await local.us("POST", "/filtering-rules", { body: {} });
    expect([answer.status, answer.violated]).toEqual([
      400,
      ["action", "environment", "expression", "name"],
    ]);
  });

  // contract: management-128
  it("accepts a name that another rule has", async () => {
    const { id } = await create("bots");
    const second = await create("bots");
    expect(second.id).not.toBe(id);
    expect(await names()).toEqual(["bots", "bots"]);
  });

  // contract: management-134
  it("sets the creation time", async () => {
    await local.controlCall("POST", "/clock", {
      body: { now: "2030-01-01T00:00:00Z" },
    });
    expect((await create("new")).created_at).toMatch(
      /^2030-01-01T00:00:\d\d\.\d{3}Z$/,
    );
  });

  // contract: management-140, management-142, management-144
  it("refuses a position that is not a whole number, and neighbours that are not IDs", async () => {
    for (const [member, value] of [
      ["position", 0.5],
      ["position", "0"],
      ["after", 0],
      ["before", {}],
    ] as const) {
      const placement = { [member]: value };
      const body = rule("new", { placement });
      const answer = await local.us("POST", "/filtering-rules", { body });
      expect([answer.status, answer.violated]).toEqual([
        400,
        [`placement.${member}`],
      ]);
    }
  });

  // contract: management-147
  it("refuses neighbours of another environment, and two placements at once", async () => {
    const { id: other } = (
      await local.us("POST", "/environments", { body: { name: "other" } })
    ).data;
    const far = await create("far", { environment: other });
    const refused = async (placement: object) =>
      (
        await local.us("POST", "/filtering-rules", {
          body: rule("new", { placement }),
        })
      ).violated;
    expect(await refused({ after: "tr_none" })).toEqual(["placement.after"]);
    expect(await refused({ before: far.id })).toEqual(["placement.before"]);
    const near = await create("near");
    expect(await refused({ position: 0, after: near.id })).toEqual([
      "placement",
    ]);
    expect(await names()).toEqual(["near", "far"]);
  });
});

describe("POST /filtering-rules/{id}", () => {
  // contract: management-135, management-138, management-159
  it("changes only the given fields, and keeps the rule's position", async () => {
    await create("first");
    const { id, ...old } = await create("second");
    await create("third");
    await local.controlCall("POST", "/clock", {
      body: { now: "2030-01-01T00:00:00Z" },
    });
    const changed = await update(id, { id, expression: "sdk.platform.is_ios" });
    expect(changed.status).toBe(200);
    expect(changed.data).toEqual({
      ...old,
      id,
      expression: "sdk.platform.is_ios",
      updated_at: expect.stringMatching(/^2030-01-01/) as string,
    });
    expect(await names()).toEqual(["first", "second", "third"]);
  });

  // contract: management-159
  it("is not available as PATCH", async () => {
    const { id } = await create("first");
    const body = { name: "second" };
    const answer = await local.us("PATCH", `/filtering-rules/${id}`, { body });
    expect(answer.status).toBe(405);
    expect(answer.headers.get("allow")).toBe("GET, POST, DELETE");
  });

  // contract: management-137
  it("updates deny_with together with the action", async () => {
    const { id } = await create("turning");
    expect((await update(id, { action: "allow" })).data.deny_with).toBeNull();
    expect((await update(id, { action: "deny" })).data.deny_with).toBe(
      "Forbidden",
    );
  });

  // contract: management-145
  it("moves a rule, also to another environment", async () => {
    const { id: other } = (
      await local.us("POST", "/environments", { body: { name: "other" } })
    ).data;
    const a = await create("a");
    const b = await create("b");
    const c = await create("c");
    const d = await create("d", { environment: other });
    await update(c.id, { placement: { position: 0 } });
    await update(a.id, { placement: { after: b.id } });
    expect(await names(`?environment=${environment}`)).toEqual(["c", "b", "a"]);
    await update(b.id, { environment: other });
    await update(a.id, { environment: other, placement: { before: d.id } });
    expect(await names(`?environment=${environment}`)).toEqual(["c"]);
    expect(await names(`?environment=${other}`)).toEqual(["a", "d", "b"]);
  });

  // contract: management-160
  it("accepts only the ID of the path in its body", async () => {
    const { id } = await create("alone");
    expect((await update(id, { id })).status).toBe(200);
    expect((await update(id, { id: "tr_other" })).violated).toEqual(["id"]);
  });

  it("refuses a placement next to itself, and rules of other workspaces", async () => {
    const { id } = await create("alone");
    const refused = await update(id, { placement: { after: id } });
    expect([refused.status, refused.violated]).toEqual([
      400,
      ["placement.after"],
    ]);
    const foreign = await local.eu("POST", `/filtering-rules/${id}`, {
      body: { name: "taken" },
    });
    expect(foreign.status).toBe(404);
    expect((await local.eu("DELETE", `/filtering-rules/${id}`)).status).toBe(
      404,
    );
    expect(await names()).toEqual(["alone"]);
  });
});

describe("GET and DELETE /filtering-rules", () => {
  // contract: management-35, management-148, management-149
  it("filter by environment, status and part of the name", async () => {
    const { id: other } = (
      await local.us("POST", "/environments", { body: { name: "other" } })
    ).data;
    await create("Block crawlers");
    await create("block bots", { status: "disabled" });
    await create("crawlers elsewhere", { environment: other });
    await create("100%_sure");
    expect(await names("?name=CRAWL")).toEqual([
      "Block crawlers",
      "crawlers elsewhere",
    ]);
    expect(await names("?name=block&status=disabled")).toEqual(["block bots"]);
    expect(await names(`?environment=${other}`)).toEqual([
      "crawlers elsewhere",
    ]);
    expect(await names("?name=%25_")).toEqual(["100%_sure"]);
    expect(await names("?name=block&limit=1")).toHaveLength(2);
  });

  // contract: management-162, management-163
  it("delete a rule and close the gap", async () => {
    await create("a");
    const { id } = await create("b");
    await create("c");
    expect((await local.us("DELETE", `/filtering-rules/${id}`)).status).toBe(
      204,
    );
    expect((await local.us("DELETE", `/filtering-rules/${id}`)).status).toBe(
      404,
    );
    await create("d", { placement: { position: 1 } });
    expect(await names()).toEqual(["a", "d", "c"]);
  });
});
