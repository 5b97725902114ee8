import { z } from "zod";

/** The browser, as told by its user agent. */
export const BrowserDetails = z.looseObject({
  browser_name: z.string(),
  browser_major_version: z.string(),
  browser_full_version: z.string(),
  os: z.string(),
  os_version: z.string(),
  device: z.string(),
});
