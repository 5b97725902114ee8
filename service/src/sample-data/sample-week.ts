import type { Event } from "@devid/sdk";

/** A visit of the sample week. */
export interface SampleVisit {
  /** When, as a part of the week's visits: 0 for the first, towards 1 for the last. */
  readonly share: number;
  /**
   * The number of the visitor. A returning visitor has the same number and stored ID.
   */
  readonly who: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly ip: string;
  readonly platform: "js" | "android" | "ios";
  readonly sdkVersion: string;
  /** The address of the page; an app has none. */
  readonly url?: string | undefined;
  readonly referrer?: string | undefined;
  readonly linkedId?: string | undefined;
  readonly tag?: Readonly<Record<string, string>> | undefined;
  readonly signals: Readonly<Record<string, unknown>>;
  /** Members of the event that the agent does not send. */
  readonly eventMembers: Partial<Event>;
}

/** How many visits of each kind a week has. */
export interface WeekSize {
  readonly pages: number;
  readonly apps: number;
  readonly crawlers: number;
  /** Of scripts that call the endpoint themselves. */
  readonly scripts: number;
  /** Visits of people on a copy of the shop. */
  readonly copies: number;
  /** Of one attack in two hours, which tries the passwords of many accounts. */
  readonly attack: number;
}

const SHOP = "https://shop.example";
const COPY = "https://sh0p.example";

/** When the attack begins and ends, as parts of the week's visits. */
const ATTACK = { from: 0.7, until: 0.715 };

const chrome = (os: string, version: number) =>
  `Mozilla/5.0 (${os}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version}.0.0.0 Safari/537.36`;
const firefox = (os: string, version: number) =>
  `Mozilla/5.0 (${os}; rv:${version}.0) Gecko/20100101 Firefox/${version}.0`;
const safari = (device: string, version: string) =>
  `Mozilla/5.0 (${device}) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/${version} Safari/604.1`;

/** Browsers, weighted by how often people use them. */
const BROWSERS = [
  ...Array<string>(4).fill(chrome("Windows NT 10.0; Win64; x64", 141)),
  ...Array<string>(2).fill(chrome("Macintosh; Intel Mac OS X 10_15_7", 141)),
  chrome("Windows NT 10.0; Win64; x64", 138),
  chrome("X11; Linux x86_64", 141),
  chrome("Linux; Android 10; K", 141),
  chrome("Linux; Android 10; K", 140),
  firefox("Windows NT 10.0; Win64; x64", 143),
  firefox("X11; Linux x86_64", 140),
  safari("Macintosh; Intel Mac OS X 10_15_7", "18.6"),
  ...Array<string>(3).fill(
    safari("iPhone; CPU iPhone OS 18_6 like Mac OS X", "18.6"),
  ),
] as const;

const CRAWLERS = [
  "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
  "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)",
  "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)",
  "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ClaudeBot/1.0; +claudebot@anthropic.com)",
  "Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)",
] as const;

const SCRIPTS = [
  "curl/8.14.1",
  "python-requests/2.32.4",
  "Go-http-client/2.0",
] as const;

const PAGES = [
  "/",
  "/",
  "/products",
  "/products/lamp",
  "/products/desk",
  "/products/chair",
  "/search?q=lamp",
  "/cart",
  "/checkout",
  "/login",
  "/account",
] as const;

const SCREENS = [
  [1920, 1080],
  [2560, 1440],
  [1440, 900],
  [1366, 768],
  [390, 844],
  [412, 915],
] as const;

const PHONES = {
  android: ["Pixel 9", "Pixel 8a", "SM-S926B", "SM-A556B"],
  ios: ["iPhone16,1", "iPhone17,3", "iPhone15,2"],
} as const;

/** Signals of people's devices. A few devices have one of these. */
const PEOPLE_SIGNALS: readonly Partial<Event>[] = [
  { incognito: true },
  { incognito: true, privacy_settings: true },
  { vpn: true, vpn_confidence: "medium" },
  { vpn: true, vpn_confidence: "high" },
  { proxy: true },
  { developer_tools: true },
  { virtual_machine: true },
];

const APP_SIGNALS: readonly Partial<Event>[] = [
  { emulator: true, rare_device: true },
  { root_apps: true },
  { location_spoofing: true },
];

const ATTACK_SIGNALS: Partial<Event> = {
  vpn: true,
  vpn_confidence: "high",
  tampering: true,
  developer_tools: true,
};

/**
 * The visits of a week in a shop, in the order of time: people with browsers and
 * apps, crawlers, scripts, a copy of the shop and an attack. The same seed and size
 * give the same visits.
 */
export function sampleWeek(seed: number, size: WeekSize): SampleVisit[] {
  const draw = new Draw(seed);
  const people = Array.from({ length: Math.ceil(size.pages / 7) }, (_, who) =>
    person(draw, who),
  );
  const phones = Array.from({ length: Math.ceil(size.apps / 5) }, (_, n) =>
    phone(draw, people.length + n),
  );
  let who = people.length + phones.length;
  const times = (count: number, visit: () => Omit<SampleVisit, "share">) =>
    Array.from({ length: count }, () => ({ share: draw.part(), ...visit() }));
  return [
    ...times(size.pages, () => page(draw, draw.often(people), SHOP)),
    ...times(size.apps, () => ({ ...draw.often(phones) })),
    ...times(size.copies, () => page(draw, draw.often(people), COPY)),
    ...times(size.crawlers, () => ({
      ...caller(draw.one(CRAWLERS), `192.0.2.${draw.upTo(20)}`, who++),
      headers: { origin: SHOP, "user-agent": draw.one(CRAWLERS) },
      url: `${SHOP}${draw.one(PAGES)}`,
    })),
    ...times(size.scripts, () =>
      caller(draw.one(SCRIPTS), `198.51.100.${draw.upTo(250)}`, who++),
    ),
    ...times(size.attack, () => attack(draw, who++, people.length)),
  ]
    .map((visit, index) => ({ visit, index }))
    .sort((a, b) => a.visit.share - b.visit.share || a.index - b.index)
    .map(({ visit }) => visit);
}

type Visitor = Omit<SampleVisit, "share">;

function person(draw: Draw, who: number): Visitor {
  const userAgent = draw.one(BROWSERS);
  const home = draw.one(["192.0.2.", "192.0.2.", "198.51.100."]);
  const isOnIpv6 = draw.part() < 0.15;
  const host = draw.upTo(250);
  return {
    who,
    headers: { "user-agent": userAgent, "accept-language": "en" },
    ip: isOnIpv6 ? `2001:db8:${who.toString(16)}::${host}` : `${home}${host}`,
    platform: "js",
    sdkVersion: draw.part() < 0.1 ? "3.12.4" : "4.0.0",
    ...(draw.part() < 0.5 && { linkedId: `customer-${1_000 + who}` }),
    signals: device(draw),
    eventMembers: draw.part() < 0.12 ? draw.one(PEOPLE_SIGNALS) : {},
  };
}

function device(draw: Draw): SampleVisit["signals"] {
  return {
    screen_resolution: draw.one(SCREENS),
    hardware_concurrency: draw.one([4, 8, 8, 10, 16]),
    device_memory: draw.one([4, 8, 8]),
    color_depth: 24,
    timezone: draw.one(["America/Chicago", "Europe/Berlin", "Europe/London"]),
    cookies_enabled: true,
    // The attributes in which devices of one model differ.
    audio: 124 + draw.part() / 10,
  };
}

function page(draw: Draw, visitor: Visitor, origin: string): Visitor {
  const path = draw.one(PAGES);
  const { linkedId, ...unknown } = visitor;
  const isKnown = /^\/(?:account|checkout|login)/.test(path);
  return {
    ...unknown,
    ...(isKnown && { linkedId }),
    headers: { ...visitor.headers, origin },
    url: `${origin}${path}`,
    ...(path === "/" && { referrer: "https://search.example/" }),
    ...(path === "/checkout" && {
      tag: { order: `order-${10_000 + draw.upTo(89_999)}` },
    }),
  };
}

function phone(draw: Draw, who: number): Visitor {
  const platform = draw.one(["android", "android", "ios"] as const);
  const isAndroid = platform === "android";
  const app = "com.example.shop";
  const isOdd = isAndroid && draw.part() < 0.15;
  const model = draw.one(PHONES[platform]);
  return {
    who,
    headers: {
      "user-agent": isAndroid
        ? `Dalvik/2.1.0 (Linux; U; Android 15; ${model})`
        : "Shop/5.2 CFNetwork/1568.200.51 Darwin/24.1.0",
    },
    ip: `198.51.100.${draw.upTo(250)}`,
    platform,
    sdkVersion: isAndroid ? "2.8.0" : "2.10.1",
    linkedId: `customer-${1_000 + who}`,
    signals: {
      device_model: model,
      audio: 124 + draw.part() / 10,
    },
    eventMembers: {
      ...(isAndroid ? { package_name: app } : { bundle_id: app }),
      ...(isOdd && draw.one(APP_SIGNALS)),
    },
  };
}

/** Somebody without a browser: a crawler or a script, which sends few headers and no signals. */
function caller(userAgent: string, ip: string, who: number): Visitor {
  return {
    who,
    headers: { "user-agent": userAgent },
    ip,
    platform: "js",
    sdkVersion: "4.0.0",
    url: `${SHOP}/`,
    signals: {},
    eventMembers: {},
  };
}

function attack(draw: Draw, who: number, people: number): SampleVisit {
  const { from, until } = ATTACK;
  return {
    who,
    share: from + draw.part() * (until - from),
    headers: {
      origin: SHOP,
      "user-agent": chrome("X11; Linux x86_64", 128),
    },
    ip: `203.0.113.${128 + draw.upTo(100)}`,
    platform: "js",
    sdkVersion: "4.0.0",
    url: `${SHOP}/login`,
    linkedId: `customer-${1_000 + draw.upTo(people)}`,
    signals: { ...device(draw), webdriver: true },
    eventMembers: ATTACK_SIGNALS,
  };
}

/** Draws the same values for the same seed (mulberry32). */
class Draw {
  constructor(private state: number) {}

  /** At least 0, less than 1. */
  part(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from 1. */
  upTo(most: number): number {
    return 1 + Math.floor(this.part() * most);
  }

  one<T>(values: readonly T[]): T {
    return values[Math.floor(this.part() * values.length)] as T;
  }

  /** One of the values; the first ones far more often than the last ones. */
  often<T>(values: readonly T[]): T {
    return values[Math.floor(this.part() ** 2 * values.length)] as T;
  }
}
