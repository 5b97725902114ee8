import { visibleText } from "@devid/rules";
import type { DeviceReputation } from "@devid/sdk";
import { DRN_SIGNALS, type DrnSignal } from "@devid/sdk/wire/events";
import { Command, Option } from "commander";
import { jsonOption, regionOption } from "../flags/shared-options";
import { listFlag } from "../flags/flag-values";
import { configuredClient } from "../sources/configured-client";
import { printServiceObject } from "../output/write-output";

interface Flags {
  readonly signals?: readonly DrnSignal[];
  readonly region?: string;
  readonly json?: boolean;
}

/** `devid drn get`: shows the reputation of a device. */
export function drnGet(): Command {
  return new Command("get")
    .argument("<visitor-id>", "visitor ID of an Android device")
    .addOption(
      new Option(
        "--signals <names>",
        `signals to read, separated by commas: ${DRN_SIGNALS.join(", ")}`,
      ).argParser(listFlag(DRN_SIGNALS)),
    )
    .addOption(regionOption())
    .addOption(jsonOption())
    .action(async (visitorId: string, { signals, region, json }: Flags) => {
      const client = configuredClient({ region });
      const found = await client.deviceReputation.get(visitorId, { signals });
      if (json) printServiceObject(found);
      else process.stdout.write(text(found));
    });
}

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
  return rows
    .map(([name, value]) => `${name.padEnd(14)} ${visibleText(value)}\n`)
    .join("");
}
