import type { Event } from "@devid/sdk";
import stringWidth from "string-width";
import { expect, it } from "vitest";
import { eventTable, eventText } from "../../../cli/src/output/event-text";

const event = (more: object) =>
  ({
    event_id: "1700000000000.abcdef",
    timestamp: 1_700_000_000_000,
    ...more,
  }) as unknown as Event;

it.each([
  ["Chinese", "指纹识别事件服务".repeat(10)],
  ["emoji", "👩‍👩‍👧‍👦🇩🇪".repeat(30)],
  ["combining marks", "e\u0301".repeat(200)],
])("%s fits into 80 columns, and into its column of the table", (_, text) => {
  for (const line of eventText(event({ linked_id: text })).split("\n"))
    expect(stringWidth(line)).toBeLessThanOrEqual(80);
  const [head = "", row = ""] = eventTable([
    event({
      identification: { visitor_id: text },
      ip_address: "203.0.113.7",
    }),
  ]).split("\n");
  const before = row.slice(0, row.indexOf("203.0.113.7"));
  expect(stringWidth(before)).toBe(head.indexOf("IP ADDRESS"));
});
