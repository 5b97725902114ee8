/** What logs and programs write for a missing value. */
export const WRITTEN_FOR_MISSING =
  /^(?:-|null|nil|none|undefined|n\/a|\(null\)|\(not set\))$/i;

/** Whether a text of a header stands for one that was not sent; the Origin `null` is sent. */
export const isMissingHeader = (part: string, text: string) =>
  SENT_WITH_VALUE.has(part) &&
  (text === "" || WRITTEN_FOR_MISSING.test(text)) &&
  !(part === "Origin" && text.toLowerCase() === "null");

/** Headers that browsers leave out rather than send without a value. */
const SENT_WITH_VALUE: ReadonlySet<string> = new Set([
  ...["Accept", "Accept-Encoding", "Accept-Language", "Cookie", "Host"],
  ...["Authorization", "Origin", "Referer", "User-Agent", "Sec-Ch-Ua"],
]);
