import type { DeviceReputation } from "@devid/sdk";
import { DRN_SIGNALS } from "@devid/sdk/wire/events";
import { defineCommand, parsedFlag } from "../flags/define-command";
import { jsonFlag, regionFlag } from "../flags/shared-flags";
import { listFlag } from "../flags/flag-values";
import { configuredClient } from "../sources/configured-client";
import { printServiceObject } from "../output/write-output";
import { rowsText } from "../output/rows-text";

/** `devid drn get`: shows the reputation of a device. */
export const drnGet = defineCommand({
  arguments: [["<visitor-id>", "visitor ID of an Android device"]],
  flags: {
    signals: parsedFlag(
      `<names> signals to read, separated by commas: ${DRN_SIGNALS.join(", ")}`,
      listFlag(DRN_SIGNALS),
    ),
    region: regionFlag,
    json: jsonFlag(),
  },
  run: async (visitorId, { signals, region, json }) => {
    const client = configuredClient({ region });
    const found = await client.deviceReputation.get(visitorId, { signals });
    if (json) printServiceObject(found);
    else process.stdout.write(text(found));
  },
});

function text(found: DeviceReputation): string {
  const { regionalActivity, suspectScore, timestamps } = found;
  const rows: [name: string, value: string][] = [];
  if (regionalActivity) {
    const { startDate, endDate, countries } = regionalActivity;
    rows.push(["Activity", `${startDate} to ${endDate}`]);
    const shown = countries.map(({ code, detectors }) => {
      const shares = detectors.map(
        ({ type, activityPercentage }) =>
          `${type} ${Math.round(activityPercentage * 1_000) / 10} %`,
      );
      return `${code}  ${shares.join(", ")}`;
    });
    const [first = "none", ...others] = shown;
    rows.push(["Countries", first], ...below(others));
  }
  if (suspectScore) {
    const { minimum, maximum } = suspectScore;
    const { value, percentile, signals } = maximum;
    const rank = percentile === undefined ? "" : ` (percentile ${percentile})`;
    rows.push(["Suspect score", `${minimum.value} to ${value}${rank}`]);
    const weights = Object.entries(signals).map(
      ([name, weight]) => `${name} ${JSON.stringify(weight)}`,
    );
    rows.push(...below(weights));
  }
  if (timestamps) {
    rows.push(["First seen", timestamps.firstSeenAt]);
    rows.push(["Last seen", timestamps.lastSeenAt]);
  }
  return rowsText(rows.length > 0 ? rows : [["Signals", "none"]], 14);
}

const below = (values: readonly string[]) =>
  values.map((value): [string, string] => ["", value]);
