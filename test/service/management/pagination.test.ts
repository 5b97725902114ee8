import { describe, expect, it } from "vitest";
import type { Answer } from "../answer.js";
import { localForTests } from "../../helpers/local-for-tests.js";

const local = localForTests();

const create = async () =>
  (
    await local.us("POST", "/webhooks", {
      body: { url: "https://shop.example" },
    })
  ).data.id;
const remove = (id: string | undefined) =>
  local.us("DELETE", `/webhooks/${id}`);
const page = (limit: number, cursor?: string | null, filter = "") =>
  local.us(
    "GET",
    `/webhooks?limit=${limit}${cursor ? `&cursor=${cursor}` : ""}${filter}`,
  );
const next = ({ pagination }: Answer) => pagination["next_cursor"] ?? null;
const prev = ({ pagination }: Answer) => pagination["prev_cursor"] ?? null;

async function createMany(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) ids.push(await create());
  return ids;
}

describe("pages of a list", () => {
  // contract: management-14, management-29, management-30, management-31
  // contract: management-32, management-34, management-201
  it("have 10 items by default, and lead through all items and back", async () => {
    const ids = await createMany(25);
    const first = await local.us("GET", "/webhooks");
    const second = await page(10, next(first));
    const third = await page(10, next(second));
    expect([first.ids, second.ids, third.ids]).toEqual([
      ids.slice(0, 10),
      ids.slice(10, 20),
      ids.slice(20),
    ]);
    expect([prev(first), next(third)]).toEqual([null, null]);
    const back = await page(10, prev(third));
    expect(back.ids).toEqual(ids.slice(10, 20));
    expect((await page(10, prev(back))).ids).toEqual(ids.slice(0, 10));
    expect((await page(10, next(back))).ids).toEqual(ids.slice(20));
  });

  // contract: management-28, management-30, management-202
  it("accept sizes from 0 to 101", async () => {
    const ids = await createMany(3);
    const none = await page(0);
    expect([none.ids, next(none), prev(none)]).toEqual([[], null, null]);
    expect((await page(101)).ids).toEqual(ids);
    for (const limit of ["-1", "102", "1.5", "ten", ""]) {
      const answer = await local.us("GET", `/webhooks?limit=${limit}`);
      expect([limit, answer.status, answer.violated]).toEqual([
        limit,
        400,
        ["limit"],
      ]);
    }
  });
  it("neither skip nor repeat items when other items are removed and added", async () => {
    const ids = await createMany(6);
    const first = await page(2);
    // The item that the cursor names, an item before it, and an item after it.
    for (const gone of [ids[1], ids[0], ids[2]]) await remove(gone);
    const added = await create();
    const second = await page(2, next(first));
    expect(second.ids).toEqual([ids[3], ids[4]]);
    const third = await page(2, next(second));
    expect([third.ids, next(third)]).toEqual([[ids[5], added], null]);
    expect(prev(second)).toBeNull();
  });

  it("lead back when every item after the cursor is gone", async () => {
    const ids = await createMany(4);
    const first = await page(2);
    await remove(ids[2]);
    await remove(ids[3]);
    const empty = await page(2, next(first));
    expect([empty.ids, next(empty)]).toEqual([[], null]);
    expect((await page(2, prev(empty))).ids).toEqual(ids.slice(0, 2));
  });

  // contract: management-201
  it("keep their filters", async () => {
    const ids = await createMany(6);
    for (const id of [ids[1], ids[3], ids[5]])
      await local.us("PATCH", `/webhooks/${id}`, {
        body: { status: "disabled" },
      });
    const filter = "&status=disabled";
    const first = await page(2, null, filter);
    const second = await page(2, next(first), filter);
    expect([first.ids, second.ids]).toEqual([[ids[1], ids[3]], [ids[5]]]);
    expect(next(second)).toBeNull();
  });
});

describe("filters of a list", () => {
  it("are refused before the options of the page", async () => {
    const { error } = await local.us("GET", "/webhooks?limit=x&environment=");
    expect(error.message).toBe(
      "environment: must not be empty; limit: must be a number",
    );
  });

  // contract: management-36
  it("find nothing for an unknown environment", async () => {
    for (const list of ["api-keys", "encryption-keys", "webhooks"]) {
      await create();
      const none = await local.us("GET", `/${list}?environment=ae_none`);
      expect([list, none.status, none.ids]).toEqual([list, 200, []]);
    }
  });
});

describe("cursors of a list", () => {
  it("are refused if they are changed, made up, or from another list", async () => {
    await createMany(3);
    const cursor = next(await page(1)) ?? "";
    const [head, tail] = [cursor.slice(0, 4), cursor.slice(4)];
    const keyCursor = (await local.us("GET", "/api-keys?limit=1")).pagination[
      "nextCursor"
    ];
    const text = Buffer.from(cursor, "base64url")
      .toString()
      .replace(/\d+/, "1");
    for (const wrong of [
      "",
      "abc",
      `${cursor}A`,
      cursor.slice(0, -1),
      `${head}${tail.startsWith("A") ? "B" : "A"}${tail.slice(1)}`,
      Buffer.from(text.replace("1", "2")).toString("base64url"),
      keyCursor,
    ]) {
      const answer = await local.us("GET", `/webhooks?cursor=${wrong}`);
      expect([wrong, answer.status, answer.violated]).toEqual([
        wrong,
        400,
        ["cursor"],
      ]);
    }
    const foreign = await local.eu("GET", `/webhooks?cursor=${cursor}`);
    expect([foreign.status, foreign.violated]).toEqual([400, ["cursor"]]);
    const twice = await local.us(
      "GET",
      `/webhooks?cursor=${cursor}&cursor=${cursor}`,
    );
    expect([twice.status, twice.violated]).toEqual([400, ["cursor"]]);
  });

  // contract: management-33, management-34, management-72, management-77
  // contract: management-115, management-230
  it("also work for API keys, encryption keys and environments", async () => {
    for (const name of ["one", "two", "three"])
      await local.us("POST", "/environments", { body: { name } });
    for (const list of ["environments", "encryption-keys"]) {
      const all = await local.us("GET", `/${list}`);
      const first = await local.us("GET", `/${list}?limit=3`);
      const rest = await local.us("GET", `/${list}?cursor=${next(first)}`);
      expect([...first.ids, ...rest.ids]).toEqual(all.ids);
      expect(rest.ids).toHaveLength(1);
    }
    const keys = await local.us("GET", "/api-keys?limit=1");
    const { nextCursor } = keys.pagination;
    expect(keys.pagination["next_cursor"]).toBe(nextCursor);
    const rest = await local.us("GET", `/api-keys?cursor=${nextCursor}`);
    expect([...keys.ids, ...rest.ids]).toEqual(
      (await local.us("GET", "/api-keys")).ids,
    );
    const { prevCursor } = rest.pagination;
    expect(prevCursor).not.toBeNull();
    expect(rest.pagination["prev_cursor"]).toBe(prevCursor);
  });
});
