import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import crawlers from "crawler-user-agents";
import { describe, expect, it } from "vitest";
import { parseIp, parseNetwork, type RuleRequest } from "@devid/rules/language";
import { cellsOf } from "../../helpers/cells-of";
import { checked } from "../language/checked";
import { isInNetwork } from "../../../rules/src/language/request/ip-address";
import { KNOWN_USER_AGENTS } from "../../../rules/src/language/request/known-user-agents";
import { matches } from "../../../rules/src/solver/condition";
import { findRequest } from "../../../rules/src/solver/find-request";
import { ROOT } from "../../helpers/repository";

/** A request that the solver finds for an expression. */
function witness(expression: string): RuleRequest | undefined {
  const found = findRequest(matches(checked(expression)));
  return found.answer === "found" ? found.request : undefined;
}

const EXISTING = new Set([
  ...KNOWN_USER_AGENTS.map(({ userAgent }) => userAgent),
  ...crawlers.flatMap(({ instances }) => instances),
]);

/** A real user agent, or a list of products with versions. */
const isUserAgent = (text: string) =>
  text === "" ||
  EXISTING.has(text) ||
  /^(?:Mozilla\/5\.0 )?\(?[\w .;:,/()+~#-]+\/\d[\w.]*/.test(text);

// The URL standard gives the page of an extension no origin, but browsers send one.
const isOrigin = (text: string) =>
  text === "null" ||
  /^moz-extension:\/\/[0-9a-f-]{36}$/.test(text) ||
  (URL.canParse(text) && new URL(text).origin === text);

const DOCUMENTATION = [
  ...["192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "2001:db8::/32"],
].flatMap((text) => parseNetwork(text) ?? []);
const isDocumented = (text: string) => {
  const address = parseIp(text);
  return (
    address !== undefined &&
    DOCUMENTATION.some((network) => isInNetwork(address, network))
  );
};

/** A part of a request, a condition of it, and its value in a witness. */
const WITNESSES = String.raw`
userAgent | {} contains 'curl' | curl/8.5.0
userAgent | {} startsWith 'EvilScraper' | EvilScraper/1.0
userAgent | {} contains 'Googlebot' && {} contains 'MSIE 1.' | Mozilla/5.0 (compatible; Googlebot/1.0; MSIE 1.0)
userAgent | lower({}) contains 'googlebot' | Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)
userAgent | {} matches '(?i)bot' && !http.user_agent.is_crawler_bot && !http.user_agent.is_ai_bot | Mozilla/5.0 (compatible; bot/1.0)
userAgent | {} matches '(?i)bot' && http.user_agent.is_ai_bot | Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)
userAgent | {} matches '^Mozilla/5\\.0 .*Firefox/[0-9]{2}\\.' | Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/11.0
Origin | any({}, # contains 'shop.example') | https://shop.example
Origin | any({}, # endsWith '.shop.example') | https://www.shop.example
Origin | any({}, # startsWith 'http://') | http://shop.example
Origin | any({}, # contains ':8080') | https://shop.example:8080
Origin | any({}, # != 'https://other.example') | https://shop.example
Origin | any({}, # startsWith 'https://' && # endsWith '.evil.test') | https://shop.evil.test
ip | {} not in cidr('203.0.113.0/24') | 198.51.100.10
ip | {} in cidr('203.0.0.0/8') | 203.0.113.10
ip | {} in cidr('192.0.2.7/32') | 192.0.2.7
ip | {} in cidr('10.0.0.0/8') | 10.0.0.10
`;

const FIELDS: Readonly<Record<string, string>> = {
  userAgent: "http.user_agent.string",
  Origin: "http.request.headers['Origin']",
  ip: "http.request.ip",
};

it.each(cellsOf(WITNESSES))(
  "a witness looks like a real request: %s, %s",
  (part = "", condition = "", value) => {
    const { headers, ...rest } =
      witness(condition.replaceAll("{}", FIELDS[part] ?? "")) ?? expect.fail();
    const [origin] = headers.Origin ?? [];
    expect({ ...rest, Origin: origin }).toHaveProperty(part, value);
  },
);

/**
 * Values of requests in pages and golden files, written by `describeRequest` or as
 * JSON.
 */
function* shown(folder: string) {
  for (const name of readdirSync(join(ROOT, folder), { recursive: true })) {
    const file = String(name);
    if (!/\.(?:md|txt|json|html|sarif)$/.test(file)) continue;
    const text = readFileSync(join(ROOT, folder, file), "utf8")
      .replaceAll("&quot;", '"')
      .replaceAll('\\"', '"');
    for (const [pattern, isRight] of [
      [/\buserAgent(?:": ?| )"([^"\n]*)"/g, isUserAgent],
      [/\bOrigin(?:":\[| )"([^"\n]+)"/g, isOrigin],
      [/\bip(?:"?: ?")? ?([0-9a-f]+[.:][0-9a-f.:]*[0-9a-f])/g, isDocumented],
    ] as const)
      for (const [, value = ""] of text.matchAll(pattern))
        yield { file: `${folder}/${file}`, value, isRight: isRight(value) };
  }
}

describe.each(["docs", "test/golden"])("the requests in %s", (folder) => {
  it("look real", () => {
    const values = [...shown(folder)];
    expect(values.length).toBeGreaterThan(5);
    expect(values.filter(({ isRight }) => !isRight)).toEqual([]);
  });
});
