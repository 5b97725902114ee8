/** A name that rules look for, and a user agent that contains it. */
interface KnownUserAgent {
  readonly name: string;
  readonly userAgent: string;
}

/** Real user agents, by the names that rules look for. */
export const KNOWN_USER_AGENTS: readonly KnownUserAgent[] = `
Chrome: Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36
Firefox: Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0
Safari: Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15
iPhone: Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1
Android: Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36
Edg: Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36 Edg/126.0.0.0
OPR: Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36 OPR/112.0.0.0
MSIE: Mozilla/5.0 (compatible; MSIE 10.0; Windows NT 6.2; Trident/6.0)
Trident: Mozilla/5.0 (Windows NT 10.0; WOW64; Trident/7.0; rv:11.0) like Gecko
HeadlessChrome: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/126.0.0.0 Safari/537.36
PhantomJS: Mozilla/5.0 (Unknown; Linux x86_64) AppleWebKit/538.1 (KHTML, like Gecko) PhantomJS/2.1.1 Safari/538.1
Googlebot: Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)
bingbot: Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)
YandexBot: Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)
AhrefsBot: Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)
SemrushBot: Mozilla/5.0 (compatible; SemrushBot/7~bl; +http://www.semrush.com/bot.html)
MJ12bot: Mozilla/5.0 (compatible; MJ12bot/v1.4.8; http://mj12bot.com/)
DotBot: Mozilla/5.0 (compatible; DotBot/1.2; +https://opensiteexplorer.org/dotbot)
PetalBot: Mozilla/5.0 (compatible; PetalBot/1.0; +https://webmaster.petalsearch.com/site/petalbot)
GPTBot: Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)
ClaudeBot: Mozilla/5.0 (compatible; ClaudeBot/1.0; +claudebot@anthropic.com)
PerplexityBot: Mozilla/5.0 (compatible; PerplexityBot/1.0; +https://perplexity.ai/perplexitybot)
Bytespider: Mozilla/5.0 (compatible; Bytespider/1.0; spider-feedback@bytedance.com)
CCBot: CCBot/2.0 (https://commoncrawl.org/faq/)
facebookexternalhit: facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)
Twitterbot: Twitterbot/1.0
Scrapy: Scrapy/2.11.2 (+https://scrapy.org)
curl: curl/8.5.0
Wget: Wget/1.21.4
python-requests: python-requests/2.31.0
aiohttp: Python/3.11 aiohttp/3.9.5
Go-http-client: Go-http-client/1.1
okhttp: okhttp/4.12.0
Java: Java/17.0.10
axios: axios/1.7.2
node-fetch: node-fetch/1.0
PostmanRuntime: PostmanRuntime/7.39.0
libwww-perl: libwww-perl/6.72
Python-urllib: Python-urllib/3.11
python-httpx: python-httpx/0.27.0
Apache-HttpClient: Apache-HttpClient/4.5.14 (Java/17.0.10)
Dalvik: Dalvik/2.1.0 (Linux; U; Android 14; Pixel 8)
CFNetwork: Shop/12 CFNetwork/1494.0.7 Darwin/23.4.0
sqlmap: sqlmap/1.8.4#stable (https://sqlmap.org)
zgrab: Mozilla/5.0 zgrab/0.x
Electron: Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Electron/30.0.0 Safari/537.36
Applebot: Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15 (Applebot/0.1; +http://www.apple.com/go/applebot)
Amazonbot: Mozilla/5.0 (Macintosh; Intel Mac OS X 10_10_1) AppleWebKit/600.2.5 (KHTML, like Gecko) Version/8.0.2 Safari/600.2.5 (Amazonbot/0.1; +https://developer.amazon.com/support/amazonbot)
DuckDuckBot: DuckDuckBot/1.1; (+http://duckduckgo.com/duckduckbot.html)
Baiduspider: Mozilla/5.0 (compatible; Baiduspider/2.0; +http://www.baidu.com/search/spider.html)
ChatGPT-User: Mozilla/5.0 (compatible; ChatGPT-User/1.0; +https://openai.com/bot)
OAI-SearchBot: Mozilla/5.0 (compatible; OAI-SearchBot/1.0; +https://openai.com/searchbot)
LinkedInBot: Mozilla/5.0 (compatible; LinkedInBot/1.0 (compatible; +http://www.linkedin.com))
Slackbot: Slackbot 1.0 (+https://api.slack.com/robots)
Discordbot: Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)
UptimeRobot: Mozilla/5.0 (compatible; UptimeRobot/2.0; http://www.uptimerobot.com/)
`
  .trim()
  .split("\n")
  .map((row) => {
    const [name = "", userAgent = ""] = row.split(/: (.*)/);
    return { name, userAgent };
  });
