import { mistakes, only, ORIGIN, origin } from "./reported-mistake";

/** Mistakes that teams report from checks of origins. */
export const CORS_MISTAKES = mistakes("cors", [
  [
    "a query behind the origin",
    "origin-path",
    origin("# == 'https://pay.example?x=1'"),
  ],
  [
    "a fragment behind the origin",
    "origin-path",
    origin("# == 'https://pay.example#top'"),
  ],
  [
    "the address of a page in a list",
    "origin-path",
    origin("# in ['https://pay.example', 'https://my.pay.example/account']"),
  ],
  [
    "a slash behind the end of a host",
    "origin-path",
    origin("# endsWith '.pay.example/'"),
  ],
  [
    "a slash behind a port",
    "origin-path",
    only(`${ORIGIN}[0] == 'http://localhost:5173/'`),
  ],
  [
    "the slash that a router adds, in front of what else it must be",
    "origin-path",
    origin("# startsWith 'https://pay.example/'"),
  ],
  ["port 80 of http", "origin-port", origin("# == 'http://kiosk.example:80'")],
  [
    "port 443 in a list",
    "origin-port",
    origin("# in ['https://pay.example:443', 'https://my.pay.example']"),
  ],
  [
    "port 443 at the end",
    "origin-port",
    origin("# endsWith '.pay.example:443'"),
  ],
  [
    "a brand in camel case",
    "origin-capitals",
    origin("# == 'https://PayRight.example'"),
  ],
  [
    "capitals at the end",
    "origin-capitals",
    origin("# endsWith '.PayRight.example'"),
  ],
  [
    "a scheme in capitals",
    "origin-capitals",
    origin("# startsWith 'HTTPS://'"),
  ],
  [
    "umlauts at the end",
    "origin-not-ascii",
    origin("# endsWith '.m\u00fcller.example'"),
  ],
  [
    "a host in Japanese",
    "origin-not-ascii",
    origin("# == 'https://\u4f8b\u3048.example'"),
  ],
  [
    "an encoded colon",
    "origin-percent",
    origin("# == 'https://pay.example%3A8443'"),
  ],
  [
    "a scheme with a letter twice",
    "origin-scheme",
    origin("# == 'httpss://pay.example'"),
  ],
  [
    "a scheme with letters swapped",
    "origin-scheme",
    origin("# == 'htpts://pay.example'"),
  ],
  ["one slash", "origin-scheme", origin("# == 'https:/pay.example'")],
  ["no colon", "origin-scheme", origin("# == 'https//pay.example'")],
  [
    "the scheme of a socket",
    "origin-scheme",
    origin("# == 'wss://live.pay.example'"),
  ],
  [
    "a host and a port alone",
    "origin-without-scheme",
    origin("# == 'localhost:3000'"),
  ],
  [
    "an address without a scheme",
    "origin-without-scheme",
    origin("# in ['127.0.0.1:8080']"),
  ],
  [
    "two slashes in front",
    "origin-without-scheme",
    origin("# == '//pay.example'"),
  ],
  [
    "the host in the deny list",
    "origin-without-scheme",
    [`deny any(${ORIGIN}, # == 'scraper.example')`],
  ],
  ["everything", "origin-glob", origin("# == '*'")],
  ["every port", "origin-glob", origin("# == 'http://localhost:*'")],
  ["every scheme", "origin-glob", origin("# == '*://pay.example'")],
  ["every end", "origin-glob", origin("# startsWith 'https://*.pay.example'")],
  ["stars on both sides", "origin-glob", origin("# contains '*pay.example*'")],
  [
    "a wildcard among others",
    "origin-glob",
    origin("# in ['https://pay.example', 'https://*.pay.example']"),
  ],
  [
    "origins parted by commas",
    "origin-list",
    origin("# == 'https://a.pay.example,https://b.pay.example'"),
  ],
  [
    "origins parted by blanks",
    "origin-list",
    origin("# == 'https://a.pay.example https://b.pay.example'"),
  ],
  [
    "indexOf of the host",
    "origin-contains",
    only(`${ORIGIN}[0] contains 'pay.example'`),
  ],
  [
    "indexOf of the company",
    "origin-contains",
    origin("# contains 'payright'"),
  ],
  [
    "indexOf of the whole origin",
    "origin-contains",
    origin("# contains 'https://pay.example'"),
  ],
  [
    "indexOf from a dot on",
    "origin-contains",
    origin("# contains '.pay.example'"),
  ],
  [
    "denied is what does not contain it",
    "origin-contains",
    [`deny none(${ORIGIN}, # contains 'pay.example')`],
  ],
  [
    "the same with not",
    "origin-contains",
    [
      `deny 'Origin' in http.request.headers && ${ORIGIN}[0] not contains 'pay.example'`,
    ],
  ],
  [
    "the end without a dot",
    "origin-ends",
    only(`${ORIGIN}[0] endsWith 'pay.example'`),
  ],
  [
    "https and the end without a dot",
    "origin-ends",
    origin("# startsWith 'https://' && # endsWith 'pay.example'"),
  ],
  [
    "the end with a port, without a dot",
    "origin-ends",
    origin("# endsWith 'pay.example:8443'"),
  ],
  [
    "the beginning without an end",
    "origin-starts",
    only(`${ORIGIN}[0] startsWith 'https://pay.example'`),
  ],
  [
    "the beginning of a name",
    "origin-starts",
    origin("# startsWith 'https://staging.'"),
  ],
  [
    "localhost without a port",
    "origin-starts",
    origin("# startsWith 'http://localhost'"),
  ],
  [
    "all of a provider of static pages",
    "origin-shared-host",
    origin("# endsWith '.github.io'"),
  ],
  [
    "all of a cloud's stores",
    "origin-shared-host",
    origin("# endsWith '.s3.amazonaws.com'"),
  ],
  ["all of a country", "origin-shared-host", origin("# endsWith '.co.uk'")],
  ["null for a local file", "origin-null", only(`${ORIGIN}[0] == 'null'`)],
  [
    "null beside the own origin",
    "origin-null",
    origin("# == 'https://pay.example' || # == 'null'"),
  ],
  [
    "no end of a pattern",
    "origin-pattern",
    origin("# matches '^https://[a-z]+[.]pay[.]example'"),
  ],
  [
    "no beginning of a pattern",
    "origin-pattern",
    origin("# matches 'pay[.]example$'"),
  ],
  [
    "a dot in front of the name that is any character",
    "origin-pattern",
    origin("# matches '^https://([a-z]+.)?pay[.]example$'"),
  ],
  [
    "dots within the host",
    "origin-pattern",
    origin("# matches '^https://my.pay.example$'"),
  ],
  [
    "anything in front of the host",
    "origin-pattern",
    origin("# matches '^https://.*pay\\\\.example$'"),
  ],
  [
    "a group of names that is not closed",
    "origin-pattern",
    origin("# matches '^https://(my|your)\\\\.pay\\\\.example'"),
  ],
  [
    "the second alternative is not closed",
    "origin-pattern",
    origin("# matches '^https://pay\\\\.example$|^https://buy\\\\.example'"),
  ],
  [
    "a comma behind an origin",
    "origin-characters",
    origin("# == 'https://pay.example,'"),
  ],
  [
    "quotes within the quotes",
    "origin-characters",
    origin(`# == '"https://pay.example"'`),
  ],
  [
    "a user in front of the host",
    "origin-characters",
    origin("# == 'https://admin@pay.example'"),
  ],
  [
    "a dot behind the host",
    "origin-characters",
    origin("# in ['https://pay.example.', 'https://my.pay.example']"),
  ],
  ["null in capitals", "origin-capitals", [`deny ${ORIGIN}[0] == 'NULL'`]],
  [
    "localhost in a pattern without an end",
    "origin-pattern",
    origin("# matches '^https?://localhost(:[0-9]+)?'"),
  ],
  [
    "a pattern of a README, closed at its end only",
    "origin-ends",
    origin("# matches 'pay\\\\.example$'"),
  ],
  [
    "a variable that the pipeline did not fill in",
    "placeholder",
    origin("# == 'https://${PAY_HOST}'"),
  ],
  [
    "a value of a chart that was not filled in",
    "placeholder",
    origin("# == 'https://{{ .Values.host }}'"),
  ],
  [
    "the domain of an example page",
    "placeholder",
    origin("# endsWith '.<your-domain>'"),
  ],
  [
    "an empty origin for a missing one",
    "missing-header",
    [`deny ${ORIGIN}[0] == ''`],
  ],
  [
    "an undefined origin for a missing one",
    "missing-header",
    [`deny any(${ORIGIN}, # == 'undefined')`],
  ],
  [
    "not any of a missing header",
    "true-without-header",
    only(`!any(${ORIGIN} ?? [], # == 'https://bad.example')`),
  ],
  [
    "not equal within a loop, by an exclamation mark",
    "any-differs",
    [`deny any(${ORIGIN}, !(# == 'https://pay.example'))`],
  ],
]);
