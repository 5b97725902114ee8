import { expect, it } from "vitest";
import { addEvents } from "../event-calls.js";
import { requestTests } from "../../request-tests.js";
import { NOW, sendLegacy } from "./legacy-calls.js";
import { localForTests } from "../../../helpers/local-for-tests.js";

const local = localForTests({}, NOW);

const ON = "control POST /us/settings {relatedVisitors: true} = 200";

/** On: the visitors a to d, each with an event a day before the next. */
const VISITORS = `${ON}
  control POST /us/events [{timestamp: 1780315200000, identification: {visitor_id: a}},
    {timestamp: 1780228800000, identification: {visitor_id: b}},
    {timestamp: 1780142400000, identification: {visitor_id: c}},
    {timestamp: 1780056000000, identification: {visitor_id: d}}] = 201`;

requestTests(
  local,
  `
// contract: legacy-43
related visitors are refused unless a control call enabled them
  v3 GET /related-visitors?visitor_id=a = 403 FeatureNotEnabled {message:
    '~.*{"relatedVisitors": true}'}
// contract: legacy-44
visitors are related that a control call has related
  ${VISITORS}
  v3 GET /related-visitors?visitor_id=a = 200 {relatedVisitors: []}
  control POST /us/related-visitors {visitorIds: [a, b, c]} = 201
  v3 GET /related-visitors?visitor_id=a = 200 {relatedVisitors: [{visitorId: b},
    {visitorId: c}]}
  v3 GET /related-visitors?visitor_id=c = 200 {relatedVisitors: [{visitorId: a},
    {visitorId: b}]}
  v3 GET /related-visitors?visitor_id=d = 200 {relatedVisitors: []}
  control POST /us/related-visitors {visitorIds: [c, d]} = 201
  v3 GET /related-visitors?visitor_id=a = 200 {relatedVisitors: [{visitorId: b}]}
  v3 GET /related-visitors?visitor_id=d = 200 {relatedVisitors: [{visitorId: c}]}
// contract: legacy-43
visitors without an event in the last 6 months are left out
  ${VISITORS}
  control POST /us/related-visitors {visitorIds: [a, b, unseen]} = 201
  v3 GET /related-visitors?visitor_id=a = 200 {relatedVisitors: [{visitorId: b}]}
  clock 2026-11-27T13:00:00Z
  v3 GET /related-visitors?visitor_id=b = 200 {relatedVisitors: [{visitorId: a}]}
  v3 GET /related-visitors?visitor_id=a = 200 {relatedVisitors: []}
// contract: legacy-43
wrong questions and relations are refused
  ${VISITORS}
  v3 GET /related-visitors?visitor_id=nobody = 404 VisitorNotFound
  v3 GET /related-visitors? = 400 RequestCannotBeParsed
  v3 GET /related-visitors?visitor_id= = 400 RequestCannotBeParsed
  v3 GET /related-visitors?visitor_id=a&visitor_id=b = 400 RequestCannotBeParsed
  v3 GET /related-visitors?visitor_id=a&page=2 = 400 RequestCannotBeParsed
  control POST /us/related-visitors {visitorIds: [a]} = 400
  control POST /us/related-visitors {visitorIds: [a, ""]} = 400
  control POST /us/related-visitors {visitorIds: [a, 5]} = 400
  control POST /us/related-visitors {visitorIds: a} = 400
  control POST /us/related-visitors {visitorIds: [${"a, ".repeat(101)}]} = 400
`,
);

// contract: legacy-44
it("a key of an environment gets only related visitors of that environment", async () => {
  await local.set({ relatedVisitors: true });
  const environment_id = await local.newEnvironment();
  const seen = (visitor_id: string, more: object = {}) => ({
    identification: { visitor_id },
    ...more,
  });
  const there = ["a", "e"].map((id) => seen(id, { environment_id }));
  await addEvents(local, [seen("a"), seen("b"), ...there]);
  const visitorIds = ["a", "b", "e"];
  await local.control("/us/related-visitors", { visitorIds });
  const { token } = await local.newKey({ environment: environment_id });
  const scoped = sendLegacy(local, "us", token);
  const { body } = await scoped("GET", "/related-visitors?visitor_id=a");
  expect(body).toEqual({ relatedVisitors: [{ visitorId: "e" }] });
  const hidden = await scoped("GET", "/related-visitors?visitor_id=b");
  expect(hidden.status).toBe(404);
});
