import { isLoopback } from "@devid/sdk";
import type { CheckFailure } from "../../definition/define-resource";

/**
 * Failures of the input `url`, the valid address of a webhook. Only a local service takes
 * an http address, of this machine.
 */
export function urlFailures(url: string, isLocal: boolean): CheckFailure[] {
  // `new URL` accepts these characters, and encodes them.
  if (/[<>]/.test(url))
    return [{ property: "url", reason: "must have no < or >" }];
  if (new URL(url).protocol !== "http:") return [];
  if (isLocal && isLoopback(new URL(url).hostname)) return [];
  const reason = isLocal
    ? "must start with https://, or with http:// and be on this machine (127.0.0.1, localhost)"
    : "must start with https://";
  return [{ property: "url", reason }];
}
