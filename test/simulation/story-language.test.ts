import fc from "fast-check";
import { expect, it } from "vitest";
import { steps } from "./random-steps";
import { stepsOf, written } from "./story-language";

it("a story that is printed can be read again", () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(...steps)), (story) => {
      expect(stepsOf(story.map(written).join("\n"))).toEqual(story);
    }),
  );
});
