import type { Event } from "@devid/sdk";
import { afterEach, describe, expect, it } from "vitest";
import { addEvents, sendEvents } from "../server-api/event-calls.js";
import { identify, setRules } from "../identification/identify-calls.js";
import { LocalWorkspace } from "../../helpers/local-workspace.js";
import { openForTests } from "../../helpers/open-for-tests.js";
import { WebhookReceiver } from "../../helpers/webhook-receiver.js";

const local = openForTests(new LocalWorkspace({ rateLimit: 5 }));

afterEach(() => local.controlCall("POST", "/reset"));

/** The longest tag. */
const LONG_TAG = { filler: "x".repeat(16_000) };

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${local.service.url}${path}`, { headers });

const consoleHtml = async (query = "") => (await get(`/${query}`)).text();

/** The section of a page with this ID. */
const section = (page: string, id: string) =>
  page.slice(page.indexOf(`<section id="${id}"`)).split("</section>")[0] ?? "";

/** The pages that a page links to for details. */
const detailsIn = (page: string) =>
  [...page.matchAll(/data-href="([^"]+)"/g)].map(([, href = ""]) => href);

describe("the console", () => {
  it("shows no key but public ones", async () => {
    const page = await consoleHtml();
    const { us, eu, ap } = local.service.workspaces;
    for (const { secretKey, managementKey } of [us, eu, ap]) {
      expect(page).not.toContain(secretKey);
      expect(page).not.toContain(managementKey);
    }
  });

  it("shows events with the deciding rule, also denied requests", async () => {
    const origin = "http.request.headers['Origin'][0]";
    await setRules(local, [
      {
        name: "our-shop",
        expression: `${origin} == 'https://shop.example'`,
        action: "allow",
        status: "enabled",
      },
      {
        name: "everybody-else",
        expression: "true",
        action: "deny",
        status: "enabled",
      },
    ]);
    const { event_id } = (await identify(local)).body as { event_id: string };
    const headers = { origin: "https://evil.example" };
    expect((await identify(local, {}, { headers })).status).toBe(403);
    await addEvents(local, [{ url: "https://shop.example/stored" }]);

    const page = await consoleHtml();
    const rows = section(page, "visits").split('<tr class="below">');
    expect(rows).toHaveLength(4);
    const rowWith = (value: string) => rows.find((row) => row.includes(value));
    expect(rowWith("https://shop.example/login")).toMatch(/let in[^]*our-shop/);
    expect(rowWith("https://evil.example")).toMatch(
      /refused[^]*everybody-else/,
    );
    expect(rowWith("https://shop.example/stored")).toContain("a control call");
    expect(section(page, "visits")).toContain(event_id);
    const hits = section(page, "rules").match(/<b>\d+<\/b>/g);
    expect(hits?.filter((hit) => hit === "<b>1</b>")).toHaveLength(2);
  });

  it("names a browser without a system, in an event and in a denied request", async () => {
    const headers = { "user-agent": "GPTBot/1.2" };
    await identify(local, {}, { headers });
    const deny = { action: "deny", status: "enabled" };
    await setRules(local, [{ name: "no", expression: "true", ...deny }]);
    await identify(local, {}, { headers });
    const names = section(await consoleHtml(), "visits").match(/>GPTBot[^<]*/g);
    expect(names).toEqual([">GPTBot 1", ">GPTBot 1"]);
  });

  it("says where to find the rest if there are more than 50 visits or deliveries", async () => {
    const visits = (count: number) =>
      Array.from({ length: count }, (_, n) => ({
        url: `https://shop.example/${n}`,
      }));
    await addEvents(local, visits(50));
    expect(section(await consoleHtml(), "visits")).not.toContain("the last 50");
    await addEvents(local, visits(1));
    expect(section(await consoleHtml("?region=us"), "visits")).toMatch(
      /the last 50\. <code>GET \/_local\/us\/decisions<\/code> lists all/,
    );

    const receiver = await WebhookReceiver.start();
    const body = { url: receiver.url, verified: true };
    for (let n = 0; n < 51; n++)
      await local.controlCall("POST", "/us/webhooks", { body });
    await identify(local);
    await receiver.get(51);
    expect(section(await consoleHtml("?region=us"), "deliveries")).toMatch(
      /the last 50\. <code>GET \/_local\/us\/deliveries<\/code> lists all/,
    );
    receiver.close();
  });

  it("counts the hits of equal rules together across rule IDs, and says since when", async () => {
    const blocked = (expression: string) => ({
      name: "crawlers",
      expression,
      action: "deny",
      status: "enabled",
    });
    const crawler = { headers: { "user-agent": "Googlebot/2.1" } };
    const rules = [blocked("http.user_agent.is_crawler_bot")];
    await setRules(local, rules);
    await identify(local, {}, crawler);
    await identify(local, {}, crawler);
    await local.controlCall("POST", "/clock", { body: { advance: "1h" } });
    await setRules(local, rules);
    await identify(local, {}, crawler);
    const hits = (page: string) =>
      /data-name="Hits"[^>]*>\s*<div>\s*<b>(\d+)/.exec(
        section(page, "rules"),
      )?.[1];
    const since = (page: string) =>
      Date.parse(
        /data-name="Since"[^]*?datetime="([^"]+)"/.exec(
          section(page, "rules"),
        )?.[1] ?? "",
      );
    const page = await consoleHtml();
    expect(hits(page)).toBe("3");
    expect(Math.abs(since(page) - Date.now())).toBeLessThan(60_000);
    expect(section(page, "rules")).toMatch(
      /data-name="Environment"[^]*?Default/,
    );
    expect(section(page, "rules")).not.toContain("ae_");

    await setRules(local, [blocked("http.user_agent.is_ai_bot")]);
    const changed = await consoleHtml();
    expect(hits(changed)).toBe("0");
    expect(since(changed)).toBeGreaterThan(Date.now() + 3_000_000);
  });

  it("says where to find the rest of a long expression", async () => {
    const expression = `sdk.version == '${"1".repeat(300)}'`;
    await setRules(local, [
      { name: "long", expression, action: "deny", status: "enabled" },
    ]);
    const shown = section(await consoleHtml(), "rules");
    expect(shown).toContain("all 317 characters");
    const [, href = ""] = /href="([^"]+environment=[^"]+)"/.exec(shown) ?? [];
    const page = await get(href);
    expect(page.status).toBe(200);
    const inForce = new URL(href, local.service.url);
    inForce.pathname += "/in-force";
    expect(await (await fetch(inForce)).text()).toContain(expression);
  });

  it("shows deliveries with their signature and the answer", async () => {
    const receiver = await WebhookReceiver.start();
    receiver.reply = { status: 202, body: "much obliged" };
    const body = { url: receiver.url, verified: true };
    await local.controlCall("POST", "/us/webhooks", { body });
    await identify(local);
    const [got] = await receiver.get(1);
    await expect
      .poll(async () => section(await consoleHtml(), "deliveries"), {
        timeout: 10_000,
      })
      .toContain("delivered");
    const listed = section(await consoleHtml(), "deliveries");
    expect(listed).toContain("202");
    const [href = ""] = detailsIn(listed);
    const shown = await (await get(href)).text();
    expect(shown).toContain(String(got?.headers["fpjs-event-signature"]));
    expect(shown).toContain("much obliged");
    expect(shown).toContain("202");
    const whole = await get(`${href}/body`);
    expect(whole.headers.get("content-type")).toMatch(/^application\/json/);
    expect(await whole.text()).toBe(String(got?.body));
    receiver.close();
  });

  it("shows requests with their keys, also those that met the rate limit", async () => {
    const events = sendEvents(local);
    // All calls at once, because a slow machine would let the bucket fill up again.
    await Promise.all(
      Array.from({ length: 8 }, () => events("GET", "/events")),
    );
    await sendEvents(local, "us", "unknown")("GET", "/events");
    const shown = section(await consoleHtml(), "requests");
    expect(shown).toMatch(/429<\/span[^]*us secret tok_\w+/);
    expect(shown.match(/\/us\/v4\/events/g)).toHaveLength(9);
    expect(shown).not.toContain(local.service.workspaces.us.secretKey);
  });

  it("shows a single workspace on request", async () => {
    await addEvents(local, [{ url: "https://us.example/" }], "us");
    await addEvents(local, [{ url: "https://eu.example/" }], "eu");
    await sendEvents(local, "eu")("GET", "/events");
    const one = await consoleHtml("?region=us");
    expect(one).toContain("https://us.example/");
    expect(one).not.toContain("https://eu.example/");
    expect(section(one, "requests")).not.toContain("/eu/v4/events");
    for (const query of ["", "?region=moon", "?region=us&region=eu"])
      expect(await consoleHtml(query)).toContain("https://eu.example/");
  });

  it("escapes all data from visitors and webhooks", async () => {
    const evil = `"><script>alert('1')</script><img src=x onerror=alert(1)>`;
    await identify(
      local,
      {
        url: `https://shop.example/${evil}`,
        linked_id: evil,
        tag: { [evil]: evil },
      },
      { headers: { "user-agent": evil } },
    );
    await setRules(local, [
      {
        name: evil,
        expression: `http.user_agent.string == "<script>"`,
        action: "deny",
        status: "enabled",
      },
    ]);
    await sendEvents(
      local,
      "us",
      "unknown",
    )("GET", `/events/${encodeURIComponent(evil)}`);
    const receiver = await WebhookReceiver.start();
    receiver.reply = { status: 200, headers: { "x-by": evil }, body: evil };
    const body = { url: receiver.url, verified: true, description: evil };
    await local.controlCall("POST", "/us/webhooks", { body });
    await identify(local, { linked_id: evil });
    await receiver.get(1);
    await expect
      .poll(async () => section(await consoleHtml(), "deliveries"), {
        timeout: 10_000,
      })
      .toContain("delivered");
    const page = await consoleHtml();
    expect(page.match(/<script/g)).toHaveLength(1);
    expect(page).not.toContain("<img");
    expect(page).toContain("&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;");
    const hrefs = detailsIn(page);
    expect(hrefs).toHaveLength(3);
    for (const href of hrefs) {
      const details = await (await get(href)).text();
      expect(details).not.toMatch(/<script|<img/);
      expect(details).toContain("&lt;/script&gt;");
    }
    receiver.close();
  });

  it("shows a whole decision and a whole event on separate pages", async () => {
    const tag = { long: "<x>".repeat(5_000) };
    await identify(local, { linked_id: "user-1", tag });
    const tags = { long: "y".repeat(100_000) };
    const [{ event_id }] = (await addEvents(local, [{ tags }])) as [Event];
    const hrefs = detailsIn(await consoleHtml());
    expect(hrefs.sort()).toEqual([
      expect.stringMatching(/^\/console\/decisions\/us\/\d+$/),
      `/console/events/us/${event_id}`,
    ]);
    const [decision = "", event = ""] = hrefs;
    const pages = await Promise.all(
      hrefs.map(async (href) => (await get(href)).text()),
    );
    expect(pages[0]).toContain("&lt;x&gt;".repeat(5_000));
    expect(pages[0]).toContain("&quot;User-Agent&quot;");
    expect(pages[0]).not.toContain("The whole text");
    // A long text is cut off, with a link to the whole text.
    expect(pages[1]?.length).toBeLessThan(100_000);
    const [, whole = ""] =
      /href="([^"]+)">The whole/.exec(pages[1] ?? "") ?? [];
    expect(whole).toBe(`${event}/json`);
    expect(await (await get(whole)).json()).toMatchObject({ event_id, tags });
    const request = await get(`${decision}/request`);
    expect(await request.json()).toHaveProperty("headers.Origin");
    for (const path of [
      "/console/decisions/eu/1",
      "/console/decisions/us/999999",
      "/console/decisions/us/x",
      `/console/events/eu/${event_id}`,
      "/console/events/moon/1",
      "/console/deliveries/0",
      "/console/deliveries/1/body",
    ])
      expect([path, (await get(path)).status]).toEqual([path, 404]);
  });

  it("stays small with any amount of data", async () => {
    // A service without a rate limit.
    const own = await LocalWorkspace.start();
    const pageOf = async () => (await fetch(own.service.url)).text();
    await addEvents(
      own,
      Array.from({ length: 500 }, (_, n) => ({
        url: `https://shop.example/${n}`,
        tags: LONG_TAG,
      })),
    );
    expect((await pageOf()).length).toBeLessThan(100_000);

    // Every field that a caller can choose has its greatest length.
    const long = "&".repeat(5_000);
    await addEvents(
      own,
      Array.from({ length: 60 }, () => ({
        url: `https://shop.example/${long}`,
        user_agent: long,
        bundle_id: long,
        identification: { visitor_id: long },
        browser_details: {
          browser_name: long,
          browser_major_version: long,
          browser_full_version: long,
          os: long,
          os_version: long,
          device: long,
        },
        tags: { [long]: long },
      })),
    );
    await setRules(
      own,
      Array.from({ length: 60 }, (_, n) => ({
        name: `${n} ${"&".repeat(200)}`,
        expression: `http.user_agent.string == "${long}"`,
        action: "deny",
        status: "enabled",
      })),
    );
    for (let n = 0; n < 60; n++)
      await fetch(`${own.service.url}/us/v4/events/${"'".repeat(10_000)}`);
    const page = await pageOf();
    expect(page.length).toBeLessThan(600_000);
    expect(section(page, "rules")).toContain("10 more rules of us");
    await own.close();
  });

  it("is not logged, and faults do not affect it", async () => {
    const body = { match: {}, then: { status: 500 } };
    await local.controlCall("POST", "/faults", { body });
    for (const path of ["/", "/console/console.css", "/playground/us"])
      expect([path, (await get(path)).status]).toEqual([path, 200]);
    await local.controlCall("DELETE", "/faults");
    expect((await local.controlCall("GET", "/requests")).body).toEqual([]);
  });
});

describe("a page of the console", () => {
  it.each([
    "/",
    "/playground/eu",
    "/playground/eu/rules",
    "/console/rule-playground.js",
    "/console/console.js",
    "/console/console.css",
    "/console/playground.js",
    "/console/icon.svg",
  ])("may run and load only its own files: %s", async (path) => {
    const { headers, status } = await get(path);
    expect(status).toBe(200);
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy.split("; ").sort()).toEqual([
      "base-uri 'none'",
      "connect-src 'self'",
      "default-src 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "img-src 'self'",
      "script-src 'self'",
      "style-src 'self'",
    ]);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("cache-control")).toBe("no-store");
  });

  it("has no inline script or style, because the policy forbids them", async () => {
    for (const path of ["/", "/playground/us", "/playground/us/rules"]) {
      const page = await (await get(path)).text();
      expect(page.match(/<script[^>]*>[^<]/g)).toBeNull();
      expect(page).not.toMatch(/<style|\sstyle=|\son\w+=|javascript:/);
    }
  });
});

describe("the playground", () => {
  it("offers the public keys of its workspace only", async () => {
    const page = await (await get("/playground/eu")).text();
    expect(page).toContain(local.service.workspaces.eu.publicKey);
    expect(page).not.toContain(local.service.workspaces.us.publicKey);
  });

  it("exists for known regions only", async () => {
    expect((await get("/playground/moon")).status).toBe(404);
  });
});

describe("the sections of the console", () => {
  const read = async (query = "") => {
    const answer = await fetch(`${local.service.url}/console/sections${query}`);
    if (answer.status === 204) return undefined;
    return (await answer.json()) as {
      readonly version: string;
      readonly sections: { readonly id: string; readonly html: string }[];
    };
  };

  it("are answered only if something has changed", async () => {
    const first = await read();
    const asked = `?version=${encodeURIComponent(first?.version ?? "")}`;
    expect(await read(asked)).toBeUndefined();
    await addEvents(local, [{ url: "https://new.example/" }]);
    const next = await read(asked);
    const changed = next?.sections.filter(
      ({ id, html }) =>
        html !== first?.sections.find((old) => old.id === id)?.html,
    );
    expect(changed?.map(({ id }) => id)).toEqual(["visits"]);
    expect(changed?.[0]?.html).toContain("https://new.example/");
    expect(await read("?region=eu&version=x")).toMatchObject({
      sections: expect.not.arrayContaining([
        {
          id: "visits",
          html: expect.stringContaining("new.example") as string,
        },
      ]) as unknown,
    });
  });

  it("begin with the last hour: visits that were served and denied, and deliveries", async () => {
    const hour = async () =>
      (await read())?.sections[0]?.html
        .replaceAll(/<svg.*<\/svg>/gs, "")
        .replaceAll(/<[^>]*>|\s+/g, " ")
        .replaceAll(/ +/g, " ");
    expect(await hour()).toContain("0 served 0 denied 0 delivered");
    const receiver = await WebhookReceiver.start();
    const body = { url: receiver.url, verified: true };
    await local.controlCall("POST", "/us/webhooks", { body });
    await identify(local);
    await identify(local);
    await receiver.get(2);
    await setRules(local, [
      { name: "all", expression: "true", action: "deny" },
    ]);
    await identify(local);
    await expect.poll(hour).toContain("2 served 1 denied 2 delivered");
    expect((await read())?.sections[0]?.html.match(/<rect/g)).toHaveLength(3);
    await local.controlCall("POST", "/clock", { body: { advance: "61m" } });
    expect(await hour()).toContain("0 served 0 denied 0 delivered");
    receiver.close();
  });
});
