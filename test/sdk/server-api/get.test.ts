import { beforeEach, describe, expect, it } from "vitest";
import { answering, clientAt, event } from "./secret-key-client";
import { rejection } from "../workspace";

const RECORD = {
  zebra: { unknown: [{ deep: 1 }] },
  timestamp: 1_700_000_000_000,
  event_id: "1700000000000.AbCdEf",
  bot: "a_value_of_tomorrow",
  sdk: { platform: "js", version: "4.0.0", runtime: "worker" },
  tags: { cart_id: "c1", nestedTag: { _: null } },
  rule_action: { type: "block", ruleset_id: "rs_1", status_code: 403 },
};

let service: Awaited<ReturnType<typeof answering>>;
beforeEach(async () => (service = await answering([200, RECORD])));

describe("a read of an event", () => {
  it("returns the event unchanged, to the letter", async () => {
    const event = await service.client.events.get(RECORD.event_id);
    expect(JSON.stringify(event)).toBe(JSON.stringify(RECORD));
    expect(service.received[0]).toMatchObject({
      method: "GET",
      path: "/us/v4/events/1700000000000.AbCdEf",
    });
  });

  // contract: events-37
  it("requests the decision of a ruleset", async () => {
    const options = { rulesetId: "rs 1&" };
    const event = await service.client.events.get(RECORD.event_id, options);
    expect(event.rule_action?.status_code).toBe(403);
    const { path = "" } = service.received[0] ?? {};
    expect([...new URL(path, service.url).searchParams]).toEqual([
      ["ruleset_id", "rs 1&"],
    ]);
  });

  // contract: events-3, regions-1
  it("goes to the region's path, or to the configured events address", async () => {
    service = await answering([200, event("e1")]);
    const { url } = service;
    await clientAt(url, { region: "ap" }).events.get("e1");
    await clientAt(url, { eventsUrl: `${url}/own/` }).events.get("e1");
    expect(service.received.map(({ path }) => path)).toEqual([
      "/ap/v4/events/e1",
      "/own/v4/events/e1",
    ]);
  });

  it("refuses an answer that is not an event", async () => {
    const other = await answering([200, { data: RECORD }]);
    const error = await rejection(other.client.events.get("e1"));
    expect(error.name).toBe("UnexpectedAnswerError");
    expect(error.message).toContain("event_id");
  });
});

it("without a secret key, every surface lists the places where it looked for one", async () => {
  const { url, received } = service;
  const { events, deviceReputation } = clientAt(url, { secretKey: "" });
  for (const call of [
    () => events.get("e1"),
    () => events.update("e1", {}),
    () => events.search(),
    () => events.searchAll().next(),
    () => deviceReputation.get("v1"),
  ]) {
    const error = await rejection(call());
    expect(error.name).toBe("ConfigurationError");
    expect(error.message).toSay("events/no-secret-key");
  }
  expect(received).toEqual([]);
});
