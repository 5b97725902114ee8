import { denyBlastRadius, notChecked } from "@devid/policy/policies";
import { afterEach, describe, expect, it, vi } from "vitest";
import { answering, failure, type Answer } from "../sdk/secret-key-client";
import { ask, inState, rule, UNKNOWN } from "./ask";

const KEY = "warbler-secret-key";

let service: Awaited<ReturnType<typeof answering>> | undefined;
afterEach(async () => {
  vi.unstubAllEnvs();
  await service?.close();
  service = undefined;
});

const IOS = rule("ios", "sdk.platform.is_ios");
const HEADER = rule("vpn", "'X-Vpn' in http.request.headers");

const events = (platforms: readonly string[], more = {}): Answer => [
  200,
  {
    events: platforms.map((platform, i) => ({
      event_id: `e${i}`,
      timestamp: 1,
      sdk: { platform, version: "4.0.0" },
    })),
    ...more,
  },
];

const platforms = (ios: number, js: number) => [
  ...Array<string>(ios).fill("ios"),
  ...Array<string>(js).fill("js"),
];

/** Asks about rules; answers the violations, and the advice of `not-checked`. */
async function judge(
  rules: ReturnType<typeof rule>[],
  config: object = {},
  inputs: Record<string, unknown> = {},
  settings: Record<string, unknown> = {},
) {
  const provider = {
    "devid.Provider:endpoint": service?.url,
    "devid.Provider:secretKey": KEY,
    "devid.Provider:eventsRequestsPerSecond": "off",
    ...settings,
  };
  const asked = {
    inputs: { rules: inState(...rules), environment: "ae_1", ...inputs },
    provider,
  };
  const violations = await ask(denyBlastRadius, { ...asked, config });
  return { violations, advice: await ask(notChecked, asked) };
}

const passes = { violations: [], advice: [] };

describe("the share that would be denied", () => {
  it("may be as high as configured", async () => {
    service = await answering(events(platforms(1, 9)));
    expect(await judge([IOS], { maxPercent: 10 })).toEqual(passes);
  });

  it("may be as high as configured, to the last event", async () => {
    service = await answering(events(platforms(7, 93)));
    expect(await judge([IOS], { maxPercent: 7 })).toEqual(passes);
    expect((await judge([IOS], { maxPercent: 6.9 })).violations).toHaveLength(
      1,
    );
  });

  it("stops the rules above that, and says which deny", async () => {
    service = await answering(events(platforms(2, 8)));
    const { violations, advice } = await judge([IOS], { maxPercent: 10 });
    expect(violations).toEqual([
      [
        "The rules would deny 2 of the 10 newest events of the last 24 h (20.0 %); at most 10 % may be.",
        '  "ios": 2',
        "Narrow these rules. If so many are to be denied, raise maxPercent for this policy.",
      ].join("\n"),
    ]);
    expect(advice).toEqual([]);
  });

  it("is that of the set, not of its rules alone", async () => {
    service = await answering(events(platforms(5, 5)));
    const allow = rule("ours", "sdk.platform.is_ios", "allow");
    expect(await judge([allow, IOS])).toEqual(passes);
    const off = { ...IOS, status: "disabled" };
    expect(await judge([off])).toEqual(passes);
    expect((await judge([IOS, allow])).violations).toHaveLength(1);
  });
});

describe("an event for which it cannot be told", () => {
  it("is counted apart, as advice", async () => {
    service = await answering(events(platforms(0, 4)));
    const { violations, advice } = await judge([HEADER]);
    expect(violations).toEqual([]);
    expect(advice).toEqual([
      expect.stringContaining(
        "deny-blast-radius: 4 of the 4 newest events of the last 24 h (100.0 %) cannot be told",
      ),
    ]);
  });

  it("counts as denied where that is configured", async () => {
    service = await answering(events(platforms(0, 4)));
    const { violations } = await judge([HEADER], { countCannotTell: true });
    expect(violations).toEqual([
      expect.stringMatching(
        /would deny 0 of the 4[^]*4 of the 4[^]*counts as denied/,
      ),
    ]);
  });

  it("is said beside those that are denied", async () => {
    service = await answering(events(platforms(3, 1)));
    const { violations } = await judge([IOS, HEADER]);
    expect(violations).toEqual([
      expect.stringMatching(/would deny 3 of the 4[^]*1 of the 4/),
    ]);
  });

  it("is certain where every rule that may match agrees", async () => {
    service = await answering(events(platforms(0, 2)));
    const { violations } = await judge([HEADER, rule("all", "true")]);
    expect(violations).toEqual([
      expect.stringMatching(/would deny 2 of the 2[^]*"vpn" or "all": 2\n/),
    ]);
  });
});

describe("the events", () => {
  it("are those of the environment and the time, page by page up to the bound", async () => {
    service = await answering(
      events(platforms(100, 0), { pagination_key: "p2" }),
      events(platforms(100, 0), { pagination_key: "p3" }),
      events(platforms(100, 0)),
    );
    const { violations } = await judge([IOS], { hours: 2, maxEvents: 150 });
    expect(violations).toEqual([
      expect.stringContaining("the 150 newest events of the last 2 h"),
    ]);
    const [first, second] = service.received.map(
      ({ path }) => new URL(path, service?.url).searchParams,
    );
    expect(first?.getAll("environment")).toEqual(["ae_1"]);
    const ago = Date.now() - Number(first?.get("start"));
    expect(ago).toBeGreaterThanOrEqual(2 * 3_600_000);
    expect(ago).toBeLessThan(2 * 3_600_000 + 20_000);
    expect(second?.get("pagination_key")).toBe("p2");
  });

  it("are those of every environment where the default one cannot be looked up", async () => {
    service = await answering(events(platforms(0, 1)));
    expect(await judge([IOS], {}, { environment: undefined })).toEqual(passes);
    expect(service.received[0]?.path).not.toContain("environment");
  });

  it("are those of the default environment where it can be looked up", async () => {
    const environment = {
      id: "ae_default",
      name: "Default",
      is_default: true,
      created_at: "2026-01-01T00:00:00.000Z",
    };
    service = await answering(
      [200, { data: [environment], metadata: { pagination: {} } }],
      events(platforms(0, 1)),
    );
    const settings = { "devid.Provider:managementKey": "warbler-management" };
    const inputs = { environment: undefined };
    expect(await judge([IOS], {}, inputs, settings)).toEqual(passes);
    expect(service.received[1]?.path).toContain("environment=ae_default");
  });

  it("may be none, which is told", async () => {
    service = await answering(events([]));
    const { violations, advice } = await judge([IOS]);
    expect(violations).toEqual([]);
    expect(advice).toEqual([
      expect.stringContaining("no event of the last 24 h"),
    ]);
  });
});

it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
  ["rules", { rules: UNKNOWN }, {}],
  ["a part of a rule", { rules: [{ ...IOS, expression: UNKNOWN }] }, {}],
  ["the environment", { environment: UNKNOWN }, {}],
  ["a setting of the provider", {}, { "devid.Provider:endpoint": UNKNOWN }],
])("asks nothing while it does not know %s", async (_, inputs, settings) => {
  service = await answering(events(platforms(9, 0)));
  expect(await judge([IOS], {}, inputs, settings)).toEqual(passes);
  expect(service.received).toEqual([]);
});

describe("without an answer", () => {
  it("fails closed, and says what to do", async () => {
    const nobody = { "devid.Provider:endpoint": "http://127.0.0.1:9" };
    const { violations, advice } = await judge([IOS], {}, {}, nobody);
    expect(violations).toEqual([
      expect.stringMatching(
        /service is unreachable: .*127\.0\.0\.1:9.*whenUnreachable: "advise"/,
      ),
    ]);
    expect(advice).toEqual([]);
  });

  it("advises where that is configured", async () => {
    const nobody = { "devid.Provider:endpoint": "http://127.0.0.1:9" };
    const config = { whenUnreachable: "advise" };
    const { violations, advice } = await judge([IOS], config, {}, nobody);
    expect(violations).toEqual([]);
    expect(advice).toEqual([
      expect.stringContaining(
        "deny-blast-radius: not checked: service unreachable.",
      ),
    ]);
    expect(await ask(notChecked, {})).toEqual([]);
  });

  it("also fails closed when refused, whatever is configured, without telling the key", async () => {
    const said = failure("secret_api_key_not_found", `no key ${KEY}`);
    service = await answering([403, said]);
    const config = { whenUnreachable: "advise" };
    const { violations, advice } = await judge([IOS], config);
    expect(violations).toEqual([
      expect.stringContaining("Could not be checked:"),
    ]);
    expect(violations.join()).not.toContain(KEY);
    expect(advice).toEqual([]);
  });

  it("says where a key is looked for", async () => {
    service = await answering(events([]));
    const none = { "devid.Provider:secretKey": undefined };
    const hidden = { ...none, "devid:secretKey": "[secret]" };
    for (const settings of [none, hidden]) {
      const { violations } = await judge([IOS], {}, {}, settings);
      expect(violations).toEqual([
        expect.stringMatching(
          /secret API key of region us is missing[^]*in its environment, as DEVID_SECRET_KEY/,
        ),
      ]);
    }
    vi.stubEnv("DEVID_SECRET_KEY", KEY);
    expect((await judge([IOS], {}, {}, hidden)).violations).toEqual([]);
    expect(service.received.at(-1)?.headers.authorization).toBe(
      `Bearer ${KEY}`,
    );
  });
});
