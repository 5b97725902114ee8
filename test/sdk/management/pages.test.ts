import { UnexpectedAnswerError, type ListOptions, type Page } from "@devid/sdk";
import { describe, expect, it } from "vitest";
import { all } from "../all";
import { eachItem } from "../../../sdk/src/management/collection";

/** Pages by cursor, and the arguments of each request. */
function book(pages: Record<string, Page<string>>) {
  const asked: ListOptions[] = [];
  const list = (options: ListOptions) => {
    asked.push(options);
    const page = pages[options.cursor ?? "start"];
    return page
      ? Promise.resolve(page)
      : Promise.reject(new Error(`no page ${options.cursor}`));
  };
  return { asked, list };
}

describe("eachItem", () => {
  it("reads page after page, also after an empty page", async () => {
    const { asked, list } = book({
      start: { data: ["a", "b"], nextCursor: "two" },
      two: { data: [], nextCursor: "three" },
      three: { data: ["c"], prevCursor: "two" },
    });
    expect(await all(eachItem(list))).toEqual(["a", "b", "c"]);
    expect(asked).toEqual([
      { limit: 100 },
      { limit: 100, cursor: "two" },
      { limit: 100, cursor: "three" },
    ]);
  });

  it("fetches a page only when it is needed", async () => {
    const { asked, list } = book({
      start: { data: ["a", "b"], nextCursor: "two" },
    });
    for await (const item of eachItem(list)) if (item === "b") break;
    expect(asked).toHaveLength(1);
  });

  it("passes on the signal and the page size", async () => {
    const { signal } = new AbortController();
    const { asked, list } = book({ start: { data: [] } });
    await all(eachItem(list, { limit: 7, signal }));
    expect(asked).toEqual([{ limit: 7, signal, cursor: undefined }]);
    expect(asked[0]?.signal).toBe(signal);
  });

  it("does not follow a cursor that leads to itself", async () => {
    const { asked, list } = book({
      start: { data: ["a"], nextCursor: "two" },
      two: { data: ["b"], nextCursor: "two" },
    });
    const seen: string[] = [];
    const walk = async () => {
      for await (const item of eachItem(list)) seen.push(item);
    };
    await expect(walk()).rejects.toThrow(UnexpectedAnswerError);
    expect(seen).toEqual(["a", "b"]);
    expect(asked).toHaveLength(2);
  });
});
