import { expect, it } from "vitest";
import {
  botFlags,
  withBotFlags,
} from "../../../rules/src/language/request/bot-flags";
import { CLIENTS } from "../../../rules/src/lint/finders/other-clients";

const CHROME =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";

it.each([
  ["a browser", CHROME, false, false],
  ["none", undefined, false, false],
  ["an empty one", "", false, false],
  [
    "a search engine's crawler",
    "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
    true,
    false,
  ],
  [
    "an AI company's crawler",
    "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)",
    false,
    true,
  ],
])("user agent: %s", (_, userAgent, isCrawlerBot, isAiBot) => {
  expect(botFlags(userAgent)).toEqual({ isCrawlerBot, isAiBot });
});

it.each(CLIENTS)("lint knows the flags of $userAgent", (client) => {
  expect(client).toMatchObject(botFlags(client.userAgent));
});

it("reads the first 4,096 characters of a user agent", () => {
  const crawler = "Googlebot/2.1";
  const before = (length: number) => botFlags("x".repeat(length) + crawler);
  expect(before(4_096 - crawler.length).isCrawlerBot).toBe(true);
  expect(before(4_096).isCrawlerBot).toBe(false);
});

it("a flag that is given as undefined is not given", () => {
  const request = { headers: {}, userAgent: "GPTBot/1.2" };
  const open = { isAiBot: undefined, isCrawlerBot: undefined };
  expect(withBotFlags({ ...request, ...open })).toEqual(withBotFlags(request));
  expect(withBotFlags({ ...request, isAiBot: false }).isAiBot).toBe(false);
});
