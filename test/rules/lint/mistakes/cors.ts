import { mistakes, only, ORIGIN, origin } from "./reported-mistake";

/** Mistakes that teams report from checks of origins. */
export const CORS_MISTAKES = mistakes("cors", [
  [
    "a query after the origin",
    "origin-path",
    origin("# == 'https://pay.example?x=1'"),
  ],
  [
    "a fragment after the origin",
    "origin-path",
    origin("# == 'https://pay.example#top'"),
  ],
  [
    "the address of a page in a list of origins",
    "origin-path",
    origin("# in ['https://pay.example', 'https://my.pay.example/account']"),
  ],
  [
    "a slash after the end of a host",
    "origin-path",
    origin("# endsWith '.pay.example/'"),
  ],
  [
    "a slash after a port",
    "origin-path",
    only(`${ORIGIN}[0] == 'http://localhost:5173/'`),
  ],
  [
    "a beginning that ends with a slash",
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
    "port 443 at the end of a host",
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
    "the scheme of a WebSocket",
    "origin-scheme",
    origin("# == 'wss://live.pay.example'"),
  ],
  [
    "a host and a port without a scheme",
    "origin-without-scheme",
    origin("# == 'localhost:3000'"),
  ],
  [
    "an address without a scheme",
    "origin-without-scheme",
    origin("# in ['127.0.0.1:8080']"),
  ],
  [
    "two slashes without a scheme",
    "origin-without-scheme",
    origin("# == '//pay.example'"),
  ],
  [
    "a host without a scheme in a deny rule",
    "origin-without-scheme",
    [`deny any(${ORIGIN}, # == 'scraper.example')`],
  ],
  ["a star for every origin", "origin-glob", origin("# == '*'")],
  ["a star for every port", "origin-glob", origin("# == 'http://localhost:*'")],
  ["a star for every scheme", "origin-glob", origin("# == '*://pay.example'")],
  [
    "a star for every subdomain",
    "origin-glob",
    origin("# startsWith 'https://*.pay.example'"),
  ],
  [
    "stars on both sides of a host",
    "origin-glob",
    origin("# contains '*pay.example*'"),
  ],
  [
    "an origin with a star in a list",
    "origin-glob",
    origin("# in ['https://pay.example', 'https://*.pay.example']"),
  ],
  [
    "origins separated by commas",
    "origin-list",
    origin("# == 'https://a.pay.example,https://b.pay.example'"),
  ],
  [
    "origins separated by blanks",
    "origin-list",
    origin("# == 'https://a.pay.example https://b.pay.example'"),
  ],
  [
    "an origin that contains the host",
    "origin-contains",
    only(`${ORIGIN}[0] contains 'pay.example'`),
  ],
  [
    "an origin that contains the company's name",
    "origin-contains",
    origin("# contains 'payright'"),
  ],
  [
    "an origin that contains the whole origin",
    "origin-contains",
    origin("# contains 'https://pay.example'"),
  ],
  [
    "an origin that contains the host after a dot",
    "origin-contains",
    origin("# contains '.pay.example'"),
  ],
  [
    "a deny rule for origins that do not contain the host",
    "origin-contains",
    [`deny none(${ORIGIN}, # contains 'pay.example')`],
  ],
  [
    "a deny rule for a first origin that does not contain the host",
    "origin-contains",
    [
      `deny 'Origin' in http.request.headers && ${ORIGIN}[0] not contains 'pay.example'`,
    ],
  ],
  [
    "the end of a host without a dot",
    "origin-ends",
    only(`${ORIGIN}[0] endsWith 'pay.example'`),
  ],
  [
    "https, and the end of a host without a dot",
    "origin-ends",
    origin("# startsWith 'https://' && # endsWith 'pay.example'"),
  ],
  [
    "the end of a host with a port, without a dot",
    "origin-ends",
    origin("# endsWith 'pay.example:8443'"),
  ],
  [
    "the beginning of an origin without its end",
    "origin-starts",
    only(`${ORIGIN}[0] startsWith 'https://pay.example'`),
  ],
  [
    "the beginning of a host name",
    "origin-starts",
    origin("# startsWith 'https://staging.'"),
  ],
  [
    "localhost without a port",
    "origin-starts",
    origin("# startsWith 'http://localhost'"),
  ],
  [
    "all sites of a provider",
    "origin-shared-host",
    origin("# endsWith '.github.io'"),
  ],
  [
    "all storage of a cloud",
    "origin-shared-host",
    origin("# endsWith '.s3.amazonaws.com'"),
  ],
  [
    "all sites of a country",
    "origin-shared-host",
    origin("# endsWith '.co.uk'"),
  ],
  ["null for a local file", "origin-null", only(`${ORIGIN}[0] == 'null'`)],
  [
    "null next to the own origin",
    "origin-null",
    origin("# == 'https://pay.example' || # == 'null'"),
  ],
  [
    "a pattern without $",
    "origin-pattern",
    origin("# matches '^https://[a-z]+[.]pay[.]example'"),
  ],
  [
    "a pattern without ^",
    "origin-pattern",
    origin("# matches 'pay[.]example$'"),
  ],
  [
    "a dot before the host that matches any character",
    "origin-pattern",
    origin("# matches '^https://([a-z]+.)?pay[.]example$'"),
  ],
  [
    "dots within the host that match any character",
    "origin-pattern",
    origin("# matches '^https://my.pay.example$'"),
  ],
  [
    "a pattern with .* before the host",
    "origin-pattern",
    origin("# matches '^https://.*pay\\\\.example$'"),
  ],
  [
    "a pattern with a group of names, without $",
    "origin-pattern",
    origin("# matches '^https://(my|your)\\\\.pay\\\\.example'"),
  ],
  [
    "a pattern whose second alternative has no $",
    "origin-pattern",
    origin("# matches '^https://pay\\\\.example$|^https://buy\\\\.example'"),
  ],
  [
    "a comma after an origin",
    "origin-characters",
    origin("# == 'https://pay.example,'"),
  ],
  [
    "quotes within quotes",
    "origin-characters",
    origin(`# == '"https://pay.example"'`),
  ],
  [
    "a user before the host",
    "origin-characters",
    origin("# == 'https://admin@pay.example'"),
  ],
  [
    "a dot after the host",
    "origin-characters",
    origin("# in ['https://pay.example.', 'https://my.pay.example']"),
  ],
  ["null in capitals", "origin-capitals", [`deny ${ORIGIN}[0] == 'NULL'`]],
  [
    "a pattern for localhost without $",
    "origin-pattern",
    origin("# matches '^https?://localhost(:[0-9]+)?'"),
  ],
  [
    "a pattern from a README without ^",
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
    "the placeholder of an example",
    "placeholder",
    origin("# endsWith '.<your-domain>'"),
  ],
  [
    "an empty text for a missing origin",
    "missing-header",
    [`deny ${ORIGIN}[0] == ''`],
  ],
  [
    "undefined for a missing origin",
    "missing-header",
    [`deny any(${ORIGIN}, # == 'undefined')`],
  ],
  [
    "not any() of a missing header",
    "true-without-header",
    only(`!any(${ORIGIN} ?? [], # == 'https://bad.example')`),
  ],
  [
    "not equal within any(), with an exclamation mark",
    "any-differs",
    [`deny any(${ORIGIN}, !(# == 'https://pay.example'))`],
  ],
]);
