import { NotFoundError, type Client } from "@devid/sdk";
import { beforeEach, describe, expect, it } from "vitest";
import { all } from "../all";
import { Workspace } from "../workspace";
import { openForTests } from "../../helpers/open-for-tests";

const workspace = openForTests(new Workspace());
beforeEach(() => workspace.reset());

const keys = () => workspace.client().apiKeys;

describe("API keys", () => {
  it("are created with a token that is shown once", async () => {
    const made = await keys().create({
      type: "secret",
      name: "server",
      description: "of our shop",
      environment: workspace.environment,
    });
    expect(made).toMatchObject({
      type: "secret",
      name: "server",
      description: "of our shop",
      environment: workspace.environment,
      status: "enabled",
    });
    expect(made.token).toMatch(/\S{8,}/);
    expect(made.rateLimit).toBeGreaterThan(0);
    expect(Date.parse(made.createdAt ?? "")).not.toBeNaN();

    const { token, ...rest } = made;
    expect(token).toBeDefined();
    expect(await keys().get(made.id)).toEqual(rest);
  });

  it("show their token at any time if they are public", async () => {
    const made = await keys().create({ type: "public", name: "browser" });
    expect(made.token).toMatch(/\S{8,}/);
    expect((await keys().get(made.id)).token).toBe(made.token);
  });

  it("change only the given fields", async () => {
    const made = await keys().create({
      type: "proxy",
      name: "edge",
      description: "a proxy",
    });
    const changed = await keys().update(made.id, {
      status: "disabled",
      rateLimit: 0.5,
    });
    expect(changed).toMatchObject({
      name: "edge",
      description: "a proxy",
      status: "disabled",
      rateLimit: 0.5,
    });
    expect(changed.disabledAt).toEqual(expect.any(String));
    expect(await keys().get(made.id)).toEqual(changed);

    const cleared = await keys().update(made.id, { description: null });
    expect(cleared).toMatchObject({ status: "disabled", description: null });
  });

  it("are deleted for good", async () => {
    const { id } = await keys().create({ type: "secret", name: "gone" });
    expect(await keys().delete(id)).toBeUndefined();
    await expect(keys().get(id)).rejects.toThrow(NotFoundError);
    await expect(keys().update(id, { name: "new" })).rejects.toThrow(
      NotFoundError,
    );
    await expect(keys().delete(id)).rejects.toThrow(NotFoundError);
  });

  it("are filtered by type, status and environment", async () => {
    const server = await keys().create({ type: "secret", name: "server" });
    const edge = await keys().create({
      type: "proxy",
      name: "edge",
      environment: workspace.environment,
    });
    await keys().update(server.id, { status: "disabled" });
    const ids = async (filter: Parameters<Client["apiKeys"]["listAll"]>[0]) =>
      (await all(keys().listAll(filter))).map(({ id }) => id);
    expect(await ids({ status: "disabled" })).toEqual([server.id]);
    expect(await ids({ type: "proxy" })).toEqual([edge.id]);
    const inEnvironment = await ids({ environment: workspace.environment });
    expect(inEnvironment).toContain(edge.id);
    expect(inEnvironment).not.toContain(server.id);
  });

  it("are listed in our spelling, without hidden tokens", async () => {
    const made = await keys().create({ type: "secret", name: "server" });
    const { data } = await keys().list({ type: "secret", limit: 101 });
    const { token, ...rest } = made;
    expect(data.at(-1)).toEqual(rest);
    expect(JSON.stringify(data)).not.toContain(token);
  });

  it("of another workspace cannot be found", async () => {
    const { id } = await keys().create({ type: "secret", name: "server" });
    const { managementKey } = workspace.service.workspaces.eu;
    const other = workspace.client({}, { managementKey });
    await expect(other.apiKeys.get(id)).rejects.toThrow(NotFoundError);
  });

  it("escape an ID that could lead to another path", async () => {
    await expect(keys().get("../environments")).rejects.toThrow(NotFoundError);
    await expect(keys().delete("a/b?c#d")).rejects.toThrow(NotFoundError);
    expect(await workspace.requests()).toEqual([
      "GET /api-keys/..%2Fenvironments 404",
      "DELETE /api-keys/a%2Fb%3Fc%23d 404",
    ]);
  });
});
