import type { RuleRequest } from "../../language";
import { botFlags } from "../../language/request/bot-flags";
import { visibleText } from "./visible-text";

const TEXTS = ["sdkPlatform", "sdkVersion", "appPackageName"] as const;

/** In characters: long enough for a user agent. */
const LONGEST_VALUE = 200;

/**
 * A request in a few words, from which it can be told again: the parts of it
 * that are other than their defaults, texts in quotes. Whether it is a bot is
 * told where the user agent that is shown does not tell it. Of a text of more
 * than 200 characters it says how many are left out.
 */
export function describeRequest(request: RuleRequest): string {
  const { headers, ip, userAgent } = request;
  const told = botFlags(userAgent && beginningOf(userAgent));
  const parts = [
    ...Object.entries(headers).map(
      ([name, values]) =>
        `header ${isToken(name) ? name : quoted(name)} ${values.map(quoted).join(", ") || "without a value"}`,
    ),
    ...(ip === undefined ? [] : [`ip ${ip}`]),
    ...(userAgent ? [`userAgent ${quoted(userAgent)}`] : []),
    ...TEXTS.flatMap((name) => {
      const value = request[name];
      return value ? [`${name} ${quoted(value)}`] : [];
    }),
    ...(["isAiBot", "isCrawlerBot"] as const).flatMap((name) => {
      const { [name]: isSo = botFlags(userAgent)[name] } = request;
      return isSo === told[name] ? [] : [`${name} ${isSo}`];
    }),
  ];
  return visibleText(parts.join(", ") || "an empty request");
}

/** A name that can be told from what stands around it. */
const isToken = (name: string) => /^[\w!#$%&'*+.^`|~-]+$/.test(name);

const beginningOf = (value: string) =>
  [...value].slice(0, LONGEST_VALUE).join("");

function quoted(value: string): string {
  const more = [...value].length - LONGEST_VALUE;
  return more > 0
    ? `${JSON.stringify(beginningOf(value))} and ${more} more characters`
    : JSON.stringify(value);
}
