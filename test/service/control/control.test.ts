import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { Clock, LATEST_MS } from "../../../service/src/clock";
import { fitsPattern } from "../../../service/src/http/faults";
import { LocalWorkspace } from "../../helpers/local-workspace.js";
import { requestTests } from "../request-tests.js";
import { localForTests } from "../../helpers/local-for-tests.js";

const local = localForTests();

const fault = (body: object) => local.controlCall("POST", "/faults", { body });
/** A fault of one request. */
const once = (then: unknown, match: object = {}, after = false) =>
  fault({ match, times: 1, then, after });
const hello = () => local.us("GET", "/hello", { undocumented: true });
/** Waits until the request log of a service has a request. */
async function untilLogged(service: LocalWorkspace): Promise<void> {
  while ((await service.requests()).length === 0);
}
const createHook = () =>
  local.us("POST", "/webhooks", {
    body: { url: "https://shop.example" },
    undocumented: true,
  });
const hooks = async () => (await local.us("GET", "/webhooks")).list.length;

requestTests(
  local,
  `
a wrong fault is refused
  control POST /faults {} = 400 [match, then]
  control POST /faults {match: {surface: managment, verb: GET}, then: reset} = 400
    [match.surface, match.verb]
  control POST /faults {match: {}, then: explode} = 400 [then]
  control POST /faults {match: {}, then: {status: 99}} = 400 [then.status]
  control POST /faults {match: {}, then: {status: 500, delayMs: 5}} = 400 [then]
  control POST /faults {match: {}, then: {status: 500, headers: {a b: c}}} = 400 [then]
  control POST /faults {match: {}, then: {status: 500, headers: {Trailer: c}}} = 400
    [then]
  control POST /faults {match: {}, then: {status: 500, headers: {Content-Length: "9"}}}
    = 400 [then]
  control POST /faults {match: {}, then: {status: 500, headers: {transfer-encoding: c}}}
    = 400 [then]
  control POST /faults {match: {}, then: {status: 500, headers: {a: "c\\r\\nd: e"}}} =
    400 [then.headers.a]
  control POST /faults {match: {method: get, path: hello}, times: 0, then: hang, after:
    "yes"} = 400 [after, match.method, match.path, times]
  GET /hello = 200
a wrong time of the clock is refused
  control POST /clock {} = 400 [body]
  control POST /clock {advance: 1d, now: "2030-01-01T00:00:00Z"} = 400 [body]
  control POST /clock {advance: -1d} = 400 [advance]
  control POST /clock {advance: 1 day} = 400 [advance]
  control POST /clock {advance: 999999999999d} = 400 [advance]
  control POST /clock {now: tomorrow} = 400 [now]
  control POST /clock {now: "2030-13-01T00:00:00Z"} = 400 [now]
  control POST /clock {advance: 5, zone: UTC} = 400 [advance, zone]
`,
);

describe("a fault that answers", () => {
  it("sends its status, headers and body instead of calling the operation", async () => {
    const path = "/management/webhooks";
    const match = { surface: "management", method: "POST", path };
    const error = { code: "down", message: "No" };
    const headers = { "Retry-After": "7" };
    const added = await once({ status: 503, body: { error }, headers }, match);
    expect(added.status).toBe(201);
    const answer = await createHook();
    expect(answer.refusal).toEqual([503, "down"]);
    expect(answer.headers.get("retry-after")).toBe("7");
    expect(await hooks()).toBe(0);
    expect((await createHook()).status).toBe(201);
    expect(await hooks()).toBe(1);
  });

  it("calls the operation first if `after` is set", async () => {
    await once({ status: 502 }, { method: "POST" }, true);
    const answer = await createHook();
    expect([answer.status, answer.text]).toEqual([502, ""]);
    expect(await hooks()).toBe(1);
  });

  it("sends a string unchanged", async () => {
    const sent = { "content-type": "text/html" };
    await once({ status: 200, body: "<html>", headers: sent });
    const { status, text, headers } = await hello();
    expect([status, text]).toEqual([200, "<html>"]);
    expect(headers.get("content-type")).toBe("text/html");
  });
});

it.each([false, true])(
  "the answer of a fault has no other headers than it names (after: %s)",
  async (after) => {
    for (const [body, type] of [
      [undefined, null],
      ["<html>", null],
      [{ a: 1 }, "application/json; charset=utf-8"],
    ]) {
      await once({ status: 500, body }, {}, after);
      const names = [...(await hello()).headers];
      expect(Object.fromEntries(names)["content-type"] ?? null).toBe(type);
    }
  },
);

describe("a fault on the agent's surface", () => {
  it.each([false, true])(
    "allows a page of any origin to read the answer (after: %s)",
    async (after) => {
      const then = { status: 503, headers: { "retry-after": "7" } };
      await once(then, { surface: "agent" }, after);
      const url = `${local.service.url}/us/web/v4/local-public-us`;
      const preflight = await fetch(url, { method: "OPTIONS" });
      expect(preflight.status).toBe(204);
      const { status, headers } = await fetch(url);
      expect(status).toBe(503);
      expect(Object.fromEntries(headers)).toMatchObject({
        ...{ "access-control-allow-origin": "*", "retry-after": "7" },
      });
      expect(headers.has("cache-control")).toBe(false);
    },
  );

  it("does not add the agent's headers on other surfaces", async () => {
    await once({ status: 503 });
    const { headers } = await hello();
    expect(headers.has("access-control-allow-origin")).toBe(false);
  });
});

it("a reset cuts the connection before or after the operation", async () => {
  await once("reset", { method: "POST" });
  await expect(createHook()).rejects.toThrow("fetch failed");
  expect(await hooks()).toBe(0);
  await once("reset", { method: "POST" }, true);
  await expect(createHook()).rejects.toThrow("fetch failed");
  expect(await hooks()).toBe(1);
  const both = ["POST /webhooks 0", "GET /webhooks 200"];
  expect(await local.requests()).toEqual([...both, ...both]);
});

describe("a truncated answer", () => {
  it("announces the full length, and sends only the first bytes", async () => {
    const whole = (await hello()).text;
    await once({ truncate: 5 });
    const { url, workspaces } = local.service;
    const authorization = `Bearer ${workspaces.us.managementKey}`;
    const headers = { authorization, "x-api-version": "2025-11-20" };
    const response = await fetch(`${url}/management/hello`, { headers });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-length")).toBe(`${whole.length}`);
    let seen = "";
    const read = async () => {
      const decoder = new TextDecoder();
      for await (const chunk of response.body ?? [])
        seen += decoder.decode(chunk);
    };
    await expect(read()).rejects.toThrow();
    expect(seen).toBe(whole.slice(0, 5));
    const logged = "GET /hello 200";
    expect(await local.requests()).toEqual([logged, logged]);
    expect((await hello()).text).toBe(whole);
  });

  it("is complete if it is shorter than the limit", async () => {
    await once({ truncate: 10_000 });
    expect((await hello()).body).toEqual({ data: { message: "Hello" } });
  });
});

it.each([false, true])(
  "a delay delays the answer (after: %s)",
  async (after) => {
    await once({ delayMs: 300 }, { method: "POST" }, after);
    const began = performance.now();
    const made = createHook();
    // While the first call waits, other calls are answered.
    await untilLogged(local);
    expect(await hooks()).toBe(after ? 1 : 0);
    expect((await made).status).toBe(201);
    expect(performance.now() - began).toBeGreaterThanOrEqual(295);
    expect(await hooks()).toBe(1);
  },
);

describe("a request that hangs", () => {
  it.each([false, true])(
    "is never answered, and does not delay the stop of the service (after: %s)",
    async (after) => {
      const own = await LocalWorkspace.start();
      const match = { path: "/management/webhooks" };
      await own.fault({ match, then: "hang", after });
      const hanging = own
        .us("POST", "/webhooks", { body: { url: "https://shop.example" } })
        .then(
          () => "answered",
          () => "cut off",
        );
      await untilLogged(own);
      expect((await own.us("GET", "/hello")).status).toBe(200);
      const delayed = Promise.resolve("waiting");
      expect(await Promise.race([hanging, delayed])).toBe("waiting");
      const began = performance.now();
      await own.service.close();
      expect(await hanging).toBe("cut off");
      expect(performance.now() - began).toBeLessThan(4_500);
    },
  );

  it("ends at the stop of the service, as does a delay", async () => {
    const own = await LocalWorkspace.start();
    await own.fault({ match: {}, then: { delayMs: 600_000 } });
    const delayed = own.us("GET", "/hello").catch(() => undefined);
    await untilLogged(own);
    const began = performance.now();
    await own.service.close();
    await delayed;
    expect(performance.now() - began).toBeLessThan(4_500);
  });
});

describe("faults", () => {
  it("act exactly the given number of times, also on parallel requests", async () => {
    const match = { path: "/management/hello" };
    await fault({ match, times: 7, then: { status: 500 } });
    await fault({ match, times: 4, then: { status: 503 }, after: true });
    const answers = await Promise.all(Array.from({ length: 30 }, hello));
    const count = (wanted: number) =>
      answers.filter(({ status }) => status === wanted).length;
    expect([count(500), count(503), count(200)]).toEqual([7, 4, 19]);
  });

  it("match surface, method and path with wildcards", async () => {
    const meets = async (match: object) => {
      await local.controlCall("DELETE", "/faults");
      await fault({ match, then: { status: 599 } });
      return (await createHook()).status === 599;
    };
    expect(await meets({})).toBe(true);
    expect(await meets({ surface: "management" })).toBe(true);
    expect(await meets({ surface: "other" })).toBe(false);
    expect(await meets({ method: "GET" })).toBe(false);
    expect(await meets({ path: "/management/webhooks" })).toBe(true);
    expect(await meets({ path: "/management/webhook" })).toBe(false);
    expect(await meets({ path: "/management/*" })).toBe(true);
    expect(await meets({ path: "/management/*/verification" })).toBe(false);
    expect(await meets({ path: "*hooks" })).toBe(true);
    expect(await meets({ path: "/management.webhooks" })).toBe(false);
  });

  it("match a path in linear time, with the same result as a regular expression", () => {
    // Few and short pieces, so that a part of a pattern often comes twice in it.
    const piece = fc.constantFrom("a", "b", "*", ".", "[");
    const text = fc.string({ unit: piece, maxLength: 8 });
    fc.assert(
      fc.property(text, text, (pattern, path) => {
        const escaped = pattern
          .split("*")
          .map((part) => part.replace(/[.[]/g, "\\$&"));
        const expected = new RegExp(`^${escaped.join(".*")}$`).test(path);
        expect(fitsPattern(pattern, path)).toBe(expected);
      }),
      { numRuns: 5_000 },
    );
    // As a regular expression with backtracking, this would never end.
    const hard = "*a".repeat(2_000) + "b";
    expect(fitsPattern(hard, "a".repeat(8_000))).toBe(false);
  });

  it("last until they are deleted, and do not affect control calls", async () => {
    await fault({ match: {}, then: { status: 500 } });
    for (let n = 0; n < 5; n += 1) expect((await hello()).status).toBe(500);
    expect((await local.controlCall("GET", "/requests")).status).toBe(200);
    expect((await local.controlCall("DELETE", "/faults")).status).toBe(204);
    expect((await hello()).status).toBe(200);
  });
});

describe("POST /_local/clock", () => {
  const now = async (body: object) => {
    const answer = await local.control("/clock", body);
    return Date.parse((answer as { now: string }).now);
  };

  it("moves the time of new records, adds up, and ends with a reset", async () => {
    const began = Date.now();
    await now({ advance: "31d" });
    const moved = await now({ advance: "12h" });
    expect(moved - began).toBeGreaterThanOrEqual(31.5 * 86_400_000);
    expect(moved - began).toBeLessThan(31.5 * 86_400_000 + 10_000);
    const { data } = await createHook();
    expect(Date.parse(String(data.created_at))).toBeGreaterThanOrEqual(moved);
    await local.reset();
    const fresh = (await createHook()).data;
    expect(Date.parse(String(fresh.created_at))).toBeLessThan(began + 60_000);
  });

  it.each([
    ["500ms", 500],
    ["10s", 10_000],
    ["5m", 300_000],
    ["1.5h", 5_400_000],
    ["2d", 172_800_000],
  ])("accepts %s", async (advance, ms) => {
    const start = await now({ now: "2030-06-01T12:00:00.000Z" });
    const moved = (await now({ advance })) - start;
    expect(moved).toBeGreaterThanOrEqual(ms);
    expect(moved).toBeLessThan(ms + 5_000);
  });

  it("drops a part of a millisecond, which no record can hold", async () => {
    await now({ advance: "0.5ms" });
    expect((await createHook()).status).toBe(201);
    await local.control("/us/events", [{}]);
  });

  it("accepts a time with an offset, also in the past", async () => {
    const time = await now({ now: "2001-02-03T04:05:06+02:00" });
    expect(new Date(time).toISOString()).toMatch(/^2001-02-03T02:05:/);
  });

  it("stands still at the end of the year 9999, behind which dates have another form", () => {
    const clock = new Clock();
    clock.moveTo(LATEST_MS);
    vi.useFakeTimers({ now: Date.now() + 1_000, toFake: ["Date"] });
    expect(clock.now()).toBe("9999-12-31T23:59:59.999Z");
    vi.useRealTimers();
  });
});

it("POST /_local/reset restores the state of the first start, with the same default environments", async () => {
  const kinds = ["environments", "api-keys", "webhooks", "filtering-rules"];
  const state = async () => {
    const lists = await Promise.all(kinds.map((kind) => local.list(kind)));
    return lists.map((list) =>
      list.map(({ name, environment }) => ({ name, environment })),
    );
  };
  const before = await state();
  const { environment } = local.service.workspaces.us;
  await createHook();
  const more = await local.newEnvironment();
  for (const { id } of (await local.us("GET", "/api-keys")).list)
    await local.us("DELETE", `/api-keys/${id}`);
  await local.enforce(
    [{ name: "rule", expression: "true", action: "deny" }],
    more,
  );
  expect(await state()).not.toEqual(before);
  await fault({ match: {}, then: { status: 500 } });
  expect((await local.controlCall("POST", "/reset")).status).toBe(204);
  expect((await local.controlCall("GET", "/requests")).body).toEqual([]);
  expect(await state()).toEqual(before);
  expect((await local.us("GET", "/environments")).ids).toEqual([environment]);
});
