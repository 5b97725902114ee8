import { SDK_PLATFORMS } from "@devid/sdk/wire";
import type { RuleRequest } from "@devid/rules";
import { headerOf, type Visit } from "./visit";

/** What the filtering rules are asked about (docs/contract.md, "Expression language"; docs/assumptions.md, A165). */
export function ruleRequestOf(visit: Visit): RuleRequest {
  const { headers, ip, sent, told } = visit;
  const { platform, version } = sent.sdk;
  const app = told?.package_name ?? told?.bundle_id;
  const userAgent = headerOf(visit, "User-Agent");
  return {
    headers,
    ...(ip !== undefined && { ip }),
    ...(userAgent !== undefined && { userAgent }),
    sdkPlatform: SDK_PLATFORMS.find((known) => known === platform) ?? "unknown",
    sdkVersion: version,
    ...(typeof app === "string" && { appPackageName: app }),
  };
}

/** Headers that say who somebody is, and are not to be kept. */
const CREDENTIALS: readonly string[] = [
  "Authorization",
  "Cookie",
  "Proxy-Authorization",
];

/** The same without what is not to be kept. */
export function withoutCredentials(request: RuleRequest): RuleRequest {
  const headers = Object.entries(request.headers).filter(
    ([name]) => !CREDENTIALS.includes(name),
  );
  return { ...request, headers: Object.fromEntries(headers) };
}
