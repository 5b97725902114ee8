import {
  ConfigurationError,
  configurationOf,
  createClient,
  type ClientOptions,
  isLocal,
  optionsFromEnvironment,
  type Settings,
  type SettingSource,
} from "@devid/sdk";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { environmentSource } from "../../sdk/src/configuration/environment";
import { thrown } from "./workspace";

const source = (title: string, settings: Settings): SettingSource => ({
  settings,
  describe: (name) => `${title} ${name}`,
});

/** The configuration for these settings, with each key and its source. */
function read(given: readonly SettingSource[], env?: NodeJS.ProcessEnv) {
  const options = optionsFromEnvironment(given, env);
  const configuration = configurationOf(options);
  const key = (name: "managementKey" | "secretKey") =>
    configuration[name] && { ...configuration[name], value: options[name] };
  return {
    ...configuration,
    managementKey: key("managementKey"),
    secretKey: key("secretKey"),
  };
}

const args = (settings: Settings) => source("argument", settings);
const stack = (settings: Settings) => source("stack config", settings);

describe("the options of createClient", () => {
  const refuses = (options: object, sentence: string) => {
    const make = () => createClient(options);
    expect(make).toThrow(ConfigurationError);
    expect(make).toSay(sentence);
  };

  it("accept numbers for rates and texts for everything else", () => {
    const { region, eventsUrl, requestsPerSecond, eventsRequestsPerSecond } =
      configurationOf({
        region: "eu",
        endpoint: " http://127.0.0.1:9/ ",
        requestsPerSecond: 0.5,
        eventsRequestsPerSecond: "off",
      });
    expect([region, eventsUrl]).toEqual(["eu", "http://127.0.0.1:9/eu"]);
    expect([requestsPerSecond, eventsRequestsPerSecond]).toEqual([0.5, "off"]);
  });

  it.each<[object, string]>([
    [{ region: "mars" }, "config/option-region"],
    [{ requestsPerSecond: "5" }, "config/option-rate"],
    [{ eventsRequestsPerSecond: 0 }, "config/option-events-rate"],
    [{ endpoint: "127.0.0.1:9" }, "config/option-endpoint"],
    [
      { endpoint: "http://127.0.0.1:9/management/" },
      "config/option-endpoint-with-a-path",
    ],
    [{ apiVersion: "yesterday" }, "config/option-api-version"],
  ])("are refused with the option's name if unknown: %j", refuses);

  it.each(["2025-11-20T00:00:00Z", ""])(
    "are refused with an API version that is not a date: %j",
    (apiVersion) =>
      expect(() => createClient({ apiVersion })).toThrow(
        `"${apiVersion}" (option apiVersion of createClient)`,
      ),
  );

  it.each<[object, string]>([
    [{ secretkey: "k" }, "config/option-in-small-letters"],
    [{ managment_key: "k" }, "config/option-misspelt"],
    [{ regoin: "eu" }, "config/option-transposed"],
    [{ retry: { maxAttempt: 3 } }, "config/option-of-retry"],
    [{ timeouts: { connectTimeout: 3 } }, "config/option-of-timeouts"],
    [{ timeouts: { x: 3 } }, "config/option-unlike-any"],
    [{ timeouts: { bodyTimeoutMs: 0 } }, "config/timeouts"],
  ])("are refused with a wrong value: %j", refuses);

  it.each(["constructor", "__proto__", "toString"])(
    "are refused by name if only the prototype of the options has it: %s",
    (name) => {
      const options = JSON.parse(`{ "${name}": 1 }`) as object;
      expect(() => createClient(options)).toThrow(
        `"${name}" is not an option of createClient`,
      );
    },
  );

  it("are refused by name if they are of another kind", () => {
    const whole = {
      ...{ region: "eu", managementKey: "a", secretKey: "b" },
      ...{ endpoint: "https://a.example", allowInsecure: false },
      ...{ managementUrl: "https://a.example", eventsUrl: "https://b.example" },
      ...{ drnUrl: "https://c.example", apiVersion: "2025-11-20" },
      ...{ requestsPerSecond: 1, eventsRequestsPerSecond: "off" },
      originOf: optionsFromEnvironment([], {}).originOf ?? expect.fail(),
      ...{ timeoutMs: 1, timeouts: {}, retry: {}, fetch },
      signal: new AbortController().signal,
      ...{ finishesWrites: true, onRequest: () => undefined },
    } satisfies Required<ClientOptions>;
    const kindOf = (value: unknown) =>
      Array.isArray(value) || value === null ? "another" : typeof value;
    const VALUES = [null, true, 5, NaN, "x", [], {}, Symbol("x"), () => 1];
    const wrong = fc
      .record({
        name: fc.constantFrom(...Object.keys(whole)),
        value: fc.constantFrom<unknown>(...VALUES),
      })
      .filter(
        ({ name, value }) =>
          kindOf(value) !== kindOf(whole[name as keyof typeof whole]) &&
          !(name === "eventsRequestsPerSecond" && value === 5),
      );
    fc.assert(
      fc.property(wrong, ({ name, value }) => {
        const make = () => createClient({ ...whole, [name]: value });
        expect(make).toThrow(ConfigurationError);
        expect(make).toThrow(name);
      }),
    );
    expect(createClient(whole)).toBeDefined();
  });

  it.each([undefined, null, "x", 5, []])(
    "are refused if they are no object: %j",
    (options) =>
      expect(() => createClient(options as never)).toThrow(ConfigurationError),
  );

  it.each([
    { timeouts: { attemptTimeoutMs: "5" } },
    { timeouts: { headersTimeoutMs: null } },
    { timeouts: { connectTimeoutMs: NaN } },
    { timeouts: { bodyTimeoutMs: -1 } },
    { timeoutMs: 0 },
    { timeoutMs: NaN },
    { signal: {} },
    { originOf: {} },
  ])("are refused with a value that cannot be used: %j", (options) => {
    const make = () => createClient(options as never);
    expect(make).toThrow(ConfigurationError);
    expect(make).toThrow(/^createClient cannot use its options: /);
  });

  describe("do not allow a key over plain http to another machine", () => {
    const inOpen = { endpoint: "http://service.example:8080", secretKey: "k1" };

    it.each<[object, RegExp]>([
      [
        inOpen,
        /^The key of option secretKey of createClient would be sent to http:\/\/service\.example:8080 \(option endpoint of createClient\) without encryption.*allow it: set option allowInsecure of createClient to true\.$/,
      ],
      [
        { managementKey: "k1", managementUrl: "http://192.0.2.1" },
        /\(option managementUrl of createClient\)/,
      ],
      [{ secretKey: "k1", drnUrl: "http://192.0.2.1" }, /\(option drnUrl of /],
      [{ ...inOpen, allowInsecure: false }, /without encryption/],
      [
        { ...inOpen, allowInsecure: "true" },
        /"true" \(option allowInsecure of createClient\) is neither true nor false/,
      ],
    ])("and the error says so: %j", (options, message) => {
      expect(() => createClient(options)).toThrow(message);
    });

    it.each([
      { endpoint: "http://127.0.0.1:9", secretKey: "k1" },
      { endpoint: "http://localhost:9", managementKey: "k1" },
      { endpoint: "http://[::1]:9", managementKey: "k1" },
      { endpoint: "https://service.example", managementKey: "k1" },
      // No key would be sent in plain text.
      { endpoint: "http://service.example" },
      { secretKey: "k1", managementUrl: "http://service.example" },
      { ...inOpen, allowInsecure: true },
    ])("but allow every other address: %j", (options) => {
      expect(createClient(options)).toBeDefined();
    });

    it("unless the environment permits it", () => {
      const env = {
        DEVID_ENDPOINT: "http://service.example",
        DEVID_SECRET_KEY: "k1",
      };
      const made = (allowed: Record<string, string>) => () =>
        createClient(optionsFromEnvironment([], { ...env, ...allowed }));
      expect(made({})).toSay("config/insecure-endpoint");
      expect(made({ DEVID_ALLOW_INSECURE: "true" })()).toBeDefined();
      expect(made({ DEVID_ALLOW_INSECURE: "yes" })).toSay("config/flag");
    });
  });

  it("may lack a key until a call needs it", async () => {
    const { events } = createClient({ endpoint: "http://127.0.0.1:9" });
    await expect(events.get("e1")).rejects.toSay("config/no-secret-key");
  });
});

describe("the precedence of settings", () => {
  const env = { DEVID_REGION: "ap", DEVID_MANAGEMENT_KEY: "env-key" };

  it("is argument, then stack, then environment", () => {
    const key = (...given: SettingSource[]) => read(given, env).managementKey;
    const a = args({ managementKey: "arg-key" });
    const s = stack({ managementKey: "stack-key" });
    for (const [given, value, from] of [
      [[a, s], "arg-key", "argument managementKey"],
      [[args({}), s], "stack-key", "stack config managementKey"],
      [[args({}), stack({})], "env-key", "environment DEVID_MANAGEMENT_KEY"],
    ] as const)
      expect(key(...given)).toEqual({ value, from });
  });

  it("applies to each setting separately", () => {
    const found = read(
      [
        args({ region: "eu" }),
        stack({ region: "us", apiVersion: "2030-01-01" }),
      ],
      {
        ...env,
        ...{ DEVID_API_VERSION: "x", DEVID_REQUESTS_PER_SECOND: "2.5" },
        DEVID_EVENTS_REQUESTS_PER_SECOND: "12.5",
      },
    );
    expect(found).toMatchObject({
      region: "eu",
      apiVersion: "2030-01-01",
      requestsPerSecond: 2.5,
      eventsRequestsPerSecond: 12.5,
    });
  });

  it("ignores empty values and trims white space", () => {
    const found = read(
      [args({ managementKey: "", region: " " }), stack({ region: " eu\n" })],
      {
        DEVID_MANAGEMENT_KEY: "env-key\n",
        DEVID_ENDPOINT: " http://127.0.0.1:1 ",
      },
    );
    expect(found).toMatchObject({
      region: "eu",
      managementUrl: "http://127.0.0.1:1/management",
      managementKey: { value: "env-key" },
    });
  });
});

describe("keys for a region in the environment", () => {
  const env = {
    DEVID_MANAGEMENT_KEY: "any",
    DEVID_MANAGEMENT_KEY_EU: "eu-key",
    DEVID_SECRET_KEY_AP: "ap-secret",
    DEVID_REGION_EU: "ap",
  };
  const keys = (region: string) => {
    const found = read([args({ region })], env);
    return [found.managementKey?.value, found.secretKey?.value];
  };

  it("replace the general key for their region only", () => {
    expect(keys("eu")).toEqual(["eu-key", undefined]);
    expect(keys("us")).toEqual(["any", undefined]);
    expect(keys("ap")).toEqual(["any", "ap-secret"]);
  });

  it("leave the general key alone if they are blank", () => {
    const blank = { DEVID_SECRET_KEY_EU: " ", DEVID_SECRET_KEY: "any" };
    const found = read([args({ region: "eu" })], blank);
    expect(found.secretKey?.value).toBe("any");
    expect(found.secretKey?.from).toBe("environment DEVID_SECRET_KEY");
  });

  it("are reported with their own variable", () => {
    const { managementKey } = read([args({ region: "eu" })], env);
    expect(managementKey?.from).toBe("environment DEVID_MANAGEMENT_KEY_EU");
  });

  it("also apply if the environment sets the region", () => {
    const found = read([], { ...env, DEVID_REGION: "eu" });
    expect(found.managementKey?.value).toBe("eu-key");
    expect(environmentSource(env, "us").settings.managementKey).toBe("any");
  });

  it("exist only for keys, not for other settings", () => {
    expect(read([], env).region).toBe("us");
  });
});

describe("the addresses of the surfaces", () => {
  const urls = (settings: Settings, env: NodeJS.ProcessEnv = {}) => {
    const found = read([stack(settings)], env);
    return [found.managementUrl, found.eventsUrl, found.drnUrl];
  };
  const endpoint = "http://127.0.0.1:8787";

  // contract: events-1, regions-2
  it("are made from the endpoint and the documented paths", () => {
    const made = [`${endpoint}/management`, `${endpoint}/eu`, endpoint];
    expect(urls({ endpoint, region: "eu" })).toEqual(made);
  });

  // contract: regions-2
  it("for one surface replace the endpoint, without an added path", () => {
    const [m, e, d] = [
      "https://m.example/base",
      "https://e.example",
      "https://d.example",
    ];
    const own = { managementUrl: m, eventsUrl: `${e}/`, drnUrl: `${d}//` };
    expect(urls({ endpoint, ...own })).toEqual([m, e, d]);
    const management = `${endpoint}/management`;
    expect(urls({ endpoint, eventsUrl: e })).toEqual([management, e, endpoint]);
  });

  it("for one surface replace an endpoint of higher precedence", () => {
    const DEVID_DRN_URL = "https://d.example";
    expect(urls({ endpoint }, { DEVID_DRN_URL })[2]).toBe(DEVID_DRN_URL);
  });

  it.each([
    // contract: regions-1, regions-3, regions-6, regions-7
    ["us", "https://api.fpjs.io"],
    // contract: regions-1, regions-4
    ["eu", "https://eu.api.fpjs.io"],
    // contract: regions-1, regions-5
    ["ap", "https://ap.api.fpjs.io"],
  ])("are the public hosts of %s without an endpoint", (region, events) => {
    expect(urls({ region })).toEqual([
      "https://management-api.fpjs.io",
      events,
      "https://drn-api.fpjs.io",
    ]);
  });

  it.each([
    ["127.0.0.1:1", false],
    ["ftp://127.0.0.1", false],
    ["not an address", false],
    ["https://user@m.example", true],
    ["https://:secret-word@m.example", true],
    ["https://m.example/?a=1", true],
    ["https://m.example/?", true],
    ["https://m.example/#a", true],
    ["https://m.example#", true],
  ])("cannot be %j, and the error names its source", (value, isParsable) => {
    const error = thrown(() => urls({ managementUrl: value }));
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error.message).toContain("stack config managementUrl");
    expect(error.message).toContain(
      isParsable ? "neither credentials" : `"${value}"`,
    );
    expect(error.message).not.toContain("secret-word");
  });

  it("count as local if the management API is on this machine", () => {
    const local = (managementUrl: string) =>
      isLocal(read([stack({ managementUrl })], {}));
    expect(local(endpoint)).toBe(true);
    expect(local("http://localhost:1")).toBe(true);
    expect(local("http://[::1]:1")).toBe(true);
    expect(local("https://m.example")).toBe(false);
    expect(local("http://127.0.0.1.example")).toBe(false);
    expect(isLocal(read([], {}))).toBe(false);
  });
});

// contract: management-39
it("the default settings are region us, the current version and 5 requests a second", () => {
  expect(read([], {})).toMatchObject({
    region: "us",
    apiVersion: "2025-11-20",
    requestsPerSecond: 5,
    eventsRequestsPerSecond: 5,
    managementKey: undefined,
    secretKey: undefined,
  });
});

describe("the error for an invalid setting", () => {
  it.each([
    ["argument region", [args({ region: "mars" })], {}],
    ["stack config region", [args({}), stack({ region: "EU" })], {}],
    ["environment DEVID_REGION", [], { DEVID_REGION: "eu-west-1" }],
  ])("names %s for a region", (place, given, env) => {
    const error = thrown(() => read(given, env));
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error.name).toBe("ConfigurationError");
    expect(error.message).toContain(`(${place}) is not a region`);
    expect(error.message).toContain("us, eu, ap");
  });

  it.each(["0", "OFF", "no"])(
    "says that a rate of events may also be off: %s",
    (rate) => {
      const env = { DEVID_EVENTS_REQUESTS_PER_SECOND: rate };
      expect(() => read([], env)).toSay(
        "config/events-rate-of-the-environment",
        { rate: `"${rate}"` },
      );
    },
  );

  it.each(["0", "-1", "fast", "Infinity", "NaN", "5/s", "off"])(
    "names the source of the rate %s",
    (rate) => {
      const env = { DEVID_REQUESTS_PER_SECOND: rate };
      expect(() => read([], env)).toThrow(
        `"${rate}" (environment DEVID_REQUESTS_PER_SECOND) is not a number`,
      );
    },
  );
});

it("the error for a missing management key lists every place that was searched, in order", async () => {
  const client = createClient(
    optionsFromEnvironment(
      [
        args({ endpoint: "http://127.0.0.1:9", region: "eu" }),
        { settings: {}, describe: () => undefined },
        stack({}),
      ],
      { DEVID_MANAGEMENT_KEY_US: "of another region" },
    ),
  );
  await expect(client.apiKeys.get("x")).rejects.toThrow(ConfigurationError);
  const message = await client.apiKeys.get("x").catch(String);
  expect(message).toSay("config/no-management-key");
});
