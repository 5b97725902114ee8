import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { addressesOf } from "../../agent/src/endpoints";
import type { CommonStartOptions } from "../../agent/src/start-options";
import { withoutDefault } from "../../agent/src/without-default";

const LOCAL = "http://127.0.0.1:8787/us/web/v4/key";
const addresses = (options: CommonStartOptions, own?: string) =>
  addressesOf("key", options, own);

const warn = vi.spyOn(console, "warn");
beforeEach(() => void warn.mockImplementation(() => undefined));
afterEach(() => void warn.mockReset());

describe("addressesOf", () => {
  it("has the local service of the region as its default", () => {
    expect(addresses({})).toEqual([LOCAL]);
    expect(addresses({ region: "ap" })).toEqual([
      "http://127.0.0.1:8787/ap/web/v4/key",
    ]);
  });

  it("tries the endpoints in their order, the default last", () => {
    expect(addresses({ endpoints: "https://a.example" })).toEqual([
      "https://a.example/web/v4/key",
      LOCAL,
    ]);
    expect(
      addresses({ endpoints: ["https://b.example/x/", "https://a.example"] }),
    ).toEqual([
      "https://b.example/x/web/v4/key",
      "https://a.example/web/v4/key",
      LOCAL,
    ]);
  });

  it("has no default with withoutDefault", () => {
    expect(
      addresses({ endpoints: withoutDefault("https://a.example") }),
    ).toEqual(["https://a.example/web/v4/key"]);
    expect(
      addresses({
        endpoints: withoutDefault(["https://b.example", "https://a.example"]),
      }),
    ).toEqual(["https://b.example/web/v4/key", "https://a.example/web/v4/key"]);
  });

  it("tries nothing twice", () => {
    const endpoints = ["http://127.0.0.1:8787/us", "http://127.0.0.1:8787/us/"];
    expect(addresses({ endpoints })).toEqual([LOCAL]);
  });

  it("takes the endpoint of the script before the local service's", () => {
    const own = "https://own.example/eu?region=eu";
    expect(addresses({ endpoints: "https://a.example" }, own)).toEqual([
      "https://a.example/web/v4/key",
      "https://own.example/eu/web/v4/key?region=eu",
    ]);
  });

  it("keeps the region in an endpoint's query, and goes by it", () => {
    const endpoints = [
      "https://a.example",
      "https://b.example/p?x=1&region=eu#f",
    ];
    expect(addresses({ endpoints })).toEqual([
      "https://a.example/web/v4/key",
      "https://b.example/p/web/v4/key?x=1&region=eu",
      "http://127.0.0.1:8787/eu/web/v4/key",
    ]);
    expect(addresses({ endpoints, region: "ap" }).at(-1)).toBe(
      "http://127.0.0.1:8787/ap/web/v4/key",
    );
    expect(
      addresses({
        endpoints: [
          "https://a.example?region=moon",
          "https://a.example?region=ap",
          "https://a.example?region=eu",
        ],
      }).at(-1),
    ).toBe("http://127.0.0.1:8787/ap/web/v4/key");
  });

  it("writes a key as a part of the path", () => {
    expect(addressesOf("a/b?c", {})).toEqual([
      "http://127.0.0.1:8787/us/web/v4/a%2Fb%3Fc",
    ]);
  });

  it("skips what is no http or https address, with a warning", () => {
    const endpoints = ["proxy", "ftp://a.example", "https://a.example"];
    expect(addresses({ endpoints })).toEqual([
      "https://a.example/web/v4/key",
      LOCAL,
    ]);
    expect(warn.mock.calls.flat()).toEqual([
      'The endpoint "proxy" is skipped: it is no http or https address.',
      'The endpoint "ftp://a.example" is skipped: it is no http or https address.',
    ]);
    expect(addresses({ endpoints: "proxy" })).toEqual([LOCAL]);
  });

  it("throws when no address is left", () => {
    expect(() => addresses({ endpoints: withoutDefault("proxy") })).toThrow(
      expect.objectContaining({
        name: "FingerprintError",
        code: "invalid_endpoint",
        message: "None of the endpoints is an http or https address: proxy.",
      }),
    );
  });

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
    expect(() => addresses({ endpoints: endpoints as string })).toThrow(
      expect.objectContaining({ code: "endpoints_misconfigured" }),
    );
  });
});
