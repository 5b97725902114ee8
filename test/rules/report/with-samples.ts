import { expect } from "vitest";
import {
  applyChanges,
  compileRuleSet,
  type FoundRequest,
  type Rule,
  type RuleRequest,
  type RuleSetDiff,
  type RuleSetEffect,
} from "../../../rules/src";

/** Requests to show effects with. */
const SAMPLES: readonly RuleRequest[] = [
  { headers: {}, userAgent: "curl/8.5.0", isCrawlerBot: false },
  ...["old", "shop", "shop2"].map((host) => ({
    headers: { Origin: [`https://${host}.example`] },
    sdkPlatform: "js",
  })),
  { headers: {}, sdkPlatform: "js", sdkVersion: "3.3" },
  { headers: {}, sdkVersion: "3.1", isCrawlerBot: true },
  { headers: {}, sdkPlatform: "android", isAiBot: true },
  ...["192.0.2.1", "198.51.100.1"].map((ip) => ({
    headers: {},
    ip,
    sdkPlatform: "android",
    sdkVersion: "3.1",
  })),
];

/**
 * A diff whose effects show these sample requests, so that golden files do not depend
 * on what the solver finds.
 */
export function withSamples(
  diff: RuleSetDiff,
  before: readonly Rule[],
  after: readonly Rule[],
): RuleSetDiff {
  let rules = before;
  const changes = diff.changes.map((change) => {
    const next = applyChanges(rules, [change]);
    const effect = sampled(change.effect, rules, next);
    rules = next;
    return { ...change, effect };
  });
  return { changes, effect: sampled(diff.effect, before, after) };
}

function sampled(
  { newlyDenied, newlyAllowed, ...rest }: RuleSetEffect,
  before: readonly Rule[],
  after: readonly Rule[],
): RuleSetEffect {
  return {
    newlyDenied: sample(newlyDenied, before, after),
    newlyAllowed: sample(newlyAllowed, after, before),
    ...rest,
  };
}

function sample(
  found: FoundRequest,
  allowing: readonly Rule[],
  denying: readonly Rule[],
): FoundRequest {
  if (found.answer !== "found") return found;
  const [allow, deny] = [compileRuleSet(allowing), compileRuleSet(denying)];
  if (!allow.ok || !deny.ok) expect.fail("These rules cannot be evaluated.");
  const request = SAMPLES.find(
    (one) =>
      allow.evaluate(one).result === "allow" &&
      deny.evaluate(one).result === "deny",
  );
  return request
    ? { answer: "found", request }
    : expect.fail(`No sample for ${JSON.stringify(found.request)}`);
}
