import type { Rule } from "@devid/rules";
import { expect, it } from "vitest";
import { openForTests } from "../helpers/open-for-tests";
import { WorkspaceStack } from "../helpers/workspace-stack";
import { expectGolden } from "../helpers/golden";
import { declared } from "../helpers/engine-stack";
import { allow, rule } from "../rules/diff/rule";

const CRAWLERS = rule("block-crawlers", "http.user_agent.is_crawler_bot");
const SHOP = allow(
  "allow-our-shop",
  "http.request.headers['Origin'][0] == 'https://shop.example'",
);
const BROWSERS = rule("block-browsers", "sdk.platform.is_browser");
const CURL = rule("block-curl", "http.user_agent.string startsWith 'curl/'");
const TOKEN = rule(
  "block-without-token",
  "secret:http.request.headers['X-Token'][0] != 'a token of ours'",
);

/** Each place has an environment of its own. One preview covers all places. */
const PLACES = ["inserted", "changed", "emptied"] as const;
type Place = (typeof PLACES)[number];
const NOW = [CRAWLERS, CURL, SHOP, BROWSERS];

const local = openForTests(new WorkspaceStack(PLACES));
const { environments, workspace } = local;

// test/provider/resources/filtering-rule-set tests what a guard refuses and accepts, and its calls. This file
// tests what a person sees of it. Each test continues from the state that the previous test left, because a
// stack has one history.

/** Declares a rule set for each environment, with other rules for some of them. */
const declare = (
  changes: Partial<
    Record<Place, { rules: readonly Rule[]; allowEmpty?: true }>
  > = {},
) =>
  local.stack.declare(
    PLACES.map((place) =>
      declared("FilteringRuleSet", place, {
        environment: environments[place],
        rules: place === "inserted" ? [CRAWLERS, SHOP, BROWSERS] : NOW,
        ...changes[place],
      }),
    ),
  );

/**
 * What `pulumi preview` without `--diff` prints about a rule set: under the stack, the changes of
 * an update to its rules; under the rule set, its mistakes.
 */
async function previewed(): Promise<(place: Place) => string> {
  const { text: printed } = await local.stack.operate("preview");
  const [, text = ""] = printed.split("Diagnostics:\n");
  const [diagnostics = ""] = text.split("\nResources:");
  return (place) => {
    const about = diagnostics
      .split(/^(?= {2}\S| {4}What an update does)/m)
      .filter((part) => part.includes(environments[place]));
    const wrong = diagnostics
      .split(/^(?= {2}\S)/m)
      .filter((part) => part.includes(`FilteringRuleSet (${place}):`));
    return [...about, ...wrong]
      .map((part) => `${part.trimEnd()}\n`)
      .join("")
      .replace(`(${place})`, "(rules)")
      .replace(`'${place}'`, "'rules'")
      .replaceAll(environments[place], "ae_0123456789abcdef");
  };
}

it("shows every kind of change by the names of rules, without secrets, and sends no request", async () => {
  declare();
  expect(await local.stack.up()).toEqual({ create: PLACES.length + 1 });
  declare({
    inserted: { rules: [CRAWLERS, CURL, SHOP, BROWSERS] },
    changed: {
      rules: [
        BROWSERS,
        { ...CRAWLERS, action: "allow" },
        { ...SHOP, expression: "sdk.platform.is_android" },
        // The change of a rule set with a secret in it is not described.
        { ...TOKEN, expression: TOKEN.expression.replace(/^secret:/, "") },
      ],
    },
    emptied: { rules: [], allowEmpty: true },
  });
  const mark = await workspace.mark();
  const said = await previewed();
  expect(await workspace.requestsSince(mark)).toEqual([]);
  expectGolden("rule-set/preview-insert.txt", said("inserted"));
  for (const line of said("inserted").split("\n"))
    expect(line.length).toBeLessThanOrEqual(80);
  expectGolden("rule-set/preview-changes.txt", said("changed"));
  expect(said("changed")).not.toContain("a token of ours");
  expect(said("emptied")).toMatch(/every\s+request is then allowed/);
});
