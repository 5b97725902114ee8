import { beforeAll, beforeEach, expect, it } from "vitest";
import { openForTests } from "../../helpers/open-for-tests";
import { rejection, Workspace } from "../workspace";

const workspace = openForTests(new Workspace());
beforeAll(() => workspace.moveClock("2026-06-01T00:00:00Z"));
beforeEach(async () => {
  await workspace.control("/us/settings", { visitorDeletion: true });
  await workspace.control("/us/events", [
    { identification: { visitor_id: "v1" } },
  ]);
});

// contract: events-120
it("a visitor is deleted", async () => {
  const { events, visitors } = workspace.client();
  await visitors.delete("v1");
  await workspace.advance("5m");
  await expect.poll(() => events.search()).toMatchObject({ events: [] });
  const error = await rejection(visitors.delete("v1"));
  expect(error.name).toBe("VisitorNotFoundError");
  expect(error.message).toMatch(/^Deleting visitor v1 failed: 404/);
});

it("a quota that is used up ends after the attempts of the policy, also if they are left undefined", async () => {
  const seen: number[] = [];
  await workspace.fault({
    ...{ match: { method: "DELETE" }, then: { status: 429 } },
  });
  const { visitors } = workspace.client({
    retry: { baseDelayMs: 1, maxDelayMs: 1, budgetMs: 1_000 },
    onRequest: ({ attempt }) => seen.push(attempt),
  });
  const retry = { maxAttempts: undefined };
  const error = await rejection(visitors.delete("v1", { retry }));
  expect(error.name).toBe("ThrottledError");
  expect(seen).toHaveLength(5);
});
