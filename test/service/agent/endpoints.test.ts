import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { addressesOf, withoutDefault } from "../../../service/agent/endpoints";

const OWN = "http://127.0.0.1:8787/us";
const OWN_ADDRESS = `${OWN}/web/v4/key`;
const addresses = (endpoints?: unknown, ownEndpoint?: string) =>
  addressesOf("key", endpoints, { ownEndpoint });

const warn = vi.spyOn(console, "warn");
beforeEach(() => void warn.mockImplementation(() => undefined));
afterEach(() => void warn.mockReset());

// contract: agent-12
it("withoutDefault marks endpoints like the published helper", () => {
  expect(withoutDefault(["https://a.example"])).toEqual({
    __type__: "withoutDefault",
    value: ["https://a.example"],
  });
});

describe("addressesOf", () => {
  it("adds no address that was not given", () => {
    expect(addresses()).toEqual([]);
    expect(addresses("https://a.example")).toEqual([
      "https://a.example/web/v4/key",
    ]);
    expect(addresses(["https://a.example", "proxy"])).toEqual([
      "https://a.example/web/v4/key",
    ]);
  });

  // contract: agent-5, agent-12
  it("keeps the order of the endpoints, and adds the script's own service last", () => {
    expect(addresses(undefined, OWN)).toEqual([OWN_ADDRESS]);
    expect(
      addresses(["https://b.example/x/", "https://a.example"], OWN),
    ).toEqual([
      "https://b.example/x/web/v4/key",
      "https://a.example/web/v4/key",
      OWN_ADDRESS,
    ]);
    expect(
      addresses("https://a.example", "https://own.example/eu?region=eu"),
    ).toEqual([
      "https://a.example/web/v4/key",
      "https://own.example/eu/web/v4/key?region=eu",
    ]);
  });

  // contract: agent-12
  it("leaves the script's own service out with withoutDefault", () => {
    expect(addresses(withoutDefault("https://a.example"), OWN)).toEqual([
      "https://a.example/web/v4/key",
    ]);
    expect(
      addresses(withoutDefault(["https://b.example", "https://a.example"])),
    ).toEqual(["https://b.example/web/v4/key", "https://a.example/web/v4/key"]);
  });

  it("returns each address once", () => {
    expect(addresses([OWN, `${OWN}/`], OWN)).toEqual([OWN_ADDRESS]);
  });

  it("keeps the query of an endpoint, in which a proxy finds the region", () => {
    expect(addresses("https://b.example/p?x=1&region=eu#f")).toEqual([
      "https://b.example/p/web/v4/key?x=1&region=eu",
    ]);
  });

  it("resolves relative endpoints if the page is given", () => {
    const page = "https://shop.example/cart/pay?x=1#f";
    const endpoints = ["/fp", "../id?region=eu", "//b.example", OWN, "ftp:x"];
    expect(addressesOf("key", endpoints, { page })).toEqual([
      "https://shop.example/fp/web/v4/key",
      "https://shop.example/id/web/v4/key?region=eu",
      "https://b.example/web/v4/key",
      OWN_ADDRESS,
    ]);
  });

  it("escapes a key as one part of the path", () => {
    expect(addressesOf("a/b?c", OWN)).toEqual([`${OWN}/web/v4/a%2Fb%3Fc`]);
  });

  // contract: agent-12
  it("skips an endpoint that is not an http or https address, with a warning", () => {
    const endpoints = ["proxy", "ftp://a.example", "https://a.example"];
    expect(addresses(endpoints, OWN)).toEqual([
      "https://a.example/web/v4/key",
      OWN_ADDRESS,
    ]);
    expect(warn.mock.calls.flat()).toEqual(
      ["proxy", "ftp://a.example"].map((endpoint) =>
        expect.toSay("agent/endpoint-skipped", { endpoint }),
      ),
    );
    expect(addresses("proxy", OWN)).toEqual([OWN_ADDRESS]);
  });

  // contract: agent-43
  it.each([["proxy"], [withoutDefault("proxy")]])(
    "throws if all of %j is skipped and no other address is left",
    (endpoints) => {
      expect(() => addresses(endpoints)).toThrow(
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
    [["https://a.example", 7]],
    [{ value: "https://a.example" }],
    [withoutDefault(7 as never)],
    [withoutDefault(undefined as never)],
  ])("throws for endpoints %j", (endpoints) => {
    expect(() => addresses(endpoints)).toThrow(
      expect.objectContaining({ code: "endpoints_misconfigured" }),
    );
  });
});
