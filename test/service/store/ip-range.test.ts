import { BlockList, isIP } from "node:net";
import fc from "fast-check";
import { expect, it } from "vitest";
import { ipKey, ipRange } from "../../../service/src/store/ip-range";

const awkward = fc.constantFrom(
  "::1.2.3.4",
  "::ffff:1.2.3.4",
  "::ffff:0:0",
  "1::",
  "::",
  "010.0.0.1",
  "1.2.3",
  "1:2:3:4:5:6:7:8:9",
  "::1::",
  "",
);

it("every address has a key, and no other text", () => {
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6(), awkward), (text) => {
      expect(ipKey(text) !== undefined).toBe(isIP(text) !== 0);
    }),
  );
  expect(ipKey("fe80::1%eth0")).toBeUndefined();
});

it.each(["ipv4", "ipv6"] as const)(
  "the range of a network of %s has the addresses that Node finds in it",
  (family) => {
    const address = family === "ipv4" ? fc.ipV4() : fc.ipV6();
    const bits = fc.integer({ min: 0, max: family === "ipv4" ? 32 : 128 });
    fc.assert(
      fc.property(address, address, bits, (base, other, prefix) => {
        const network = new BlockList();
        network.addSubnet(base, prefix, family);
        const { first, last } =
          ipRange(`${base}/${prefix}`) ?? expect.fail("no range");
        for (const one of [base, other]) {
          const key = ipKey(one) ?? expect.fail("no key");
          expect(first <= key && key <= last).toBe(network.check(one, family));
        }
      }),
    );
  },
);
