import { knownHeader } from "../../language/tables/headers";

/** Texts that logs and programs write for a missing value. */
export const WRITTEN_FOR_MISSING =
  /^(?:\s+|-|null|nil|none|undefined|n\/a|\(null\)|\(not set\)|""|'')$/i;

/** Whether a text stands for a header that was not sent. `Origin: null` is really sent. */
export const isMissingHeader = (part: string, text: string) =>
  knownHeader(part)?.isNeverEmpty === true &&
  (text === "" || WRITTEN_FOR_MISSING.test(text)) &&
  !(part === "Origin" && text.toLowerCase() === "null");
