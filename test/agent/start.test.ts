import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  FingerprintError,
  isFingerprintError,
} from "../../agent/src/fingerprint-error";
import { start, startFromScript } from "../../agent/src/start";
import type { StartOptions } from "../../agent/src/start-options";

const SCRIPT = "http://127.0.0.1:8787/us/web/v4/local-public-us";
const startAny = (options: unknown) => start(options as StartOptions);
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
  // contract: agent-2
  it("returns an agent at once, without reading the page", () => {
    const agent = start({ apiKey: "key" });
    expect(Object.keys(agent)).toEqual(["get", "collect", "handleAgentData"]);
  });

  it.each([
    ["the package", () => start({ apiKey: "key" })],
    ["the script", () => startFromScript(SCRIPT, {})],
  ])("reports on a server that it needs a page (%s)", (_, started) => {
    vi.unstubAllGlobals();
    expect(started).toThrow(
      code("no_page", /^start\(\) runs in the page of a browser only/),
    );
  });

  // contract: agent-16
  it("sends nothing without endpoints, and get() names the missing option", async () => {
    const fetched = vi.fn();
    vi.stubGlobal("fetch", fetched);
    vi.stubGlobal("location", { href: "https://shop.example/" });
    vi.stubGlobal("document", new EventTarget());
    const agent = start({ apiKey: "key", region: "eu" });
    await expect(agent.get({ tag: { card: "4711" } })).rejects.toEqual(
      code("endpoints_misconfigured", /^get\(\) has no address to send to/),
    );
    expect(fetched).not.toHaveBeenCalled();
  });

  // contract: agent-5
  it("sends only to the given endpoints, even if they fail", async () => {
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
      code("network_connection", /b\.example/),
    );
    expect(asked).toEqual([
      "https://a.example/web/v4/key",
      "https://b.example/web/v4/key",
    ]);
  });

  it.each([
    { enpoints: "https://a.example" },
    { apikey: "key" },
    { ldi: {} },
    { urlhashing: { path: true } },
  ])("refuses the unknown option %j", (option: object) => {
    const [name = ""] = Object.keys(option);
    expect(() => startAny({ apiKey: "key", ...option })).toThrow(
      code(
        "options_misconfigured",
        RegExp(
          `^start\\(\\) has no option "${name}"; it has apiKey, .*cache\\.$`,
        ),
      ),
    );
  });

  // contract: agent-7
  it("refuses an unknown part of urlHashing", () => {
    expect(() =>
      startAny({ apiKey: "key", urlHashing: { hash: true } }),
    ).toThrow(
      code(
        "options_misconfigured",
        /^urlHashing has no option "hash"; it has path, query, fragment\.$/,
      ),
    );
  });

  // contract: agent-10
  it("accepts all options together", () => {
    expect(
      start({
        apiKey: "key",
        region: "eu",
        endpoints: ["https://a.example"],
        storageKeyPrefix: "",
        integrationInfo: ["react/19.0.0"],
        remoteControlDetection: true,
        urlHashing: { path: true, query: false },
        cache: { storage: "localStorage", duration: 60, cachePrefix: "x" },
      }),
    ).toHaveProperty("get");
  });

  // contract: agent-3, agent-43
  it.each([undefined, {}, { apiKey: "" }, { apiKey: null }])(
    "requires a key: %j",
    (options) => {
      expect(() => startAny(options)).toThrow(
        code("api_key_missing", /apiKey/),
      );
    },
  );

  // contract: agent-43
  it("accepts only a string as key", () => {
    expect(() => startAny({ apiKey: 7 })).toThrow(code("api_key_invalid"));
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
    { urlHashing: true },
    { urlHashing: null },
    { urlHashing: { path: "yes" } },
    { urlHashing: { query: 1 } },
    { urlHashing: { fragment: null } },
  ])("refuses %j, and names the option", (option) => {
    expect(() => startAny({ apiKey: "key", ...option })).toThrow(
      code("options_misconfigured", RegExp(Object.keys(option)[0] ?? "")),
    );
  });

  // contract: agent-13, agent-15
  it("refuses an empty array of endpoints", () => {
    expect(() => start({ apiKey: "key", endpoints: [] })).toThrow(
      code("endpoints_misconfigured"),
    );
  });

  // contract: agent-8
  it("accepts `cache: false`", () => {
    expect(start({ apiKey: "key", cache: false })).toHaveProperty("get");
  });
});

describe("startFromScript", () => {
  // contract: agent-3, agent-16
  it("reads the key from the script's address", () => {
    expect(startFromScript(SCRIPT, {})).toHaveProperty("get");
    expect(startFromScript(`${SCRIPT}?region=us#x`, {})).toHaveProperty("get");
  });

  it.each([
    "http://127.0.0.1:8787/agent.mjs",
    "http://127.0.0.1:8787/us/web/v4/",
    "http://127.0.0.1:8787/us/web/v4/key/more",
  ])("requires a key if %s has none", (address) => {
    expect(() => startFromScript(address, {})).toThrow(code("api_key_missing"));
    expect(startFromScript(address, { apiKey: "key" })).toHaveProperty("get");
  });

  it.each([
    // contract: agent-7, agent-47, versions-4
    { urlHashing: { path: true } },
    { cache: { duration: 60 } },
    // contract: agent-8
    { cache: false },
  ])("refuses %j, which is an option of the package only", (option: object) => {
    expect(() => startFromScript(SCRIPT, option)).toThrow(
      code(
        "package_only_option",
        RegExp(`^${Object.keys(option)[0]} .*package`),
      ),
    );
  });

  it("accepts undefined for an option of the package only", () => {
    const options: object = { urlHashing: undefined, cache: undefined };
    expect(startFromScript(SCRIPT, options)).toHaveProperty("get");
  });

  // contract: agent-47
  it("accepts the options that the vendor's loader adds", () => {
    vi.stubGlobal("location", { href: "https://shop.example/" });
    const added: object = {
      region: "eu",
      integrationInfo: ["react-sdk/3.2.0/react/19.3.1"],
      externalABSelections: {},
      ldi: { attempts: [], visibilityStates: [] },
    };
    expect(startFromScript(`${SCRIPT}?ci=jsl/4.1.5`, added)).toHaveProperty(
      "get",
    );
  });

  it("refuses an unknown option, and names the known options", () => {
    const options: object = { ldi: {}, enpoints: "https://a.example" };
    expect(() => startFromScript(SCRIPT, options)).toThrow(
      code(
        "options_misconfigured",
        /^start\(\) has no option "enpoints"; it has apiKey, [^"]*remoteControlDetection\.$/,
      ),
    );
  });

  it("checks the other options like the package", () => {
    expect(() => startFromScript(SCRIPT, { region: "mars" as "us" })).toThrow(
      code("options_misconfigured", /region/),
    );
    expect(() => startFromScript(SCRIPT, { endpoints: [] })).toThrow(
      code("endpoints_misconfigured"),
    );
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
