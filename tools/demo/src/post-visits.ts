import type { Service } from "@devid/service";

const HOUR_MS = 3_600_000;
const WEEK_HOURS = 7 * 24;

const SHOP = "https://shop.example";

const PEOPLE = [
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36",
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Safari/605.1.15",
  "Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0",
];
const CRAWLER =
  "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)";
const PAGES = ["/", "/products", "/cart", "/checkout", "/login"];

/**
 * Visits to a shop in the week before a time, two each hour, the oldest first, as the
 * console lists them: of ten visits, seven are of people, one of a crawler, one of an app,
 * and one of a person on a copy of the shop.
 */
export function visitsOfAWeek(nowMs: number): object[] {
  return Array.from({ length: 2 * WEEK_HOURS }, (_, n) => {
    const person = (n * 7) % 40;
    const page = PAGES[n % PAGES.length] ?? "/";
    const visit = {
      timestamp: nowMs - Math.round((n + 0.5) * (HOUR_MS / 2)),
      ip_address: `192.0.2.${1 + person}`,
      identification: {
        visitor_id: `visitor${String(person).padStart(13, "0")}`,
        visitor_found: n < WEEK_HOURS,
      },
      sdk: { platform: "js", version: "4.0.0" },
      ...(person % 2 === 0 && { linked_id: `customer-${person}` }),
      bot: "not_detected",
      vpn: person % 9 === 0,
    };
    switch (n % 10) {
      case 3:
        return { ...visit, url: SHOP + page, user_agent: CRAWLER, bot: "good" };
      case 5:
        return {
          ...visit,
          sdk: { platform: "android", version: "2.8.0" },
          package_name: "com.example.shop",
        };
      default: {
        const site = n % 10 === 8 ? "https://sh0p.example" : SHOP;
        const user_agent = PEOPLE[person % PEOPLE.length];
        return { ...visit, url: site + page, user_agent };
      }
    }
  }).reverse();
}

/**
 * Posts these visits to a local service whose region `us` has no events, so that searches,
 * `devid rules impact` and the console have something to show.
 */
export async function postVisits({ url, workspaces }: Service): Promise<void> {
  const authorization = `Bearer ${workspaces.us.secretKey}`;
  const call = async (path: string, init: RequestInit) => {
    const answer = await fetch(url + path, init);
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
    return answer.json();
  };
  const start = Date.now() - WEEK_HOURS * HOUR_MS;
  const { events } = (await call(`/us/v4/events?limit=1&start=${start}`, {
    headers: { authorization },
  })) as { events: unknown[] };
  if (events.length > 0) return;
  await call("/_local/us/events", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(visitsOfAWeek(Date.now())),
  });
}
