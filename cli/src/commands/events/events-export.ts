import { eventsByDay, type Client, type EventSearchAllArgs } from "@devid/sdk";
import { defineCommand, flag, textFlag } from "../../flags/define-command";
import { jsonFlag, regionFlag } from "../../flags/shared-flags";
import { InterruptedError } from "../../errors";
import { EVENT_FILTER_FLAGS, eventFilters } from "../../sources/event-filters";
import { interruptible } from "../../interruption";
import { EventFile } from "../../output/event-file";
import { noEventsHint } from "../../output/event-text";
import { Progress } from "../../output/progress";
import { configuredClient } from "../../sources/configured-client";

/** Milliseconds between two writes of the exported events to the disk. */
const FLUSH_MS = 1_000;

/** `devid events export`: writes the events that match as NDJSON, oldest first. */
export const eventsExport = defineCommand({
  flags: {
    out: textFlag("<file> file to write or to continue").required,
    force: flag("start over, whatever the file holds"),
    region: regionFlag,
    json: jsonFlag(),
    ...EVENT_FILTER_FLAGS,
  },
  run: async (flags) => {
    const { out, force = false, region, json } = flags;
    const client = configuredClient({ region });
    const { start, end, ...filters } = await eventFilters(flags, client);
    const until = Math.min(end ?? Infinity, Date.now());
    const { region: place, eventsUrl } = client.configuration;
    // The conditions that must be the same for an export to continue a file.
    const asked = { ...filters, region: place, eventsUrl };
    const file = EventFile.open({ path: out, asked, start, force });
    warnOfBroadSearch(filters);
    const { events: found } = file.progress;
    const from = file.missingFrom;
    if (found > 0)
      process.stderr.write(
        `Continuing after ${found} events in ${out}, from ${isoTime(from)}.\n`,
      );
    await addEvents(client, file, filters, until, flags);
    const { events, start: begins, bytes } = file.progress;
    const completeUntil = Math.max(from, until);
    process.stdout.write(
      json
        ? `${JSON.stringify({ version: 1, file: out, events, bytes, start: begins, completeUntil })}\n`
        : `${events} events in ${out}, complete from ${isoTime(begins)} until ${isoTime(completeUntil)}.\n`,
    );
    if (events === 0)
      process.stderr.write(noEventsHint({ isRecent: start === undefined }));
  },
});

/** Reads the events that the file lacks up to a time, and adds them. */
async function addEvents(
  client: Client,
  file: EventFile,
  filters: EventSearchAllArgs,
  until: number,
  { out, force }: { readonly out: string; readonly force?: true },
): Promise<void> {
  const { start, events: before } = file.progress;
  const from = file.missingFrom;
  const progress = new Progress("events", before);
  let flushedAt = performance.now();
  try {
    await interruptible(async (signal) => {
      if (from > until) return;
      const found = eventsByDay({ start: from, end: until }, (range) =>
        client.events.searchAll(
          { ...filters, ...range, reverse: true },
          { signal },
        ),
      );
      for await (const event of found) {
        file.add(event);
        if (performance.now() - flushedAt < FLUSH_MS) continue;
        file.flush();
        const share = (event.timestamp - start) / Math.max(1, until - start);
        progress.show({ share, events: file.progress.events });
        flushedAt = performance.now();
      }
    });
    progress.stop();
    file.finish();
  } catch (error) {
    progress.stop();
    file.breakOff();
    const { events } = file.progress;
    const howToContinue = `${out} is not complete: it has ${events} events. ${force ? "Without --force, the" : "The"} same command continues from there.`;
    if (error instanceof InterruptedError)
      throw new InterruptedError(error.signal, howToContinue);
    process.stderr.write(`${howToContinue}\n`);
    throw error;
  }
}

const isoTime = (time: number) => new Date(time).toISOString();

function warnOfBroadSearch(filters: EventSearchAllArgs): void {
  const { visitorId, linkedId, ipAddress } = filters;
  if (visitorId ?? linkedId ?? ipAddress) return;
  process.stderr.write(
    "Warning: without --visitor-id, --linked-id or --ip-address the service looks at\nevery event of the time, which is slow and may time out.\n",
  );
}
