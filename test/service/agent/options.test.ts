import { REGIONS as SDK_REGIONS } from "@devid/sdk";
import {
  beforeEach,
  describe,
  expect,
  it,
  vi,
  type MockInstance,
} from "vitest";
import {
  FingerprintError,
  isFingerprintError,
} from "../../../service/agent/fingerprint-error";
import {
  checkCache,
  checkGetOptions,
  REGIONS,
  type GetOptions,
  type StartOptions,
} from "../../../service/agent/options";
import { startFromScript } from "../../../service/agent/start";
import { Tags } from "../../../sdk/src/wire/event-update";

const SCRIPT = "http://127.0.0.1:8787/us/web/v4/local-public-us";
/** A page that the vendor's loader serves: it may give every option. */
const LOADED = `${SCRIPT}?ci=jsl/4.1.5`;
const NO_SCRIPT = "http://127.0.0.1:8787/agent.mjs";

const start = (options: unknown = {}, script = SCRIPT) =>
  startFromScript(script, options as StartOptions);
const get = (options: unknown) =>
  checkGetOptions("get()", options as GetOptions);

/** Expects that a call throws such an error. */
const expectRefusal = (call: () => unknown, code: string, message: RegExp) =>
  expect(call).toThrow(refused(code, message));
const refused = (code: string, message: RegExp) =>
  expect.objectContaining({
    name: "FingerprintError",
    code,
    event_id: null,
    message: expect.stringMatching(message) as string,
  }) as Error;

let warn: MockInstance<typeof console.warn>;
beforeEach(() => {
  warn = vi.spyOn(console, "warn").mockReturnValue();
  // start() checks only that these exist.
  vi.stubGlobal("document", {});
  vi.stubGlobal("location", { href: "https://shop.example/" });
});

// contract: agent-41
it.each([
  [true, new FingerprintError("failed", "x")],
  // Of a second copy of the agent.
  [true, { ...new Error("x"), name: "FingerprintError", code: "failed" }],
  [false, { name: "x", code: "failed" }],
  [false, { name: "FingerprintError" }],
])(
  "isFingerprintError answers %s for an error with the members %o",
  (is, members) => {
    expect(isFingerprintError(Object.assign(new Error("x"), members))).toBe(is);
    expect(isFingerprintError(members)).toBe(members instanceof Error);
  },
);

it("the regions are the same as in the SDK", () => {
  expect(REGIONS).toEqual(SDK_REGIONS);
});

describe("start()", () => {
  // contract: agent-2, agent-3, agent-16
  it("returns an agent at once, without reading the page, with the key of the script's address", () => {
    vi.stubGlobal("location", undefined);
    const agent = start();
    expect(Object.keys(agent)).toEqual(["get", "collect", "handleAgentData"]);
    expect(start({}, `${SCRIPT}?region=us#x`)).toHaveProperty("get");
  });

  it.each([
    [SCRIPT, "no_page"],
    [LOADED, "script_load_fail"],
  ])("reports on a server that it needs a page (%s: %s)", (script, code) => {
    vi.unstubAllGlobals();
    const message = /^start\(\) runs in the page of a browser only/;
    expectRefusal(() => start({}, script), code, message);
  });

  it.each([
    ["enpoints", "https://a.example"],
    ["apikey", "key"],
    ["constructor", 1],
  ])(
    "refuses the unknown option %s, and names the known ones",
    (name, value) => {
      const message = RegExp(
        `^start\\(\\) has no option "${name}"; it has apiKey, [^"]*remoteControlDetection\\.$`,
      );
      expectRefusal(
        () => start({ ldi: {}, [name]: value }),
        "options_misconfigured",
        message,
      );
    },
  );

  it.each([
    // contract: agent-4
    ["region", "mars", "options_misconfigured"],
    ["region", null, "options_misconfigured"],
    ["storageKeyPrefix", 7, "options_misconfigured"],
    // contract: agent-9
    ["integrationInfo", "react", "options_misconfigured"],
    ["integrationInfo", [7], "options_misconfigured"],
    // contract: agent-10
    ["remoteControlDetection", "yes", "options_misconfigured"],
    // contract: agent-13, agent-15
    ["endpoints", [], "endpoints_misconfigured"],
    // contract: agent-43
    ["apiKey", 7, "api_key_invalid"],
    // contract: agent-7, agent-47
    ["urlHashing", { path: true }, "package_only_option"],
    ["cache", { duration: 60 }, "package_only_option"],
    // contract: agent-8
    ["cache", false, "package_only_option"],
  ])("refuses %s %j with %s, and names the option", (name, value, code) => {
    expectRefusal(() => start({ [name]: value }), code, RegExp(`^${name} `));
    expect(start({ [name]: undefined })).toHaveProperty("get");
  });

  it.each([null, "us", ["us"]])("takes an object, and not %j", (options) => {
    expectRefusal(
      () => start(options),
      "options_misconfigured",
      /^start\(\) takes an object/,
    );
  });

  // contract: agent-3, agent-43
  it.each([undefined, {}, { apiKey: "" }, { apiKey: null }])(
    "requires a key if the script's address has none: %j",
    (options) => {
      const origin = "http://127.0.0.1:8787/us/web/v4/";
      for (const address of [NO_SCRIPT, origin, `${origin}key/more`])
        expectRefusal(
          () => start(options, address),
          "api_key_missing",
          /apiKey/,
        );
    },
  );

  // contract: agent-10, agent-47
  it("accepts all options of the vendor's loader, and those that the loader adds", () => {
    const options = {
      ...{ apiKey: "key", region: "eu", endpoints: ["https://a.example"] },
      ...{ storageKeyPrefix: "", remoteControlDetection: true },
      integrationInfo: ["react-sdk/3.2.0/react/19.3.1"],
      urlHashing: { path: true, query: false },
      cache: { storage: "localStorage", duration: 60, cachePrefix: "x" },
      ...{ externalABSelections: {}, ldi: { attempts: [] } },
    };
    expect(start(options, LOADED)).toHaveProperty("get");
    expect(warn).not.toHaveBeenCalled();
  });

  // contract: agent-7
  const wrongParts = [{ path: "yes" }, { query: 1 }, { fragment: null }];
  it.each([true, null, ...wrongParts, { hash: true }])(
    "leaves urlHashing %j of the vendor's loader out, with a warning",
    (urlHashing) => {
      expect(start({ urlHashing }, LOADED)).toHaveProperty("get");
      expect(warn).toHaveBeenCalledWith(
        expect.stringMatching(/^The option urlHashing is left out: /),
      );
    },
  );
});

it.each([
  {},
  null,
  true,
  { duration: 0 },
  { duration: -1 },
  // contract: agent-23
  { duration: 43_201 },
  { duration: NaN },
  { duration: "60" },
  // contract: agent-22
  { duration: 60, storage: "cookie" },
  { duration: 60, storage: null },
  { duration: 60, cachePrefix: 7 },
  { duration: 60, prefix: "shop:" },
])("the option cache is refused if it is %j", (cache) => {
  expectRefusal(() => checkCache(cache), "cache_misconfigured", /./);
});

describe("get()", () => {
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
    [{ note: '"__proto__":1' }, { note: '"__proto__":1' }],
    [null, undefined],
  ])("sends the tag %j as %j", (tag, sent) => {
    expect(get({ tag }).tag).toEqual(sent);
  });

  // contract: agent-28, agent-30, agent-31
  it("sends the longest linkedId, tags in place of tag, and has 10 s by default", () => {
    const linkedId = "x".repeat(256);
    const sent = { linked_id: linkedId, tag: { tag: "b" }, timeoutMs: 10_000 };
    const given = { linkedId, tag: "a", tags: "b", other: undefined };
    expect(get(given)).toEqual(sent);
    const least = { linked_id: "", timeoutMs: 0.5 };
    expect(get({ linkedId: "", timeout: 0.5 })).toEqual(least);
  });

  it("sends the tag that it had at the call", () => {
    const tag = { basket: [1] };
    const { tag: sent } = get({ tag });
    tag.basket.push(2);
    expect(sent).toEqual({ basket: [1] });
  });

  const circular: Record<string, unknown> = {};
  circular.self = circular;
  const PROTO = '{"basket":[{"\\u005f_proto__":{}}]}';
  const CANNOT = "request_cannot_be_parsed";
  const WRONG = "options_misconfigured";
  it.each<readonly [options: unknown, code: string, message: RegExp]>([
    // contract: agent-28
    [
      { linkedId: "x".repeat(257) },
      CANNOT,
      /^linked_id can't be greater than 256 characters long$/,
    ],
    [{ linkedId: null }, CANNOT, /^linkedId has/],
    [{ linkedId: ["a"] }, CANNOT, /^linkedId has/],
    // contract: agent-29
    ...[[], () => 1, Symbol("x"), 1n, NaN, new Date(0), circular].map(
      (tag) => [{ tag }, CANNOT, /^tag has to be a string/] as const,
    ),
    [{ tag: JSON.parse(PROTO) as object }, CANNOT, /named __proto__/],
    ...[0, -1, NaN, Infinity, 2 ** 31, "10", null].map(
      (timeout) => [{ timeout }, WRONG, /^timeout has/] as const,
    ),
    [
      { linkedID: "user-1" },
      WRONG,
      /^get\(\) has no option "linkedID"; it has linkedId, tag, tags, timeout\.$/,
    ],
    ...[null, "user-1", ["user-1"]].map(
      (options) =>
        [options, WRONG, /^get\(\) takes an object, with linkedId/] as const,
    ),
  ])("refuses options number %$ with %s", (options, code, message) => {
    expectRefusal(() => get(options), code, message);
  });

  // contract: agent-29
  it.each(["x", "ü", "\u{1F603}"])(
    "takes at most 16384 bytes of a tag's JSON, counted like the service does (%s)",
    (letter) => {
      const bytes = Buffer.byteLength(letter);
      const room = 16_384 - Buffer.byteLength('{"tag":""}');
      const longest =
        letter.repeat(Math.floor(room / bytes)) + "x".repeat(room % bytes);
      expect(Tags.safeParse(get({ tag: longest }).tag).success).toBe(true);
      expectRefusal(() => get({ tag: `${longest}x` }), CANNOT, /16384 bytes/);
      expect(Tags.safeParse({ tag: `${longest}x` }).success).toBe(false);
    },
  );

  // contract: agent-16
  it("sends nothing without endpoints, and names the missing option", async () => {
    const fetched = vi.fn();
    vi.stubGlobal("fetch", fetched);
    vi.stubGlobal("document", new EventTarget());
    const agent = start({ apiKey: "key", region: "eu" }, NO_SCRIPT);
    await expect(agent.get({ tag: { card: "4711" } })).rejects.toEqual(
      refused("endpoints_misconfigured", /^get\(\) has no address to send to/),
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
    vi.stubGlobal("document", new EventTarget());
    const endpoints = ["https://a.example", "https://b.example"];
    const agent = start({ apiKey: "key", endpoints });
    await expect(agent.get({ tag: { card: "4711" } })).rejects.toEqual(
      refused("network_connection", /127\.0\.0\.1/),
    );
    const all = [...endpoints, "http://127.0.0.1:8787/us"];
    expect(asked).toEqual(all.map((endpoint) => `${endpoint}/web/v4/key`));
  });
});
