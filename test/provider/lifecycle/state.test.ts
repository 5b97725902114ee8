import { expect, it } from "vitest";
import { toState } from "../../../provider/src/lifecycle/state";

it("leaves out undefined at every depth, and nothing else", () => {
  const state = toState({
    a: undefined,
    b: null,
    c: "",
    d: 0,
    e: false,
    f: [1, undefined, { g: undefined, h: [undefined] }],
    i: { j: { k: undefined }, l: [] },
  });
  // toStrictEqual tells an undefined member from one that is not there.
  expect(state).toStrictEqual({
    b: null,
    c: "",
    d: 0,
    e: false,
    f: [1, { h: [] }],
    i: { j: {}, l: [] },
  });
});
