import { beforeAll, beforeEach, expect, it, vi } from "vitest";
import { openForTests } from "../../helpers/open-for-tests";
import { rejection, Workspace } from "../workspace";

const workspace = openForTests(new Workspace());
beforeAll(() => workspace.moveClock("2026-06-01T00:00:00Z"));
beforeEach(async () => {
  await workspace.control("/us/settings", {
    visitorDeletion: true,
    relatedVisitors: true,
  });
  await workspace.control(
    "/us/events",
    ["v1", "v2"].map((visitor_id) => ({ identification: { visitor_id } })),
  );
});

// contract: events-120
it("a visitor is deleted with version 4 and with version 3", async () => {
  const { events, legacy, visitors } = workspace.client();
  await visitors.delete("v1");
  await legacy.deleteVisitor("v2");
  await workspace.advance("5m");
  await vi.waitFor(async () =>
    expect((await events.search()).events).toEqual([]),
  );
  for (const call of [visitors.delete("v1"), legacy.deleteVisitor("v1")]) {
    const error = await rejection(call);
    expect(error.name).toBe("VisitorNotFoundError");
    expect(error.message).toMatch(/^Deleting visitor v1.* failed: 404/);
  }
});

// contract: events-121
it("a plan without deletion has another error than a missing visitor", async () => {
  const { legacy, visitors } = workspace.client();
  const off = { visitorDeletion: false, relatedVisitors: false };
  await workspace.control("/us/settings", off);
  for (const call of [
    visitors.delete("v1"),
    legacy.deleteVisitor("v1"),
    legacy.relatedVisitors("v1"),
  ])
    expect((await rejection(call)).name).toBe("FeatureNotEnabledError");
});

it("version 3 returns related visitors", async () => {
  const { legacy } = workspace.client();
  const visitorIds = ["v1", "v2"];
  await workspace.control("/us/related-visitors", { visitorIds });
  expect(await legacy.relatedVisitors("v1")).toEqual({
    relatedVisitors: [{ visitorId: "v2" }],
  });
  const error = await rejection(legacy.relatedVisitors("nobody"));
  expect(error.name).toBe("VisitorNotFoundError");
});
