import { createClient } from "@devid/sdk";
import { beforeEach, describe, expect, it } from "vitest";
import { configurationFrom, rejection, Workspace } from "../workspace";
import { openForTests } from "../../helpers/open-for-tests";

const workspace = openForTests(new Workspace());
beforeEach(() => workspace.reset());

/** Stores events one second apart. The last was an hour ago. */
async function store(events: readonly object[]): Promise<void> {
  const lastAt = Date.now() - 3_600_000;
  await workspace.control(
    "/us/events",
    events.map((event, index) => ({
      event_id: `e${index}`,
      timestamp: lastAt - (events.length - 1 - index) * 1000,
      ...event,
    })),
  );
}

describe("events of the local service", () => {
  it("are returned as they were stored, with the decision of a ruleset", async () => {
    const stored = {
      event_id: "1700000000000.AbCdEf",
      user_agent: "curl/8",
      tags: { aB_c: 1 },
      signal_of_tomorrow: { deep: [1] },
    };
    await store([stored]);
    await workspace.control("/us/rulesets", {
      id: "rs_1",
      rules: [
        {
          id: "r_1",
          expression: "http.user_agent.string contains 'curl'",
          action: "block",
        },
      ],
    });
    const { events } = workspace.client();
    expect(await events.get(stored.event_id)).toMatchObject(stored);
    const judged = await events.get(stored.event_id, { rulesetId: "rs_1" });
    expect(judged.rule_action).toMatchObject({
      type: "block",
      rule_id: "r_1",
    });
    const missing = events.get(stored.event_id, { rulesetId: "rs_2" });
    expect((await rejection(missing)).name).toBe("RulesetNotFoundError");
  });

  it("can be changed once they are old enough", async () => {
    await store([{ event_id: "new", timestamp: Date.now() - 1_500 }]);
    const { events } = workspace.client();
    await events.update("new", {
      linkedId: "l",
      tags: { t: 1 },
      suspect: true,
    });
    expect(await events.get("new")).toMatchObject({
      linked_id: "l",
      tags: { t: 1 },
      suspect: true,
    });
    const { events: found } = await events.search({ suspect: true });
    expect(found).toHaveLength(1);
  });
});

describe("the errors of the local service have their names", () => {
  const client = (settings: Parameters<Workspace["configuration"]>[0] = {}) =>
    createClient(workspace.configuration(settings)).events;

  it("for events, keys, regions and pages", async () => {
    await store([{}, {}]);
    const { eu } = workspace.service.workspaces;
    const endpoint = workspace.service.url;
    const nobody = createClient(
      configurationFrom({ endpoint, secretKey: "nobody" }),
    ).events;
    const names = [
      client().get("missing"),
      client().update("missing", { suspect: true }),
      nobody.get("e0"),
      client({ secretKey: eu.secretKey }).get("e0"),
      client().search({ paginationKey: "tampered with" }),
    ].map(async (call) => (await rejection(call)).name);
    expect(await Promise.all(names)).toEqual([
      "EventNotFoundError",
      "EventNotFoundError",
      "SecretKeyError",
      "WrongRegionError",
      "PaginationKeyError",
    ]);
  });

  it("for an event that is too new or too old", async () => {
    const month = 31 * 86_400_000;
    await store([
      { event_id: "new", timestamp: Date.now() + 60_000 },
      { event_id: "old", timestamp: Date.now() - month },
    ]);
    const tooNew = client().update("new", {}, { deadlineMs: 50 });
    expect((await rejection(tooNew)).name).toBe("EventNotMutableError");
    const tooOld = await rejection(client().update("old", { suspect: true }));
    expect(tooOld).toMatchObject({ name: "ValidationError", status: 400 });
  });
});
