import { Script } from "node:vm";
import fc from "fast-check";
import { expect, it } from "vitest";
import {
  fileNameOf,
  ResourceNames,
} from "../../../clone/src/declare/resource-names";
import { AWKWARD_NAMES } from "../../helpers/awkward-workspace";

const named = (...names: string[]) => {
  const resources = new ResourceNames("api-key");
  return names.map((name, index) => resources.add(`tok_aB${index}cDeF`, name));
};

it.each([
  ["Shop: browser", "shop-browser", "shopBrowser"],
  ["It's 50 %", "it-s-50", "itS50"],
  ["class", "class", "classApiKey"],
  ["environments", "environments", "environmentsApiKey"],
  ["3D", "3d", "_3d"],
  ["Café_Ключ", "café-ключ", "caféКлюч"],
  ["🛒🛒", "api-key", "apiKey"],
  ["❤️ keycap 1️⃣", "keycap-1", "keycap1"],
  ["", "api-key", "apiKey"],
])("calls %j %s and %s", (text, name, identifier) => {
  expect(named(text)).toEqual([{ name, identifier }]);
});

it("makes equal names differ by the end of the ID, even if that name exists too", () => {
  expect(
    named("Shop", "Cart", "shop", "SHOP!").map(({ name }) => name),
  ).toEqual(["shop", "cart", "shop-cdef", "shop-3cdef"]);
  expect(named("a 1", "a1").map(({ identifier }) => identifier)).toEqual([
    "a1",
    "a1Cdef",
  ]);
});

it("cuts long names between words", () => {
  const [cut, wide] = named(
    "one two three four five six seven",
    "キ".repeat(40),
  );
  expect(cut?.name).toBe("one-two-three-four-five");
  expect(wide?.name).toBe("キ".repeat(13));
});

it("gives any names valid and different identifiers", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom(...AWKWARD_NAMES),
  );
  fc.assert(
    fc.property(fc.array(text, { maxLength: 40 }), (names) => {
      const found = named(...names);
      const identifiers = found.map(({ identifier }) => identifier);
      expect(new Set(identifiers).size).toBe(names.length);
      expect(new Set(found.map(({ name }) => name)).size).toBe(names.length);
      // Strict code can declare each identifier as a constant.
      new Script(
        `"use strict"; ${identifiers.map((one) => `const ${one} = 1;`).join(" ")}`,
      );
    }),
  );
});

it.each([
  ["CON", "_con"],
  ["nul ", "_nul"],
  ["Com1", "_com1"],
  ["LPT9.", "_lpt9"],
  ["aux.", "_aux"],
  ["com10", "com10"],
  ["console", "console"],
  ["Staging. ", "staging"],
])("gives no file the name of a Windows device: %j %s", (text, file) => {
  expect(named(text).map(({ name }) => fileNameOf(name))).toEqual([file]);
});
