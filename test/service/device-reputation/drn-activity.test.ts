import { describe, expect, it } from "vitest";
import { sendDrn } from "./drn-calls.js";
import { localForTests } from "../../helpers/local-for-tests.js";

const NOW_MS = Date.UTC(2026, 5, 1, 12);
const local = localForTests({}, new Date(NOW_MS).toISOString());
const drn = async (signals = ALL) =>
  (await sendDrn(local)("GET", `/v1?signals=${signals}`)).data;

const DAY = 86_400_000;
const ALL = "regional_activity,suspect_score,timestamps";
/** The 30 days until a minute past noon, in which the clock moves on. */
const window = (minute: string) => ({
  startDate: expect.stringMatching(`^2026-05-02T12:${minute}`) as string,
  endDate: expect.stringMatching(`^2026-06-01T12:${minute}`) as string,
});

const place = (address: string, country_code: string) => ({
  address,
  geolocation: { country_code },
});
const event = (daysAgo: number, country?: string, more: object = {}) => ({
  timestamp: NOW_MS - daysAgo * DAY,
  sdk: { platform: "android", version: "2.9.0" },
  identification: { visitor_id: "v1", visitor_found: true },
  ip_address: "192.0.2.7",
  ...(country && { ip_info: { v4: place("192.0.2.7", country) } }),
  ...more,
});

const add = (region: string, ...events: object[]) =>
  local.control(`/${region}/events`, events);

describe("the reputation of a device with stored events", () => {
  // contract: drn-11, drn-12, drn-13, drn-14, drn-15, drn-16, drn-20, drn-21
  it("is computed from events of all regions in the last 30 days", async () => {
    await add(
      "us",
      event(40, "FR", { suspect_score: 99 }),
      event(29, "DE", { suspect_score: 7 }),
      event(1, "DE"),
      event(2),
    );
    await add("eu", event(3, "CZ", { suspect_score: 12 }), event(4, "DE"));
    await add("ap", event(-1, "FR", { suspect_score: 0 }));
    expect(await drn()).toEqual({
      regionalActivity: {
        ...window("00"),
        countries: [
          { code: "DE", detectors: [{ type: "ip", activityPercentage: 0.75 }] },
          { code: "CZ", detectors: [{ type: "ip", activityPercentage: 0.25 }] },
        ],
      },
      suspectScore: {
        ...window("00"),
        minimum: { value: 7, signals: {} },
        maximum: { value: 12, percentile: 0, signals: {} },
      },
      timestamps: {
        firstSeenAt: "2026-04-22T12:00:00Z",
        lastSeenAt: "2026-05-31T12:00:00Z",
      },
    });
  });

  // contract: drn-22
  it("is empty after 30 days without events", async () => {
    const lastMs = NOW_MS - 30 * DAY + 60_000;
    await add("us", { ...event(30, "DE"), timestamp: lastMs });
    const before = await drn("regional_activity");
    expect(before).toMatchObject({ regionalActivity: { countries: [{}] } });
    await local.advance("2m");
    expect(await drn()).toEqual({
      regionalActivity: { ...window("02"), countries: [] },
      suspectScore: {
        ...window("02"),
        minimum: { value: 0, signals: {} },
        maximum: { value: 0, percentile: 0, signals: {} },
      },
      timestamps: {
        firstSeenAt: "2026-05-02T12:01:00Z",
        lastSeenAt: "2026-05-02T12:01:00Z",
      },
    });
  });

  // contract: drn-1, drn-2
  it.each(["js", "ios", "unknown"])(
    "ignores events on platform %s",
    async (platform) => {
      await add("us", event(1, "DE", { sdk: { platform, version: "1" } }));
      await expect(drn()).rejects.toThrow("404 without data");
      await add("us", event(2, "CZ"));
      const data = JSON.stringify(await drn());
      expect(data).toContain("CZ");
      expect(data).not.toContain("DE");
    },
  );

  it("is replaced by a control call, signal by signal", async () => {
    await add("us", event(1, "DE"));
    const startDate = "2026-05-01T00:00:00Z";
    const may = { startDate, endDate: "2026-05-31T00:00:00Z" };
    const regionalActivity = { ...may, countries: [] };
    await local.control("/us/drn/v1", { regionalActivity });
    expect(await drn()).toMatchObject({
      regionalActivity,
      timestamps: { lastSeenAt: "2026-05-31T12:00:00Z" },
    });
    await local.advance("29d");
    await add("us", { ...event(0, "CZ"), timestamp: undefined });
    await local.advance("2d");
    const countries = [{ code: "CZ" }];
    expect(await drn()).toMatchObject({ regionalActivity: { countries } });
  });

  it("uses the country of the event's own address, or of the only known address", async () => {
    const other = place("192.0.2.7", "DE");
    const v6 = (code: string) => place("2001:db8::1", code);
    const ip_address = "192.0.2.9";
    const events = [
      { ip_address, ip_info: { v6: v6("AT") } },
      { ip_address: "2001:db8::1", ip_info: { v4: other, v6: v6("CH") } },
      { ip_address, ip_info: { v4: null, v6: v6("CZ") } },
      { ip_info: { v4: null, v6: v6("FR") } },
      { ip_address, ip_info: { v4: v6("IT"), v6: null } },
    ];
    await add("us", ...events.map((more) => event(1, undefined, more)));
    const activity = JSON.stringify(await drn("regional_activity"));
    const codes = activity.match(/(?<="code":")../g);
    expect(codes).toEqual(["AT", "CH", "CZ", "FR", "IT"]);
  });
});
