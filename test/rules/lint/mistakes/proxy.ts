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
    "a referer that contains the host",
    "referer-contains",
    referer("# contains 'pay.example'"),
  ],
  [
    "a pattern for a referer without an end of the host",
    "referer-pattern",
    referer("# matches '^https?://(www\\\\.)?pay\\\\.example'"),
  ],
  [
    "a forwarded address that is trusted",
    "header-of-anybody",
    only("http.request.headers['X-Forwarded-For'][0] == '198.51.100.7'"),
  ],
  [
    "a header with the real address that is trusted",
    "header-of-anybody",
    only(
      "http.request.headers['X-Real-Ip'][0] in ['198.51.100.7', '198.51.100.8']",
    ),
  ],
  [
    "the beginning of a forwarded address that is trusted",
    "header-of-anybody",
    only(
      "any(http.request.headers['X-Forwarded-For'], # startsWith '198.51.100.')",
    ),
  ],
  [
    "an address in a CDN's header that is trusted",
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
    "the address of the machine itself",
    "network-never-seen",
    only("http.request.ip in cidr('127.0.0.1/32')"),
  ],
  [
    "unique local addresses",
    "network-never-seen",
    only("http.request.ip in cidr('fd12:3456::/32')"),
  ],
  [
    "every address outside of a private network",
    "network-never-seen",
    ["deny http.request.ip not in cidr('172.16.0.0/12')"],
  ],
  [
    "every IPv4 address, without IPv6",
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
    "a network written with one of its addresses",
    "network-with-host-bits",
    ["deny http.request.ip in cidr('198.51.100.77/24')"],
  ],
  [
    "the same network twice",
    "overlapping-networks",
    [
      "deny http.request.ip in cidr('198.51.100.0/24') || http.request.ip in cidr('198.51.100.0/24')",
    ],
  ],
  [
    "an empty text for a missing referer",
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
    "the host of a referer with capitals",
    "referer-host",
    [`deny none(${REFERER}, # startsWith 'https://PayRight.example/')`],
  ],
]);
