import { describe, expect, it } from "vitest";
import { collectPlaces } from "../../../service/src/server-api/search";

const place = (seq: number) => ({ timestamp: 0, seq });

/** Slices that record how many of them were taken. */
function slices(found: number[][]) {
  const taken: number[] = [];
  const walk = function* (): Generator<{ timestamp: number; seq: number }[]> {
    for (const [n, seqs] of found.entries()) {
      taken.push(n);
      yield seqs.map(place);
    }
  };
  return { walk: walk(), taken };
}

const timeout = (signal = new AbortController().signal) => ({
  signal,
  endsAt: Infinity,
});

describe("collecting places", () => {
  it("goes through the slices until there are enough places", async () => {
    const few = slices([[1], [], [2, 3]]);
    expect(await collectPlaces(few.walk, 5, timeout())).toEqual(
      [1, 2, 3].map(place),
    );
    const many = slices([[1], [2, 3], [4]]);
    expect(await collectPlaces(many.walk, 2, timeout())).toEqual(
      [1, 2].map(place),
    );
    expect(many.taken).toEqual([0, 1]);
  });

  it("lets other work run between two slices", async () => {
    const { walk, taken } = slices([[], [], []]);
    const seen: number[] = [];
    const other = () => {
      seen.push(taken.length);
      if (seen.length < 3) setImmediate(other);
    };
    setImmediate(other);
    await collectPlaces(walk, 1, timeout());
    expect(seen).toEqual([1, 2, 3]);
  });

  it("stops when the caller disconnects", async () => {
    const { walk, taken } = slices([[1], [2], [3]]);
    const caller = new AbortController();
    const collected = collectPlaces(walk, 9, timeout(caller.signal));
    caller.abort();
    await expect(collected).rejects.toMatchObject({ code: "gateway_timeout" });
    expect(taken).toEqual([0]);
  });

  it("stops when the time is over, but not before the first slice is done", async () => {
    const late = { ...timeout(), endsAt: -1 };
    const one = slices([[1]]);
    expect(await collectPlaces(one.walk, 9, late)).toEqual([place(1)]);
    const two = slices([[1], [2], [3]]);
    await expect(collectPlaces(two.walk, 9, late)).rejects.toMatchObject({
      code: "gateway_timeout",
      message: "gateway timeout",
    });
    expect(two.taken).toEqual([0, 1]);
  });
});
