import { markup, type Markup } from "@devid/rules/internals";
import type { Region } from "@devid/sdk";
import type { Context } from "../context";
import type { Section } from "./html";

const HOUR_MS = 3_600_000;

/** The hour is shown in columns of five minutes. */
const COLUMNS = 12;

/** The size of the picture in its own units; a column has room on its right. */
const [WIDTH, HEIGHT, GAP] = [240, 48, 4];
const STEP = WIDTH / COLUMNS;

const TONES = { served: "good", denied: "bad", delivered: "plain" } as const;
const KINDS = ["served", "denied", "delivered"] as const;

/** What happened in the last hour: one sentence, and a picture of it. */
export function lastHour(
  { store, clock }: Pick<Context, "store" | "clock">,
  regions: readonly Region[],
): Section {
  const sinceMs = clock.nowMs() - HOUR_MS;
  const found = store.activity.counts(regions, sinceMs, HOUR_MS / COLUMNS);
  const columns = Array.from({ length: COLUMNS }, (_, column) => {
    const count = { served: 0, denied: 0, delivered: 0 };
    for (const row of found)
      if (row.column === column) count[row.kind] = row.count;
    return count;
  });
  const totals = KINDS.map((kind) => {
    const total = columns.reduce((sum, column) => sum + column[kind], 0);
    return markup`<b class="${TONES[kind]}">${total}</b> ${kind} `;
  });
  return {
    id: "hour",
    title: "Last hour",
    content: markup`<p class="headline">${totals}</p>
      ${picture(columns)}`,
  };
}

type Count = Readonly<Record<(typeof KINDS)[number], number>>;

/** Columns of visits, the denied ones above the served ones, and a line for deliveries. */
function picture(columns: readonly Count[]): Markup {
  const most = Math.max(1, ...columns.map((one) => one.served + one.denied));
  const heightOf = (count: number) => (count / most) * (HEIGHT - GAP);
  const bar = (tone: string, n: number, bottom: number, height: number) =>
    height > 0 &&
    markup`<rect class="${tone}" x="${n * STEP}" y="${bottom - height}" width="${STEP - GAP}" height="${height}"></rect>`;
  const floor = HEIGHT - GAP;
  return markup`<svg
    class="hour"
    viewBox="0 0 ${WIDTH} ${HEIGHT}"
    role="img"
    aria-label="The last hour in columns of five minutes: served visits, above them denied ones, and a line below where deliveries arrived"
    preserveAspectRatio="none"
  >
    ${columns.map(({ served, denied, delivered }, n) => [
      bar(TONES.served, n, floor, heightOf(served)),
      bar(TONES.denied, n, floor - heightOf(served), heightOf(denied)),
      bar(TONES.delivered, n, HEIGHT, delivered > 0 ? GAP / 2 : 0),
    ])}
  </svg>`;
}
