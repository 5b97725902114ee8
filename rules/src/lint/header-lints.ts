import {
  findHeaderNameCase,
  findHeaderNameUnknown,
  findHeaderOfAnswers,
} from "./finders/headers";
import { exampleRules, type LintRow } from "./set/lint";

/** Lints of header names. */
export const HEADER_LINTS: Readonly<Record<string, LintRow>> = {
  "header-name-case": {
    severity: "error",
    doc: "Rules see no header with this spelling of its name.",
    detail:
      "Header names match to the letter, and rules see every header under its canonical name, with capitals at the start and behind each hyphen: `Origin`, `User-Agent`, `Sec-Ch-Ua` (docs/assumptions.md, A39). A rule never finds a header under another spelling, however the browser spells it.",
    example: exampleRules(
      "deny other-sites: any(http.request.headers['origin'], # == 'https://other.example')",
    ),
    of: "rule",
    find: findHeaderNameCase,
  },
  "header-name-unknown": {
    doc: "The name of a header differs in one or two letters from a known name, or imitates a browser's own name.",
    detail:
      "A misspelt header is missing in every request. Known names are the request headers in IANA's registry and the headers that browsers and proxies add. A name of your own is not reported unless it is similar to a known name. Only browsers can send names with `Sec-`: `Sec-Ch-Version` means `Sec-Ch-Ua-Full-Version`.",
    example: exampleRules(
      "allow our-shop: any(http.request.headers['Orgin'], # == 'https://shop.example')",
      "deny others: true",
    ),
    unless: ["header-name-case"],
    of: "rule",
    find: findHeaderNameUnknown,
  },
  "header-of-answer": {
    doc: "The rule reads a response header, or a variable of a server.",
    detail:
      "Services send `Set-Cookie`, `Access-Control-Allow-Origin` and other response headers to clients (RFC 9110; RFC 6265; Fetch standard). CGI passes `REMOTE_ADDR` and other variables to programs (RFC 3875). No client sends any of these as a request header, except in a request made by hand.",
    example: exampleRules(
      "deny other-sites: any(http.request.headers['Access-Control-Allow-Origin'], # == 'https://other.example')",
    ),
    unless: ["header-name-case"],
    of: "rule",
    find: findHeaderOfAnswers,
  },
};
