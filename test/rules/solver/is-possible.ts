import type { RuleRequest } from "@devid/rules";

/** Whether a request is possible, decided without the code under test. */
export function isPossible(request: RuleRequest): boolean {
  const { sdkPlatform = "unknown", isAiBot, isCrawlerBot, headers } = request;
  return (
    ["js", "android", "ios", "unknown"].includes(sdkPlatform) &&
    !(isAiBot && isCrawlerBot) &&
    Object.keys(headers).every(
      (name) =>
        /^[\w!#$%&'*+.^`|~-]+$/.test(name) &&
        !/(^|-)[a-z]|[^-][A-Z]/.test(name),
    )
  );
}
