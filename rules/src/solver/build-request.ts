import { botFlags, type BotFlags } from "../language/bot-flags";
import { parseIp, type RuleRequest } from "../language";
import { addressNumber, addressText } from "./addresses";
import { headerValues } from "./build-header";
import { chooseText, type Commit } from "./choose-text";
import type { Knowledge } from "./knowledge";
import { includes } from "./ranges";
import {
  fieldSubject,
  flagSubject,
  HEADERS,
  IP,
  type TextField,
} from "./subject";

/** Addresses for documentation, which are nobody's. */
const PLAIN_ADDRESSES = ["203.0.113.10", "198.51.100.10", "2001:db8::10"];

/** Most headers that a request is filled up to. */
const MAX_HEADERS = 1_000n;

const FIELDS: readonly TextField[] = [
  "userAgent",
  "sdkPlatform",
  "sdkVersion",
  "appPackageName",
];

/**
 * Makes a request from what is known: as plain as that allows, and not sure to
 * fit. What it commits to is taken back.
 */
export function buildRequest(
  knowledge: Knowledge,
  commit: Commit,
): RuleRequest {
  const mark = knowledge.mark();
  const texts: Partial<Record<TextField, string>> = {};
  for (const field of FIELDS) {
    const subject = fieldSubject(field);
    if (!knowledge.concerns(subject)) continue;
    const text = chooseText(subject, knowledge, commit);
    if (text !== undefined && text !== "") texts[field] = text;
  }
  const headers = chooseHeaders(knowledge, commit);
  const ip = chooseAddress(knowledge);
  const request: RuleRequest = {
    headers,
    ...(ip === undefined ? {} : { ip }),
    ...texts,
    ...chooseFlags(knowledge, texts.userAgent),
  };
  knowledge.backTo(mark);
  return request;
}

function chooseHeaders(knowledge: Knowledge, commit: Commit) {
  const headers: Record<string, readonly string[]> = {};
  for (const { header } of knowledge.sizes()) {
    const values = headerValues(header, knowledge, commit);
    if (values) headers[header] = values;
  }
  const [range] = knowledge.numbers(HEADERS);
  const least = range && range[0] < MAX_HEADERS ? Number(range[0]) : 0;
  for (let i = 1; Object.keys(headers).length < least; i++)
    headers[`X-Other-${i}`] ??= ["other"];
  return headers;
}

function chooseAddress(knowledge: Knowledge): string | undefined {
  if (!knowledge.has(IP)) return undefined;
  const numbers = knowledge.numbers(IP);
  for (const text of PLAIN_ADDRESSES) {
    const address = parseIp(text);
    if (address && includes(numbers, addressNumber(address))) return text;
  }
  const range = numbers.find(([, last]) => last >= 0n);
  if (!range) return undefined;
  const first = range[0] < 0n ? 0n : range[0];
  // The first address of a network is the network's own.
  return addressText(first < range[1] ? first + 1n : first);
}

/** What the user agent tells, where nothing else is asked for. */
function chooseFlags(knowledge: Knowledge, userAgent: string | undefined) {
  const told = botFlags(userAgent);
  const chosen: { -readonly [Flag in keyof BotFlags]?: boolean } = {};
  for (const field of ["isAiBot", "isCrawlerBot"] as const) {
    const known = knowledge.truth(flagSubject(field));
    if (known !== undefined || userAgent !== undefined)
      chosen[field] = known ?? told[field];
  }
  return chosen;
}
