import { z } from "zod";

/** The browser, as told by its user agent. */
export const BrowserDetails = z.looseObject({
  browser_name: z.string().nullable(),
  browser_major_version: z.string().nullable(),
  browser_full_version: z.string().nullable(),
  os: z.string().nullable(),
  os_version: z.string().nullable(),
  device: z.string().nullable(),
});
