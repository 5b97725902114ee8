import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  FingerprintError,
  isFingerprintError,
} from "../../../service/agent/fingerprint-error";
import { startFromScript } from "../../../service/agent/start";
import type { StartOptions } from "../../../service/agent/options";

const SCRIPT = "http://127.0.0.1:8787/us/web/v4/local-public-us";
/** A page that the vendor's loader serves: it may give every option. */
const LOADED = `${SCRIPT}?ci=jsl/4.1.5`;
const NO_SCRIPT = "http://127.0.0.1:8787/agent.mjs";
const start = (options: unknown = {}, script = SCRIPT) =>
  startFromScript(script, options as StartOptions);
const code = (expected: string, message = /./) =>
  expect.objectContaining({
    name: "FingerprintError",
    code: expected,
    event_id: null,
    message: expect.stringMatching(message) as string,
  }) as Error;

// start() checks only that these exist.
beforeEach(() => void vi.stubGlobal("document", {}));
afterEach(() => void vi.unstubAllGlobals());

describe("start", () => {
  // contract: agent-2, agent-3, agent-16
  it("returns an agent at once, without reading the page, with the key of the script's address", () => {
    const agent = start();
    expect(Object.keys(agent)).toEqual(["get", "collect", "handleAgentData"]);
    expect(start({}, `${SCRIPT}?region=us#x`)).toHaveProperty("get");
  });

  it("reports on a server that it needs a page", () => {
    vi.unstubAllGlobals();
    expect(() => start()).toThrow(
      code("no_page", /^start\(\) runs in the page of a browser only/),
    );
  });

  // contract: agent-16
  it("sends nothing without endpoints, and get() names the missing option", async () => {
    const fetched = vi.fn();
    vi.stubGlobal("fetch", fetched);
    vi.stubGlobal("location", { href: "https://shop.example/" });
    vi.stubGlobal("document", new EventTarget());
    const agent = start({ apiKey: "key", region: "eu" }, NO_SCRIPT);
    await expect(agent.get({ tag: { card: "4711" } })).rejects.toEqual(
      code("endpoints_misconfigured", /^get\(\) has no address to send to/),
    );
    expect(fetched).not.toHaveBeenCalled();
  });

  // contract: agent-5
  it("sends only to the given endpoints and its own service, even if they fail", async () => {
    const asked: string[] = [];
    vi.stubGlobal("fetch", (address: string) => {
      asked.push(address);
      return Promise.reject(new TypeError("Failed to fetch"));
    });
    vi.stubGlobal("location", { href: "https://shop.example/" });
    vi.stubGlobal("document", new EventTarget());
    const endpoints = ["https://a.example", "https://b.example"];
    const agent = start({ apiKey: "key", endpoints });
    await expect(agent.get({ tag: { card: "4711" } })).rejects.toEqual(
      code("network_connection", /127\.0\.0\.1/),
    );
    expect(asked).toEqual([
      "https://a.example/web/v4/key",
      "https://b.example/web/v4/key",
      "http://127.0.0.1:8787/us/web/v4/key",
    ]);
  });

  it.each([
    { enpoints: "https://a.example" },
    { apikey: "key" },
    { urlhashing: { path: true } },
  ])("refuses the unknown option %j, and names the known ones", (option) => {
    const [name = ""] = Object.keys(option);
    expect(() => start({ ldi: {}, ...option })).toThrow(
      code(
        "options_misconfigured",
        RegExp(
          `^start\\(\\) has no option "${name}"; it has apiKey, [^"]*remoteControlDetection\\.$`,
        ),
      ),
    );
  });

  // contract: agent-10, agent-47
  it("accepts all options together, and those that the vendor's loader adds", () => {
    vi.stubGlobal("location", { href: "https://shop.example/" });
    const warned = vi.spyOn(console, "warn").mockReturnValue();
    expect(
      start(
        {
          apiKey: "key",
          region: "eu",
          endpoints: ["https://a.example"],
          storageKeyPrefix: "",
          integrationInfo: ["react-sdk/3.2.0/react/19.3.1"],
          remoteControlDetection: true,
          urlHashing: { path: true, query: false },
          cache: { storage: "localStorage", duration: 60, cachePrefix: "x" },
          externalABSelections: {},
          ldi: { attempts: [], visibilityStates: [] },
        },
        LOADED,
      ),
    ).toHaveProperty("get");
    expect(warned).not.toHaveBeenCalled();
    warned.mockRestore();
  });

  // contract: agent-3, agent-43
  it.each([undefined, {}, { apiKey: "" }, { apiKey: null }])(
    "requires a key if the script's address has none: %j",
    (options) => {
      for (const address of [
        NO_SCRIPT,
        "http://127.0.0.1:8787/us/web/v4/",
        "http://127.0.0.1:8787/us/web/v4/key/more",
      ])
        expect(() => start(options, address)).toThrow(
          code("api_key_missing", /apiKey/),
        );
    },
  );

  // contract: agent-43
  it("accepts only a string as key", () => {
    expect(() => start({ apiKey: 7 })).toThrow(code("api_key_invalid"));
  });

  it.each([
    // contract: agent-4
    { region: "mars" },
    { region: null },
    { storageKeyPrefix: 7 },
    // contract: agent-9
    { integrationInfo: "react" },
    { integrationInfo: [7] },
    // contract: agent-10
    { remoteControlDetection: "yes" },
  ])("refuses %j, and names the option", (option) => {
    expect(() => start(option)).toThrow(
      code("options_misconfigured", RegExp(Object.keys(option)[0] ?? "")),
    );
  });

  // contract: agent-7
  it.each([
    { urlHashing: true },
    { urlHashing: null },
    { urlHashing: { path: "yes" } },
    { urlHashing: { query: 1 } },
    { urlHashing: { fragment: null } },
    { urlHashing: { hash: true } },
  ])("leaves %j of the vendor's loader out, with a warning", (option) => {
    vi.stubGlobal("location", { href: "https://shop.example/" });
    const warned = vi.spyOn(console, "warn").mockReturnValue();
    expect(start(option, LOADED)).toHaveProperty("get");
    expect(warned).toHaveBeenCalledWith(
      expect.stringMatching(/^The option urlHashing is left out: /),
    );
    warned.mockRestore();
  });

  // contract: agent-13, agent-15
  it("refuses an empty array of endpoints", () => {
    expect(() => start({ endpoints: [] })).toThrow(
      code("endpoints_misconfigured"),
    );
  });

  it.each([
    // contract: agent-7, agent-47
    { urlHashing: { path: true } },
    { cache: { duration: 60 } },
    // contract: agent-8
    { cache: false },
  ])("refuses %j, which only the vendor's package has", (option: object) => {
    expect(() => start(option)).toThrow(
      code(
        "package_only_option",
        RegExp(`^${Object.keys(option)[0]} .*package`),
      ),
    );
  });

  it("accepts undefined for an option that only the vendor's package has", () => {
    const options = { urlHashing: undefined, cache: undefined };
    expect(start(options)).toHaveProperty("get");
  });
});

describe("isFingerprintError", () => {
  // contract: agent-41
  it("recognises errors of the agent, also of a second copy of the agent", () => {
    const copy = Object.assign(new Error("x"), {
      name: "FingerprintError",
      code: "failed",
    });
    expect(isFingerprintError(new FingerprintError("failed", "x"))).toBe(true);
    expect(isFingerprintError(copy)).toBe(true);
  });

  it.each([
    [new Error("x")],
    [Object.assign(new Error("x"), { code: "failed" })],
    [{ name: "FingerprintError", code: "failed" }],
    [undefined],
  ])("does not recognise %s", (error) => {
    expect(isFingerprintError(error)).toBe(false);
  });
});
