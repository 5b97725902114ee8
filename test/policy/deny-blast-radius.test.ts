import { denyBlastRadius } from "@devid/policy/policies";
import { checkPolicy } from "@devid/policy/testing";
import { afterEach, describe, expect, it, vi } from "vitest";
import {
  answering,
  failure,
  type Answer,
} from "../sdk/server-api/secret-key-client";
import { inState, rule, UNKNOWN } from "./ask";

const KEY = "warbler-secret-key";

let service: Awaited<ReturnType<typeof answering>> | undefined;
afterEach(async () => {
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

/** Asks about rules, and returns the violations and the advice of `not-checked`. */
async function judge(
  rules: ReturnType<typeof rule>[],
  {
    inputs = {},
    settings = {},
    ...config
  }: { inputs?: object; settings?: object; [setting: string]: unknown } = {},
) {
  const found = await checkPolicy(denyBlastRadius, {
    inputs: { rules: inState(...rules), environment: "ae_1", ...inputs },
    provider: {
      "devid.Provider:endpoint": service?.url,
      "devid.Provider:secretKey": KEY,
      "devid.Provider:eventsRequestsPerSecond": "off",
      ...settings,
    },
    config: { minEvents: 0, ...config },
  });
  return { violations: found.violations, advice: found.notChecked };
}

/** The service's list of the rules in force. */
const listed = (rules: ReturnType<typeof rule>[]): Answer => [
  200,
  {
    data: rules.map((one, n) => ({
      status: "enabled",
      deny_with: "Forbidden",
      environment: "ae_1",
      created_at: "2026-01-01T00:00:00.000Z",
      ...one,
      id: `fr_${n}`,
    })),
    metadata: { pagination: {} },
  },
];

const MANAGED = {
  settings: { "devid.Provider:managementKey": "warbler-management" },
};

const passes = { violations: [], advice: [] };
/** Stops the change with one message. */
const stops = (said: string | RegExp) => ({
  violations: [
    typeof said === "string"
      ? expect.stringContaining(said)
      : expect.stringMatching(said),
  ],
  advice: [],
});

describe("the share of newly denied events", () => {
  it("is counted exactly, to a single event", async () => {
    service = await answering(events(platforms(7, 93)));
    expect(await judge([IOS], { maxPercent: 7 })).toEqual(passes);
    expect((await judge([IOS], { maxPercent: 6.9 })).violations).toHaveLength(
      1,
    );
  });

  it("stops the change if it is higher, and the message names the denying rules", async () => {
    service = await answering(events(platforms(2, 8)));
    const { violations, advice } = await judge([IOS], { maxPercent: 10 });
    expect(violations).toSay("blast-radius/too-many");
    expect(advice).toEqual([]);
  });
});

describe("an event whose decision is unknown", () => {
  const judgeHeader = (share: number, config: object) =>
    judge([rule("vpn", `sdk.platform.is_ios && ${HEADER.expression}`)], {
      maxPercent: share,
      ...config,
    });

  it("counts as denied", async () => {
    service = await answering(events(platforms(5, 95)));
    expect(await judgeHeader(5, {})).toEqual(passes);
    expect((await judgeHeader(4.9, {})).violations).toSay(
      "blast-radius/too-many-with-undecided-events",
    );
  });

  it("stops the change if there are too many such events", async () => {
    service = await answering(events(platforms(6, 94)));
    expect((await judgeHeader(50, {})).violations).toEqual([
      expect.stringMatching(
        /^What the change would newly deny cannot be judged: 6 of the 100 newest events of the last 24 h \(6\.0 %\) cannot be decided, because past events do not contain http\.request\.headers\['X-Vpn'\]; at most 5 % may be\.\n[^]*assumeNotSent; otherwise raise maxUndeterminedPercent/,
      ),
    ]);
    expect(await judgeHeader(50, { maxUndeterminedPercent: 6 })).toEqual(
      passes,
    );
  });

  it("is decided if the setting says that no client sends the header", async () => {
    service = await answering(events(platforms(100, 0)));
    expect(await judge([HEADER], { assumeNotSent: ["x-vpn"] })).toEqual(passes);
    const without = rule("vpn", `!(${HEADER.expression})`);
    expect(
      await judge([without], {
        assumeNotSent: ["x-vpn"],
      }),
    ).toEqual(stops("would newly deny 100 of the 100"));
  });

  it("is reported with the denied events", async () => {
    service = await answering(events(platforms(3, 1)));
    expect(await judge([IOS, HEADER])).toEqual(
      stops(
        /would newly deny 3 of the 4 newest events of the last 24 h \(75\.0 %\), and up to 4 \(100\.0 %\)[^]*1 of the 4/,
      ),
    );
  });
});

describe("the events for the check", () => {
  it("come from the environment and the time span, page by page, up to the limit", async () => {
    service = await answering(
      events(platforms(100, 0), { pagination_key: "p2" }),
      events(platforms(100, 0), { pagination_key: "p3" }),
      events(platforms(100, 0)),
    );
    expect(await judge([IOS], { hours: 2, maxEvents: 150 })).toEqual(
      stops("the 150 newest events of the last 2 h"),
    );
    const [first, second] = service.received.map(
      ({ path }) => new URL(path, service?.url).searchParams,
    );
    expect(first?.getAll("environment")).toEqual(["ae_1"]);
    const ago = Date.now() - Number(first?.get("start"));
    expect(ago).toBeGreaterThanOrEqual(2 * 3_600_000);
    expect(ago).toBeLessThan(2 * 3_600_000 + 20_000);
    expect(second?.get("pagination_key")).toBe("p2");
  });

  it("come from all environments if the default environment cannot be found", async () => {
    service = await answering(events(platforms(0, 1)));
    expect(await judge([IOS], { inputs: { environment: undefined } })).toEqual(
      passes,
    );
    expect(service.received[0]?.path).not.toContain("environment");
  });

  it("come from the default environment if it can be found", async () => {
    const environment = {
      id: "ae_default",
      name: "Default",
      is_default: true,
      created_at: "2026-01-01T00:00:00.000Z",
    };
    service = await answering(
      [200, { data: [environment], metadata: { pagination: {} } }],
      listed([]),
      events(platforms(0, 1)),
    );
    const inputs = { environment: undefined };
    expect(await judge([IOS], { inputs, ...MANAGED })).toEqual(passes);
    const paths = service.received.map(({ path }) => path);
    expect(paths[1]).toContain("/filtering-rules?environment=ae_default");
    expect(paths[2]).toContain("environment=ae_default");
  });
});

describe("compared with the rules in force,", () => {
  it("only newly denied events count", async () => {
    const android = rule("android", "sdk.platform.is_android");
    const both = [...platforms(5, 0), ...Array<string>(95).fill("android")];
    service = await answering(
      listed([android]),
      events(both),
      listed([android]),
      events(both),
    );
    expect(await judge([android, IOS], { maxPercent: 5, ...MANAGED })).toEqual(
      passes,
    );
    const paths = service.received.map(({ path }) => path);
    expect(paths[0]).toContain("/filtering-rules?environment=ae_1");
    const stricter = await judge([android, IOS], { maxPercent: 4, ...MANAGED });
    expect(stricter).toEqual(
      stops(/newly deny 5 of the 100 [^]*\n {2}"ios": 5\n/),
    );
    expect(stricter.violations.join()).not.toContain("not known");
  });

  it("only what decides about a new denial is named as missing", async () => {
    const other = rule(
      "other",
      "!sdk.platform.is_ios && 'X-Js' in http.request.headers",
    );
    service = await answering(listed([IOS, HEADER]), events(platforms(9, 1)));
    const { violations } = await judge([HEADER, other], MANAGED);
    expect(violations.join()).toContain(
      "1 of the 10 newest events of the last 24 h (10.0 %) cannot be decided, because past events do not contain http.request.headers['X-Js'];",
    );
  });

  it.each([
    ["an unchanged set", [IOS, HEADER]],
    ["a removed deny rule", [IOS]],
    [
      "a narrower rule",
      [rule("ios", "sdk.platform.is_ios && !http.user_agent.is_crawler_bot")],
    ],
  ])("%s passes by proof, without events", async (_, rules) => {
    service = await answering(listed([IOS, HEADER]));
    expect(await judge(rules, { minEvents: 100, ...MANAGED })).toEqual(passes);
    expect(service.received.map(({ path }) => path.split("?")[0])).toEqual([
      "/management/filtering-rules",
    ]);
  });

  it("all denied events count if the list of rules is refused, and the message says so", async () => {
    service = await answering(
      [403, failure("forbidden", "no rules for this key")],
      events(platforms(5, 95)),
    );
    expect(await judge([IOS], MANAGED)).toEqual(
      stops(
        /newly deny 5 of the 100 [^]*rules in force are not known, so every denial counts as new: Listing filtering rules failed: 403/,
      ),
    );
  });

  it("the check fails while the list of rules gets no answer", async () => {
    service = await answering([503, {}]);
    expect(await judge([IOS], MANAGED)).toEqual(
      stops("unreachable or failing"),
    );
  });
});

describe("a check with too few events", () => {
  it.each<[string, object, Answer, RegExp]>([
    [
      "none",
      {},
      events([]),
      /the last 24 h have 0 of the 100 events that are needed/,
    ],
    [
      "fewer than needed",
      { minEvents: 11, hours: 2 },
      events(platforms(0, 10)),
      /the last 2 h have 10 of the 11 events that are needed/,
    ],
  ])("stops the change: %s", async (_, config, answer, said) => {
    service = await answering(answer);
    const { violations, advice } = await judge([IOS], {
      minEvents: undefined,
      ...config,
    });
    expect(violations).toEqual([expect.stringMatching(said)]);
    expect(violations.join()).toMatch(/raise hours, or lower minEvents/);
    expect(advice).toEqual([]);
  });

  it("needs no more events than maxEvents", async () => {
    service = await answering(events(platforms(0, 100)));
    const config = { minEvents: 100, maxEvents: 50 };
    expect(await judge([IOS], config)).toEqual(passes);
  });

  it("can be allowed for an environment without traffic", async () => {
    service = await answering(events([]));
    expect(await judge([IOS], { minEvents: 0 })).toEqual(passes);
  });
});

it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
  ["rules", { rules: UNKNOWN }, {}],
  ["a part of a rule", { rules: [{ ...IOS, expression: UNKNOWN }] }, {}],
  ["the environment", { environment: UNKNOWN }, {}],
  ["a setting of the provider", {}, { "devid.Provider:endpoint": UNKNOWN }],
])(
  "sends no request while it does not know %s",
  async (_, inputs, settings) => {
    service = await answering(events(platforms(9, 0)));
    expect(await judge([IOS], { inputs, settings })).toEqual(passes);
    expect(service.received).toEqual([]);
  },
);

describe("a check without an answer from the service", () => {
  it("fails in any case if the service refuses, without printing the key", async () => {
    const said = failure("secret_api_key_not_found", `no key ${KEY}`);
    service = await answering([403, said]);
    const config = { whenUnreachable: "advise" };
    const judged = await judge([IOS], config);
    expect(judged).toEqual(stops("Could not be checked:"));
    expect(judged.violations.join()).not.toContain(KEY);
  });

  it("names the places where it looked for a key", async () => {
    service = await answering(events(platforms(0, 100)));
    const none = { "devid.Provider:secretKey": undefined };
    const hidden = { ...none, "devid:secretKey": "[secret]" };
    for (const settings of [none, hidden]) {
      const { violations } = await judge([IOS], { settings });
      expect(violations).toSay("blast-radius/no-secret-key");
    }
    vi.stubEnv("DEVID_SECRET_KEY", KEY);
    expect((await judge([IOS], { settings: hidden })).violations).toEqual([]);
    expect(service.received.at(-1)?.headers.authorization).toBe(
      `Bearer ${KEY}`,
    );
  });
});
