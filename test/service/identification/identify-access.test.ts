import { describe, expect, it } from "vitest";
import { searchPage, sendEvents } from "../server-api/event-calls.js";
import { decisionsOf, identify, visit } from "./identify-calls.js";
import { localForTest } from "../../helpers/local-for-tests.js";
import type { LocalWorkspace } from "../../helpers/local-workspace.js";

/** A new public key of the us workspace. */
const newKey = (local: LocalWorkspace, more: object = {}) =>
  local.newKey({ type: "public", ...more });

const change = (local: LocalWorkspace, id: string, body: object) =>
  local.us("PATCH", `/api-keys/${id}`, { body });

describe("a public key", () => {
  it("makes events in its environment, which no other region sees", async () => {
    const local = await localForTest();
    const environment = await local.newEnvironment();
    const { token } = await newKey(local, { environment });
    const { event } = await visit(local, {}, { key: token });
    expect(event.environment_id).toBe(environment);
    expect((await searchPage(sendEvents(local, "eu"))).events).toEqual([]);
  });

  it("has its own rate limit, separate from other keys", async () => {
    const local = await localForTest({ rateLimit: 20 });
    // One call, and the next call after 10 s.
    const slow = await newKey(local);
    await change(local, slow.id, { rate_limit: 0.1 });
    const fast = await newKey(local);
    await change(local, fast.id, { rate_limit: 1_000 });
    expect((await identify(local, {}, { key: slow.token })).status).toBe(200);
    const refused = await identify(local, {}, { key: slow.token });
    expect(refused.refusal).toEqual([429, "too_many_requests"]);
    const many = Array.from({ length: 100 }, () =>
      identify(local, {}, { key: fast.token }),
    );
    for (const answer of await Promise.all(many))
      expect(answer.status).toBe(200);
    expect(await decisionsOf(local)).toHaveLength(101);
    // A key without a rate of its own has that of the service.
    const { token } = await newKey(local);
    for (let n = 0; n < 20; n++)
      expect((await identify(local, {}, { key: token })).status).toBe(200);
  });

  it("has no rate limit if rate limits are off", async () => {
    const local = await localForTest();
    const { id, token } = await newKey(local);
    await change(local, id, { rate_limit: 0.1 });
    for (let n = 0; n < 8; n++)
      expect((await identify(local, {}, { key: token })).status).toBe(200);
  });
});
