import { beforeAll, expect, it } from "vitest";
import { rejection, Workspace } from "../workspace";
import { openForTests } from "../../helpers/open-for-tests";

const NOW = Date.parse("2026-06-01T00:00:00Z");

const workspace = openForTests(new Workspace());
beforeAll(async () => {
  await workspace.moveClock(new Date(NOW).toISOString());
  const identification = { visitor_id: "v1", visitor_found: true };
  await workspace.control(
    "/us/events",
    [1, 2, 3].map((n) => ({
      event_id: `r${n}`,
      timestamp: NOW - 60_000 + n,
      identification,
    })),
  );
});

it("the local service returns version 3 in the form that the client reads", async () => {
  const { legacy } = workspace.client();
  await legacy.update("r1", { linkedId: "l", tag: { t: 1 }, suspect: true });
  const { products } = await legacy.get("r1");
  expect(products.identification?.data).toMatchObject({
    visitorId: "v1",
    requestId: "r1",
    linkedId: "l",
    tag: { t: 1 },
  });

  const first = await legacy.search({ limit: 2, visitorId: "v1" });
  const { paginationKey } = first;
  const last = await legacy.search({
    limit: 2,
    visitorId: "v1",
    paginationKey,
  });
  expect([first.events.length, last.events.length]).toEqual([2, 1]);
  expect(last.paginationKey).toBeUndefined();

  const { visits } = await legacy.visitor("v1", { limit: 10 });
  expect(visits.map(({ requestId }) => requestId)).toEqual(["r3", "r2", "r1"]);
});

it("the errors of version 3 have their names, also after the end of version 3", async () => {
  const { legacy } = workspace.client();
  const error = await rejection(legacy.get("missing"));
  expect(error.name).toBe("EventNotFoundError");
  const { legacy: nobody } = workspace.client({}, { secretKey: "nobody" });
  expect((await rejection(nobody.get("r1"))).name).toBe("SecretKeyError");
  await workspace.moveClock("2027-01-08T00:00:00Z");
  const ended = await rejection(legacy.visitor("v1"));
  expect(ended.name).toBe("VersionEndedError");
});
