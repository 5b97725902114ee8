import type { Client } from "@devid/sdk";
import { API_KEY, ENCRYPTION_KEY, ENVIRONMENT } from "@devid/sdk/wire";
import { FILTERING_RULE, WEBHOOK } from "@devid/sdk/wire";
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
  getApiKey: [({ apiKeys }, id) => apiKeys.get(id), record],
  updateApiKey: [({ apiKeys }, id) => apiKeys.update(id, {}), record],
  deleteApiKey: [({ apiKeys }, id) => apiKeys.delete(id), record],
  getEncryptionKey: [
    ({ encryptionKeys }, id) => encryptionKeys.get(id),
    record,
  ],
  updateEncryptionKey: [
    ({ encryptionKeys }, id) => encryptionKeys.update(id, {}),
    record,
  ],
  rotateEncryptionKey: [
    ({ encryptionKeys }, id) => encryptionKeys.rotate(id),
    record,
  ],
  revertEncryptionKey: [
    ({ encryptionKeys }, id) => encryptionKeys.revert(id),
    record,
  ],
  updateEnvironment: [
    ({ environments }, id) => environments.update(id, { name: "abc" }),
    record,
  ],
  deleteEnvironment: [
    ({ environments }, id) => environments.delete(id),
    record,
  ],
  getFilteringRule: [
    ({ filteringRules }, id) => filteringRules.get(id),
    record,
  ],
  updateFilteringRule: [
    ({ filteringRules }, id) => filteringRules.update(id, {}),
    record,
  ],
  deleteFilteringRule: [
    ({ filteringRules }, id) => filteringRules.delete(id),
    record,
  ],
  getWebhook: [({ webhooks }, id) => webhooks.get(id), record],
  updateWebhook: [({ webhooks }, id) => webhooks.update(id, {}), record],
  deleteWebhook: [({ webhooks }, id) => webhooks.delete(id), record],
  verifyWebhook: [({ webhooks }, id) => webhooks.startVerification(id), record],
  deleteVisitorData: [({ visitors }, id) => visitors.delete(id)],
  getDeviceReputation: [({ deviceReputation }, id) => deviceReputation.get(id)],
};

it("every operation whose path has an ID has a case here", () => {
  const management = [API_KEY, ENCRYPTION_KEY, ENVIRONMENT, FILTERING_RULE]
    .concat(WEBHOOK as never)
    .flatMap((kind) => Object.values(kind) as { name: string; path: string }[]);
  const all = [
    ...management,
    ...Object.entries(SERVER_OPERATIONS).map(([name, { path }]) => ({
      name,
      path,
    })),
  ];
  const withId = all.filter(({ path }) => path.includes(":"));
  expect(withId.map(({ name }) => name).toSorted()).toEqual(
    Object.keys(CASES).toSorted(),
  );
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

it.each<[string, Call]>([
  ["updateEvent", ({ events }, id) => events.update(id, {})],
  ["deleteVisitorData", ({ visitors }, id) => visitors.delete(id)],
])("%s, answered by an error with status 200, is not done", async (_, call) => {
  const server = await serverForTest((_request, response) =>
    json(response, 200, { error: { code: "x", message: "try later" } }),
  );
  const error = await rejection(call(clientAt(server.url), "mine"));
  expect(error.name).toBe("UnexpectedAnswerError");
});

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
