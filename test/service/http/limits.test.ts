import { expect, it } from "vitest";
import { localForTest } from "../../helpers/local-for-tests.js";
import type { LocalWorkspace } from "../../helpers/local-workspace.js";
import { sendDrn } from "../device-reputation/drn-calls.js";
import { sendEvents } from "../server-api/event-calls.js";

// contract: management-40
it("the rate limit is a bucket for each key, refilled by real time and not by the service's clock", async () => {
  const own = await localForTest({ rateLimit: 3 });
  const burst = async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => own.us("GET", "/hello")),
    );
    return answers.filter(({ status }) => status === 200).length;
  };
  const began = performance.now();
  const first = await burst();
  const refilled = Math.ceil(((performance.now() - began) / 1000) * 3);
  expect(first).toBeGreaterThanOrEqual(3);
  expect(first).toBeLessThanOrEqual(3 + refilled);

  await own.advance("1d");
  while ((await own.us("GET", "/hello")).status === 200);
  const refused = await own.us("POST", "/api-keys", { body: {} });
  expect(refused.refusal).toEqual([429, "too_many_requests"]);
  expect(refused.headers.has("retry-after")).toBe(false);
  expect((await own.eu("GET", "/hello")).status).toBe(200);

  const hammered = performance.now();
  for (let served = 0; served < 4;)
    if ((await own.us("GET", "/hello")).status === 200) served += 1;
  expect(performance.now() - hammered).toBeGreaterThan(1_000);

  while ((await own.us("GET", "/hello")).status === 200);
  await own.reset();
  expect(await burst()).toBeGreaterThanOrEqual(3);
});

type Local = LocalWorkspace;

it.each<[string, (local: Local) => Promise<{ status: number }>]>([
  // contract: management-39
  ["the management API", (local) => local.us("GET", "/hello")],
  // contract: limits-7
  ["the events API", (local) => sendEvents(local)("GET", "/events")],
  // contract: drn-9
  ["device reputation", (local) => sendDrn(local)("GET", "/v1")],
])(
  "the rate limit of %s is 5 requests a second by default",
  async (_, call) => {
    const own = await localForTest({ rateLimit: undefined });
    const began = performance.now();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => call(own)),
    );
    const refilled = Math.ceil(((performance.now() - began) / 1000) * 5);
    const served = answers.filter(({ status }) => status !== 429).length;
    expect(served).toBeGreaterThanOrEqual(5);
    expect(served).toBeLessThanOrEqual(5 + refilled);
  },
);

// contract: management-42, management-43, management-44, management-45
// contract: management-86
it("documented limits of a workspace apply to keys, webhooks and rules, also in bulk, and to each workspace separately", async () => {
  const own = await localForTest({ limits: "documented" });
  const { environment } = own.service.workspaces.us;
  const statuses = async (times: number, path: string, body: object) => {
    const seen: number[] = [];
    for (let n = 0; n < times; n += 1)
      seen.push((await own.us("POST", path, { body })).status);
    return seen;
  };
  // The two development keys count.
  const key = { type: "secret", name: "key" };
  const keys = await statuses(9, "/api-keys", key);
  expect(keys).toEqual([...Array<number>(8).fill(201), 400]);
  const hook = { url: "https://shop.example" };
  const hooks = await statuses(6, "/webhooks", hook);
  expect(hooks).toEqual([...Array<number>(5).fill(201), 400]);

  const rule = { name: "rule", expression: "true", action: "deny" };
  const rules = (count: number) => Array<object>(count).fill(rule);
  const bulk = (body: object) =>
    own.us("POST", "/filtering-rules/bulk", { body });
  const { ids } = await bulk({ rules: rules(15) });
  const body = { ...rule, environment };
  const one = await own.us("POST", "/filtering-rules", { body });
  expect(one.refusal).toEqual([400, "limit_reached"]);
  const mode = "overwrite";
  expect((await bulk({ rules: rules(1) })).status).toBe(400);
  expect((await bulk({ rules: [{ ...rule, id: ids[0] }] })).status).toBe(200);
  expect((await bulk({ rules: rules(16), mode })).status).toBe(400);
  expect((await own.us("GET", "/filtering-rules")).ids).toEqual(ids);
  expect((await bulk({ rules: rules(15), mode })).status).toBe(200);
  await own.enforce(rules(15), undefined, "eu");
});
