import { describe, expect, it } from "vitest";
import { sendDrn, within } from "./drn-calls.js";
import { localForTests } from "../../helpers/local-for-tests.js";

const local = localForTests({}, "2026-03-31T12:00:00Z");
const drn = sendDrn(local);

const ALL = "regional_activity,suspect_score,timestamps";

const GIVEN = {
  regionalActivity: {
    startDate: "2026-03-01T00:00:00Z",
    endDate: "2026-03-31T00:00:00Z",
    countries: [
      { code: "DE", detectors: [{ type: "origin", activityPercentage: 0.25 }] },
    ],
  },
  suspectScore: {
    startDate: "2026-03-01T00:00:00Z",
    endDate: "2026-03-31T00:00:00Z",
    minimum: { value: 3, signals: { rootApps: 3 } },
    maximum: {
      value: 21,
      percentile: 99.5,
      signals: { vpn: { publicVPN: 7 }, ipBLocklist: { emailSpam: 9 } },
    },
  },
  timestamps: {
    firstSeenAt: "2025-01-01T00:00:00Z",
    lastSeenAt: "2026-03-30T00:00:00Z",
  },
};

/** The 30 days before the time of the clock. */
const WINDOW = {
  startDate: within("2026-03-01T12:00"),
  endDate: within("2026-03-31T12:00"),
};
const EMPTY = {
  regionalActivity: { ...WINDOW, countries: [] },
  suspectScore: {
    ...WINDOW,
    minimum: { value: 0, signals: {} },
    maximum: { value: 0, percentile: 0, signals: {} },
  },
};

const give = (visitorId: string, body: object, region = "us") =>
  local.controlCall("POST", `/${region}/drn/${visitorId}`, { body });

describe("signals", () => {
  const names = Object.keys(GIVEN);
  // contract: drn-10
  it.each([
    ["regional_activity", ["regionalActivity"]],
    ["suspect_score", ["suspectScore"]],
    ["timestamps", ["timestamps"]],
    // contract: drn-3, drn-4
    ["timestamps,suspect_score", ["suspectScore", "timestamps"]],
    ["regional_activity,timestamps", ["regionalActivity", "timestamps"]],
    ["suspect_score,regional_activity", ["regionalActivity", "suspectScore"]],
    [ALL, names],
    ["timestamps,timestamps", ["timestamps"]],
    // contract: drn-8
    ["colour,timestamps,", ["timestamps"]],
  ])("%s selects these signals and no others", async (signals, expected) => {
    expect((await give("v1", GIVEN)).status).toBe(201);
    const { status, data } = await drn("v1", signals);
    expect(status).toBe(200);
    expect(Object.keys(data).sort()).toEqual(expected);
    for (const name of expected)
      expect(data[name]).toEqual(GIVEN[name as keyof typeof GIVEN]);
  });

  it.each([
    ["", "holds none of"],
    // contract: drn-24
    ["colour", "holds none of"],
    ["TIMESTAMPS", "holds none of"],
    ["timestamps suspect_score", "separated by commas"],
    ["timestamps&signals=suspect_score", "once, with commas"],
    // contract: drn-3, drn-23
    [undefined, "is required"],
  ])("%j is refused", async (signals, message) => {
    await give("v1", GIVEN);
    const { status, error } = await drn("v1", signals);
    expect([status, error.code]).toEqual([400, "invalid_signals_parameter"]);
    expect(error.message).toMatch(/^signals /);
    expect(error.message).toContain(message);
  });
});

describe("a device that a control call has set", () => {
  // contract: drn-1, drn-13, drn-16, drn-17, drn-18, drn-19, regions-1
  it("is known to the keys of every region, and each later call replaces it completely", async () => {
    await give("v1", GIVEN, "ap");
    for (const region of ["us", "eu", "ap"] as const)
      expect((await drn("v1", ALL, { region })).data).toEqual(GIVEN);
    expect((await give("v1", { timestamps: GIVEN.timestamps })).status).toBe(
      201,
    );
    expect((await drn("v1", ALL)).data).toEqual({
      ...EMPTY,
      timestamps: GIVEN.timestamps,
    });
  });

  // contract: drn-11, drn-22
  it("has an empty reputation after 30 days without news", async () => {
    await give("v1", GIVEN);
    await local.advance("29d");
    expect((await drn("v1", ALL)).data).toEqual(GIVEN);
    await local.moveClock("2026-04-30T12:01:00Z");
    const window = {
      startDate: within("2026-03-31T12:01"),
      endDate: within("2026-04-30T12:01"),
    };
    expect((await drn("v1", ALL)).data).toEqual({
      regionalActivity: { ...EMPTY.regionalActivity, ...window },
      suspectScore: { ...EMPTY.suspectScore, ...window },
      timestamps: GIVEN.timestamps,
    });
  });

  // contract: drn-20
  it("has no timestamps if none were given", async () => {
    await give("v1", {});
    expect((await drn("v1", ALL)).data).toEqual(EMPTY);
    expect((await drn("v1", "timestamps")).data).toEqual({});
  });

  it.each([
    [{ regional_activity: {} }, ["regional_activity"]],
    [
      { timestamps: { firstSeenAt: 5 } },
      ["timestamps.firstSeenAt", "timestamps.lastSeenAt"],
    ],
    [[], ["body"]],
  ])("cannot be set with %j", async (body, violated) => {
    const answer = await give("v1", body);
    expect(answer.violation).toEqual([400, violated]);
    expect((await drn("v1", ALL)).status).toBe(404);
  });
});

describe("a call is refused", () => {
  // contract: drn-2, drn-23, drn-26
  it("for an unknown visitor or path", async () => {
    await give("v1", GIVEN);
    for (const visitorId of ["v2", "V1", "v1/x", ""]) {
      const { status, error } = await drn(visitorId, ALL);
      expect([status, error.code]).toEqual([404, "http.not_found"]);
    }
    const { status, error } = await drn("v1%00", ALL);
    expect([status, error.code]).toEqual([400, "malformed_request"]);
  });
});
