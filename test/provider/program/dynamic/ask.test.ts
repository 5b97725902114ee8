import * as devid from "@devid/pulumi";
import { EventNotFoundError, InvalidInputError, type Region } from "@devid/sdk";
import * as pulumi from "@pulumi/pulumi";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { rejection, workspaceForTests } from "../../../sdk/workspace";
import { settled } from "../../settled";
import { settingsOf } from "../../settings-of";

const workspace = workspaceForTests();
const noMocks = () =>
  pulumi.runtime.resetOptions("project", "stack", -1, "", "", false, "");
/** Mocks replace the service, so they are set only while a resource is created. */
const withMocks = async <R extends pulumi.Resource>(
  make: () => R,
  call: pulumi.runtime.Mocks["call"] = () => ({}),
): Promise<R> => {
  await pulumi.runtime.setMocks({
    newResource: ({ name, inputs }) => ({
      id: `${name}-id`,
      state: inputs as object,
    }),
    call,
  });
  const made = make();
  await settled(made.urn);
  return made;
};
beforeAll(noMocks);
afterEach(noMocks);

beforeEach(() => {
  pulumi.runtime.setAllConfig({
    ...settingsOf(workspace),
    "devid:secretKey": workspace.service.workspaces.us.secretKey,
    "devid:eventsRequestsPerSecond": "off",
  });
});

const seed = (events: object[], region = "us") =>
  workspace.control(`/${region}/events`, events) as Promise<
    { event_id: string }[]
  >;

/** A provider of another region. Its key is known only once the program runs. */
async function regional(region: Region): Promise<devid.Provider> {
  const keys = workspace.service.workspaces[region];
  const args = {
    region,
    managementKey: pulumi.secret(keys.managementKey),
    secretKey: pulumi.secret(keys.secretKey),
  };
  const made = await withMocks(() => new devid.Provider(region, args));
  noMocks();
  return made;
}

describe("data sources of events", () => {
  it("read one event", async () => {
    const [seeded] = await seed([
      { linked_id: "user-1", tags: { plan: "pro" } },
    ]);
    const eventId = seeded?.event_id ?? "";
    const event = await devid.getEvent({ eventId });
    expect(event).toMatchObject({
      linked_id: "user-1",
      tags: { plan: "pro" },
    });
    const output = await settled(
      devid.getEventOutput({ eventId: pulumi.secret(eventId) }),
    );
    expect(output.value.event_id).toBe(eventId);
    expect(output.isSecret).toBe(true);
  });

  it("read at most the given number of events, and say whether there are more", async () => {
    const now = Date.now();
    await seed(
      Array.from({ length: 130 }, (_, n) => ({
        linked_id: n < 120 ? "many" : "few",
        timestamp: now - 1_000 - n,
      })),
    );
    const args = { linkedId: "many", start: new Date(now - 60_000) };
    const hundred = await devid.getEvents(args);
    expect(hundred.events).toHaveLength(100);
    expect(hundred.hasMore).toBe(true);
    const all = await devid.getEvents({ ...args, maxEvents: 120 });
    expect(all.events).toHaveLength(120);
    expect(all.hasMore).toBe(false);
    const output = await settled(
      devid.getEventsOutput({ ...args, linkedId: pulumi.output("few") }),
    );
    expect(output.value.events).toHaveLength(10);
    expect(output.isSecret).toBe(false);
  });

  it("leave out tags that Pulumi would take for marks of its own objects", async () => {
    const marked = { "4dabf18193072939515e22adb298388d": "1", value: 1 };
    const marks = [{ __pulumiOutput: true }, { list: [marked] }, {}];
    const kept = [{}, { list: [{ value: 1 }] }, {}];
    const tags = marks.map((mark) => ({ ...mark, plan: "pro" }));
    await seed(tags.map((tags) => ({ linked_id: "user-1", tags })));
    const args = { linkedId: "user-1", reverse: true };
    const { value } = await settled(devid.getEventsOutput(args));
    const expected = kept.map((rest) => ({ ...rest, plan: "pro" }));
    expect(value.events.map(({ tags }) => tags)).toEqual(expected);
    expect((await devid.getEvents(args)).events).toEqual(value.events);
  });

  it("let the service count the matching events, however many are read", async () => {
    await seed(Array.from({ length: 130 }, () => ({ linked_id: "many" })));
    const counted = { linkedId: "many", totalHits: 1_000 };
    const one = await devid.getEvents({ ...counted, maxEvents: 1 });
    expect(one).toMatchObject({ hasMore: true, totalHits: 130 });
    expect(one.events).toHaveLength(1);
    const all = await devid.getEvents({ ...counted, maxEvents: 500 });
    expect(all).toMatchObject({ hasMore: false, totalHits: 130 });
    expect(new Set(all.events.map(({ event_id }) => event_id)).size).toBe(130);
    const few = await devid.getEvents({ ...counted, totalHits: 7 });
    expect(few).toMatchObject({ hasMore: true, totalHits: 7 });
    const none = await settled(
      devid.getEventsOutput({ linkedId: "nobody", totalHits: 7 }),
    );
    expect(none.value).toEqual({ events: [], hasMore: false, totalHits: 0 });
    expect(await devid.getEvents({ linkedId: "nobody" })).toEqual({
      events: [],
      hasMore: false,
    });
  });

  it("refuse an invalid search argument, and name it", async () => {
    const wrong = await rejection(devid.getEvents({ maxEvents: 0 }));
    expect(wrong).toBeInstanceOf(InvalidInputError);
    expect(wrong.message).toContain("maxEvents");
    const many = await rejection(devid.getEvents({ totalHits: 1_001 }));
    expect(many).toBeInstanceOf(InvalidInputError);
    expect(many.message).toContain("totalHits: must be a whole number");
    const unknown = { visitor: "x" } as devid.GetEventsArgs;
    expect((await rejection(devid.getEvents(unknown))).message).toContain(
      "visitor",
    );
  });

  it("read device reputation", async () => {
    const data = {
      timestamps: {
        firstSeenAt: "2026-01-02T03:04:05Z",
        lastSeenAt: "2026-02-02T03:04:05Z",
      },
    };
    await workspace.control("/us/drn/visitor-1", data);
    const found = await devid.getDeviceReputation({
      visitorId: "visitor-1",
      signals: ["timestamps"],
    });
    expect(found).toEqual(data);
  });
});

describe("a data source with a provider", () => {
  it("reads from the provider's workspace", async () => {
    const [seeded] = await seed([{ linked_id: "of eu" }], "eu");
    const provider = await regional("eu");
    const event = await devid.getEvent(
      { eventId: seeded?.event_id ?? "" },
      { provider },
    );
    expect(event.linked_id).toBe("of eu");
    const output = await settled(
      devid.getEnvironmentOutput({ default: true }, { provider }),
    );
    expect(output.value.id).toBe(workspace.service.workspaces.eu.environment);
    expect(output.isSecret).toBe(false);
  });

  it("fails when the settings of the provider are still unknown", async () => {
    const endpoint = pulumi.output(workspace.service.url);
    Object.assign(endpoint, { isKnown: Promise.resolve(false) });
    const provider = await withMocks(
      () => new devid.Provider("later", { endpoint }),
    );
    noMocks();
    const error = await rejection(devid.getEvents({}, { provider }));
    expect(error.message).toContain("use getEventsOutput");
    expect(pulumi.RunError.isInstance(error)).toBe(true);
  });
});

describe("Pulumi's mocks", () => {
  it("answer a data source, and no request is sent", async () => {
    const calls: pulumi.runtime.MockCallArgs[] = [];
    await withMocks(
      () => new devid.Environment("staging", { name: "Staging" }),
      (call) => {
        calls.push(call);
        return { id: "ae_1", name: "Staging" };
      },
    );
    const before = await workspace.mark();
    const args = { name: "Staging" };
    const found = await devid.getEnvironment(args);
    expect(found).toMatchObject({ id: "ae_1", name: "Staging" });
    const output = await settled(devid.getEnvironmentOutput(args));
    expect(output.value).toEqual(found);
    const call = { token: "devid:index:getEnvironment", inputs: args };
    expect(calls).toMatchObject([call, call]);
    expect(await workspace.requestsSince(before)).toEqual([]);
  });

  it("may give an empty answer, for example of a device without the signals that were asked for", async () => {
    await withMocks(() => new devid.Environment("e", { name: "E" }));
    const found = await devid.getDeviceReputation({
      visitorId: "Ibk1527CUFmcnjLwIs4A9",
      signals: ["regional_activity"],
    });
    expect(found).toEqual({});
  });

  it("get a Date as a text", async () => {
    const calls: pulumi.runtime.MockCallArgs[] = [];
    await withMocks(
      () => new devid.Environment("e", { name: "E" }),
      (call) => {
        calls.push(call);
        return { events: [], hasMore: false };
      },
    );
    const start = new Date("2026-01-01T00:00:00Z");
    const known = pulumi.output("known");
    const later = known.apply(() => start);
    const invalid = new Date("never");
    await devid.getEvents({ start });
    for (const args of [
      ...[{ start }, { start: later }, { start: Promise.resolve(start) }],
      ...[known.apply(() => ({ start })), { start: invalid }],
    ])
      await settled(devid.getEventsOutput(args));
    const text = "2026-01-01T00:00:00.000Z";
    expect(
      calls.map(({ inputs }) => (inputs as { start: unknown }).start),
    ).toEqual([...Array.from({ length: 5 }, () => text), null]);
  });
});

it("a call stops waiting when its signal is aborted", async () => {
  const signal = AbortSignal.abort(new Error("no longer needed"));
  const error = await rejection(devid.getEvents({}, { signal }));
  expect(error.message).toContain("no longer needed");
});

it("an error keeps its class and has no stack", async () => {
  const error = await rejection(devid.getEvent({ eventId: "1.nothing" }));
  expect(error).toBeInstanceOf(EventNotFoundError);
  expect(pulumi.RunError.isInstance(error)).toBe(true);
});

it("a missing key is reported with the places where devid looked for it", async () => {
  pulumi.runtime.setAllConfig({ "devid:endpoint": workspace.service.url });
  const error = await rejection(devid.getEnvironment({ default: true }));
  expect(error.message).toContain("stack config devid:managementKey");
});
