import type { Client } from "@devid/sdk";
import {
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  vi,
} from "vitest";
import {
  ListSnapshot,
  type Readable,
} from "../../../provider/src/session/list-snapshot";
import { openForTests } from "../../helpers/open-for-tests";
import { Workspace } from "../../sdk/workspace";

let client: Client;
let webhooks: string[];

const workspace = openForTests(new Workspace());
beforeAll(async () => {
  client = workspace.client({
    retry: { maxAttempts: 1, budgetMs: 0, baseDelayMs: 0, maxDelayMs: 0 },
  });
  const made = await Promise.all(
    Array.from({ length: 250 }, (_, i) =>
      client.webhooks.create({ url: `https://hooks.example/${i}` }),
    ),
  );
  webhooks = made.map(({ id }) => id);
});
let snapshot: ListSnapshot;
let mark: number;
beforeEach(async () => {
  snapshot = new ListSnapshot();
  mark = await workspace.mark();
});
afterEach(() => workspace.forgetFaults());

const PAGE = "/management/webhooks";
const LIST = "GET /webhooks";
/** A 404 in the form of the contract. */
const NOT_FOUND = {
  status: 404,
  body: { error: { code: "not_found", message: "No such route" } },
};
const read = (ids: readonly string[]) =>
  Promise.all(ids.map((id) => snapshot.find(client.webhooks, id)));
/** Requests since the test began: the number of list pages, and of reads by ID. */
const calls = async () => {
  const paths = (await workspace.requestsSince(mark)).map(({ path }) => path);
  const byId = paths.filter((path) => path.includes("/webhooks/"));
  return { pages: paths.length - byId.length, byId: byId.length };
};

describe("reads of one kind", () => {
  it("read by ID while they are few", async () => {
    const found = await read(webhooks.slice(0, 3));
    expect(found.map((webhook) => webhook?.id)).toEqual(webhooks.slice(0, 3));
    expect(await calls()).toEqual({ pages: 0, byId: 3 });
  });

  it("share one list once they are many, even a few at a time", async () => {
    for (let i = 0; i < webhooks.length; i += 4) {
      const ids = webhooks.slice(i, i + 4);
      const found = await read(ids);
      expect(found.map((webhook) => webhook?.id)).toEqual(ids);
    }
    expect(await calls()).toEqual({ pages: 3, byId: 0 });
  });

  it("share one list after the first few, even one at a time", async () => {
    for (const id of webhooks.slice(0, 20)) await read([id]);
    expect(await calls()).toEqual({ pages: 3, byId: 3 });
  });

  it("count together with the reads of other kinds", async () => {
    const { data: keys } = await client.apiKeys.list();
    mark = await workspace.mark();
    await Promise.all([
      ...keys.map(({ id }) => snapshot.find(client.apiKeys, id)),
      read(webhooks.slice(0, 2)),
    ]);
    // Two keys and two webhooks are four reads, so each kind is listed.
    const paths = (await workspace.requestsSince(mark)).map(({ path }) => path);
    expect(paths.sort()).toEqual([
      "/management/api-keys",
      "/management/webhooks",
      "/management/webhooks",
      "/management/webhooks",
    ]);
  });

  it("treat an object as missing only when the list and a read by ID agree", async () => {
    const gone = await snapshot.find(client.webhooks, "wh_none");
    expect(gone).toBeUndefined();
    const found = await read([...webhooks.slice(0, 5), "wh_none"]);
    expect(found.at(-1)).toBeUndefined();
    expect(await calls()).toEqual({ pages: 3, byId: 2 });
  });

  it("do not take an object for gone that the list has after a 404", async () => {
    const [id = ""] = webhooks;
    await workspace.fault({
      match: { path: `${PAGE}/${id}` },
      then: NOT_FOUND,
    });
    await expect(read([id])).rejects.toSay("read/404-of-a-listed-object");
    // A list that was read before the object was deleted is read again.
    expect(await calls()).toEqual({ pages: 6, byId: 1 });
  });

  it("fail after a 404 if the list fails, too", async () => {
    await workspace.fault({ match: { path: `${PAGE}*` }, then: NOT_FOUND });
    await expect(read(["wh_none"])).rejects.toThrow("Listing webhooks failed");
  });

  it("read by ID an object that the list shows incompletely", async () => {
    const [id = "", ...others] = webhooks;
    const found = await Promise.all([
      snapshot.find(client.webhooks, id, (listed) => listed.url === ""),
      read(others.slice(0, 9)),
    ]);
    expect(found[0]?.id).toBe(id);
    expect(await calls()).toEqual({ pages: 3, byId: 1 });
  });
});

describe("a list", () => {
  const many = () => read(webhooks.slice(0, 8));

  it("is dropped by a write, and reads are counted again from zero", async () => {
    await many();
    snapshot.drop();
    await read(webhooks.slice(0, 2));
    expect(await calls()).toEqual({ pages: 3, byId: 2 });
    await many();
    expect(await calls()).toEqual({ pages: 6, byId: 2 });
  });

  it("that is running during a write serves no later read", async () => {
    const [id = ""] = webhooks;
    await workspace.faultOnce(LIST, { delayMs: 300 }, { after: true });
    const before = many();
    await expect.poll(calls).toMatchObject({ pages: 1 });
    await client.webhooks.update(id, { description: "written" });
    snapshot.drop();
    const [after] = await many();
    expect(after?.description).toBe("written");
    await before;
    const [again] = await many();
    expect(again?.description).toBe("written");
  });

  it.each([
    ["fails", { status: 404, body: "gone" }],
    ["is cut off", { truncate: 50 }],
  ])("that %s is not kept, and its reads go by ID", async (_, then) => {
    // The first page arrives, the second does not.
    await workspace.faultOnce(LIST, { delayMs: 1 });
    await workspace.faultOnce(LIST, then);
    const found = await many();
    expect(found.map((webhook) => webhook?.id)).toEqual(webhooks.slice(0, 8));
    expect(await calls()).toEqual({ pages: 2, byId: 8 });
    await many();
    expect(await calls()).toEqual({ pages: 5, byId: 8 });
  });

  it("that fails makes a read fail when the kind has no read by ID", async () => {
    await workspace.refuseOnce({ path: "/management/environments*" });
    const { environment } = workspace.service.workspaces.us;
    const find = () => snapshot.find(client.environments, environment);
    await expect(find()).rejects.toThrow("Listing environments failed: 403");
    expect((await find())?.id).toBe(environment);
  });
});

describe("a collection of a and b", () => {
  let seen: string[];
  const collection: Readable<{ id: string }> = {
    get: (id) => {
      seen.push(id);
      return Promise.resolve({ id });
    },
    async *listAll() {
      seen.push("list");
      yield* await Promise.resolve([{ id: "a" }, { id: "b" }]);
    },
  };
  const find = (...ids: string[]) =>
    Promise.all(ids.map((id) => snapshot.find(collection, id)));
  beforeEach(() => (seen = []));

  it("is listed again after 10 s", async () => {
    await find("a", "b", "a", "b");
    const now = performance.now();
    const clock = vi.spyOn(performance, "now").mockReturnValue(now + 9_900);
    await find("a");
    expect(seen).toEqual(["list"]);
    clock.mockReturnValue(now + 10_100);
    await find("a");
    clock.mockRestore();
    expect(seen).toEqual(["list", "list"]);
  });
});
