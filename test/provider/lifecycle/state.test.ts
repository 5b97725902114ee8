import { expect, it } from "vitest";
import { toState } from "../../../provider/src/lifecycle/state";

it("leaves out undefined members at every depth, and nothing else", () => {
  const state = toState({
    a: undefined,
    b: null,
    c: "",
    d: 0,
    e: false,
    f: [1, undefined, { g: undefined, h: [undefined] }],
    i: { j: { k: undefined }, l: [] },
  });
  // toStrictEqual distinguishes an undefined member from a missing member.
  expect(state).toStrictEqual({
    b: null,
    c: "",
    d: 0,
    e: false,
    f: [1, { h: [] }],
    i: { j: {}, l: [] },
  });
});
