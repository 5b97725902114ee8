import { createClient } from "@devid/sdk";
import { describe, expect, it } from "vitest";
import { all } from "../all";
import { json, serverForTest } from "../http/plain-server";
import { configurationFrom, workspaceForTests } from "../workspace";

const workspace = workspaceForTests();

const hooks = () => workspace.client().webhooks;

/** Makes webhooks one after another, because the tests check their order. */
async function make(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n++)
    ids.push((await hooks().create({ url: `https://a.example/${n}` })).id);
  return ids;
}

const pages = async () =>
  (await workspace.requests()).filter((line) => line.startsWith("GET"));

describe("listAll", () => {
  it.each([
    [0, 1],
    [1, 1],
    [100, 1],
    [101, 2],
    [250, 3],
  ])("reads %i items in %i pages", async (count, pageCount) => {
    const ids = await make(count);
    const found = await all(hooks().listAll());
    expect(found.map(({ id }) => id)).toEqual(ids);
    const wanted = Array<string>(pageCount).fill("GET /webhooks 200");
    expect(await pages()).toEqual(wanted);
  });

  it("reads lists whose cursors are in camelCase", async () => {
    const { apiKeys } = workspace.client();
    for (let n = 0; n < 101; n++)
      await apiKeys.create({ type: "secret", name: `key ${n}` });
    const found = await all(apiKeys.listAll({ type: "secret" }));
    expect(found.slice(-101).map(({ name }) => name)).toEqual(
      Array.from({ length: 101 }, (_, n) => `key ${n}`),
    );
    expect(await pages()).toHaveLength(2);
  });
});

it("the requests of a list have the filter, the page size and the unchanged cursor", async () => {
  const server = await serverForTest(({ path }, response) => {
    const next_cursor = path.includes("cursor=") ? "" : "a/b+c=&d";
    json(response, 200, {
      data: [],
      metadata: { pagination: { next_cursor } },
    });
  });
  const client = createClient(
    configurationFrom({ managementUrl: server.url, managementKey: "key-1" }),
  );
  const filter = { status: "enabled", environment: "ae 1&2" } as const;
  expect(await all(client.webhooks.listAll(filter))).toEqual([]);
  const queries = server.received.map(({ path }) => [
    ...new URL(path, server.url).searchParams,
  ]);
  const page = [
    ["status", "enabled"],
    ["environment", "ae 1&2"],
    ["limit", "100"],
  ];
  expect(queries).toEqual([page, [...page, ["cursor", "a/b+c=&d"]]]);
});
