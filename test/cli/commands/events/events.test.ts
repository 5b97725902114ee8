import { beforeEach, describe, expect, it, vi } from "vitest";
import { momentFlag } from "../../../../cli/src/flags/flag-values";
import { rangeOf } from "../../../../cli/src/flags/shared-flags";
import { LocalWorkspace } from "../../../helpers/local-workspace";
import { openForTests } from "../../../helpers/open-for-tests";
import { DevidProcess, failed, succeeded } from "../../devid-process";

const workspace = openForTests(new LocalWorkspace({ mutableAfterMs: 0 }));
beforeEach(() => workspace.control("/reset", undefined));

/** Without the management key. */
const env = () => ({ ...workspace.env, DEVID_MANAGEMENT_KEY: "" });
const devid = (...args: string[]) => DevidProcess.run(args, env());
const seed = async (events: object[]) =>
  (await workspace.control("/us/events", events)) as { event_id: string }[];

const EVENT = {
  timestamp: Date.now() - 60_000,
  identification: { visitor_id: "visitor-1", visitor_found: true },
  ip_address: "203.0.113.7",
  linked_id: "user-1",
  url: `https://shop.example/${"long/".repeat(30)}`,
  user_agent: "Mozilla/5.0 \u001b[31m(X11)",
  bot: "not_detected",
  vpn: true,
};

describe("devid events get", () => {
  it("shows the most important fields in 80 columns, without control characters", async () => {
    const [event] = await seed([EVENT]);
    const id = event?.event_id ?? "";
    const { stdout } = await succeeded(devid("events", "get", id));
    const lines = stdout.split("\n");
    expect(lines).toContain("Visitor        visitor-1");
    expect(lines).toContain("IP address     203.0.113.7");
    expect(lines).toContain("Signals        vpn");
    expect(stdout).not.toContain("\u001b");
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
    expect(lines.at(-2)).toMatch(/^\(\d+ fields; --json prints them all\)$/);
  });

  it("says that the event does not exist", async () => {
    const stderr = await failed(devid("events", "get", "1.nothing"));
    expect(stderr).toContain("event_not_found");
    expect(stderr).not.toContain(workspace.env.DEVID_SECRET_KEY);
  });
});

describe("devid events search", () => {
  it("lists events as a table, from as many pages as it needs", async () => {
    const now = Date.now();
    await seed(
      Array.from({ length: 130 }, (_, n) => ({
        ...EVENT,
        timestamp: now - 1_000 - n,
      })),
    );
    const args = ["events", "search", "--linked-id", "user-1"];
    const { stdout, stderr } = await succeeded(
      devid(...args, "--limit", "120"),
    );
    const lines = stdout.trimEnd().split("\n");
    expect(lines[0]).toMatch(/^TIME \(UTC\) +EVENT +VISITOR +IP ADDRESS$/);
    expect(lines).toHaveLength(121);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
    expect(stderr).toBe("120 events; more match, --limit shows them.\n");
    const two = [...args, "--limit", "2"];
    const table = await devid(...two);
    expect(table.stdout).toBe(`${lines.slice(0, 3).join("\n")}\n`);
    const json = await devid(...two, "--json");
    expect(JSON.parse(json.stdout)).toMatchObject({
      events: [{ linked_id: "user-1" }, { linked_id: "user-1" }],
      hasMore: true,
    });
    const all = await devid(...args, "--limit", "130", "--json");
    expect(JSON.parse(all.stdout)).toMatchObject({ hasMore: false });
  });

  it.each([
    ["the newest first", [], [5, 4, 3, 2]],
    ["the oldest first", ["--reverse"], [0, 1, 2, 3]],
  ])(
    "reads day by day when the service takes too long, %s",
    async (_, flags, order) => {
      const now = Date.now();
      await seed(
        Array.from({ length: 6 }, (__, n) => ({
          ...EVENT,
          event_id: `e${n}`,
          timestamp: now - (6 - n) * 24 * 3_600_000 + 60_000,
        })),
      );
      const body = { error: { code: "failed", message: "Too slow." } };
      await workspace.fault({
        match: { method: "GET" },
        times: 3,
        then: { status: 504, body },
      });
      const search = ["events", "search", "--limit", "4", ...flags];
      const { stdout, stderr } = await succeeded(devid(...search, "--json"));
      const { events } = JSON.parse(stdout) as {
        events: { event_id: string }[];
      };
      expect(events.map(({ event_id: id }) => id)).toEqual(
        order.map((n) => `e${n}`),
      );
      expect(stderr).toContain("searching day by day");
    },
  );

  it.each(["", ":00", ":00.000Z", "Z", "+00:00"])(
    "a time without a zone is in UTC, whatever the zone of the machine: 10:00%s",
    (rest) => {
      vi.stubEnv("TZ", "Asia/Tokyo");
      const time = Date.parse("2026-11-28T10:00Z");
      for (const text of [`2026-11-28T10:00${rest}`, `2026-11-28 10:00${rest}`])
        expect(momentFlag(text).getTime()).toBe(time);
      expect(momentFlag("2026-11-28").toJSON()).toContain("28T00:00:00.000Z");
      expect(momentFlag("2026-11-28T19:00+09:00").getTime()).toBe(time);
      expect(momentFlag(String(time)).getTime()).toBe(time);
      vi.unstubAllEnvs();
    },
  );

  it("on a machine that has lost its time, past events begin in 1970", () => {
    vi.setSystemTime(5_000);
    expect(rangeOf({}).start.getTime()).toBe(0);
    vi.useRealTimers();
  });

  it("accepts every kind of filter", async () => {
    await seed([
      EVENT,
      { ...EVENT, bot: "bad", suspect_score: 9, vpn: false },
      { ...EVENT, ip_address: "198.51.100.1", vpn: false },
    ]);
    const count = async (...flags: string[]) => {
      const { stdout } = await devid("events", "search", "--json", ...flags);
      return (JSON.parse(stdout) as { events: unknown[] }).events.length;
    };
    expect(await count()).toBe(3);
    expect(await count("--bot", "bad")).toBe(1);
    expect(await count("--vpn", "false")).toBe(2);
    expect(await count("--min-suspect-score", "8.5")).toBe(1);
    expect(await count("--ip-address", "203.0.113.0/24")).toBe(2);
    expect(await count("--since", "1h")).toBe(3);
    expect(await count("--since", "30s")).toBe(0);
    expect(await count("--environment", "ae_none")).toBe(0);
    const { environment } = workspace.service.workspaces.us;
    const both = ["--environment", "ae_none", "--environment", environment];
    expect(await count(...both)).toBe(3);
  }, 60_000);

  it("accepts the name of an environment, and looks it up with the management key", async () => {
    await seed([EVENT]);
    const { environment, managementKey } = workspace.service.workspaces.us;
    const all = await workspace.list("environments");
    const name = String(all.find(({ id }) => id === environment)?.name);
    const search = (named: string, more: Record<string, string> = {}) =>
      DevidProcess.run(["events", "search", "--json", "--environment", named], {
        ...env(),
        ...more,
      });
    const withKey = { DEVID_MANAGEMENT_KEY: managementKey };
    const { stdout } = await search(name, withKey);
    expect((JSON.parse(stdout) as { events: unknown[] }).events).toHaveLength(
      1,
    );
    expect(await failed(search("Moon", withKey))).toContain(
      'has no environment \\"Moon\\"; it has ',
    );
    expect(await failed(search(name))).toContain("needs a management key");
  });

  it.each([
    [["--bot", "no"], "Allowed choices are all, good, bad, none"],
    [["--vpn", "perhaps"], "It has to be true or false"],
    [["--since", "yesterday"], "how long ago, such as 24h"],
    [["--since", "99999d"], "how long ago, such as 24h"],
    ...["2026-02-30", "-1", "1795900000", "Nov 28 2026", "2026-11-28T10"].map(
      (time): [string[], string] => [
        ["--since", time],
        "has to be a date-time",
      ],
    ),
    [["--since", "2999-01-01"], "There is no time between --since, 2999-"],
    [["--since", "1h", "--until", "2h"], "There is no time between --since"],
    [["--limit", "0"], "It has to be a whole number of at least 1"],
    [["--ip-address", "nowhere"], "ipAddress"],
    [["--nothing", "x"], "unknown option '--nothing'"],
  ])("refuses %j", async (flags, message) => {
    const stderr = await failed(devid("events", "search", ...flags));
    expect(stderr.replace(/\s+/g, " ")).toContain(message);
  });
});

describe("devid events update", () => {
  it("changes the given fields", async () => {
    const [event] = await seed([EVENT]);
    const id = event?.event_id ?? "";
    const update = ["events", "update", id];
    const { code, stdout } = await devid(
      ...update,
      "--linked-id",
      "user-2",
      "--tags",
      '{"plan":"pro"}',
      "--suspect",
      "true",
    );
    expect(stdout).toBe(`Updated event ${id}: linkedId, tags, suspect.\n`);
    expect(code).toBe(0);
    const { stdout: shown } = await devid("events", "get", id, "--json");
    expect(JSON.parse(shown)).toEqual({
      ...event,
      ...{ linked_id: "user-2", tags: { plan: "pro" }, suspect: true },
    });
  });

  it.each([
    [[], "Nothing to change"],
    [["--tags", "{"], "--tags has to be a JSON object"],
    [["--tags", "[]"], "--tags has to be a JSON object"],
    [
      ["--tags", "@/no/such/file"],
      "/no/such/file cannot be read: there is no such file.",
    ],
  ])("refuses %j", async (flags, message) => {
    expect(await failed(devid("events", "update", "1.a", ...flags))).toContain(
      message,
    );
  });
});

describe("devid drn get", () => {
  const reputation = {
    regionalActivity: {
      startDate: "2026-01-01T00:00:00Z",
      endDate: "2026-01-31T00:00:00Z",
      countries: [
        { code: "FR", detectors: [{ type: "ip", activityPercentage: 0.755 }] },
      ],
    },
    suspectScore: {
      startDate: "2026-01-01T00:00:00Z",
      endDate: "2026-01-31T00:00:00Z",
      minimum: { value: 1, signals: {} },
      maximum: { value: 12, percentile: 97, signals: { rootApps: 4 } },
    },
    timestamps: {
      firstSeenAt: "2026-01-02T03:04:05Z",
      lastSeenAt: "2026-02-02T03:04:05Z",
    },
  };

  it("shows the reputation of a device", async () => {
    await workspace.control("/us/drn/visitor-1", reputation);
    const { stdout } = await succeeded(devid("drn", "get", "visitor-1"));
    expect(stdout).toBe(
      [
        "Activity       2026-01-01T00:00:00Z to 2026-01-31T00:00:00Z",
        "Countries      FR  ip 75.5 %",
        "Suspect score  1 to 12 (percentile 97)",
        "               rootApps 4",
        "First seen     2026-01-02T03:04:05Z",
        "Last seen      2026-02-02T03:04:05Z",
        "",
      ].join("\n"),
    );
  });

  it("says so if there is none", async () => {
    const then = { status: 200, body: { data: {} } };
    await workspace.fault({ match: {}, times: 1, then });
    const { stdout } = await succeeded(devid("drn", "get", "visitor-1"));
    expect(stdout).toBe("Signals        none\n");
  });

  it("requests only the named signals", async () => {
    await workspace.control("/us/drn/visitor-1", reputation);
    const signals = ["--signals", "timestamps"];
    const { stdout } = await devid(
      "drn",
      "get",
      "visitor-1",
      ...signals,
      "--json",
    );
    expect(JSON.parse(stdout)).toEqual({ timestamps: reputation.timestamps });
    expect(
      await failed(devid("drn", "get", "visitor-1", "--signals", "all")),
    ).toContain("is none of regional_activity");
  });
});
