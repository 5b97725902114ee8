import { describe, expect, it } from "vitest";
import type { IdentificationAnswer } from "../../../service/src/agent/identification-wire";
import { searchPage, sendEvents } from "../server-api/event-calls.js";
import { CHROME, eventOf, identify, PAGE, visit } from "./identify-calls.js";
import { sendRaw } from "../raw-request.js";
import { localForTests } from "../../helpers/local-for-tests.js";

const local = localForTests();

describe("an identification", () => {
  // contract: agent-1, agent-33, events-45
  it("makes an event from the body and the HTTP request", async () => {
    const answer = await identify(local, {
      linked_id: "order-1",
      tag: { cart: 3, nested: { a: [1] } },
      client_referrer: "https://search.example/",
      timezone: "Europe/Berlin",
      sdk: { ...PAGE.sdk, integrations: [{ name: "react", version: "1.0.0" }] },
    });
    expect(answer.status).toBe(200);
    const { event_id, visitor_id, storage_id, ...rest } =
      answer.body as IdentificationAnswer;
    expect(visitor_id).toMatch(/^[0-9A-Za-z]{20}$/);
    expect(storage_id).toMatch(/^[0-9A-Za-z]{32}$/);
    expect(rest).toEqual({ suspect_score: 0 });
    const event = await eventOf(local, answer);
    const { timestamp } = event;
    expect(Math.abs(timestamp - Date.now())).toBeLessThan(10_000);
    expect(event).toEqual({
      timestamp,
      velocity: expect.anything() as unknown,
      supplementary_id_high_recall: expect.anything() as unknown,
      event_id,
      source: "device",
      environment_id: local.service.workspaces.us.environment,
      linked_id: "order-1",
      tags: { cart: 3, nested: { a: [1] } },
      sdk: {
        platform: "js",
        version: "4.0.0",
        integrations: [{ name: "react", version: "1.0.0" }],
      },
      identification: {
        visitor_id,
        visitor_found: false,
        first_seen_at: timestamp,
        last_seen_at: timestamp,
        confidence: { score: 0.5, version: "local" },
      },
      url: "https://shop.example/login?step=1",
      origin: "https://shop.example",
      client_referrer: "https://search.example/",
      ip_address: "127.0.0.1",
      ip_info: { v4: { address: "127.0.0.1" } },
      user_agent: CHROME,
      browser_details: {
        browser_name: "Chrome",
        browser_major_version: "131",
        browser_full_version: "131.0.0.0",
        os: "Windows",
        os_version: "NT 10.0",
        device: "Other",
      },
      bot: "not_detected",
      raw_device_attributes: {
        timezone: "Europe/Berlin",
        hardware_concurrency: 8,
        platform: "Win32",
        fonts: ["Arial"],
      },
      suspect_score: 0,
    });
  });

  it("keeps only the signals that an event has a field for, in the event's form", async () => {
    const wrong = { hardware_concurrency: "eight", smell: "lemon", vpn: true };
    const signals = { ...wrong, color_depth: 24, webdriver: false };
    const { event } = await visit(local, { signals });
    expect(event.raw_device_attributes).toEqual({ color_depth: 24 });
    expect(event).not.toHaveProperty("vpn");
    expect(event).not.toHaveProperty("smell");
  });

  it.each([
    // contract: events-116
    ["https://other.example", "https://other.example"],
    // The origin of the address would differ from the origin that the rules saw.
    ["null", undefined],
    // Every browser sends the header. For another client, the url has the origin.
    [undefined, "https://shop.example"],
  ])(
    "from the origin %s makes an event with the origin %s",
    async (origin, expected) => {
      const { event } = await visit(local, {}, { headers: { origin } });
      expect(event.origin).toBe(expected);
    },
  );

  // contract: agent-34
  it("without signals and user agent has no visitor", async () => {
    // Unlike fetch, this request sends no user agent.
    const { url, workspaces } = local.service;
    const path = `/us/web/v4/${workspaces.us.publicKey}`;
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({ ...PAGE, signals: {} });
    const answer = await sendRaw(url, { method: "POST", path, headers }, body);
    const { event_id, visitor_id } = answer.body as Record<string, string>;
    expect(visitor_id).toBe("");
    const event = await local.event(event_id);
    for (const member of ["identification", "user_agent", "bot"])
      expect(event).not.toHaveProperty(member);
  });
});

describe("the body of an identification", () => {
  it.each([
    ["sdk", { sdk: undefined }],
    ["url", { url: undefined }],
    ["signals", { signals: undefined }],
    // contract: agent-28
    [
      "linked_id can't be greater than 256 characters long",
      { linked_id: "x".repeat(257) },
    ],
    ["tag", { tag: { text: "x".repeat(16_384) } }],
    ["tag", { tag: [] }],
    ["storage_id", { storage_id: "x".repeat(65) }],
  ])("is refused for its %s, and makes no event", async (property, change) => {
    const answer = await identify(local, change as never);
    expect(answer.refusal).toEqual([400, "request_cannot_be_parsed"]);
    expect(answer.error.message).toContain(property);
    expect((await searchPage(sendEvents(local))).events).toEqual([]);
  });

  it("may be as long as its limits", async () => {
    const answer = await identify(local, {
      linked_id: "x".repeat(256),
      tag: { text: "x".repeat(16_384 - '{"text":""}'.length) },
    });
    expect(answer.status).toBe(200);
  });

  it("is refused if it is nested too deep", async () => {
    const nested = (levels: number) =>
      `{"a":${"[".repeat(levels - 2)}"]]\\"[["${"]".repeat(levels - 2)}}`;
    const statusOf = async (levels: number, member: string) => {
      const text = `{"sdk":{"platform":"js","version":"1"},"url":"x","signals":{},"${member}":${nested(levels)}}`;
      return (await identify(local, {}, { text, body: JSON.parse(text) }))
        .status;
    };
    for (const member of ["tag", "signals"]) {
      expect(await statusOf(500, member)).toBe(200);
      expect(await statusOf(501, member)).toBe(400);
      expect(await statusOf(100_000, member)).toBe(400);
    }
  });
});

describe("a page of another origin", () => {
  const path = () =>
    `${local.service.url}/us/web/v4/${local.service.workspaces.us.publicKey}`;

  it("may call, as its preflight says", async () => {
    const { status, headers } = await fetch(path(), {
      method: "OPTIONS",
      headers: {
        origin: "https://shop.example",
        "access-control-request-method": "POST",
        "access-control-request-headers": "content-type",
      },
    });
    expect(status).toBe(204);
    expect(Object.fromEntries(headers)).toMatchObject({
      "access-control-allow-origin": "*",
      "access-control-allow-methods": expect.stringContaining("POST") as string,
      "access-control-allow-headers": "content-type",
    });
  });

  it.each(["OPTIONS", "PUT"])("is logged with its key: %s", async (method) => {
    await local.reset();
    await fetch(path(), { method });
    await fetch(`${path()}/more`, { method });
    const { body } = await local.controlCall("GET", "/requests");
    expect(body).toMatchObject([
      { method, key: expect.stringMatching(/^us public /) as string },
      { method, key: null },
    ]);
  });

  it("may read answers and refusals", async () => {
    for (const answer of [
      await identify(local),
      await identify(local, { url: undefined }),
      await identify(local, {}, { key: "unknown" }),
      await identify(local, {}, { text: "{" }),
    ])
      expect(answer.headers.get("access-control-allow-origin")).toBe("*");
  });

  // contract: events-2, management-2
  it("may not call other surfaces", async () => {
    for (const url of ["/management/api-keys", "/us/v4/events"]) {
      const answer = await fetch(`${local.service.url}${url}`, {
        method: "OPTIONS",
        headers: { origin: "https://shop.example" },
      });
      expect(answer.status).not.toBe(204);
      expect(answer.headers.has("access-control-allow-origin")).toBe(false);
    }
  });
});
