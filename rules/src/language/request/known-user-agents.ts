/** A name that rules look for, and a user agent that contains it. */
interface KnownUserAgent {
  readonly name: string;
  readonly userAgent: string;
}

const browser = (name: string, userAgent: string): KnownUserAgent => ({
  name,
  userAgent: `Mozilla/5.0 ${userAgent}`,
});
const crawler = (name: string, about: string): KnownUserAgent =>
  browser(name, `(compatible; ${name}/${about})`);
const tool = (name: string, version: string): KnownUserAgent => ({
  name,
  userAgent: `${name}/${version}`,
});

const WINDOWS =
  "(Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko)";

/** Real user agents, by the names that rules look for. */
export const KNOWN_USER_AGENTS: readonly KnownUserAgent[] = [
  browser("Chrome", `${WINDOWS} Chrome/126.0.0.0 Safari/537.36`),
  browser(
    "Firefox",
    "(X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0",
  ),
  browser(
    "Safari",
    "(Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15",
  ),
  browser(
    "iPhone",
    "(iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1",
  ),
  browser(
    "Android",
    "(Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36",
  ),
  browser("Edg", `${WINDOWS} Chrome/126.0.0.0 Safari/537.36 Edg/126.0.0.0`),
  browser("OPR", `${WINDOWS} Chrome/126.0.0.0 Safari/537.36 OPR/112.0.0.0`),
  browser("MSIE", "(compatible; MSIE 10.0; Windows NT 6.2; Trident/6.0)"),
  browser(
    "Trident",
    "(Windows NT 10.0; WOW64; Trident/7.0; rv:11.0) like Gecko",
  ),
  browser(
    "HeadlessChrome",
    "(X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/126.0.0.0 Safari/537.36",
  ),
  browser(
    "PhantomJS",
    "(Unknown; Linux x86_64) AppleWebKit/538.1 (KHTML, like Gecko) PhantomJS/2.1.1 Safari/538.1",
  ),
  crawler("Googlebot", "2.1; +http://www.google.com/bot.html"),
  crawler("bingbot", "2.0; +http://www.bing.com/bingbot.htm"),
  crawler("YandexBot", "3.0; +http://yandex.com/bots"),
  crawler("AhrefsBot", "7.0; +http://ahrefs.com/robot/"),
  crawler("SemrushBot", "7~bl; +http://www.semrush.com/bot.html"),
  crawler("MJ12bot", "v1.4.8; http://mj12bot.com/"),
  crawler("DotBot", "1.2; +https://opensiteexplorer.org/dotbot"),
  crawler("PetalBot", "1.0; +https://webmaster.petalsearch.com/site/petalbot"),
  crawler("GPTBot", "1.2; +https://openai.com/gptbot"),
  crawler("ClaudeBot", "1.0; +claudebot@anthropic.com"),
  crawler("PerplexityBot", "1.0; +https://perplexity.ai/perplexitybot"),
  crawler("Bytespider", "1.0; spider-feedback@bytedance.com"),
  {
    name: "CCBot",
    userAgent: "CCBot/2.0 (https://commoncrawl.org/faq/)",
  },
  {
    name: "facebookexternalhit",
    userAgent:
      "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
  },
  { name: "Twitterbot", userAgent: "Twitterbot/1.0" },
  { name: "Scrapy", userAgent: "Scrapy/2.11.2 (+https://scrapy.org)" },
  tool("curl", "8.5.0"),
  tool("Wget", "1.21.4"),
  tool("python-requests", "2.31.0"),
  { name: "aiohttp", userAgent: "Python/3.11 aiohttp/3.9.5" },
  tool("Go-http-client", "1.1"),
  tool("okhttp", "4.12.0"),
  tool("Java", "17.0.10"),
  tool("axios", "1.7.2"),
  tool("node-fetch", "1.0"),
  tool("PostmanRuntime", "7.39.0"),
  tool("libwww-perl", "6.72"),
  tool("Python-urllib", "3.11"),
  tool("python-httpx", "0.27.0"),
  tool("Apache-HttpClient", "4.5.14 (Java/17.0.10)"),
  tool("Dalvik", "2.1.0 (Linux; U; Android 14; Pixel 8)"),
  { name: "CFNetwork", userAgent: "Shop/12 CFNetwork/1494.0.7 Darwin/23.4.0" },
  tool("sqlmap", "1.8.4#stable (https://sqlmap.org)"),
  browser("zgrab", "zgrab/0.x"),
  browser(
    "Electron",
    `${WINDOWS} Chrome/124.0.0.0 Electron/30.0.0 Safari/537.36`,
  ),
  browser(
    "Applebot",
    "(Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15 (Applebot/0.1; +http://www.apple.com/go/applebot)",
  ),
  browser(
    "Amazonbot",
    "(Macintosh; Intel Mac OS X 10_10_1) AppleWebKit/600.2.5 (KHTML, like Gecko) Version/8.0.2 Safari/600.2.5 (Amazonbot/0.1; +https://developer.amazon.com/support/amazonbot)",
  ),
  {
    name: "DuckDuckBot",
    userAgent: "DuckDuckBot/1.1; (+http://duckduckgo.com/duckduckbot.html)",
  },
  crawler("Baiduspider", "2.0; +http://www.baidu.com/search/spider.html"),
  crawler("ChatGPT-User", "1.0; +https://openai.com/bot"),
  crawler("OAI-SearchBot", "1.0; +https://openai.com/searchbot"),
  crawler("LinkedInBot", "1.0 (compatible; +http://www.linkedin.com)"),
  {
    name: "Slackbot",
    userAgent: "Slackbot 1.0 (+https://api.slack.com/robots)",
  },
  crawler("Discordbot", "2.0; +https://discordapp.com"),
  crawler("UptimeRobot", "2.0; http://www.uptimerobot.com/"),
];
