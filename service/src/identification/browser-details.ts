import type { Event } from "@devid/sdk";
import Bowser from "bowser";
import { keptByText } from "../kept-by-text";

/**
 * No browser sends a longer user agent. A visitor may send anything, so a
 * longer one is not parsed.
 */
const MAX_LENGTH = 2_048;

/** What a user agent says about the browser; undefined for an unknown one. */
export function browserDetails(
  userAgent: string | undefined,
): Event["browser_details"] {
  if (!userAgent || userAgent.length > MAX_LENGTH) return undefined;
  return read(userAgent) ?? undefined;
}

/** Null for an unknown browser. */
const read = keptByText((userAgent) => {
  const { browser, os, platform } = Bowser.parse(userAgent);
  if (!browser.name) return null;
  const { version = "" } = browser;
  return {
    browser_name: browser.name,
    browser_major_version: version.split(".", 1)[0] ?? "",
    browser_full_version: version,
    os: os.name ?? "",
    os_version: os.version ?? "",
    device: platform.model ?? "Other",
  };
}, 200);
