import type { DeviceReputationOptions } from "@devid/sdk";
import { describe, expect, it } from "vitest";
import { answering, clientAt, failure } from "../server-api/secret-key-client";
import { rejection } from "../workspace";

let service: Awaited<ReturnType<typeof answering>>;

const DATA = {
  suspectScore: {
    startDate: "2026-01-01T00:00:00Z",
    endDate: "2026-01-31T00:00:00Z",
    minimum: { value: 0, signals: {} },
    maximum: {
      value: 21,
      percentile: 99.5,
      signals: {
        vpn: { timezoneMismatch: 5, publicVPN: 3, auxiliaryMobile: 0 },
        ipBLocklist: { emailSpam: 1, attackSource: 2 },
        signalOfTomorrow: 7,
      },
    },
  },
  regionalActivity: {
    startDate: "2026-01-01T00:00:00Z",
    endDate: "2026-01-31T00:00:00Z",
    countries: [
      { code: "DE", detectors: [{ type: "ip", activityPercentage: 0.25 }] },
      { code: "FR", detectors: [{ type: "tomorrow", activityPercentage: 1 }] },
    ],
  },
  partOfTomorrow: [1],
};

/** A client with its own key, so that it shares no throttle with other tests. */
const drn = (key: string) =>
  clientAt(service.url, { secretKey: key }).deviceReputation;

describe("a read of a device's reputation", () => {
  // contract: drn-4, drn-5, drn-6
  it.each<[DeviceReputationOptions | undefined, string]>([
    [undefined, "regional_activity,suspect_score,timestamps"],
    [{}, "regional_activity,suspect_score,timestamps"],
    [{ signals: ["timestamps"] }, "timestamps"],
    [
      { signals: ["suspect_score", "regional_activity"] },
      "suspect_score,regional_activity",
    ],
  ])("requests the signals of %j", async (options, signals) => {
    service = await answering([200, { data: {} }]);
    await drn(`drn-asks-${signals}`).get("v 1", options);
    const [request] = service.received;
    const url = new URL(request?.path ?? "", service.url);
    expect(url.pathname).toBe("/drn/v%201");
    expect([...url.searchParams]).toEqual([["signals", signals]]);
    expect(request?.headers).toMatchObject({
      authorization: `Bearer drn-asks-${signals}`,
      "x-api-version": "2024-09-01",
    });
  });

  // contract: drn-17, drn-18, drn-19
  it("returns the data unchanged", async () => {
    service = await answering([200, { data: DATA, more: 1 }]);
    const found = await drn("drn-data").get("v1");
    expect(JSON.stringify(found)).toBe(JSON.stringify(DATA));
    expect(found.suspectScore?.maximum.signals.vpn?.publicVPN).toBe(3);
    expect(found.timestamps).toBeUndefined();
  });

  it("refuses an answer in another form", async () => {
    service = await answering([200, DATA], [200, { data: [] }]);
    const { get } = { get: () => drn("drn-other").get("v1") };
    for (let i = 0; i < 2; i++)
      expect((await rejection(get())).name).toBe("UnexpectedAnswerError");
  });

  it.each<[object, string, string]>([
    [{ signals: [] }, "signals", "must not be empty"],
    [{ signals: "timestamps" }, "signals", "must be an array"],
    [
      { signals: ["timestamps", "x"] },
      "signals[1]",
      "must be one of regional_activity, suspect_score, timestamps",
    ],
  ])("sends nothing for %j", async (options, property, message) => {
    service = await answering([200, { data: {} }]);
    const error = await rejection(drn("drn-nothing").get("v1", options));
    expect(error).toMatchObject({
      name: "InvalidInputError",
      violations: [{ property, message }],
    });
    expect((await rejection(drn("drn-nothing").get(""))).name).toBe(
      "InvalidInputError",
    );
    expect(service.received).toEqual([]);
  });
});

describe("an error of device reputation has its name", () => {
  it.each<[number, string, string, string]>([
    [400, "invalid_signals_parameter", "ValidationError", "a message."],
    [400, "unsupported_version", "ValidationError", "a message."],
    [
      401,
      "secret_key_not_found",
      "SecretKeyError",
      "it must be an enabled secret API key",
    ],
    [401, "", "SecretKeyError", "it must be an enabled secret API key"],
    [404, "http.not_found", "VisitorNotFoundError", "Android devices only"],
    [404, "", "VisitorNotFoundError", "Android devices only"],
    [429, "too_many_requests", "ThrottledError", "can be run again"],
    [500, "x", "ServerError", "a message."],
  ])("%i %s", async (status, code, name, hint) => {
    service = await answering([status, failure(code)]);
    const error = await rejection(drn(`drn-${status}${code}`).get("v1"));
    expect(error.name).toBe(name);
    expect(error.message).toContain("device reputation of visitor v1 failed: ");
    expect(error.message).toContain(hint);
  });

  it("after a pause and a second try if that may help", async () => {
    service = await answering([429, "slow down"], [200, { data: {} }]);
    expect(await drn("drn-again").get("v1")).toEqual({});
    expect(service.received).toHaveLength(2);
  });
});
