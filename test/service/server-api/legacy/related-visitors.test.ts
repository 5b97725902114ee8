import { beforeEach, describe, expect, it } from "vitest";
import { addEvents } from "../event-calls.js";
import { NOW, NOW_MS, sendLegacy } from "./legacy-calls.js";
import { localForTests } from "../../../helpers/local-for-tests.js";

const DAY_MS = 24 * 60 * 60 * 1000;

const local = localForTests({}, NOW);
const us = sendLegacy(local);
beforeEach(async () => {
  const events = ["a", "b", "c", "d"].map((visitor_id, n) => ({
    timestamp: NOW_MS - n * DAY_MS,
    identification: { visitor_id },
  }));
  await addEvents(local, events);
});

const enable = () => local.set({ relatedVisitors: true });
const relate = (...visitorIds: string[]) =>
  local.controlCall("POST", "/us/related-visitors", { body: { visitorIds } });
const relatedTo = async (id: string) => {
  const { body } = await us("GET", `/related-visitors?visitor_id=${id}`);
  const { relatedVisitors } = body as {
    relatedVisitors: { visitorId: string }[];
  };
  return relatedVisitors.map(({ visitorId }) => visitorId);
};

describe("GET /related-visitors", () => {
  // contract: legacy-43
  it("is refused unless a control call enabled it", async () => {
    const { status, error } = await us("GET", "/related-visitors?visitor_id=a");
    expect([status, error.code]).toEqual([403, "FeatureNotEnabled"]);
    expect(error.message).toContain('{"relatedVisitors": true}');
  });

  // contract: legacy-44
  it("returns the visitors that a control call has related", async () => {
    await enable();
    expect(await relatedTo("a")).toEqual([]);
    expect((await relate("a", "b", "c")).status).toBe(201);
    expect(await relatedTo("a")).toEqual(["b", "c"]);
    expect(await relatedTo("c")).toEqual(["a", "b"]);
    expect(await relatedTo("d")).toEqual([]);
    await relate("c", "d");
    expect(await relatedTo("a")).toEqual(["b"]);
    expect(await relatedTo("d")).toEqual(["c"]);
  });

  // contract: legacy-43
  it("leaves out visitors without an event in the last 6 months", async () => {
    await enable();
    await relate("a", "b", "unseen");
    expect(await relatedTo("a")).toEqual(["b"]);
    await local.moveClock("2026-11-27T13:00:00Z");
    expect(await relatedTo("b")).toEqual(["a"]);
    expect(await relatedTo("a")).toEqual([]);
  });

  // contract: legacy-44
  it("returns to a key of an environment only visitors of that environment", async () => {
    await enable();
    await relate("a", "b", "e");
    const environment = await local.newEnvironment();
    await addEvents(
      local,
      ["a", "e"].map((visitor_id) => ({
        environment_id: environment,
        identification: { visitor_id },
      })),
    );
    const { token } = await local.newKey({ environment });
    const scoped = sendLegacy(local, "us", token);
    const { body } = await scoped("GET", "/related-visitors?visitor_id=a");
    expect(body).toEqual({ relatedVisitors: [{ visitorId: "e" }] });
    const hidden = await scoped("GET", "/related-visitors?visitor_id=b");
    expect(hidden.status).toBe(404);
  });

  // contract: legacy-43
  it.each([
    ["?visitor_id=nobody", 404, "VisitorNotFound"],
    ["", 400, "RequestCannotBeParsed"],
    ["?visitor_id=", 400, "RequestCannotBeParsed"],
    ["?visitor_id=a&visitor_id=b", 400, "RequestCannotBeParsed"],
    ["?visitor_id=a&page=2", 400, "RequestCannotBeParsed"],
  ])("refuses %j", async (query, status, code) => {
    await enable();
    const answer = await us("GET", `/related-visitors${query}`);
    expect(answer.refusal).toEqual([status, code]);
  });
});

it.each([[["a"]], [["a", ""]], [["a", 5]], ["a"], [Array(101).fill("a")]])(
  "the control call refuses %j",
  async (visitorIds) => {
    const { status } = await local.controlCall("POST", "/us/related-visitors", {
      body: { visitorIds },
    });
    expect(status).toBe(400);
  },
);
