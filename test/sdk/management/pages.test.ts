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

  it.each([
    ["the cursor that was just used", ["two", "two"], 2],
    ["an earlier cursor", ["two", "three", "two"], 3],
    ["an earlier cursor, after some more", ["a", "b", "c", "d", "b"], 5],
  ])("ends with an error at %s", async (_, cursors, requests) => {
    const pages = cursors.map((nextCursor, n) => [
      cursors[n - 1] ?? "start",
      { data: [`${n}`], nextCursor },
    ]);
    const { asked, list } = book(
      Object.fromEntries(pages) as Record<string, Page<string>>,
    );
    await expect(all(eachItem(list))).rejects.toThrow(UnexpectedAnswerError);
    expect(asked).toHaveLength(requests);
  });
});
