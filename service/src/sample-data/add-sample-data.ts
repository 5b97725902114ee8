import { type Region, REGIONS } from "@devid/sdk";
import type { Context } from "../context";
import { AnswerError } from "../http/answer-error";
import { identify } from "../identification/identify";
import { canonicalHeaders } from "../identification/visit";
import type { ApiKeyRow, WebhookRow } from "../store/database/schema";
import { type AttemptEnd, noAnswer } from "../store/records/deliveries";
import { beginAttempts, endAttempt } from "../webhooks/attempts";
import { type SampleVisit, sampleWeek, type WeekSize } from "./sample-week";

const HOUR_MS = 3_600_000;
const WEEK_MS = 7 * 24 * HOUR_MS;

const SEED = 20_251_120;

const SIZES: Readonly<Record<Region, WeekSize>> = {
  us: {
    pages: 1_100,
    apps: 150,
    crawlers: 70,
    scripts: 30,
    copies: 40,
    attack: 90,
  },
  eu: {
    pages: 180,
    apps: 30,
    crawlers: 15,
    scripts: 5,
    copies: 5,
    attack: 0,
  },
  ap: { pages: 40, apps: 10, crawlers: 5, scripts: 0, copies: 0, attack: 0 },
};

const rule = (
  name: string,
  expression: string,
  action: "allow" | "deny",
  status: "enabled" | "disabled" = "enabled",
) => ({ name, expression, action, status });

const BLOCK_CRAWLERS = rule(
  "block-crawlers",
  "http.user_agent.is_crawler_bot",
  "deny",
);

const FIRST_RULES = [
  BLOCK_CRAWLERS,
  rule(
    "allow-our-shop",
    "http.request.headers['Origin'][0] == 'https://shop.example'",
    "allow",
  ),
  rule("block-other-sites", "sdk.platform.is_browser", "deny"),
  rule("block-old-apps", "sdk.version < '2.9'", "deny", "disabled"),
];

/** Rule sets, each written when this share of the week is over. */
const RULES: Readonly<
  Record<Region, readonly { share: number; rules: typeof FIRST_RULES }[]>
> = {
  us: [
    { share: 0, rules: FIRST_RULES },
    {
      share: 0.4,
      rules: [
        rule(
          "block-scripts",
          "http.user_agent.string matches '^(curl|python-requests|Go-http-client)/'",
          "deny",
        ),
        ...FIRST_RULES,
      ],
    },
  ],
  eu: [{ share: 0, rules: [BLOCK_CRAWLERS] }],
  ap: [],
};

/** When the receiver of the webhook did not answer, as parts of the week's visits. */
const OUTAGE = { from: 0.55, until: 0.57 };

/** The receiver refuses one of this many deliveries at first. */
const REFUSES_ONE_OF = 40;

/**
 * Fills the workspaces with a week that ends now: rules, an environment, a webhook,
 * and visits that go through all of an identification, with the clock turned to the
 * time of each. Deliveries are not sent: their answers are made up, and the webhook
 * is disabled in the end. The same visits are made each time; their times count back
 * from now, and IDs are new. Call it before the service takes requests.
 */
export async function addSampleData(context: Context): Promise<void> {
  const { clock } = context;
  const nowMs = clock.nowMs();
  try {
    for (const [index, region] of REGIONS.entries())
      await addWeek(
        context,
        region,
        sampleWeek(SEED + index, SIZES[region]),
        nowMs - WEEK_MS,
      );
  } finally {
    clock.reset();
  }
}

async function addWeek(
  context: Context,
  region: Region,
  visits: readonly SampleVisit[],
  startMs: number,
): Promise<void> {
  const { store, clock, keys } = context;
  const timeOf = rhythm(startMs);
  const environment = store.environments.default(region)?.id ?? "";
  // Created now: the oldest environment of a workspace is the default one.
  if (region === "us")
    store.environments.create(region, {
      name: "Staging",
      description: "For tests of the shop",
    });
  clock.moveTo(startMs);
  const webhook = region === "us" ? addWebhook(context, region) : undefined;
  const toWrite = [...RULES[region]];
  const kept = new Map<number, string>();
  // The start of the service has made this key.
  const key = store.apiKeys.withToken(
    keys.workspaces[region].publicKey,
  ) as ApiKeyRow;
  for (const visit of visits) {
    const atMs = timeOf(visit.share);
    while (toWrite[0] && toWrite[0].share <= visit.share) {
      const { share, rules } = toWrite.shift() ?? toWrite[0];
      clock.moveTo(timeOf(share));
      store.filteringRules.overwrite(region, environment, rules);
    }
    if (webhook) deliver(context, webhook, atMs, visit.share);
    clock.moveTo(atMs);
    const known = kept.get(visit.who);
    const storageId = await visited(context, region, key, visit, known);
    if (storageId !== undefined) kept.set(visit.who, storageId);
  }
  if (!webhook) return;
  deliver(context, webhook, startMs + WEEK_MS, 1);
  clock.reset();
  store.webhooks.update(region, webhook.id, { status: "disabled" });
}

function addWebhook({ store }: Context, region: Region): WebhookRow {
  return store.webhooks.create(region, {
    url: "https://shop.example/webhooks/devid",
    description: "Orders of the shop (sample data)",
    verified: true,
  });
}

/**
 * Makes a visit, and returns the ID that its browser stores; undefined if the visit was
 * refused.
 */
async function visited(
  context: Context,
  region: Region,
  key: ApiKeyRow,
  visit: SampleVisit,
  storageId: string | undefined,
): Promise<string | undefined> {
  try {
    const { storage_id } = await identify(context, region, {
      key,
      headers: canonicalHeaders(Object.entries(visit.headers)),
      ip: visit.ip,
      sent: {
        sdk: { platform: visit.platform, version: visit.sdkVersion },
        url: visit.url,
        client_referrer: visit.referrer,
        linked_id: visit.linkedId,
        tag: visit.tag,
        storage_id: storageId,
        signals: visit.signals,
      },
      eventMembers: visit.eventMembers,
    });
    return storage_id;
  } catch (error) {
    if (error instanceof AnswerError) return undefined;
    throw error;
  }
}

/** Makes the attempts that are due until a time, each when it is due; `share` of the week's visits is over. */
function deliver(
  { store, clock }: Context,
  { id }: WebhookRow,
  untilMs: number,
  share: number,
): void {
  const next = () =>
    store.deliveries.queues().find(({ webhook }) => webhook === id)?.due_at;
  for (let due = next(); due !== undefined && due <= untilMs; due = next()) {
    clock.moveTo(due);
    const nowMs = clock.nowMs();
    for (const attempt of beginAttempts(store, id, nowMs, 10).attempts) {
      const { seq } = attempt.delivery;
      const end = answerTo(seq, attempt.attempt, share);
      endAttempt(store, attempt, end, nowMs + (end.took_ms ?? 0));
    }
  }
}

function answerTo(seq: number, attempt: number, share: number): AttemptEnd {
  if (share >= OUTAGE.from && share < OUTAGE.until)
    return noAnswer("No answer within 3 s.", 3_000);
  const isRefused = attempt === 1 && seq % REFUSES_ONE_OF === 0;
  return {
    took_ms: 40 + ((seq * 37) % 180),
    status: isRefused ? 503 : 200,
    answer_headers: JSON.stringify({ "content-type": "application/json" }),
    answer_body: isRefused ? '{"error":"try again"}' : '{"ok":true}',
    error: null,
  };
}

/**
 * The function that spreads shares of a week's visits over its hours: many come in
 * the evening of Europe and America, few in the night, fewer at the weekend.
 */
function rhythm(startMs: number): (share: number) => number {
  const hours = Array.from({ length: WEEK_MS / HOUR_MS }, (_, n) => {
    const at = new Date(startMs + n * HOUR_MS);
    const daily = 1.2 + Math.sin(((at.getUTCHours() - 11) / 24) * 2 * Math.PI);
    return at.getUTCDay() % 6 === 0 ? daily * 0.7 : daily;
  });
  const all = hours.reduce((sum, weight) => sum + weight, 0);
  return (share) => {
    let left = share * all;
    const hour = hours.findIndex((weight) => (left -= weight) < 0);
    const weight = hours[hour] ?? 1;
    return Math.round(startMs + (hour + 1 + left / weight) * HOUR_MS);
  };
}
