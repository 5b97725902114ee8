import {
  beforeEach,
  describe,
  expect,
  it,
  vi,
  type MockInstance,
} from "vitest";
import { addressesOf, withoutDefault } from "../../../service/agent/endpoints";

const OWN = "http://127.0.0.1:8787/us";
const BY_SCRIPT = { ownEndpoint: OWN };
const PAGE = "https://shop.example/cart/pay?x=1#f";
const A = "https://a.example";
const B = "https://b.example";

let warn: MockInstance<typeof console.warn>;
beforeEach(() => {
  warn = vi.spyOn(console, "warn").mockReturnValue();
});

// contract: agent-12
it("withoutDefault marks endpoints like the published helper", () => {
  const marked = { __type__: "withoutDefault", value: [A] };
  expect(withoutDefault([A])).toEqual(marked);
});

describe("the addresses of endpoints", () => {
  // contract: agent-5, agent-12
  it.each([
    ["none are added", undefined, {}, []],
    ["the script's own is last", undefined, BY_SCRIPT, [OWN]],
    ["their order stays", [`${B}/x/`, A], BY_SCRIPT, [`${B}/x`, A, OWN]],
    ["the own is left out on request", withoutDefault(A), BY_SCRIPT, [A]],
    ["several without a default", withoutDefault([B, A]), {}, [B, A]],
    ["each is tried once", [OWN, `${OWN}/`], BY_SCRIPT, [OWN]],
    [
      "they may be relative to a page",
      ["/fp", "../id", "//b.example", "ftp:x"],
      { page: PAGE },
      ["https://shop.example/fp", "https://shop.example/id", B],
    ],
  ])("%s", (_, endpoints, more, expected) => {
    expect(addressesOf("key", endpoints, more)).toEqual(
      expected.map((endpoint) => `${endpoint}/web/v4/key`),
    );
  });

  it("keep the query, in which a proxy finds the region, and escape the key", () => {
    expect(addressesOf("a/b?c", `${B}/p?x=1&region=eu#f`)).toEqual([
      `${B}/p/web/v4/a%2Fb%3Fc?x=1&region=eu`,
    ]);
  });

  // contract: agent-12
  it("are http or https; others are skipped with a warning", () => {
    const wrong = ["proxy", "ftp://a.example"];
    expect(addressesOf("key", [...wrong, A])).toEqual([`${A}/web/v4/key`]);
    expect(warn.mock.calls.flat()).toEqual(
      wrong.map((endpoint) =>
        expect.toSay("agent/endpoint-skipped", { endpoint }),
      ),
    );
  });

  // contract: agent-43
  it.each([["proxy"], [withoutDefault("proxy")]])(
    "are refused if all of %j is skipped and no other is left",
    (endpoints) => {
      expect(() => addressesOf("key", endpoints)).toThrow(
        expect.objectContaining({
          name: "FingerprintError",
          code: "invalid_endpoint",
          message: expect.toSay("agent/no-endpoint"),
        }),
      );
    },
  );

  // contract: agent-5, agent-12, agent-15
  it.each([
    [[]],
    [withoutDefault([])],
    [null],
    [7],
    [{}],
    [[A, 7]],
    [{ value: A }],
    [withoutDefault(7 as never)],
    [withoutDefault(undefined as never)],
  ])("are refused if they are %j", (endpoints) => {
    expect(() => addressesOf("key", endpoints)).toThrow(
      expect.objectContaining({ code: "endpoints_misconfigured" }),
    );
  });
});
