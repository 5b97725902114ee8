import { markup, type Markup } from "@devid/review/internals";
import type { ActivityCount } from "../store/activity";
import type { Section } from "./section";

const HOUR_MS = 3_600_000;

/** The hour is shown in columns of five minutes. */
const COLUMNS = 12;
const COLUMN_MS = HOUR_MS / COLUMNS;

/** The size of the picture in its own units; a column has room on its right. */
const [WIDTH, HEIGHT, GAP] = [240, 48, 4];
const STEP = WIDTH / COLUMNS;

const KINDS = [
  ["served", "good"],
  ["denied", "bad"],
  ["delivered", "plain"],
] as const;

/** What happened in the last hour: one sentence, and a picture of it. */
export const HOUR_SECTION: Section = {
  id: "hour",
  title: "Last hour",
  render: ({ store, clock }, regions) => {
    const sinceMs = clock.nowMs() - HOUR_MS;
    const counts = store.activity.counts(regions, sinceMs, COLUMN_MS);
    const totals = KINDS.map(([kind, tone]) => {
      const own = counts.filter((count) => count.kind === kind);
      const total = own.reduce((sum, { count }) => sum + count, 0);
      return markup`<b class="${tone}">${total}</b> ${kind} `;
    });
    return markup`<p class="headline">${totals}</p>
      ${picture(counts)}`;
  },
};

/** Columns of visits, the denied ones above the served ones, and a dot for deliveries. */
function picture(counts: readonly ActivityCount[]): Markup {
  const of = (kind: ActivityCount["kind"], column: number) =>
    counts.find((row) => row.kind === kind && row.column === column)?.count ??
    0;
  const columns = Array.from({ length: COLUMNS }, (_, n) => ({
    x: n * STEP,
    served: of("served", n),
    denied: of("denied", n),
    delivered: of("delivered", n),
  }));
  const most = Math.max(1, ...columns.map((one) => one.served + one.denied));
  const heightOf = (count: number) => (count / most) * (HEIGHT - GAP);
  const bar = (tone: string, x: number, bottom: number, height: number) =>
    height > 0 &&
    markup`<rect class="${tone}" x="${x}" y="${bottom - height}" width="${STEP - GAP}" height="${height}"></rect>`;
  return markup`<svg
    class="hour"
    viewBox="0 0 ${WIDTH} ${HEIGHT}"
    role="img"
    aria-label="The last hour in columns of five minutes: served visits, above them denied ones, and a line below where deliveries arrived"
    preserveAspectRatio="none"
  >
    ${columns.map(
      ({ x, served, denied, delivered }) =>
        markup`${bar("good", x, HEIGHT - GAP, heightOf(served))}${bar(
          "bad",
          x,
          HEIGHT - GAP - heightOf(served),
          heightOf(denied),
        )}${bar("plain", x, HEIGHT, delivered > 0 ? GAP / 2 : 0)}`,
    )}
  </svg>`;
}
