import type { RuleRequest } from "../../language";
import { botFlags, withBotFlags } from "../../language/request/bot-flags";
import { HEADER_NAME } from "../../language/request/header-names";
import { visibleText } from "./visible-text";

const TEXTS = ["sdkPlatform", "sdkVersion", "appPackageName"] as const;
const FLAGS = ["isAiBot", "isCrawlerBot"] as const;

/** Characters: long enough for a user agent. */
const LONGEST_VALUE = 200;

/**
 * Describes a request in a few words, in enough detail to reproduce it: the
 * parts that differ from their defaults, with texts in quotes. A bot is
 * mentioned only if the shown user agent does not already imply it. A
 * text of more than 200 characters is cut, and the number of missing characters
 * follows.
 */
export function describeRequest(request: RuleRequest): string {
  const { headers, ip, userAgent } = request;
  const implied = botFlags(userAgent && beginningOf(userAgent));
  const flags = { ...implied, ...withBotFlags(request) };
  const isImplied = FLAGS.every((name) => flags[name] === implied[name]);
  const parts = [
    ...Object.entries(headers).map(
      ([name, values]) =>
        `header ${HEADER_NAME.test(name) ? name : quoted(name)} ${values.map(quoted).join(", ") || "without a value"}`,
    ),
    ...(ip === undefined ? [] : [`ip ${ip}`]),
    ...(userAgent ? [`userAgent ${quoted(userAgent)}`] : []),
    ...TEXTS.flatMap((name) => {
      const value = request[name];
      return value ? [`${name} ${quoted(value)}`] : [];
    }),
    ...(isImplied
      ? []
      : FLAGS.filter((name) => flags[name] || implied[name])
    ).map((name) => `${name} ${flags[name]}`),
  ];
  return visibleText(parts.join(", ") || "an empty request");
}

const beginningOf = (value: string) =>
  [...value].slice(0, LONGEST_VALUE).join("");

function quoted(value: string): string {
  const more = [...value].length - LONGEST_VALUE;
  return more > 0
    ? `${JSON.stringify(beginningOf(value))} and ${more} more characters`
    : JSON.stringify(value);
}
