import { describe, expect, it } from "vitest";
import {
  checkGetOptions,
  type GetOptions,
} from "../../../service/agent/options";
import { Tags } from "../../../sdk/src/wire/event-update";

const check = (options: unknown) =>
  checkGetOptions("get()", options as GetOptions);
const refused = (code: string, message: RegExp) =>
  expect.objectContaining({
    name: "FingerprintError",
    code,
    event_id: null,
    message: expect.stringMatching(message) as string,
  }) as Error;

describe("linkedId", () => {
  // contract: agent-28
  it("may have at most 256 characters", () => {
    const linkedId = "x".repeat(256);
    expect(check({ linkedId }).linked_id).toBe(linkedId);
    expect(check({ linkedId: "" }).linked_id).toBe("");
    expect(() => check({ linkedId: `${linkedId}x` })).toThrow(
      refused(
        "request_cannot_be_parsed",
        /^linked_id can't be greater than 256 characters long$/,
      ),
    );
  });

  it.each([[null], [7], [["a"]]])("cannot be %j", (linkedId) => {
    expect(() => check({ linkedId })).toThrow(
      refused("request_cannot_be_parsed", /linkedId/),
    );
  });
});

describe("tag", () => {
  it.each([
    // contract: agent-29
    ["text", { tag: "text" }],
    ["", { tag: "" }],
    [0, { tag: 0 }],
    [false, { tag: false }],
    [{}, {}],
    [
      { tag: [1], deep: { a: null } },
      { tag: [1], deep: { a: null } },
    ],
  ])("sends %j as %j", (tag, sent) => {
    expect(check({ tag }).tag).toEqual(sent);
  });

  it("is not sent if it is absent or null", () => {
    expect(check({})).toEqual({ timeoutMs: 10_000 });
    expect(check({ tag: null, tags: null })).toEqual({ timeoutMs: 10_000 });
  });

  // contract: agent-30
  it("is ignored if tags is given", () => {
    expect(check({ tag: "a", tags: "b" }).tag).toEqual({ tag: "b" });
  });

  it("sends the value that it had at the call", () => {
    const tag = { basket: [1] };
    const { tag: sent } = check({ tag });
    tag.basket.push(2);
    expect(sent).toEqual({ basket: [1] });
  });

  it.each([
    '{"__proto__":1}',
    '{"basket":[{"\\u005f_proto__":{}}]}',
    '{"__proto__":{"a":1},"b":2}',
  ])("cannot have a member __proto__, which would be lost: %s", (json) => {
    const tag = JSON.parse(json) as Record<string, unknown>;
    expect(() => check({ tag })).toThrow(
      refused("request_cannot_be_parsed", /named __proto__/),
    );
  });

  it("may contain the text __proto__", () => {
    const tag = {
      note: 'is "__proto__":1',
      constructor: { prototype: { a: 1 } },
    };
    expect(check({ tag }).tag).toEqual(tag);
    expect(check({ tag: "__proto__" }).tag).toEqual({ tag: "__proto__" });
  });

  const circular: Record<string, unknown> = {};
  circular.self = circular;
  it.each([
    // contract: agent-29
    ["an array", []],
    ["a function", () => 1],
    ["a symbol", Symbol("x")],
    ["a big number", 1n],
    ["a number that JSON cannot write", NaN],
    ["a date", new Date(0)],
    ["an object that contains itself", circular],
  ])("cannot be %s", (_, tag) => {
    expect(() => check({ tag })).toThrow(
      refused("request_cannot_be_parsed", /^tag has to be a string/),
    );
  });

  // contract: agent-29
  it.each(["x", "ü", "\u{1F603}"])(
    "may have at most 16384 bytes of JSON, counted like the service does (%s)",
    (letter) => {
      const bytes = Buffer.byteLength(letter);
      const room = 16_384 - Buffer.byteLength('{"tag":""}');
      const longest = letter
        .repeat(Math.floor(room / bytes))
        .padEnd(letter.length * Math.floor(room / bytes) + (room % bytes), "x");
      expect(Tags.safeParse(check({ tag: longest }).tag).success).toBe(true);
      expect(() => check({ tag: `${longest}x` })).toThrow(
        refused("request_cannot_be_parsed", /16384 bytes/),
      );
      expect(Tags.safeParse({ tag: `${longest}x` }).success).toBe(false);
    },
  );
});

describe("timeout", () => {
  // contract: agent-31
  it("is 10 s by default", () => {
    expect(check({}).timeoutMs).toBe(10_000);
    expect(check({ timeout: 0.5 }).timeoutMs).toBe(0.5);
  });

  it.each([0, -1, NaN, Infinity, 2 ** 31, "10", null])(
    "cannot be %j",
    (timeout) => {
      expect(() => check({ timeout })).toThrow(
        refused("options_misconfigured", /timeout/),
      );
    },
  );
});

describe("an unknown option of get()", () => {
  it.each([{ linkedID: "user-1" }, { cache: false }, { Tag: { a: 1 } }])(
    "is refused by name: %j",
    (options: object) => {
      const [name = ""] = Object.keys(options);
      expect(() => check(options)).toThrow(
        refused(
          "options_misconfigured",
          RegExp(
            `^get\\(\\) has no option "${name}"; it has linkedId, tag, tags, timeout\\.$`,
          ),
        ),
      );
    },
  );

  it("is ignored if it is undefined", () => {
    expect(check({ linkedID: undefined })).toEqual({ timeoutMs: 10_000 });
  });

  it.each([null, "user-1", 7, ["user-1"]])(
    "is reported for options %j that are not an object",
    (options) => {
      expect(() => check(options)).toThrow(
        refused(
          "options_misconfigured",
          /^get\(\) takes an object, with linkedId/,
        ),
      );
    },
  );
});
