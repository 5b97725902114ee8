import { expect, it } from "vitest";
import { requestTests } from "../request-tests.js";
import { sendDrn } from "./drn-calls.js";
import { localForTests } from "../../helpers/local-for-tests.js";

const local = localForTests({}, "2026-03-31T12:00:00Z");

const MARCH = "startDate: 2026-03-01T00:00:00Z, endDate: 2026-03-31T00:00:00Z";
const REGIONAL = `regionalActivity: {${MARCH}, countries: [{code: DE, detectors: [{type:
  origin, activityPercentage: 0.25}]}]}`;
const SCORE = `suspectScore: {${MARCH}, minimum: {value: 3, signals: {rootApps: 3}},
  maximum: {value: 21, percentile: 99.5, signals: {vpn: {publicVPN: 7}, ipBLocklist:
  {emailSpam: 9}}}}`;
const TIMES =
  "timestamps: {firstSeenAt: 2025-01-01T00:00:00Z, lastSeenAt: 2026-03-30T00:00:00Z}";
const GIVE = `control POST /us/drn/v1 {${REGIONAL}, ${SCORE}, ${TIMES}} = 201`;
const GIVEN = `{only: {${REGIONAL}, ${SCORE}, ${TIMES}}}`;
const ALL = "signals=regional_activity,suspect_score,timestamps";

/** What a device without news has, for the 30 days between these days at noon. */
const empty = (start: string, end: string) => {
  const window = `startDate: '~${start}T12:0', endDate: '~${end}T12:0'`;
  return `regionalActivity: {${window}, countries: []}, suspectScore: {${window},
    minimum: {value: 0, signals: {}}, maximum: {value: 0, percentile: 0, signals: {}}}`;
};

requestTests(
  local,
  `
// contract: drn-3, drn-4, drn-8, drn-10
the signals that were asked for are answered, and no others
  ${GIVE}
  drn GET /v1?signals=regional_activity = 200 {only: {${REGIONAL}}}
  drn GET /v1?signals=suspect_score = 200 {only: {${SCORE}}}
  drn GET /v1?signals=timestamps = 200 {only: {${TIMES}}}
  drn GET /v1?signals=timestamps,suspect_score = 200 {only: {${SCORE}, ${TIMES}}}
  drn GET /v1?signals=regional_activity,timestamps = 200 {only: {${REGIONAL}, ${TIMES}}}
  drn GET /v1?signals=suspect_score,regional_activity = 200 {only: {${REGIONAL}, ${SCORE}}}
  drn GET /v1?${ALL} = 200 ${GIVEN}
  drn GET /v1?signals=timestamps,timestamps = 200 {only: {${TIMES}}}
  drn GET /v1?signals=colour,timestamps, = 200 {only: {${TIMES}}}
// contract: drn-3, drn-23, drn-24
wrong signals are refused
  ${GIVE}
  drn GET /v1?signals= = 400 invalid_signals_parameter {message: ~signals .*holds none of}
  drn GET /v1?signals=colour = 400 {message: ~signals .*holds none of}
  drn GET /v1?signals=TIMESTAMPS = 400 {message: ~signals .*holds none of}
  drn GET /v1?signals=timestamps%20suspect_score = 400 {message: ~signals .*separated by
    commas}
  drn GET /v1?signals=timestamps&signals=suspect_score = 400 {message: "~signals .*once,
    with commas"}
  drn GET /v1 = 400 invalid_signals_parameter {message: ~signals .*is required}
// contract: drn-16, drn-17, drn-18, drn-19
each later call replaces a device completely
  ${GIVE}
  control POST /us/drn/v1 {${TIMES}} = 201
  drn GET /v1?${ALL} = 200 {only: {${empty("2026-03-01", "2026-03-31")}, ${TIMES}}}
// contract: drn-11, drn-22
a device has an empty reputation after 30 days without news
  ${GIVE}
  clock 2026-04-29T12:00:00Z
  drn GET /v1?${ALL} = 200 ${GIVEN}
  clock 2026-04-30T12:01:00Z
  drn GET /v1?${ALL} = 200 {only: {${empty("2026-03-31", "2026-04-30")}, ${TIMES}}}
// contract: drn-20
a device has no timestamps if none were given
  control POST /us/drn/v1 {} = 201
  drn GET /v1?${ALL} = 200 {only: {${empty("2026-03-01", "2026-03-31")}}}
  drn GET /v1?signals=timestamps = 200 {only: {}}
a device cannot be set with wrong members
  control POST /us/drn/v1 {regional_activity: {}} = 400 [regional_activity]
  control POST /us/drn/v1 {timestamps: {firstSeenAt: 5}} = 400
    [timestamps.firstSeenAt, timestamps.lastSeenAt]
  control POST /us/drn/v1 [] = 400 [body]
  drn GET /v1?${ALL} = 404
// contract: drn-2, drn-23, drn-26
a call for an unknown visitor or path is refused
  ${GIVE}
  drn GET /v2?${ALL} = 404 http.not_found
  drn GET /V1?${ALL} = 404 http.not_found
  drn GET /v1/x?${ALL} = 404 http.not_found
  drn GET /?${ALL} = 404 http.not_found
  drn GET /v1%00?${ALL} = 400 malformed_request
`,
);

// contract: drn-1, drn-13, regions-1
it("a device is known to the keys of every region", async () => {
  const timestamps = {
    firstSeenAt: "2025-01-01T00:00:00Z",
    lastSeenAt: "2026-03-30T00:00:00Z",
  };
  await local.control("/ap/drn/v1", { timestamps });
  for (const region of ["us", "eu", "ap"] as const) {
    const answer = await sendDrn(local, region)("GET", `/v1?${ALL}`);
    expect(answer.data).toMatchObject({ timestamps });
  }
});
