import { expect, it } from "vitest";
import { findSteps, type Rule } from "../../../rules/src";
import { formatSteps } from "../../../rules/src/report/text/format-diff-text";

const rule = (name: string, expression: string): Rule => ({
  name,
  expression,
  action: "allow",
  status: "enabled",
});
const steps = findSteps(
  [rule("shop", "sdk.version in ['1']"), rule("old", "sdk.platform.is_ios")],
  [
    rule("shop", "sdk.version in ['1', '2']"),
    rule(
      "app of a partner",
      "sdk.platform.app_package_name in ['com.partner.shop.one', 'com.partner.shop.two', 'com.partner.shop.three']",
    ),
  ],
);

it("writes a block for each step, with its expressions", () => {
  expect(formatSteps(steps)).toEqual([
    "-     old              allow removed\n      sdk.platform.is_ios",
    "~   1 shop             allow expression edited\n      in sdk.version in [...]\n        + '2'",
    "+   2 app of a partner allow added after shop\n" +
      "      sdk.platform.app_package_name in ['com.partner.shop.one',\n" +
      "        'com.partner.shop.two', 'com.partner.shop.three']",
  ]);
});

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
    [rule("阻止爬虫", "true"), rule("🚫 bots", "true"), rule("shop", "true")],
  );
  expect(formatSteps(wide, { expressions: false })).toEqual([
    "+   1 阻止爬虫 allow added at the front",
    "+   2 🚫 bots  allow added after 阻止爬虫",
    "+   3 shop     allow added after 🚫 bots",
  ]);
});
