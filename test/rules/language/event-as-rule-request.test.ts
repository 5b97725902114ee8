import { originOf } from "@devid/sdk";
import { ANY_REQUEST } from "@devid/rules";
import { eventAsRuleRequest, UNKNOWN } from "@devid/rules/language";
import { describe, expect, it } from "vitest";
import { compiledIfRight } from "./checked";

const WEB = {
  origin: "https://shop.example:8443",
  url: "https://shop.example:8443/cart?x=1",
  user_agent: "Mozilla/5.0",
  client_referrer: "https://search.example/",
  ip_address: "203.0.113.5",
  sdk: { platform: "js", version: "4.1.0" },
};

/** An event of a platform that the language does not know. */
const OF_A_NEW_PLATFORM = { sdk: { platform: "flutter", version: "1" } };

describe("an event as a rule request", () => {
  it("has the values of the event; all other headers are unknown", () => {
    expect(eventAsRuleRequest(WEB)).toEqual({
      headers: { Origin: [WEB.origin], "User-Agent": [WEB.user_agent] },
      otherHeaders: "unknown",
      ...{ ip: WEB.ip_address, userAgent: WEB.user_agent },
      ...{ isAiBot: false, isCrawlerBot: false, sdkPlatform: "js" },
      ...{ sdkVersion: "4.1.0", appPackageName: "" },
    });
  });

  it("does not take the page's address as Origin, nor the page before as Referer", () => {
    const { headers } = eventAsRuleRequest({
      url: WEB.url,
      client_referrer: WEB.client_referrer,
    } as object);
    expect(headers).toEqual({});
  });

  it("has only unknown values if the event is empty", () => {
    expect(eventAsRuleRequest({})).toEqual({ ...ANY_REQUEST, headers: {} });
  });

  it("takes the package name or bundle ID of an app", () => {
    const android = { platform: "android", version: "2" };
    const appOf = (event: object) => eventAsRuleRequest(event).appPackageName;
    expect(appOf({ sdk: android, package_name: "com.a" })).toBe("com.a");
    expect(appOf({ bundle_id: "com.b" })).toBe("com.b");
    expect(appOf({ sdk: android })).toBe(UNKNOWN);
  });

  it("finds the bot flags from the user agent", () => {
    const flagsOf = (user_agent: string) => {
      const { isAiBot, isCrawlerBot } = eventAsRuleRequest({ user_agent });
      return [isAiBot, isCrawlerBot];
    };
    expect(flagsOf("Googlebot/2.1")).toEqual([false, true]);
    expect(flagsOf("GPTBot/1.2")).toEqual([true, false]);
  });

  it.each<[string, object, boolean | "unknown"]>([
    [`http.request.headers["Origin"][0] contains "shop"`, WEB, true],
    [`any(http.request.headers["origin"], # contains "shop")`, WEB, false],
    [`"x-other" in http.request.headers`, WEB, false],
    [`sdk.platform.is_unknown`, OF_A_NEW_PLATFORM, true],
    [`sdk.platform.name == "unknown"`, OF_A_NEW_PLATFORM, true],
    [`sdk.platform.name == "flutter"`, OF_A_NEW_PLATFORM, false],
    [`"X-Other" in http.request.headers`, WEB, "unknown"],
    [`"Referer" in http.request.headers`, WEB, "unknown"],
    [`"Origin" in http.request.headers`, {}, "unknown"],
    [`http.request.ip in cidr("203.0.113.0/24")`, WEB, true],
    [`http.request.ip in cidr("203.0.113.0/24")`, {}, "unknown"],
    [`http.user_agent.is_ai_bot`, WEB, false],
    [`http.user_agent.is_ai_bot`, {}, "unknown"],
    [`http.user_agent.is_ai_bot and false`, {}, false],
  ])("makes the answer %s for %j", (source, event, value) => {
    const request = eventAsRuleRequest(event);
    const found = compiledIfRight(source)?.evaluatePartly(request) ?? {};
    expect("value" in found ? found.value : Object.keys(found)[0]).toBe(value);
  });
});

it.each([
  [
    { origin: "https://a.example", url: "https://b.example" },
    "https://a.example",
  ],
  [{ url: "HTTPS://B.example:443/x" }, "https://b.example"],
  [{ url: "http://b.example:81/x" }, "http://b.example:81"],
  [{ url: "app://b.example" }, undefined],
  [{ url: "https://" }, undefined],
  [{ url: "/path" }, undefined],
  [{}, undefined],
])("the origin of an event of %j is %s", (event, origin) => {
  expect(originOf(event)).toBe(origin);
});
