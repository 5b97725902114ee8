import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Answer } from "../../answer.js";
import { openApi } from "../../documented.js";
import { FULL_EVENT, NOW, sendLegacy } from "./legacy-calls.js";
import { LocalWorkspace } from "../../../helpers/local-workspace.js";
import { sender, type Send } from "../../sender.js";
import { openForTests } from "../../../helpers/open-for-tests.js";

let us: Send;
let bare: Send;
const local = openForTests(new LocalWorkspace());
beforeAll(() => {
  us = sendLegacy(local);
  bare = sender(`${local.service.url}/us`, {});
});
beforeEach(async () => {
  await local.controlCall("POST", "/reset");
  await local.controlCall("POST", "/clock", { body: { now: NOW } });
  await local.controlCall("POST", "/us/events", { body: [FULL_EVENT] });
});

const EVENT = `/events/${FULL_EVENT.event_id}`;
const SEARCH = "/events/search?limit=1";
const VISITS = "/visitors/visitor-1";

/** The code of an error; `/visitors` has none. */
const statusAndCode = (answer: Answer): unknown[] => [
  answer.status,
  typeof answer.error === "string" ? "text" : answer.error.code,
];

describe("a key of version 3", () => {
  // contract: legacy-2, legacy-9, legacy-10, legacy-11
  it.each([EVENT, SEARCH, VISITS])(
    "opens %s in three places of the request",
    async (path) => {
      const { secretKey } = local.service.workspaces.us;
      const mark = path.includes("?") ? "&" : "?";
      expect((await us("GET", path)).status).toBe(200);
      for (const name of ["apiKey", "api_key"]) {
        const query = `${path}${mark}${name}=${secretKey}`;
        expect((await bare("GET", query)).status).toBe(200);
        const headers = { "auth-api-key": "nobody" };
        expect((await bare("GET", query, { headers })).status).toBe(403);
      }
    },
  );

  // contract: legacy-41
  it.each([
    [EVENT, "TokenRequired", "TokenNotFound", "WrongRegion"],
    [SEARCH, "TokenRequired", "TokenNotFound", "WrongRegion"],
    [VISITS, "text", "text", "text"],
  ])("is required for %s", async (path, required, unknown, region) => {
    const { us: own, eu } = local.service.workspaces;
    const authorization = `Bearer ${own.secretKey}`;
    for (const headers of [{}, { "auth-api-key": "" }, { authorization }])
      expect(statusAndCode(await bare("GET", path, { headers }))).toEqual([
        403,
        required,
      ]);
    for (const key of ["nobody", own.publicKey, own.managementKey]) {
      const headers = { "auth-api-key": key };
      expect(statusAndCode(await bare("GET", path, { headers }))).toEqual([
        403,
        unknown,
      ]);
    }
    const headers = { "auth-api-key": eu.secretKey };
    expect(statusAndCode(await bare("GET", path, { headers }))).toEqual([
      403,
      region,
    ]);
  });

  it("must be enabled, and sees its environment only", async () => {
    const { environment } = local.service.workspaces.us;
    const { data: other } = await local.us("POST", "/environments", {
      body: { name: "other", limit_mode: "none" },
    });
    const keyOf = async (id: string) => {
      const body = { type: "secret", name: "key", environment: id };
      return (await local.us("POST", "/api-keys", { body })).data;
    };
    const mine = await keyOf(environment);
    const theirs = await keyOf(other.id);
    const seeing = sendLegacy(local, "us", String(mine.token));
    const blind = sendLegacy(local, "us", String(theirs.token));
    for (const path of [EVENT, SEARCH, VISITS])
      expect((await seeing("GET", path)).status).toBe(200);
    expect(statusAndCode(await blind("GET", EVENT))).toEqual([
      404,
      "RequestNotFound",
    ]);
    const body = { suspect: true };
    expect(statusAndCode(await blind("PUT", EVENT, { body }))).toEqual([
      404,
      "RequestNotFound",
    ]);
    expect((await blind("GET", SEARCH)).body).toEqual({ events: [] });
    expect((await blind("GET", VISITS)).status).toBe(404);
    await local.us("PATCH", `/api-keys/${mine.id}`, {
      body: { status: "disabled" },
    });
    expect(statusAndCode(await seeing("GET", EVENT))).toEqual([
      403,
      "TokenNotFound",
    ]);
  });

  it("appears in no log", async () => {
    const lines: string[] = [];
    const own = await LocalWorkspace.start({
      logLevel: "trace",
      logTo: { write: (line) => lines.push(line) },
    });
    await own.controlCall("POST", "/clock", { body: { now: NOW } });
    const send = sender(`${own.service.url}/us`, {});
    await send("GET", `${SEARCH}&api_key=local-secret-us`);
    await send("GET", `${SEARCH}&apiKey=canary-1`);
    await sendLegacy(own, "us", "canary-2")("GET", EVENT);
    const log = await own.controlCall("GET", "/requests");
    await own.service.close();
    expect(log.body).toMatchObject([
      {
        surface: "legacy",
        status: 200,
        key: expect.stringMatching(/^us secret tok_/) as string,
      },
      { surface: "legacy", status: 403, key: "unknown" },
      { surface: "legacy", status: 403, key: "unknown" },
    ]);
    expect(lines.join("")).toContain("/us/events/search");
    expect(lines.join("") + log.text).not.toMatch(/local-secret|canary/);
  });
});

describe("the end of version 3", () => {
  const DEPRECATION = {
    deprecation: "@1767744000",
    sunset: "Thu, 07 Jan 2027 00:00:00 GMT",
  };
  const announced = ({ headers }: Answer) => ({
    deprecation: headers.get("deprecation"),
    sunset: headers.get("sunset"),
  });

  // contract: legacy-1
  it("is announced in every answer of version 3, also in refusals, and in no other version", async () => {
    const body = { suspect: true };
    for (const answer of [
      await us("GET", EVENT),
      await us("PUT", EVENT, { body }),
      await us("GET", SEARCH),
      await us("GET", VISITS),
      await us("GET", "/events/nothing"),
      await us("GET", "/events/search"),
      await us("DELETE", EVENT),
      await us("GET", "/events"),
      await bare("GET", VISITS),
    ])
      expect(announced(answer)).toEqual(DEPRECATION);
    const other = await local.us("GET", "/hello");
    expect(announced(other)).toEqual({ deprecation: null, sunset: null });
  });

  // contract: legacy-1, legacy-8
  it("starts at the sunset date, and not before", async () => {
    const statuses = async () => [
      (await us("GET", EVENT)).status,
      (await us("GET", SEARCH)).status,
      (await us("GET", VISITS)).status,
      (await bare("GET", VISITS)).status,
    ];
    const move = (now: string) =>
      local.controlCall("POST", "/clock", { body: { now } });
    await move("2027-01-06T23:59:00Z");
    expect(await statuses()).toEqual([200, 200, 200, 403]);
    await move("2027-01-07T00:00:00Z");
    expect(await statuses()).toEqual([410, 410, 410, 410]);
    const ended = await us("GET", EVENT);
    expect(ended.error.message).toContain("/v4/events");
    expect(announced(ended)).toEqual(DEPRECATION);
    expect(announced(await us("GET", VISITS))).toEqual(DEPRECATION);
    expect((await local.us("GET", "/hello")).status).toBe(200);
  });
});

describe("a call of version 3", () => {
  it("has a separate rate limit for each key", async () => {
    const own = await LocalWorkspace.start({ rateLimit: 0.01 });
    await own.controlCall("POST", "/clock", { body: { now: NOW } });
    const call = sendLegacy(own);
    expect((await call("GET", SEARCH)).status).toBe(200);
    const refused = await call("GET", SEARCH);
    expect(statusAndCode(refused)).toEqual([429, "TooManyRequests"]);
    const refusedVisits = await call("GET", VISITS);
    expect(statusAndCode(refusedVisits)).toEqual([429, "text"]);
    for (const { headers } of [refused, refusedVisits])
      expect(headers.get("retry-after")).toBe("1");
    expect((await sendLegacy(own, "eu")("GET", SEARCH)).status).toBe(200);
    expect((await own.us("GET", "/hello")).status).toBe(200);
    await own.service.close();
  });

  it("is affected by faults of its surface", async () => {
    const fault = { match: { surface: "legacy" }, then: { status: 502 } };
    await local.controlCall("POST", "/faults", { body: fault });
    for (const path of [EVENT, VISITS])
      expect((await us("GET", path, { undocumented: true })).status).toBe(502);
    expect((await local.us("GET", "/hello")).status).toBe(200);
  });

  // contract: legacy-7
  it("does not exist in other regions, versions or methods", async () => {
    const mars = sender(`${local.service.url}/mars`, {});
    expect((await mars("GET", EVENT)).status).toBe(404);
    expect((await us("DELETE", EVENT)).status).toBe(405);
    const undocumented = true;
    expect((await us("PUT", VISITS, { undocumented })).status).toBe(405);
    expect((await us("POST", "/related-visitors")).status).toBe(405);
  });

  // contract: legacy-7
  it("is documented with its header", async () => {
    const { paths } = await openApi();
    const documented = Object.entries(paths).flatMap(([path, operations]) =>
      path.startsWith("/{region}/events") || path.includes("visitors")
        ? Object.keys(operations).map((method) => `${method} ${path}`)
        : [],
    );
    expect(documented.sort()).toEqual([
      "delete /{region}/v4/visitors/{visitor_id}",
      "delete /{region}/visitors/{visitor_id}",
      "get /{region}/events/search",
      "get /{region}/events/{request_id}",
      "get /{region}/related-visitors",
      "get /{region}/visitors/{visitor_id}",
      "post /_local/{region}/related-visitors",
      "put /{region}/events/{request_id}",
    ]);
    for (const path of ["/{region}/events/search", "/drn/{visitor_id}"])
      expect(paths[path]?.["get"]).toMatchObject({
        security: [
          path.startsWith("/drn") ? { bearer: [] } : { authApiKey: [] },
        ],
      });
  });
});
