import { describe, expect, it } from "vitest";
import {
  FingerprintError,
  isFingerprintError,
} from "../../agent/src/fingerprint-error";
import { start } from "../../agent/src/start";
import { startFromScript } from "../../agent/src/start-from-script";
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

describe("start", () => {
  it("answers an agent at once, where there is no page, too", () => {
    const agent = start({ apiKey: "key" });
    expect(Object.keys(agent)).toEqual(["get", "collect", "handleAgentData"]);
  });

  it("takes every option together", () => {
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

  it.each([undefined, {}, { apiKey: "" }, { apiKey: null }])(
    "needs a key: %j",
    (options) => {
      expect(() => startAny(options)).toThrow(
        code("api_key_missing", /apiKey/),
      );
    },
  );

  it("takes a text as key only", () => {
    expect(() => startAny({ apiKey: 7 })).toThrow(code("api_key_invalid"));
  });

  it.each([
    { region: "mars" },
    { region: null },
    { storageKeyPrefix: 7 },
    { integrationInfo: "react" },
    { integrationInfo: [7] },
    { remoteControlDetection: "yes" },
    { urlHashing: true },
    { urlHashing: null },
    { urlHashing: { path: "yes" } },
    { urlHashing: { query: 1 } },
    { urlHashing: { fragment: null } },
  ])("refuses %j, and names it", (option) => {
    expect(() => startAny({ apiKey: "key", ...option })).toThrow(
      code("options_misconfigured", RegExp(Object.keys(option)[0] ?? "")),
    );
  });

  it("refuses an empty array of endpoints", () => {
    expect(() => start({ apiKey: "key", endpoints: [] })).toThrow(
      code("endpoints_misconfigured"),
    );
  });

  it("takes no cache as no cache", () => {
    expect(start({ apiKey: "key", cache: false })).toHaveProperty("get");
  });
});

describe("startFromScript", () => {
  it("takes the key from the script's address", () => {
    expect(startFromScript(SCRIPT, {})).toHaveProperty("get");
    expect(startFromScript(`${SCRIPT}?region=us#x`, {})).toHaveProperty("get");
  });

  it.each([
    "http://127.0.0.1:8787/agent.mjs",
    "http://127.0.0.1:8787/us/web/v4/",
    "http://127.0.0.1:8787/us/web/v4/key/more",
  ])("needs a key where %s tells none", (address) => {
    expect(() => startFromScript(address, {})).toThrow(code("api_key_missing"));
    expect(startFromScript(address, { apiKey: "key" })).toHaveProperty("get");
  });

  it.each([
    { urlHashing: { path: true } },
    { cache: { duration: 60 } },
    { cache: false },
  ])("refuses %j, for only the package has it", (option: object) => {
    expect(() => startFromScript(SCRIPT, option)).toThrow(
      code(
        "package_only_option",
        RegExp(`^${Object.keys(option)[0]} .*package`),
      ),
    );
  });

  it("lets options that only the package has be undefined", () => {
    const options: object = { urlHashing: undefined, cache: undefined };
    expect(startFromScript(SCRIPT, options)).toHaveProperty("get");
  });

  it("checks the other options as the package does", () => {
    expect(() => startFromScript(SCRIPT, { region: "mars" as "us" })).toThrow(
      code("options_misconfigured", /region/),
    );
    expect(() => startFromScript(SCRIPT, { endpoints: [] })).toThrow(
      code("endpoints_misconfigured"),
    );
  });
});

describe("isFingerprintError", () => {
  it("knows errors of the agent, of a second copy of it, too", () => {
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
  ])("does not know %s", (error) => {
    expect(isFingerprintError(error)).toBe(false);
  });
});
