import { afterEach, describe, expect, it } from "vitest";
import { addEvents, sendEvents } from "../server-api/event-calls.js";
import { identify, visit } from "../identification/identify-calls.js";
import { localForTest } from "../../helpers/local-for-tests.js";
import { LocalWorkspace } from "../../helpers/local-workspace.js";
import { openForTests } from "../../helpers/open-for-tests.js";
import { WebhookReceiver } from "../../helpers/webhook-receiver.js";

const local = openForTests(new LocalWorkspace({ rateLimit: 5 }));

afterEach(() => local.reset());

/** The longest tag. */
const LONG_TAG = { filler: "x".repeat(16_000) };

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${local.service.url}${path}`, { headers });

const html = async (path = "/") => (await get(path)).text();

/** The section of a page with this ID. */
const section = (page: string, id: string) =>
  page.slice(page.indexOf(`<section id="${id}"`)).split("</section>")[0] ?? "";

/** What a section says, without its markup. */
const words = (text: string) =>
  text.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");

/** The pages of the rows of a page. */
const pagesOfRows = (page: string) =>
  [...page.matchAll(/<a id="([^"]+)"/g)].map(([, href = ""]) => href);

const deny = (name: string, expression = "true") => ({
  name,
  expression,
  action: "deny",
  status: "enabled",
});

/** The text of a section of the first page. */
const listed = async (id: string) => section(await html(), id);

async function addWebhook(reply: WebhookReceiver["reply"]) {
  const receiver = await WebhookReceiver.forTest();
  receiver.reply = reply;
  await local.control("/us/webhooks", { url: receiver.url, verified: true });
  return receiver;
}

/** Waits until the deliveries say that, and returns them. */
async function deliveries(saying: string): Promise<string> {
  const timeout = 10_000;
  await expect.poll(() => listed("deliveries"), { timeout }).toContain(saying);
  return listed("deliveries");
}

describe("the console", () => {
  it("shows visits with the rule that decided, refused ones too, and the hits of rules", async () => {
    const shop = "http.request.headers['Origin'][0] == 'https://shop.example'";
    await local.enforce([
      { ...deny("our-shop", shop), action: "allow" },
      deny("everybody-else"),
    ]);
    const { event_id } = await visit(local);
    const headers = { origin: "https://evil.example", "user-agent": "Evil/2" };
    expect((await identify(local, {}, { headers })).status).toBe(403);
    await addEvents(local, [{ url: "https://shop.example/stored" }]);

    const page = await html();
    const rows = section(page, "visits").split("<tr>").map(words);
    const rowWith = (value: string) => rows.find((row) => row.includes(value));
    expect(rows).toHaveLength(5);
    expect(rowWith("https://shop.example/login")).toMatch(/let in our-shop/);
    expect(rowWith("https://shop.example/login")).toContain(event_id);
    expect(rowWith("https://evil.example")).toMatch(/refused everybody-else/);
    expect(rowWith("https://evil.example")).toContain("Evil/2");
    expect(rowWith("https://shop.example/stored")).toContain("a control call");
    expect(words(section(page, "rules"))).toMatch(
      /us Default our-shop allow http.* 1 2.* us Default everybody-else deny true 1 2/,
    );
  });

  it("names a browser without a system, without a comma behind it", async () => {
    await identify(local, {}, { headers: { "user-agent": "GPTBot/1.2" } });
    expect(await listed("visits")).toContain(">GPTBot 1<");
  });

  it("counts the hits of equal rules together across rule IDs", async () => {
    const rules = [deny("crawlers", "http.user_agent.is_crawler_bot")];
    const crawler = { headers: { "user-agent": "Googlebot/2.1" } };
    for (let n = 0; n < 2; n++) {
      await local.enforce(rules);
      await identify(local, {}, crawler);
    }
    const hits = async () =>
      words(await listed("rules")).match(/_bot (\d)/)?.[1];
    expect(await hits()).toBe("2");
    await local.enforce([deny("crawlers", "http.user_agent.is_ai_bot")]);
    expect(await hits()).toBe("0");
  });

  it("shows new visits above those of a time to come, as after the clock was moved back", async () => {
    const later = { timestamp: Date.now() + 86_400_000 };
    await addEvents(local, Array<object>(11).fill(later) as never);
    await identify(local);
    const [, body = ""] = section(await html(), "visits").split("<tbody>");
    expect(words(body.split("</tr>")[0] ?? "")).toContain("let in");
  });

  it("leads to more rows, and then to the call that lists all", async () => {
    const visits = Array.from({ length: 51 }, (_, n) => ({
      url: `https://shop.example/${n}`,
    }));
    await addEvents(local, visits.slice(0, 5));
    expect(await listed("visits")).not.toContain("up to 50");
    await addEvents(local, visits.slice(5));
    const rows = (page: string) => page.match(/<tr>/g)?.length;
    const few = section(await html("/?region=us"), "visits");
    expect(rows(few)).toBe(11);
    const [, href = ""] = /href="([^"]+)"\s*>Live events, up/.exec(few) ?? [];
    const more = await html(href);
    expect(rows(more)).toBe(51);
    expect(more).toMatch(/<code>GET \/_local\/us\/decisions<\/code> lists/);
    expect((await get("/console/moon")).status).toBe(404);
  });

  it("shows deliveries with their signature and the answer", async () => {
    const receiver = await addWebhook({ status: 202, body: "much obliged" });
    await identify(local);
    const [got] = await receiver.get(1);
    const shown = await deliveries("delivered");
    expect(shown).toContain("202");
    const [href = ""] = pagesOfRows(shown);
    const page = await html(href);
    const signature = String(got?.headers["fpjs-event-signature"]);
    for (const text of [signature, "much obliged", "202"])
      expect(page).toContain(text);
    const body = String(got?.body).replace("?step=1", "?[redacted]");
    expect(await html(`${href}?text=body`)).toBe(body);
  });

  it("says when a failed delivery is sent again, and nothing of what a visit lacks", async () => {
    await addWebhook({ status: 500 });
    await addEvents(local, [{ identification: null }]);
    for (const column of ["Visitor", "From"])
      expect(await listed("visits")).toContain(
        `data-name="${column}" class=""><div></div>`,
      );
    await identify(local);
    const [href = ""] = pagesOfRows(await deliveries("retry at"));
    expect(section(await html(href), "state")).toContain("retry at");
  });

  it("shows requests with the names of their keys, also those that met the rate limit", async () => {
    const events = sendEvents(local);
    // All calls at once, because a slow machine would let the bucket fill up again.
    const calls = Array.from({ length: 8 }, () => events("GET", "/events"));
    await Promise.all(calls);
    await sendEvents(local, "us", "unknown")("GET", "/events");
    const page = await html();
    const shown = section(page, "requests");
    expect(shown).toMatch(/429<\/span[^]*us secret tok_\w+/);
    expect(shown.match(/\/us\/v4\/events/g)).toHaveLength(9);
    for (const keys of Object.values(local.service.workspaces))
      for (const key of [keys.secretKey, keys.managementKey])
        expect(page).not.toContain(key);
  });

  it("shows a single workspace on request", async () => {
    await addEvents(local, [{ url: "https://us.example/" }], "us");
    await addEvents(local, [{ url: "https://eu.example/" }], "eu");
    await sendEvents(local, "eu")("GET", "/events");
    const one = await html("/?region=us");
    expect(one).toContain("https://us.example/");
    expect(one).not.toContain("https://eu.example/");
    expect(section(one, "requests")).not.toContain("/eu/v4/events");
    for (const query of ["", "?region=moon", "?region=us&region=eu"])
      expect(await html(`/${query}`)).toContain("https://eu.example/");
  });

  it("escapes all data from visitors and webhooks", async () => {
    const evil = `"><script>alert('1')</script><img src=x onerror=alert(1)>`;
    const tag = { [evil]: evil };
    const url = `https://shop.example/${evil}`;
    const headers = { "user-agent": evil };
    await identify(local, { url, linked_id: evil, tag }, { headers });
    await local.enforce([deny(evil, `http.user_agent.string == "<script>"`)]);
    const unknown = sendEvents(local, "us", "unknown");
    await unknown("GET", `/events/${encodeURIComponent(evil)}`);
    const reply = { status: 200, headers: { "x-by": evil }, body: evil };
    const receiver = await addWebhook(reply);
    await identify(local, { linked_id: evil });
    await receiver.get(1);
    await deliveries("delivered");
    const page = await html();
    expect(page).toContain("&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;");
    const hrefs = pagesOfRows(page);
    expect(hrefs).toHaveLength(3);
    for (const path of ["/", ...hrefs]) {
      const shown = await html(path);
      expect(shown.match(/<script|<img/g), path).toEqual(["<script"]);
      expect(shown).toContain("&lt;/script&gt;");
    }
  });

  it("shows addresses without credentials and query on every page", async () => {
    const secret = (path: string) =>
      `https://canary-user:canary-word@shop.example${path}?token=canary-query`;
    const receiver = await WebhookReceiver.forTest();
    receiver.reply = {
      status: 302,
      headers: { location: secret("/moved") },
      body: JSON.stringify({ see: secret("/answer") }),
    };
    const url = `${receiver.url.replace("//", "//canary-user:canary-word@")}?token=canary-query`;
    await local.control("/us/webhooks", { url, verified: true });
    const referer = secret("/before");
    const expression = `any(http.request.headers['Referer'], # == '${secret("/rule")}')`;
    await local.enforce([deny("leaked", expression)]);
    const page = { url: secret("/login"), tag: { next: secret("/next") } };
    await identify(local, page, { headers: { referer } });
    await addEvents(local, [page, { url: `${secret("/")}${"x".repeat(300)}` }]);
    await sendEvents(local)("GET", `/events?url=${secret("/asked")}`);
    await receiver.get(1);
    await deliveries("302");

    // Every page that a link of the console leads to, and the whole of every text.
    const pages = new Map<string, string>();
    const open = async (path: string) => {
      if (pages.has(path)) return;
      const shown = await html(path);
      pages.set(path, shown);
      for (const [, href = ""] of shown.matchAll(/ href="(\/[^"]*)"/g))
        if (!/\.(css|svg|js)$/.test(href))
          await open(href.replaceAll("&amp;", "&"));
      for (const [, id = ""] of shown.matchAll(/<section id="([^"]+)"/g))
        if (!path.includes("?"))
          pages.set(`${path}?text=${id}`, await html(`${path}?text=${id}`));
    };
    await open("/");
    for (const id of ["visits", "rules", "deliveries", "requests"])
      await open(`/console/${id}`);
    const paths = [...pages.keys()];
    for (const kind of ["decisions", "events", "deliveries"])
      expect(paths.join("\n")).toContain(`/console/${kind}/`);
    const all = [...pages.values()].join("\n");
    for (const path of ["login", "next", "before", "rule", "moved", "answer"])
      expect(all).toContain(`[redacted]@shop.example/${path}?[redacted]`);
    for (const [path, shown] of pages)
      // The request and the rules of the rule playground decide, so they are exact.
      if (!/^\/playground\/us\/rules/.test(path))
        expect(shown.match(/.{40}canary-\w+/), path).toBeNull();
  });

  it("has a page for each decision and event, and the whole of a text that is too long for it", async () => {
    await identify(local, { tag: { long: "<x>".repeat(5_000) } });
    const tags = { long: "y".repeat(100_000) };
    const [event] = await addEvents(local, [{ tags }]);
    const [decision = "", other = ""] = pagesOfRows(await html()).sort();
    expect(decision).toMatch(/^\/console\/decisions\/us\/\d+$/);
    expect(other).toBe(`/console/events/us/${event?.event_id}`);
    const shown = await html(decision);
    expect(shown).toContain("&lt;x&gt;".repeat(5_000));
    expect(shown).toContain("&quot;User-Agent&quot;");
    expect(shown).not.toContain("The whole text");
    const long = await html(other);
    expect(long.length).toBeLessThan(100_000);
    const [, query = ""] = /href="([^"]+)">The whole text/.exec(long) ?? [];
    const whole = await get(other + query);
    expect(whole.headers.get("content-type")).toMatch(/^text\/plain/);
    expect(JSON.parse(await whole.text())).toMatchObject({ tags });
    for (const row of [
      ...["decisions/eu/1", "decisions/us/x", `events/eu/${event?.event_id}`],
      ...["events/moon/1", "deliveries/0"],
    ]) {
      const path = `/console/${row}`;
      const gone = await get(path);
      expect(gone.status, path).toBe(404);
      // A person who follows an old link finds the way back.
      if (!path.includes("moon"))
        expect(await gone.text()).toContain('<a href="/">Console</a>');
    }
    expect((await get(`${other}?text=moon`)).status).toBe(404);
  });

  it("stays small with any amount of data", async () => {
    // A service without a rate limit.
    const own = await localForTest();
    const long = "&".repeat(5_000);
    const add = (count: number, event: object) =>
      addEvents(own, Array<object>(count).fill(event) as never);
    const size = async (path: string) =>
      (await (await fetch(own.service.url + path)).text()).length;
    await add(500, { url: "https://shop.example/", tags: LONG_TAG });
    expect(await size("/")).toBeLessThan(60_000);
    expect(await size("/console/visits")).toBeLessThan(60_000);

    // Every field that a caller can choose has its greatest length.
    await add(60, {
      url: `https://shop.example/${long}`,
      user_agent: long,
      bundle_id: long,
      identification: { visitor_id: long },
      browser_details: {
        ...{ browser_name: long, browser_major_version: long },
        ...{ browser_full_version: long, os: long, os_version: long },
        device: long,
      },
      tags: { [long]: long },
    });
    await own.enforce(
      Array.from({ length: 60 }, (_, n) =>
        deny(`${n} ${"&".repeat(200)}`, `sdk.version == "${long}"`),
      ),
    );
    for (let n = 0; n < 60; n++)
      await fetch(`${own.service.url}/us/v4/events/${"'".repeat(10_000)}`);
    expect(await size("/")).toBeLessThan(200_000);
    for (const table of ["visits", "rules", "requests"])
      expect(await size(`/console/${table}`)).toBeLessThan(400_000);
  });

  it("is not logged, and faults do not affect it", async () => {
    await local.fault({ match: {}, then: { status: 500 } });
    for (const path of ["/", "/console/console.css", "/playground/us/rules"])
      expect((await get(path)).status, path).toBe(200);
    await local.forgetFaults();
    expect(await local.requests()).toEqual([]);
  });
});

describe("a page of the console", () => {
  it.each([
    ...["/", "/console/visits", "/playground/eu/rules"],
    ...["js", "css"].map((type) => `/console/console.${type}`),
    "/console/icon.svg",
  ])("may run and load only its own files: %s", async (path) => {
    const answer = await get(path);
    const { headers } = answer;
    expect(answer.status).toBe(200);
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy.split("; ").sort()).toEqual([
      "base-uri 'none'",
      "connect-src 'self'",
      "default-src 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
      "img-src 'self'",
      "script-src 'self'",
      "style-src 'self'",
    ]);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("referrer-policy")).toBe("same-origin");
    expect(headers.get("cache-control")).toBe("no-store");
    const text = await answer.text();
    if (!headers.get("content-type")?.startsWith("text/html")) return;
    expect(text.match(/<script[^>]*>[^<]/g)).toBeNull();
    expect(text).not.toMatch(/<style|\sstyle=|\son\w+=|javascript:/);
  });

  it("is sent again only if something has changed", async () => {
    const version = (await get("/")).headers.get("etag") ?? "";
    const again = () => get("/", { "if-none-match": version });
    expect((await again()).status).toBe(304);
    await addEvents(local, [{ url: "https://new.example/" }]);
    expect(await (await again()).text()).toContain("https://new.example/");
  });
});

it("a page of a region exists for known regions only", async () => {
  for (const path of ["/playground/moon/rules", "/playground/us"])
    expect((await get(path)).status).toBe(404);
});

describe("the rule playground", () => {
  const PATH = "/playground/us/rules";
  const RULES = `rules:
  - name: crawlers
    expression: http.user_agent.is_crawler_bot && sdk.platform.is_browser
    action: deny
`;
  const send = (fields: Record<string, string>, headers = {}) => {
    const body = new URLSearchParams(fields);
    return fetch(local.url + PATH, { method: "POST", headers, body });
  };
  const resultsOf = (page: string) => words(section(page, "results"));
  /** What a button of the form answers. */
  const press = async (button: string, fields: Record<string, string>) =>
    resultsOf(
      await (await send({ do: button, rules: RULES, ...fields })).text(),
    );
  const googlebot = '{"userAgent": "Googlebot/2.1"}';

  it("decides like the service, and explains each term", async () => {
    const request = '{"userAgent": "Googlebot/2.1", "sdkPlatform": "ios"}';
    const told = await press("decide", { request });
    expect(told).toContain("allow , for no rule matches.");
    expect(told).toContain("crawlers deny not matched");
    expect(told).toContain("true http.user_agent.is_crawler_bot");
    expect(told).toContain("false sdk.platform.is_browser");
    const partial = { request: googlebot, partial: "on" };
    const origin = "http.request.headers['Origin'][0] == ''";
    const rules = RULES.replace("sdk.platform.is_browser", origin);
    const unknown = "http.request.headers[&#39;Origin&#39;] is unknown";
    expect(await press("decide", { ...partial, rules })).toContain(unknown);
    expect(await press("decide", partial)).toContain(
      "cannot tell : it depends on unknown parts of the request. May decide: crawlers .",
    );
  });

  it("decides the request that stands there, where no visit is chosen to take one from", async () => {
    const told = await press("take", { visit: "", request: googlebot });
    expect(told).toContain("no rule matches");
  });

  it("names every mistake of the rules and of the request, with its place", async () => {
    const rules = RULES.replace("is_browser", "is_phone");
    const told = await press("decide", { rules, request: '{"port": 1}' });
    expect(told).toMatch(/Rule file, line 3, column \d+: .*is_phone/);
    const meant = RULES.replace("action:", "acton:");
    expect(await press("decide", { rules: meant })).toMatch(/mean action\?\s/);
    expect(told).toMatch(/Request: .*port/);
    const both = await press("decide", { rules: "rules: [", request: "{" });
    expect(both).toContain("Rule file, line 1");
    expect(both).toMatch(/Request: it is not JSON: (?!SyntaxError)/);
  });

  it("takes the request of a visit, of an event without the values that it lacks", async () => {
    await local.enforce([deny("long", `sdk.version == '${"1".repeat(300)}'`)]);
    await identify(local, {}, { headers: { "user-agent": "curl/8" } });
    const [decision = ""] = pagesOfRows(await html());
    const [, why = ""] =
      /href="([^"]+)">each rule/.exec(await html(decision)) ?? [];
    const asked = await html(why.replaceAll("&amp;", "&"));
    expect(asked).toContain("1".repeat(300));
    expect(asked).toContain("&quot;Accept-Language&quot;");
    expect(resultsOf(asked)).toContain("allow , for no rule");
    const [event] = await addEvents(local, [{ user_agent: "curl/9" }]);
    const taken = await html(`${PATH}?visit=event:${event?.event_id}`);
    expect(taken).toContain("curl/9");
    expect(resultsOf(taken)).toContain("long");
    expect(taken).toMatch(/name="partial"\s+checked/);
    expect(taken).not.toContain("&quot;ip&quot;");
    const [, href = ""] =
      /href="([^"]+environment=[^"]+)"/.exec(await html()) ?? [];
    expect(await html(href)).toContain("1".repeat(300));
  });

  it("begins with the rules of an event's own environment, while it exists", async () => {
    const environment = await local.newEnvironment();
    await local.enforce([deny("at-home")]);
    await local.enforce([deny("abroad")], environment);
    const [event] = await addEvents(local, [{ environment_id: environment }]);
    const results = async () => {
      const path = `${PATH}?visit=event:${event?.event_id}`;
      return resultsOf(await html(path));
    };
    expect(await results()).toContain("deny , decided by abroad");
    await local.us("DELETE", `/environments/${environment}`);
    expect(await results()).toContain("deny , decided by at-home");
  });

  it("shows again what somebody wrote after its visit and environment were deleted", async () => {
    const written = { rules: RULES, request: googlebot };
    const gone = { environment: "ae_gone", visit: "decision:1" };
    const sent = await send({ do: "take", ...written, ...gone });
    expect(sent.status).toBe(200);
    const page = await sent.text();
    const lost = "The visit is no longer stored: decision:1";
    expect(resultsOf(page)).toContain(lost);
    for (const part of ["is_crawler_bot", "Googlebot/2.1"])
      expect(page).toContain(part);
    const told = await press("decide", { ...written, ...gone });
    expect(told).toContain("crawlers deny not matched");
  });

  it("takes a link whose query holds question marks", async () => {
    expect(await html(`${PATH}?request=a?b`)).toContain("a?b</textarea>");
  });

  it("escapes what a rule and a request say, also if they cannot be read", async () => {
    const evil = `</textarea>"><script>alert('1')</script><img src=x>`;
    const expression = `http.user_agent.string == ${JSON.stringify(evil)}`;
    for (const written of [expression, evil])
      for (const request of [JSON.stringify({ userAgent: evil }), evil]) {
        const rules = [{ name: evil, expression: written, action: "deny" }];
        const given = { rules: JSON.stringify({ rules }), request };
        const shown = await (await send({ do: "decide", ...given })).text();
        expect(shown.match(/<script|<img/g)).toBeNull();
        expect(shown).toContain("&lt;/script&gt;");
      }
  });

  it("refuses pages of other sites, other bodies and what does not exist", async () => {
    const statusOf = async (headers: object) =>
      (await send({ do: "decide" }, headers)).status;
    expect(await statusOf({ origin: "https://evil.example" })).toBe(403);
    expect(await statusOf({ "content-type": "text/plain" })).toBe(415);
    for (const query of ["environment=ae_moon", "visit=event:1", "visit=moon"])
      expect((await get(`${PATH}?${query}`)).status).toBe(404);
  });
});
