import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import type { Event } from "@devid/sdk";
import type { Rule } from "@devid/rules";
import { measureImpact } from "@devid/review/replay";
import { Warehouse } from "@devid/warehouse";
import { figure, printFigures } from "./figure";
import { ruleCorpus } from "./rule-corpus";
import { FILES_END, FILES_START, writeEventFiles } from "./warehouse-corpus";

const SEED = 20251120;
const RULES = 50;
/** With `--quick`, a hundredth of the events, to check that the benchmark runs. */
const SCALE = process.argv.includes("--quick") ? 0.01 : 1;
const EVENTS = 10_000_000 * SCALE;
/** Events that this process reads and evaluates one by one, for the ratio. */
const REPLAYED = 200_000 * SCALE;
const RANGE = { start: FILES_START, end: FILES_END };

/**
 * The columns that an impact reads. Reading all and grouping by one is the least that
 * any query costs.
 */
const FLOOR =
  "SELECT count(*), max(strlen(user_agent)), max(strlen(ip_address)), max(strlen(origin)), max(strlen(url)), max(strlen(linked_id)), max(strlen(asn)), max(strlen(asn_name)), max(strlen(sdk_version)), max(timestamp) FROM events";
const FLOOR_OF_TEXTS =
  "SELECT count(*) FROM (SELECT user_agent, count(*) FROM events GROUP BY user_agent)";

/** A measurement of this program, made in a separate process. */
interface Measured {
  readonly wallSeconds: number;
  readonly cpuSeconds: number;
  readonly peakMb: number;
  readonly events: number;
}

/** Rules in force, and the same rules with three changes. */
function ruleSets() {
  const inForce = ruleCorpus(RULES, SEED);
  const changed: Readonly<Record<number, (rule: Rule) => Rule>> = {
    10: (rule) => ({
      ...rule,
      expression: `${rule.expression} || http.request.headers['Origin'][0] endsWith '.partner-1.example'`,
    }),
    25: (rule) => ({
      ...rule,
      action: rule.action === "deny" ? "allow" : "deny",
    }),
    40: (rule) => ({
      ...rule,
      expression: "http.user_agent.string contains 'bot-7/'",
    }),
  };
  const proposed = inForce.map((rule, n) => changed[n]?.(rule) ?? rule);
  return { inForce, proposed };
}

/** The cost of a part of this program, in a process that does nothing else. */
function measured(part: Part, folder: string): Measured {
  const [node = "", program = ""] = process.argv;
  // The program is the runner, which takes the name of a benchmark first.
  const args = [program, "warehouse", "--part", part, folder];
  const out = execFileSync(node, args, {
    stdio: ["ignore", "pipe", "inherit"],
  });
  return JSON.parse(out.toString()) as Measured;
}

/** The events of a range, each as the API gives it. */
async function* eventsOf({ engine }: Warehouse, { start, end }: typeof RANGE) {
  const sql = `SELECT event_id, timestamp, ip_address, user_agent, origin, url, package_name, bundle_id, linked_id, bot, suspect_score, sdk_platform, sdk_version, country, asn, asn_name FROM ${engine.table} WHERE timestamp >= ${start} AND timestamp < ${end}`;
  for await (const rows of engine.query(sql))
    for (const [
      event_id,
      timestamp,
      ip_address,
      user_agent,
      ...cells
    ] of rows) {
      const [origin, url, package_name, bundle_id, linked_id, ...more] = cells;
      const [bot, suspect_score, platform, version, country, ...of] = more;
      const [asn, asn_name] = of;
      const geolocation = { country_code: country };
      yield {
        ...{ event_id, timestamp: Number(timestamp), ip_address, user_agent },
        ...{ origin, url, package_name, bundle_id, linked_id, bot },
        ...{ suspect_score, sdk: { platform, version } },
        ip_info: { v4: { asn, asn_name, geolocation } },
      } as unknown as Event;
    }
}

const PARTS = {
  /** The whole impact and what the same rules did, from one grouping in the engine. */
  async both(folder: string) {
    const warehouse = await Warehouse.open(`parquet:${folder}/*.parquet`);
    const { inForce, proposed } = ruleSets();
    const { impact } = await warehouse.impactAndUsage({
      ...RANGE,
      ...{ inForce, proposed, rules: proposed },
    });
    await warehouse.close();
    return impact.events;
  },
  /** The impact alone. */
  async impact(folder: string) {
    const warehouse = await Warehouse.open(`parquet:${folder}/*.parquet`);
    const { events } = await warehouse.impact({ ...RANGE, ...ruleSets() });
    await warehouse.close();
    return events;
  },
  /** The impact of the first events, each evaluated in this process. */
  async replay(folder: string) {
    const warehouse = await Warehouse.open(`parquet:${folder}/*.parquet`);
    const share = REPLAYED / EVENTS;
    const end = FILES_START + Math.round((FILES_END - FILES_START) * share);
    const range = { start: FILES_START, end };
    const options = { ...range, ...ruleSets() };
    const replayed = eventsOf(warehouse, range);
    const { events } = await measureImpact(replayed, options);
    await warehouse.close();
    return events;
  },
  /** DuckDB only reads the columns, and groups by the user agent. */
  async floor(folder: string) {
    const instance = await DuckDBInstance.create(":memory:");
    const connection = await instance.connect();
    await connection.run(
      `CREATE VIEW events AS FROM read_parquet('${folder}/*.parquet')`,
    );
    const found = await connection.runAndReadAll(FLOOR);
    await connection.runAndReadAll(FLOOR_OF_TEXTS);
    return Number(found.getRows()[0]?.[0]);
  },
};
type Part = keyof typeof PARTS;

const loadedAt = performance.now();
async function runPart(part: Part, folder: string): Promise<void> {
  const events = await PARTS[part](folder);
  const { user, system } = process.cpuUsage();
  const found: Measured = {
    wallSeconds: (performance.now() - loadedAt) / 1_000,
    cpuSeconds: (user + system) / 1e6,
    peakMb: process.resourceUsage().maxRSS / 1_024,
    events,
  };
  console.log(JSON.stringify(found));
}

async function makeFiles(folder: string): Promise<void> {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  for (const sql of writeEventFiles(folder, EVENTS)) await connection.run(sql);
  connection.closeSync();
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "devid-bench-"));
  try {
    await makeFiles(folder);
    const replay = measured("replay", folder);
    const impact = measured("impact", folder);
    const both = measured("both", folder);
    const floor = measured("floor", folder);
    if (impact.events !== EVENTS) throw new Error(`${impact.events} events`);
    const name = `${EVENTS.toLocaleString("en")} events in Parquet, ${RULES} rules of which 3 change`;
    // Processor time, because other programs on the machine do not change it.
    const ratio =
      replay.cpuSeconds / replay.events / (impact.cpuSeconds / impact.events);
    printFigures([
      figure(`impact and usage of ${name}`, both.wallSeconds, "s", {
        atMost: 15,
      }),
      figure("its processor time", both.cpuSeconds, "s"),
      figure("memory of the process", both.peakMb, "MB", { atMost: 1_000 }),
      figure("processor time of the impact alone", impact.cpuSeconds, "s"),
      figure(
        "as many events a second of processor time as a replay in this process, times",
        ratio,
        "x",
        { atLeast: 20 },
      ),
      figure(
        "processor time of DuckDB that only reads these columns, and groups by user agent",
        floor.cpuSeconds,
        "s",
      ),
      figure("memory of that", floor.peakMb, "MB"),
    ]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const [flag, part, folder = ""] = process.argv.slice(2);
void (flag === "--part" ? runPart(part as Part, folder) : main());
