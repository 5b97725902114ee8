import {
  findHeaderNameCase,
  findHeaderNameUnknown,
  findHeaderOfAnswers,
} from "./finders/headers";
import { exampleRules, type Lint } from "./set/lint";

/** Lints of the names of headers. */
export const HEADER_LINTS: readonly Lint[] = [
  {
    code: "header-name-case",
    severity: "error",
    doc: "No request has a header under this name, in this spelling.",
    detail:
      "Header names match to the letter, and rules see every header under its canonical name, with capitals at the start and behind each hyphen: `Origin`, `User-Agent`, `Sec-Ch-Ua` (docs/assumptions.md, A39). However a browser spells it, a header under any other name is never found.",
    example: {
      found: exampleRules(
        "deny other-sites: any(http.request.headers['origin'], # == 'https://other.example')",
      ),
      fixed: exampleRules(
        "deny other-sites: any(http.request.headers['Origin'], # == 'https://other.example')",
      ),
    },
    of: "rule",
    find: findHeaderNameCase,
  },
  {
    code: "header-name-unknown",
    severity: "warning",
    doc: "A header has a name that is one or two letters from that of a known one.",
    detail:
      "A header that nobody sends is missing in every request. Known are the headers of requests in the registry of IANA and those that browsers and proxies add; a name of your own that is like none of them is not reported.",
    example: {
      found: exampleRules(
        "allow our-shop: any(http.request.headers['Orgin'], # == 'https://shop.example')",
        "deny others: true",
      ),
      fixed: exampleRules(
        "allow our-shop: any(http.request.headers['Origin'], # == 'https://shop.example')",
        "deny others: true",
      ),
    },
    unless: ["header-name-case"],
    of: "rule",
    find: findHeaderNameUnknown,
  },
  {
    code: "header-of-answer",
    severity: "warning",
    doc: "A header of answers is looked for in requests.",
    detail:
      "`Set-Cookie`, `Access-Control-Allow-Origin` and others are sent by services to clients (RFC 9110; RFC 6265; Fetch standard). A request with one is made by hand.",
    example: {
      found: exampleRules(
        "deny other-sites: any(http.request.headers['Access-Control-Allow-Origin'], # == 'https://other.example')",
      ),
      fixed: exampleRules(
        "deny other-sites: any(http.request.headers['Origin'], # == 'https://other.example')",
      ),
    },
    unless: ["header-name-case"],
    of: "rule",
    find: findHeaderOfAnswers,
  },
];
