import { mistakes, only, REFERER, referer, UA } from "./reported-mistake";

/** Mistakes that teams report from configurations of proxies. */
export const PROXY_MISTAKES = mistakes("proxy", [
  [
    "a referer without its slash",
    "referer-without-path",
    referer("# in ['https://pay.example', 'https://buy.example']"),
  ],
  [
    "a referer that ends with the host",
    "referer-without-path",
    referer("# endsWith 'pay.example'"),
  ],
  [
    "a referer without a scheme",
    "referer-without-scheme",
    referer("# startsWith 'pay.example/checkout'"),
  ],
  [
    "a referer with a fragment",
    "referer-fragment",
    referer("# startsWith 'https://pay.example/#/checkout'"),
  ],
  [
    "the beginning of a referer",
    "referer-starts",
    referer("# startsWith 'https://www.pay.example'"),
  ],
  [
    "hotlinking by contains",
    "referer-contains",
    referer("# contains 'pay.example'"),
  ],
  [
    "hotlinking by a pattern without an end",
    "referer-pattern",
    referer("# matches '^https?://(www\\\\.)?pay\\\\.example'"),
  ],
  [
    "the forwarded address is trusted",
    "header-of-anybody",
    only("http.request.headers['X-Forwarded-For'][0] == '198.51.100.7'"),
  ],
  [
    "the real address is trusted",
    "header-of-anybody",
    only(
      "http.request.headers['X-Real-Ip'][0] in ['198.51.100.7', '198.51.100.8']",
    ),
  ],
  [
    "the beginning of a forwarded address is trusted",
    "header-of-anybody",
    only(
      "any(http.request.headers['X-Forwarded-For'], # startsWith '198.51.100.')",
    ),
  ],
  [
    "the address of a CDN's header is trusted",
    "header-of-anybody",
    only("any(http.request.headers['Cf-Connecting-Ip'], # == '2001:db8::7')"),
  ],
  [
    "the office's own network",
    "network-never-seen",
    only("http.request.ip in cidr('10.20.0.0/16')"),
  ],
  [
    "the network of the VPN",
    "network-never-seen",
    only("http.request.ip in cidr('100.64.0.0/10')"),
  ],
  [
    "the machine itself",
    "network-never-seen",
    only("http.request.ip in cidr('127.0.0.1/32')"),
  ],
  [
    "unique local addresses",
    "network-never-seen",
    only("http.request.ip in cidr('fd12:3456::/32')"),
  ],
  [
    "everybody outside a private network",
    "network-never-seen",
    ["deny http.request.ip not in cidr('172.16.0.0/12')"],
  ],
  [
    "everybody, and IPv6 forgotten",
    "network-of-all",
    ["deny http.request.ip in cidr('0.0.0.0/0')"],
  ],
  [
    "one address with /0",
    "network-of-all",
    ["deny http.request.ip in cidr('198.51.100.7/0')"],
  ],
  [
    "an IPv4 network in IPv6",
    "mapped-network",
    ["deny http.request.ip in cidr('::ffff:198.51.100.0/120')"],
  ],
  [
    "an address within the network",
    "network-with-host-bits",
    ["deny http.request.ip in cidr('198.51.100.77/24')"],
  ],
  [
    "a network twice",
    "overlapping-networks",
    [
      "deny http.request.ip in cidr('198.51.100.0/24') || http.request.ip in cidr('198.51.100.0/24')",
    ],
  ],
  [
    "an empty referer for a missing one",
    "missing-header",
    [`deny ${REFERER}[0] == ''`],
  ],
  [
    "the dash of an access log for a missing referer",
    "missing-header",
    [`deny any(${REFERER}, # == '-')`],
  ],
  [
    "the dash of an access log for a missing user agent",
    "missing-as-text",
    [`deny ${UA} == '-'`],
  ],
  [
    "the host of a referer as the brand spells it",
    "referer-host",
    [`deny none(${REFERER}, # startsWith 'https://PayRight.example/')`],
  ],
]);
