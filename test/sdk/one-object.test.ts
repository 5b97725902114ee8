import type { Client } from "@devid/sdk";
import { API_KEY, ENCRYPTION_KEY, ENVIRONMENT } from "@devid/sdk/wire";
import {
  FILTERING_RULE,
  WEBHOOK,
  type ManagementOperation,
} from "@devid/sdk/wire";
import { SERVER_OPERATIONS } from "@devid/sdk/wire/events";
import { expect, it } from "vitest";
import { json, serverForTest } from "./http/plain-server";
import { clientAt } from "./server-api/secret-key-client";
import { rejection } from "./workspace";

/** A record of every kind: one kind ignores what another needs. */
const record = (id: string) => ({
  data: {
    ...{ id, name: "a", type: "secret", status: "enabled", token: "t" },
    ...{ environment: "ae_1", next_token: "n", expression: "true" },
    ...{ action: "deny", url: "https://a.example", verified: true },
    ...{ enabled: true, legacy: false, created_at: "2030" },
  },
});

type Call = (client: Client, id: string) => Promise<unknown>;
type Case = readonly [call: Call, answer?: (id: string) => unknown];

/** The collections of a client, with their operations by the names of the calls. */
const COLLECTIONS = {
  apiKeys: API_KEY,
  encryptionKeys: ENCRYPTION_KEY,
  environments: ENVIRONMENT,
  filteringRules: FILTERING_RULE,
  webhooks: { ...WEBHOOK, startVerification: WEBHOOK.verify, verify: {} },
};

const managementCases = Object.entries(COLLECTIONS).flatMap(
  ([collection, operations]) =>
    Object.entries<Partial<ManagementOperation>>(operations).flatMap(
      ([call, { name = "", path = "" }]): [string, Case][] => {
        const made: Call = (client, id) => {
          const calls = client as unknown as Record<
            string,
            Record<string, (id: string, input: object) => Promise<unknown>>
          >;
          return calls[collection]?.[call]?.(id, {}) ?? expect.fail(call);
        };
        return path.includes("/:id") ? [[name, [made, record]]] : [];
      },
    ),
);

/** Each operation whose path has an ID, with an answer that names one if it can. */
const CASES: Record<string, Case> = {
  getEvent: [
    ({ events }, id) => events.get(id),
    (event_id) => ({ event_id, timestamp: 1 }),
  ],
  updateEvent: [
    ({ events }, id) => events.update(id, { suspect: true }),
    (event_id) => ({ event_id }),
  ],
  ...Object.fromEntries(managementCases),
  deleteVisitorData: [({ visitors }, id) => visitors.delete(id)],
  getDeviceReputation: [({ deviceReputation }, id) => deviceReputation.get(id)],
};

it("every operation whose path has an ID has a case here", () => {
  expect(managementCases.length).toBe(16);
  for (const [name, { path }] of Object.entries(SERVER_OPERATIONS))
    expect([path, name in CASES]).toEqual([path, path.includes(":")]);
});

it.each(
  Object.entries(CASES).flatMap(([name, [call, answer]]) =>
    answer ? [[name, call, answer] as const] : [],
  ),
)(
  "an answer to %s counts only if it is about the object that was asked for",
  async (_, call, answer) => {
    let about = "mine";
    const server = await serverForTest((_request, response) =>
      json(response, 200, answer(about)),
    );
    const client = clientAt(server.url, { managementKey: "a-management-key" });
    await call(client, "mine");
    about = "theirs";
    const error = await rejection(call(client, "mine"));
    expect(error.name).toBe("UnexpectedAnswerError");
    expect(error.message).toContain("the body is about theirs");
  },
);

/** What gateways answer with status 200. */
const FOREIGN = [
  { error: { code: "x", message: "try later" } },
  { login: "https://sso.example" },
  {},
  [],
  "ok",
  null,
];

it.each(Object.entries(CASES))(
  "%s, answered by the JSON of a gateway, fails, and does not say that it was done",
  async (_, [call]) => {
    const server = await serverForTest((_request, response) =>
      json(response, 200, FOREIGN[server.received.length - 1]),
    );
    const client = clientAt(server.url, {
      managementKey: "a-management-key",
      requestsPerSecond: "100000",
    });
    for (let n = 0; n < FOREIGN.length; n += 1) {
      const error = await rejection(call(client, "mine"));
      expect(error.name).toBe("UnexpectedAnswerError");
      expect(error.message).not.toContain("probably");
    }
  },
);

it.each(Object.entries(CASES))(
  "%s refuses an ID that would lead to another path, and escapes any other",
  async (_, [call]) => {
    const server = await serverForTest((_request, response) =>
      json(response, 403, {}),
    );
    const client = clientAt(server.url, { managementKey: "a-management-key" });
    for (const id of ["", ".", "..", "\ud800"])
      expect((await rejection(call(client, id))).name).toBe(
        "InvalidInputError",
      );
    expect(server.received).toEqual([]);
    await rejection(call(client, "a/../b?c#d"));
    expect(server.received[0]?.path).toContain("/a%2F..%2Fb%3Fc%23d");
  },
);
