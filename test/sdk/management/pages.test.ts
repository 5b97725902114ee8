import type { ListOptions, Page } from "@devid/sdk";
import { describe, expect, it } from "vitest";
import { all } from "../all";
import { eachItem } from "../../../sdk/src/management/collection";

/** Answers every request with a page, and notes its arguments. */
function book(page: Page<string>) {
  const asked: ListOptions[] = [];
  const list = (options: ListOptions) => {
    asked.push(options);
    return Promise.resolve(page);
  };
  return { asked, list };
}

// search-all.test.ts has pages that repeat.
describe("eachItem", () => {
  it("fetches a page only when it is needed", async () => {
    const { asked, list } = book({ data: ["a", "b"], nextCursor: "two" });
    for await (const item of eachItem(list)) if (item === "b") break;
    expect(asked).toHaveLength(1);
  });

  it("passes on the signal and the page size", async () => {
    const { signal } = new AbortController();
    const { asked, list } = book({ data: [] });
    await all(eachItem(list, { limit: 7, signal }));
    expect(asked).toEqual([{ limit: 7, signal, cursor: undefined }]);
    expect(asked[0]?.signal).toBe(signal);
  });
});
