import { describe, expect, it } from "vitest";
import { sendDrn, within } from "./drn-calls.js";
import { localForTests } from "../../helpers/local-for-tests.js";

const NOW_MS = Date.UTC(2026, 5, 1, 12);
const local = localForTests({}, new Date(NOW_MS).toISOString());
const drn = sendDrn(local);

const DAY = 86_400_000;
const ALL = "regional_activity,suspect_score,timestamps";
const WINDOW = {
  startDate: within("2026-05-02T12:00"),
  endDate: within("2026-06-01T12:00"),
};

const event = (daysAgo: number, country?: string, more: object = {}) => ({
  timestamp: NOW_MS - daysAgo * DAY,
  sdk: { platform: "android", version: "2.9.0" },
  identification: { visitor_id: "v1", visitor_found: true },
  ip_address: "192.0.2.7",
  ...(country && {
    ip_info: {
      v4: {
        address: "192.0.2.7",
        geolocation: { country_code: country },
      },
    },
  }),
  ...more,
});

const add = (region: string, ...body: object[]) =>
  local.controlCall("POST", `/${region}/events`, { body });

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
    expect((await drn("v1", ALL)).data).toEqual({
      regionalActivity: {
        ...WINDOW,
        countries: [
          { code: "DE", detectors: [{ type: "ip", activityPercentage: 0.75 }] },
          { code: "CZ", detectors: [{ type: "ip", activityPercentage: 0.25 }] },
        ],
      },
      suspectScore: {
        ...WINDOW,
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
    await add("us", {
      ...event(30, "DE", { suspect_score: 7 }),
      timestamp: lastMs,
    });
    const before = (await drn("v1", "regional_activity")).data;
    expect(before).toMatchObject({ regionalActivity: { countries: [{}] } });
    await local.advance("2m");
    const window = {
      startDate: within("2026-05-02T12:02"),
      endDate: within("2026-06-01T12:02"),
    };
    expect((await drn("v1", ALL)).data).toEqual({
      regionalActivity: { ...window, countries: [] },
      suspectScore: {
        ...window,
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
      expect((await drn("v1", ALL)).status).toBe(404);
      await add("us", event(2, "CZ"));
      const { data } = await drn("v1", ALL);
      expect(JSON.stringify(data)).toContain("CZ");
      expect(JSON.stringify(data)).not.toContain("DE");
    },
  );

  it("is replaced by a control call, signal by signal", async () => {
    await add("us", event(1, "DE"));
    const regionalActivity = {
      startDate: "2026-05-01T00:00:00Z",
      endDate: "2026-05-31T00:00:00Z",
      countries: [],
    };
    await local.controlCall("POST", "/us/drn/v1", {
      body: { regionalActivity },
    });
    expect((await drn("v1", ALL)).data).toMatchObject({
      regionalActivity,
      timestamps: { lastSeenAt: "2026-05-31T12:00:00Z" },
    });
    await local.advance("29d");
    await add("us", { ...event(0, "CZ"), timestamp: undefined });
    await local.advance("2d");
    const { data } = await drn("v1", "regional_activity");
    expect(data).toMatchObject({
      regionalActivity: { countries: [{ code: "CZ" }] },
    });
  });

  it("uses the country of the event's own address, or of the only known address", async () => {
    const v4 = { address: "192.0.2.7", geolocation: { country_code: "DE" } };
    const v6 = { address: "2001:db8::1", geolocation: { country_code: "CZ" } };
    const countries = async () =>
      JSON.stringify((await drn("v1", "regional_activity")).data).match(
        /(?<="code":")../g,
      );
    await add(
      "us",
      event(1, undefined, { ip_address: v6.address, ip_info: { v4, v6 } }),
    );
    expect(await countries()).toEqual(["CZ"]);
    await add(
      "us",
      event(1, undefined, { ip_address: "192.0.2.9", ip_info: { v6 } }),
    );
    expect(await countries()).toEqual(["CZ"]);
  });
});
