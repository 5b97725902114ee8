import { describe, expect, it } from "vitest";
import { localForTests } from "../../helpers/local-for-tests.js";

const local = localForTests();

async function create(count: number): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < count)
    ids.push(
      (await local.make("/webhooks", { url: "https://shop.example" })).id,
    );
  return ids;
}
const remove = (id: string | undefined) =>
  local.us("DELETE", `/webhooks/${id}`);

async function page(query: string, list = "webhooks") {
  const { ids, pagination } = await local.us("GET", `/${list}?${query}`);
  const { next_cursor: next, prev_cursor: prev } = pagination;
  return { ids, next, prev };
}

describe("pages of a list", () => {
  // contract: management-14, management-29, management-30, management-31
  // contract: management-32, management-34, management-201
  it("have 10 items by default, and lead through all items and back", async () => {
    const ids = await create(25);
    const first = await page("");
    const second = await page(`limit=10&cursor=${first.next}`);
    const third = await page(`limit=10&cursor=${second.next}`);
    expect([first.ids, second.ids, third.ids]).toEqual([
      ids.slice(0, 10),
      ids.slice(10, 20),
      ids.slice(20),
    ]);
    expect([first.prev, third.next]).toEqual([null, null]);
    const back = await page(`limit=10&cursor=${third.prev}`);
    expect(back.ids).toEqual(second.ids);
    expect((await page(`cursor=${back.prev}`)).ids).toEqual(first.ids);
    expect((await page(`cursor=${back.next}`)).ids).toEqual(third.ids);
  });

  // contract: management-28, management-30, management-202
  it("accept sizes from 0 to 101", async () => {
    const ids = await create(3);
    const whole = { ids, next: null, prev: null };
    expect(await page("limit=0")).toEqual({ ...whole, ids: [] });
    expect(await page("limit=101")).toEqual(whole);
    for (const limit of ["-1", "102", "1.5", "ten", ""])
      expect(await refused(`limit=${limit}`)).toEqual([400, ["limit"]]);
  });

  it("neither skip nor repeat items when other items are removed and added", async () => {
    const ids = await create(6);
    const first = await page("limit=2");
    // The item that the cursor names, an item before it, and an item after it.
    for (const gone of [ids[1], ids[0], ids[2]]) await remove(gone);
    const added = await create(1);
    const second = await page(`limit=2&cursor=${first.next}`);
    expect(second).toMatchObject({ ids: [ids[3], ids[4]], prev: null });
    const third = await page(`limit=2&cursor=${second.next}`);
    expect(third).toMatchObject({ ids: [ids[5], ...added], next: null });
  });

  it("lead back when every item after the cursor is gone", async () => {
    const ids = await create(4);
    const first = await page("limit=2");
    for (const gone of ids.slice(2)) await remove(gone);
    const empty = await page(`limit=2&cursor=${first.next}`);
    expect(empty).toMatchObject({ ids: [], next: null });
    expect((await page(`cursor=${empty.prev}`)).ids).toEqual(ids.slice(0, 2));
  });

  // contract: management-201
  it("keep their filters", async () => {
    const ids = await create(6);
    const disabled = [ids[1], ids[3], ids[5]];
    for (const id of disabled)
      await local.call("PATCH", `/webhooks/${id}`, { status: "disabled" });
    const first = await page("status=disabled&limit=2");
    const rest = await page(`status=disabled&limit=2&cursor=${first.next}`);
    expect([first.ids.length, rest.next]).toEqual([2, null]);
    expect([...first.ids, ...rest.ids]).toEqual(disabled);
  });
});

const refused = async (query: string) =>
  (await local.us("GET", `/webhooks?${query}`)).violation;

describe("filters of a list", () => {
  it("are refused before the options of the page", async () => {
    const { error } = await local.us("GET", "/webhooks?limit=x&environment=");
    expect(error.message).toBe(
      "environment: must not be empty; limit: must be a number",
    );
  });

  // contract: management-36
  it("find nothing for an unknown environment", async () => {
    await create(1);
    for (const list of ["api-keys", "encryption-keys", "webhooks"])
      expect((await page("environment=ae_none", list)).ids).toEqual([]);
  });
});

describe("cursors of a list", () => {
  it("are refused if they are changed, made up, or from another list", async () => {
    await create(3);
    const cursor = (await page("limit=1")).next ?? "";
    const [head, tail] = [cursor.slice(0, 4), cursor.slice(4)];
    const text = Buffer.from(cursor, "base64url")
      .toString()
      .replace(/\d+/, "2");
    for (const wrong of [
      "",
      "abc",
      `${cursor}A`,
      cursor.slice(0, -1),
      `${head}${tail.startsWith("A") ? "B" : "A"}${tail.slice(1)}`,
      Buffer.from(text).toString("base64url"),
      (await page("limit=1", "api-keys")).next,
      `${cursor}&cursor=${cursor}`,
    ])
      expect([wrong, await refused(`cursor=${wrong}`)]).toEqual([
        wrong,
        [400, ["cursor"]],
      ]);
    const foreign = await local.eu("GET", `/webhooks?cursor=${cursor}`);
    expect(foreign.violation).toEqual([400, ["cursor"]]);
  });

  // contract: management-33, management-34, management-72, management-77
  // contract: management-115, management-230
  it("also work for API keys, encryption keys and environments", async () => {
    await local.newEnvironment();
    for (const list of ["environments", "encryption-keys", "api-keys"]) {
      const first = await page("limit=1", list);
      const rest = await page(`cursor=${first.next}`, list);
      expect(rest).toMatchObject({ ids: [expect.anything()], next: null });
      const all = await page("", list);
      expect(all.ids).toEqual([...first.ids, ...rest.ids]);
    }
    const { pagination } = await local.us("GET", "/api-keys?limit=1");
    const { nextCursor, prevCursor } = pagination;
    const rest = await local.us("GET", `/api-keys?cursor=${nextCursor}`);
    expect([nextCursor, prevCursor]).toEqual([pagination["next_cursor"], null]);
    expect(rest.pagination["prevCursor"]).toBe(rest.pagination["prev_cursor"]);
  });
});
