import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Event } from "@devid/sdk";
import { beforeEach, expect, it } from "vitest";
import { EventFile } from "../../../cli/src/output/event-file";
import { folderForEachTest } from "../../helpers/test-folder";

let path: string;
folderForEachTest((folder) => (path = join(folder, "events.ndjson")));
let file: EventFile;

const REQUEST = { asked: {}, start: 0, force: false };
const open = (force = false) => EventFile.open({ ...REQUEST, path, force });
const event = (timestamp: number) =>
  ({ event_id: `${timestamp}.a`, timestamp }) as Event;
const written = () =>
  readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => (JSON.parse(line) as Event).timestamp);

beforeEach(() => {
  file = open();
  file.add(event(1));
  file.flush();
  file.add(event(2));
});

it.each<[what: string, change: () => void]>([
  ["continues", () => add(open())],
  ["starts over", () => add(open(true))],
  ["starts over and has written nothing yet", () => open(true)],
])(
  "stops without a write when another export of the same file %s",
  (_, change) => {
    change();
    const before = readFileSync(path, "utf8");
    expect(() => file.finish()).toSay("event-file/changed");
    file.breakOff();
    expect(readFileSync(path, "utf8")).toBe(before);
    expect(written()).not.toContain(2);
    // The other export, or the next, goes on.
    const next = open();
    next.add(event(4));
    next.finish();
    expect(written().at(-1)).toBe(4);
  },
);

function add(other: EventFile): void {
  other.add(event(3));
  other.flush();
}

it.each<[what: string, change: () => void]>([
  ["removed", () => rmSync(path)],
  ["moved away", () => renameSync(path, `${path}.1`)],
  ["written to", () => writeFileSync(path, "x\n", { flag: "a" })],
  ["left without its checkpoint", () => rmSync(`${path}.checkpoint`)],
])("stops when its file was %s", (_, change) => {
  change();
  expect(() => file.finish()).toSay("event-file/changed");
  file.breakOff();
});
