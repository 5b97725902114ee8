import { expect, it } from "vitest";
import { estimateText } from "../../../cli/src/sources/past-events";

it.each([
  [101_234, 200_400, "About 100,000 events: about 3 min 20 s."],
  [30_000, 60_000, "About 30,000 events: about 1 min."],
  [3_000, 6_400, "About 3,000 events: about 6 s."],
  [2_000_000, 4_010_000, "About 2,000,000 events: about 66 min 40 s."],
  [10, 12, "About 10 events: about 1 s."],
])("estimates that %i events take %i ms", (events, expectedMs, text) => {
  expect(estimateText({ events, expectedMs })).toBe(text);
});
