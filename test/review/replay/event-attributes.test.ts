import type { Event } from "@devid/sdk";
import { expect, it } from "vitest";
import { ATTRIBUTES } from "../../../review/src/replay/change-counter";

const event = (rest: Partial<Event>): Event => ({
  event_id: "e1",
  timestamp: 1,
  ...rest,
});

const V4 = {
  address: "192.0.2.1",
  asn: "64512",
  asn_name: "FOUR",
  geolocation: { country_code: "DE" },
};
const V6 = {
  address: "2001:db8::1",
  asn: "64513",
  geolocation: { country_code: "FR" },
};

const of = (ip_info: Event["ip_info"]) => {
  const one = event({ ip_info });
  return [ATTRIBUTES.country(one), ATTRIBUTES.asn(one)];
};

it.each([
  [{ v4: V4, v6: V6 }, "DE", "64512 FOUR"],
  [{ v6: V6 }, "FR", "64513"],
  [{ v4: { address: "192.0.2.1" }, v6: V6 }, "FR", "64513"],
  [{}, undefined, undefined],
  [undefined, undefined, undefined],
])(
  "the country and the network of an event %j: %s, %s",
  (info, country, network) => {
    expect(of(info)).toEqual([country, network]);
  },
);

it("only the first 512 characters of a value count", () => {
  const agent = (length: number) =>
    ATTRIBUTES.userAgent(event({ user_agent: "x".repeat(length) }));
  expect(agent(512)).toHaveLength(512);
  expect(agent(100_000)).toBe(agent(512));
});

it("an event without an origin or a linked ID has undefined values", () => {
  expect(ATTRIBUTES.origin(event({ url: "app://a" }))).toBeUndefined();
  expect(ATTRIBUTES.linkedId(event({}))).toBeUndefined();
});
