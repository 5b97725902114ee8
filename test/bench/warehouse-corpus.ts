import { quotedText } from "@devid/warehouse/sql";

/** The time span of the events: 30 days. */
export const FILES_START = Date.UTC(2026, 4, 1);
export const FILES_END = FILES_START + 30 * 86_400_000;

const EVENTS_PER_FILE = 1_000_000;

/** A skewed number below `values`: a few values are frequent, and many are rare. */
const skewed = (values: number, salt: number) =>
  `CAST(floor(pow((hash(n * 31 + ${salt}) % 1000003) / 1000003.0, 3) * ${values}) AS BIGINT)`;
const evenly = (values: number, salt: number) =>
  `CAST(hash(n * 31 + ${salt}) % ${values} AS BIGINT)`;

/** A row for each number `n`: an event of a shop with a site, partners and apps. */
const COLUMNS: Readonly<Record<string, string>> = {
  event_id: "printf('%012d.%06x', n, hash(n) % 16777216)",
  timestamp: `CAST(${FILES_START} + floor(n * 1.0 / total * ${FILES_END - FILES_START}) AS BIGINT)`,
  environment_id: "'env-shop'",
  ip_address: `CASE WHEN ${evenly(10, 1)} = 0 THEN printf('2001:db8:%x:%x::%x', ${skewed(400, 2)}, ${evenly(4096, 3)}, ${evenly(65_536, 4)}) ELSE concat(100 + ${evenly(80, 5)}, '.', ${evenly(256, 6)}, '.', ${evenly(256, 7)}, '.', ${evenly(256, 8)}) END`,
  user_agent: `CASE WHEN ${evenly(50, 9)} = 0 THEN concat('Mozilla/5.0 (compatible; bot-', ${evenly(60, 10)}, '/', ${evenly(9, 11)}, '.0; Scraper-', ${evenly(90, 12)}, ')') ELSE concat('Mozilla/5.0 (Linux; Android ', 9 + ua // 2000, '; SM-', ua % 2000, 'B) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/', 90 + ua % 53, '.0.', ua % 997, '.0 Mobile Safari/537.36') END`,
  origin:
    "CASE WHEN app > 0 THEN NULL WHEN site % 5 = 0 THEN concat('https://a', site, '.example') WHEN site % 5 = 1 THEN concat('https://www.partner-', site, '.example') ELSE concat('https://shop-', site, '.example') END",
  url: `CASE WHEN app > 0 THEN NULL ELSE concat('https://shop-', site, '.example/product/', ${skewed(5_000, 13)}, '?page=', ${evenly(9, 14)}) END`,
  sdk_platform:
    "CASE app WHEN 0 THEN 'js' WHEN 1 THEN 'android' ELSE 'ios' END",
  sdk_version: `concat(${skewed(9, 15)}, '.', ${skewed(30, 16)}, '.', ${skewed(9, 17)})`,
  package_name: "CASE WHEN app = 1 THEN concat('com.acme.app', site) END",
  bundle_id: "CASE WHEN app = 2 THEN concat('com.acme.app', site) END",
  linked_id: `CASE WHEN ${evenly(3, 18)} > 0 THEN concat('user-', ${skewed(1_000_000, 19)}) END`,
  country: `concat('C', ${skewed(60, 20)})`,
  asn: `CAST(64512 + ${skewed(900, 22)} AS VARCHAR)`,
  asn_name: `concat('NETWORK ', ${skewed(900, 22)})`,
  bot: `CASE WHEN ${evenly(50, 9)} = 0 THEN 'bad' ELSE 'not_detected' END`,
  suspect_score: `${skewed(40, 23)}`,
};

/**
 * The statements that write files of events, equal in every run: 20,000 user agents of
 * people and more of bots, 200 sites and apps, a different address for nearly every
 * event.
 */
export function writeEventFiles(folder: string, events: number): string[] {
  const files = Math.ceil(events / EVENTS_PER_FILE);
  const columns = Object.entries(COLUMNS)
    .map(([name, sql]) => `${sql} AS ${name}`)
    .join(", ");
  return Array.from({ length: files }, (_, file) => {
    const from = file * EVENTS_PER_FILE;
    const to = Math.min(events, from + EVENTS_PER_FILE);
    const rows = `SELECT range AS n, ${events} AS total FROM range(${from}, ${to})`;
    const common = `SELECT *, ${skewed(20_000, 24)} AS ua, ${skewed(200, 25)} AS site, greatest(${evenly(10, 26)} - 7, 0) AS app FROM (${rows})`;
    const path = quotedText("duckdb", `${folder}/events-${file}.parquet`);
    return `COPY (SELECT ${columns} FROM (${common})) TO ${path} (FORMAT parquet, COMPRESSION zstd)`;
  });
}
