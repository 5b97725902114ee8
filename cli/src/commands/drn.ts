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
      `<names>  signals to read, separated by commas: ${DRN_SIGNALS.join(", ")}`,
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
  const rows: (readonly [string, string])[] = [];
  if (regionalActivity) {
    const { startDate, endDate, countries } = regionalActivity;
    rows.push(["Activity", `${startDate} to ${endDate}`]);
    if (countries.length === 0) rows.push(["Countries", "none"]);
    countries.forEach(({ code, detectors }, index) => {
      const shares = detectors.map(
        ({ type, activityPercentage }) =>
          `${type} ${Math.round(activityPercentage * 1_000) / 10} %`,
      );
      rows.push([
        index === 0 ? "Countries" : "",
        `${code}  ${shares.join(", ")}`,
      ]);
    });
  }
  if (suspectScore) {
    const { minimum, maximum } = suspectScore;
    const percentile =
      maximum.percentile === undefined
        ? ""
        : ` (percentile ${maximum.percentile})`;
    rows.push([
      "Suspect score",
      `${minimum.value} to ${maximum.value}${percentile}`,
    ]);
    for (const [name, weight] of Object.entries(maximum.signals))
      rows.push(["", `${name} ${JSON.stringify(weight)}`]);
  }
  if (timestamps) {
    rows.push(["First seen", timestamps.firstSeenAt]);
    rows.push(["Last seen", timestamps.lastSeenAt]);
  }
  return rowsText(rows, 14);
}
