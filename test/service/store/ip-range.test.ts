import { parseIp, parseNetwork } from "@devid/rules/language";
import fc from "fast-check";
import { expect, it } from "vitest";
import { ipKey, ipRange } from "../../../service/src/store/events/ip-range";

const hex = (bytes: readonly number[]) =>
  (bytes.length === 4 ? "4" : "6") + Buffer.from(bytes).toString("hex");

const awkward = fc.constantFrom(
  "::1.2.3.4",
  "::ffff:1.2.3.4",
  "::ffff:0:0",
  "1::",
  "::",
  "010.0.0.1",
  "1.2.3",
  "fe80::1%eth0",
  "1:2:3:4:5:6:7::",
  "1:2:3:4:5:6:7:8:9",
  "::1::",
  "",
);
const address = fc.oneof(fc.ipV4(), fc.ipV6(), awkward);

it("addresses are read like in the rule language", () => {
  fc.assert(
    fc.property(address, (text) => {
      const known = parseIp(text);
      expect(ipKey(text)).toBe(known && hex(known));
    }),
  );
});

it("networks are read like in the rule language, from their first to their last address", () => {
  fc.assert(
    fc.property(address, fc.integer({ min: 0, max: 130 }), (text, bits) => {
      const known = parseNetwork(`${text}/${bits}`);
      const range = ipRange(`${text}/${bits}`);
      expect(range?.first).toBe(known && hex(known.address));
      if (!known || !range) return;
      const size = known.address.length * 8;
      const span =
        BigInt(`0x${range.last.slice(1)}`) -
        BigInt(`0x${range.first.slice(1)}`);
      expect(span).toBe((1n << BigInt(size - known.bits)) - 1n);
    }),
  );
});

it.each([
  ["10.0.0.0/8", "40a000000", "40affffff"],
  ["10.1.2.3", "40a010203", "40a010203"],
  ["::ffff:10.0.0.0/104", "40a000000", "40affffff"],
  [
    "2001:db8::/127",
    `6${"20010db8".padEnd(32, "0")}`,
    `6${"20010db8".padEnd(31, "0")}1`,
  ],
])("the range of %s is right", (text, first, last) => {
  expect(ipRange(text)).toEqual({ first, last });
});
