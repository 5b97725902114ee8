import {
  EVENT_SEARCH_PARAMETERS,
  LEGACY_SEARCH_PARAMETERS,
  type SearchParameter,
} from "@devid/sdk/wire/events";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openForTests } from "../../helpers/open-for-tests.js";
import { LocalService } from "../local-service.js";
import { FULL_EVENT, NOW } from "./legacy/legacy-calls.js";

const local = openForTests(new LocalService());
let root: string;
let key: string;
beforeAll(() => {
  root = `${local.service.url}/us`;
  key = local.service.workspaces.us.secretKey;
});
beforeEach(async () => {
  await local.control("POST", "/reset");
  await local.control("POST", "/clock", { body: { now: NOW } });
  await local.control("POST", "/us/events", { body: [FULL_EVENT] });
});
const ID = FULL_EVENT.event_id;

/** Sends what the vendor's Node client 7.7.1 sends; fetch adds the content type of a text. */
function node(method: string, path: string, body?: object) {
  const query = new URLSearchParams([
    ["ii", "fingerprint-pro-server-node-sdk/7.7.1"],
  ]);
  const mark = path.includes("?") ? "&" : "?";
  return fetch(`${root}/v4${path}${mark}${query.toString()}`, {
    method,
    headers: { Authorization: `Bearer ${key}` },
    ...(body && { body: JSON.stringify(body) }),
  });
}

/** Sends what the vendor's Python clients send: 9.9.0 for version 4, 8.15.1 for version 3. */
function python(version: 3 | 4, method: string, path: string, body?: object) {
  const mark = path.includes("?") ? "&" : "?";
  const ii = encodeURIComponent("fingerprint-pro-server-python-sdk/9.9.0");
  const base = version === 4 ? `${root}/v4` : root;
  return fetch(`${base}${path}${mark}ii=${ii}`, {
    method,
    headers: {
      Accept: "application/json",
      "Content-Type": "application/json",
      ...(version === 4
        ? { Authorization: `Bearer ${key}` }
        : { "Auth-API-Key": key }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
}

describe("the vendor's Node client", () => {
  it("gets, searches and changes an event", async () => {
    expect((await node("GET", `/events/${ID}`)).status).toBe(200);
    const update = { linked_id: "order-2", tags: { a: 1 }, suspect: true };
    const changed = await node("PATCH", `/events/${ID}`, update);
    expect([changed.status, await changed.text()]).toEqual([200, ""]);
    const all = await node("GET", "/events?limit=2&suspect=true");
    expect(await all.json()).toMatchObject({ events: [{ event_id: ID }] });
  });

  it("changes an event of version 3", async () => {
    const changed = await fetch(`${root}/events/${ID}`, {
      method: "PUT",
      headers: { "Auth-API-Key": key },
      body: JSON.stringify({ linkedId: "order-3" }),
    });
    expect(changed.status).toBe(200);
  });
});

/** The names of the parameters that are true or false. */
function booleansOf(table: Readonly<Record<string, SearchParameter>>) {
  return Object.entries(table).flatMap(([name, { kind }]) =>
    kind === "boolean" ? [name] : [],
  );
}

describe("the vendor's Python clients", () => {
  it.each([
    [4, "/events", EVENT_SEARCH_PARAMETERS],
    [3, "/events/search", LEGACY_SEARCH_PARAMETERS],
  ] as const)(
    "mean by True and False what others write small, version %s",
    async (version, path, table) => {
      const found = async (query: string) => {
        const url = `${path}?limit=9&${query}`;
        const answer = await python(version, "GET", url);
        expect(answer.status, url).toBe(200);
        return answer.json() as Promise<unknown>;
      };
      const names = booleansOf(table);
      expect(names.length).toBeGreaterThan(19);
      for (const name of names) {
        const yes = await found(`${name}=True`);
        const no = await found(`${name}=False`);
        expect([yes, no]).toEqual([
          await found(`${name}=true`),
          await found(`${name}=false`),
        ]);
        if (name in FULL_EVENT) expect(yes).not.toEqual(no);
      }
    },
  );

  it("change an event, and write booleans with a capital", async () => {
    const update = { suspect: true };
    const changed = await python(4, "PATCH", `/events/${ID}`, update);
    expect(changed.status).toBe(200);
    const v4 = await python(4, "GET", "/events?limit=2&suspect=True&vpn=False");
    expect([v4.status, await v4.json()]).toMatchObject([200, { events: [] }]);
    const found = await python(4, "GET", "/events?limit=2&suspect=True");
    expect(await found.json()).toMatchObject({ events: [{ event_id: ID }] });
    const v3 = await python(3, "GET", "/events/search?limit=2&suspect=True");
    const { events } = (await v3.json()) as { events: object[] };
    expect([v3.status, events.length]).toEqual([200, 1]);
  });
});
