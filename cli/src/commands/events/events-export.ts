import {
  type Client,
  type EventSearchAllArgs,
  eventsBetween,
} from "@devid/sdk";
import { Command, Option } from "commander";
import { configuredClient } from "../../sources/configured-client";
import { regionOption } from "../../flags/shared-options";
import {
  addEventFilters,
  eventFilters,
  type EventFilterFlags,
} from "../../flags/event-filters";
import { EventProgress } from "../../output/progress";
import { EventFile } from "../../output/event-file";
import { numberFlag } from "../../flags/flag-values";
import { UsageError } from "../../errors";

interface Flags extends EventFilterFlags {
  readonly out: string;
  readonly concurrency: number;
  readonly force?: true;
  readonly region?: string;
  readonly json?: true;
}

/** How often what was exported is brought to the disk, in milliseconds. */
const FLUSH_MS = 1_000;

/** `devid events export`: events that match, as NDJSON, oldest first. */
export function eventsExport(): Command {
  const command = new Command("export")
    .description("write events that match to a file, one a line, oldest first")
    .requiredOption("--out <file>", "file to write; goes on where it was left")
    .addOption(
      new Option("--concurrency <number>", "pages on their way at once")
        .argParser(numberFlag)
        .default(4),
    )
    .option("--force", "start over, whatever the file holds")
    .addOption(regionOption())
    .option("--json", "print what was done as JSON");
  return addEventFilters(command).action(async (flags: Flags) => {
    const { out, concurrency, force = false, region, json } = flags;
    const { start, end = new Date(), ...filters } = eventFilters(flags);
    if (!(start instanceof Date) || !(end instanceof Date))
      throw new UsageError("From when on? Give --since or --start.");
    if (start > end) throw new UsageError("The start is behind the end.");
    warnOfBroadSearch(filters);

    const client = await configuredClient({ region });
    const stopped = stopOnSignal(out);
    const file = EventFile.open(
      out,
      {
        version: 1,
        asked: askedFor(flags, client),
        start: start.getTime(),
        end: end.getTime(),
        bytes: 0,
        events: 0,
      },
      force,
    );
    const found = file.progress.events;
    if (found > 0)
      process.stderr.write(`Going on after ${found} events in ${out}.\n`);
    await run(client, file, { filters, concurrency, out, stopped });
    const { events, bytes } = file.progress;
    process.stdout.write(
      json
        ? `${JSON.stringify({ file: out, events, bytes })}\n`
        : `${events} events in ${out}.\n`,
    );
  });
}

/** Aborted by SIGINT or SIGTERM, so that what was exported so far is kept. */
function stopOnSignal(out: string): AbortSignal {
  const stopped = new AbortController();
  const stop = () =>
    stopped.abort(new UsageError(`Stopped. ${howToGoOn(out)}`));
  process.once("SIGINT", stop).once("SIGTERM", stop);
  return stopped.signal;
}

async function run(
  client: Client,
  file: EventFile,
  {
    filters,
    concurrency,
    out,
    stopped,
  }: {
    readonly filters: EventSearchAllArgs;
    readonly concurrency: number;
    readonly out: string;
    readonly stopped: AbortSignal;
  },
): Promise<void> {
  const { start, end, last, events } = file.progress;
  const progress = new EventProgress(events);
  let flushedAt = performance.now();
  try {
    // Of the time of the last event there may be more.
    const left = { start: last?.timestamp ?? start, end };
    const found = eventsBetween(left, (range) =>
      client.events.searchAll(
        { ...filters, ...range, reverse: true },
        { concurrency, signal: stopped },
      ),
    );
    for await (const event of found) {
      file.add(event);
      if (performance.now() - flushedAt < FLUSH_MS) continue;
      file.flush();
      const share = (event.timestamp - start) / (end - start);
      progress.show(share, file.progress.events);
      flushedAt = performance.now();
    }
    progress.stop();
    file.finish();
  } catch (error) {
    progress.stop();
    file.flush();
    file.close();
    if (!stopped.aborted) process.stderr.write(`${howToGoOn(out)}\n`);
    throw error;
  }
}

const howToGoOn = (out: string) =>
  `${out} is not complete; the same command goes on from there.`;

/** What has to be the same for an export to go on; times as they were given, for `24h` moves on. */
function askedFor(flags: Flags, client: Client): Record<string, unknown> {
  const { out, concurrency, force, json, region, ...asked } = flags;
  const { eventsUrl, region: of } = client.configuration;
  return { ...asked, region: of, eventsUrl };
}

function warnOfBroadSearch(filters: EventSearchAllArgs): void {
  const { visitorId, linkedId, ipAddress } = filters;
  if (visitorId ?? linkedId ?? ipAddress) return;
  process.stderr.write(
    "Warning: without --visitor-id, --linked-id or --ip-address the service looks at\nevery event of the time, which is slow and may time out (docs: GET /events).\n",
  );
}
