import type { RuleRequest } from "@devid/rules";

/** Whether a request can come: told by hand, without any of the code under test. */
export function isPossible(request: RuleRequest): boolean {
  const { sdkPlatform = "unknown", isAiBot, isCrawlerBot, headers } = request;
  const names = Object.keys(headers).map((name) => name.toLowerCase());
  return (
    ["js", "android", "ios", "unknown"].includes(sdkPlatform) &&
    !(isAiBot && isCrawlerBot) &&
    new Set(names).size === names.length
  );
}
