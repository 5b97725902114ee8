import type { Client } from "@devid/sdk";
import { beforeAll, describe, expect, it } from "vitest";
import { clientAt } from "../../../sdk/server-api/secret-key-client.js";
import { rejection } from "../../../sdk/workspace.js";
import { FULL_EVENT, NOW } from "./legacy-calls.js";
import { LocalWorkspace } from "../../../helpers/local-workspace.js";
import { openForTests } from "../../../helpers/open-for-tests.js";

let client: Client;
const local = openForTests(new LocalWorkspace());
beforeAll(async () => {
  const { url, workspaces } = local.service;
  client = clientAt(url, { secretKey: workspaces.us.secretKey });
  await local.controlCall("POST", "/clock", { body: { now: NOW } });
  await local.controlCall("POST", "/us/events", { body: [FULL_EVENT] });
});

const ID = FULL_EVENT.event_id;

describe("the SDK with the local service", () => {
  it("reads, changes and finds events of version 3", async () => {
    await client.legacy.update(ID, { linkedId: "order-3", tag: { a: 1 } });
    const event = await client.legacy.get(ID);
    expect(event.products.identification?.data).toMatchObject({
      linkedId: "order-3",
      tag: { a: 1 },
    });
    const page = await client.legacy.search({
      limit: 1,
      linkedId: "order-3",
      ipBlocklist: true,
      proximityPrecisionRadius: 25,
    });
    expect(page).toEqual({ events: [event] });
    const visits = await client.legacy.visitor("visitor-1", { requestId: ID });
    expect(visits.visits).toMatchObject([{ requestId: ID }]);
  });

  it("throws the named errors of version 3", async () => {
    const names = await Promise.all(
      [
        client.legacy.get("nothing"),
        client.legacy.visitor("nobody"),
        client.legacy.search({ limit: 1, paginationKey: "x" }),
        client.deviceReputation.get("nobody"),
      ].map(async (call) => (await rejection(call)).name),
    );
    expect(names).toEqual([
      "EventNotFoundError",
      "VisitorNotFoundError",
      "PaginationKeyError",
      "VisitorNotFoundError",
    ]);
  });

  it("reads the reputation of a device", async () => {
    const { regionalActivity, suspectScore, timestamps } =
      await client.deviceReputation.get("visitor-1");
    expect(regionalActivity?.countries).toMatchObject([{ code: "CZ" }]);
    expect(suspectScore?.maximum.value).toBe(8);
    expect(timestamps?.lastSeenAt).toBe("2026-06-01T11:59:00Z");
    const some = await client.deviceReputation.get("visitor-1", {
      signals: ["timestamps"],
    });
    expect(some).toEqual({ timestamps });
  });

  it("reports that version 3 has ended, after its end", async () => {
    const body = { now: "2027-01-08T00:00:00Z" };
    await local.controlCall("POST", "/clock", { body });
    for (const call of [client.legacy.get(ID), client.legacy.visitor("v")])
      expect((await rejection(call)).name).toBe("VersionEndedError");
  });
});
