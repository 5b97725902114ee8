import { trustedDevices } from "@devid/policy/policies";
import { checkPolicy } from "@devid/policy/testing";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import {
  answering,
  failure,
  type Answer,
} from "../sdk/server-api/secret-key-client";

const dates = {
  startDate: "2026-01-01T00:00:00Z",
  endDate: "2026-01-31T00:00:00Z",
};

let service: Awaited<ReturnType<typeof answering>> | undefined;
let keys = 0;
// Each test has its own key, because clients with the same key share a throttle.
beforeEach(() => vi.stubEnv("DEVID_SECRET_KEY", `trusted-devices-${keys++}`));
afterEach(async () => {
  vi.unstubAllEnvs();
  await service?.close();
  service = undefined;
});

const reputation = (codes: string[], score: number): Answer => [
  200,
  {
    data: {
      regionalActivity: {
        ...dates,
        countries: codes.map((code) => ({
          code,
          detectors: [{ type: "ip", activityPercentage: 0.5 }],
        })),
      },
      suspectScore: {
        ...dates,
        minimum: { value: 0, signals: {} },
        maximum: { value: score, signals: {} },
      },
    },
  },
];

async function check(config: object, endpoint = service?.url) {
  vi.stubEnv("PULUMI_CONFIG", JSON.stringify({ "devid:endpoint": endpoint }));
  const { violations, notChecked } = await checkPolicy(trustedDevices, {
    kind: "Stack",
    config,
  });
  return { violations, advice: notChecked };
}

const CONFIG = {
  visitorIds: ["v1"],
  allowedCountries: ["DE", "fr"],
  maxSuspectScore: 20,
};
const passes = { violations: [], advice: [] };

it("passes a device that was only in allowed countries and is not suspect", async () => {
  service = await answering(reputation(["DE", "FR"], 20));
  expect(await check(CONFIG)).toEqual(passes);
  expect(service.received.map(({ path }) => path)).toEqual([
    "/drn/v1?signals=regional_activity%2Csuspect_score",
  ]);
});

it("stops a device that was elsewhere or is suspect, and names each such device", async () => {
  service = await answering(
    reputation(["DE", "BR", "CN"], 3),
    reputation(["FR"], 21),
  );
  const visitorIds = ["v1", "v2"];
  const { violations } = await check({ ...CONFIG, visitorIds });
  expect(violations).toSay("trusted-devices/elsewhere-and-suspect");
});

it("stops a device with missing signals", async () => {
  service = await answering(
    [200, { data: {} }],
    [404, failure("http.not_found")],
  );
  expect((await check(CONFIG)).violations).toEqual([
    expect.stringContaining("without regional activity"),
    expect.stringContaining("without a suspect score"),
  ]);
  expect((await check(CONFIG)).violations).toEqual([
    expect.stringContaining("Device v1 has no reputation"),
  ]);
});

it("stops a device that was seen in no country", async () => {
  service = await answering(reputation([], 0));
  expect((await check(CONFIG)).violations).toSay(
    "trusted-devices/seen-in-no-country",
  );
});

it("stops all devices if no country is allowed, with one message", async () => {
  service = await answering(reputation(["DE"], 0));
  const config = { visitorIds: ["v1", "v2"] };
  expect((await check(config)).violations).toSay("trusted-devices/no-country");
  expect(service.received).toEqual([]);
});

it("sends no request without devices", async () => {
  service = await answering(reputation(["BR"], 99));
  expect(await check({})).toEqual(passes);
  expect(service.received).toEqual([]);
});

it("fails without an answer, or gives advice if configured", async () => {
  const nobody = "http://127.0.0.1:9";
  const failed = await check(CONFIG, nobody);
  expect(failed.violations).toEqual([
    expect.stringContaining('whenUnreachable: "advise"'),
  ]);
  const config = { ...CONFIG, whenUnreachable: "advise" };
  const advised = await check(config, nobody);
  expect(advised.violations).toEqual([]);
  expect(advised.advice).toEqual([
    expect.stringContaining(
      "trusted-devices: not checked: service unreachable.",
    ),
  ]);
});
