import { expect, it } from "vitest";
import { findSteps } from "../../../rules/src";
import { allow } from "../diff/rule";
import { formatSteps } from "../../../rules/src/report/text/format-diff-text";

const steps = findSteps(
  [allow("shop", "sdk.version in ['1']"), allow("old", "sdk.platform.is_ios")],
  [
    allow("shop", "sdk.version in ['1', '2']"),
    allow(
      "app of a partner",
      "sdk.platform.app_package_name in ['com.partner.shop.one', 'com.partner.shop.two', 'com.partner.shop.three']",
    ),
  ],
);

it("writes one line for each step without expressions", () => {
  expect(formatSteps(steps, { expressions: false })).toEqual([
    "-     old              allow removed",
    "~   1 shop             allow expression edited",
    "+   2 app of a partner allow added after shop",
  ]);
});

it("keeps lines within the width", () => {
  const lines = formatSteps(steps, { width: 36 }).join("\n").split("\n");
  for (const line of lines)
    expect(
      line.length <= 36 || !line.trim().includes(" "),
      `"${line}" fits`,
    ).toBe(true);
  expect(lines).toContain("+   2 app of a partner allow added");
});

it("aligns names of Chinese characters and emoji by their width on the screen", () => {
  const wide = findSteps(
    [],
    ["阻止爬虫", "🚫 bots", "shop"].map((name) => allow(name)),
  );
  expect(formatSteps(wide, { expressions: false })).toEqual([
    "+   1 阻止爬虫 allow added at the front",
    "+   2 🚫 bots  allow added after 阻止爬虫",
    "+   3 shop     allow added after 🚫 bots",
  ]);
});
