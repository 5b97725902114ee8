import type { RuleRequest } from "..";
import { visibleText } from "./visible-text";

const TEXTS = [
  "userAgent",
  "sdkPlatform",
  "sdkVersion",
  "appPackageName",
] as const;

/** In characters; what is longer ends in `...`. */
const LONGEST_VALUE = 60;

/** A request in a few words: the parts of it that are other than their defaults. */
export function describeRequest(request: RuleRequest): string {
  const { headers, ip, isAiBot, isCrawlerBot } = request;
  const parts = [
    ...Object.entries(headers).map(
      ([name, values]) =>
        `header ${name || '""'} ${values.map(quoted).join(", ") || "without a value"}`,
    ),
    ...(ip === undefined ? [] : [`ip ${ip}`]),
    ...TEXTS.flatMap((name) => {
      const value = request[name];
      return value ? [`${name} ${quoted(value)}`] : [];
    }),
    ...(isAiBot ? ["isAiBot true"] : []),
    ...(isCrawlerBot ? ["isCrawlerBot true"] : []),
  ];
  return visibleText(parts.join(", ") || "an empty request");
}

function quoted(value: string): string {
  const characters = [...value];
  const isLong = characters.length > LONGEST_VALUE;
  return JSON.stringify(
    isLong ? `${characters.slice(0, LONGEST_VALUE - 3).join("")}...` : value,
  );
}
