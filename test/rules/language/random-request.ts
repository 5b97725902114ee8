import fc from "fast-check";
import type { RuleRequest } from "../../../rules/src/language/index";

/** Names of headers. */
export const headerName = fc.constantFrom(
  "Origin",
  "Referer",
  "X-A",
  "X-B",
  "",
);
/** Texts that headers, fields and literals share, so that comparisons often hold. */
export const word = fc.constantFrom(
  "",
  "a",
  "b",
  "ab",
  "A",
  "Origin",
  "bot",
  "Googlebot/2.1",
  "https://shop.example",
  "ß",
  "é",
  "İ",
  "Σ",
  "\u{1f600}",
  "\ufffd",
  "\u2003x\u00a0",
  " a ",
  "1",
  "it's",
  'say "x"',
);

/** A request with few, well-known values, so that comparisons often hold. */
export const request: fc.Arbitrary<RuleRequest> = fc.record(
  {
    headers: fc.dictionary(headerName, fc.array(word, { maxLength: 3 }), {
      maxKeys: 4,
      noNullPrototype: true,
    }),
    ip: fc.constantFrom(
      "10.1.2.3",
      "203.0.113.5",
      "::ffff:10.1.2.3",
      "2001:db8::1",
      "::1",
    ),
    userAgent: word,
    sdkPlatform: fc.constantFrom("js", "android", "ios", "unknown"),
    sdkVersion: fc.constantFrom("3.11.2", "4.0.0", ""),
    appPackageName: fc.constantFrom("com.acme.default", "a"),
    isAiBot: fc.boolean(),
    isCrawlerBot: fc.boolean(),
  },
  { requiredKeys: ["headers"] },
);
