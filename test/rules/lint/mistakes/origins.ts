import {
  ORIGIN,
  deny,
  mistakes,
  only,
  origin,
  referer,
} from "./reported-mistake";

/** Mistakes in origins and referers. */
export const ORIGIN_MISTAKES = mistakes("cors", [
  [
    "two schemes",
    "origin-characters",
    origin("# == 'https://https://pay.example'"),
  ],
  [
    "backslashes for slashes",
    "origin-scheme",
    origin(String.raw`# == 'https:\\\\pay.example'`),
  ],
  [
    "a semicolon behind it",
    "origin-characters",
    origin("# == 'https://pay.example;'"),
  ],
  ["a comma for a dot", "origin-host", origin("# == 'https://pay,example'")],
  ["two dots", "origin-host", origin("# == 'https://my..pay.example'")],
  [
    "a dot in front of the host",
    "origin-host",
    origin("# == 'https://.pay.example'"),
  ],
  [
    "a colon without a port",
    "origin-host",
    origin("# == 'https://pay.example:'"),
  ],
  [
    "a port that is none",
    "origin-host",
    origin("# == 'https://pay.example:99999'"),
  ],
  [
    "a host that is an address with a number too large",
    "origin-host",
    origin("# == 'https://198.51.100.300'"),
  ],
  [
    "an IPv6 address without brackets",
    "origin-host",
    origin("# == 'http://2001:db8::1'"),
  ],
  ["an address in short", "origin-host", origin("# == 'http://127.1:8080'")],
  [
    "a file of an app",
    "origin-path",
    origin("# == 'file:///android_asset/index.html'"),
  ],
  [
    "an extension with its slash",
    "origin-path",
    origin("# == 'chrome-extension://abcdefghijklmnopabcdefghijklmnop/'"),
  ],
  ["every extension", "origin-glob", origin("# == 'chrome-extension://*'")],
  [
    "an app with one slash",
    "origin-scheme",
    origin("# == 'capacitor:/localhost'"),
  ],
  ["an app with its slash", "origin-path", origin("# == 'ionic://localhost/'")],
  ["a blob", "origin-characters", origin("# == 'blob:https://pay.example'")],
  ["an empty page", "origin-opaque", origin("# == 'about:blank'")],
  [
    "an undefined origin in a list",
    "missing-header",
    origin("# in ['https://pay.example', 'undefined']"),
  ],
  [
    "null in a list",
    "origin-null",
    origin("# in ['https://pay.example', 'null']"),
  ],
  [
    "an empty origin in a list",
    "missing-header",
    origin("# in ['', 'https://pay.example']"),
  ],
  ["nil as a text", "missing-header", deny(`any(${ORIGIN}, # == 'nil')`)],
  [
    "the own text in the list of the header, with a slash",
    "origin-path",
    only(`'https://pay.example/' in ${ORIGIN}`),
  ],
  [
    "all tunnels",
    "origin-shared-host",
    origin("# endsWith '.trycloudflare.com'"),
  ],
  [
    "all services of a cloud",
    "origin-shared-host",
    origin("# endsWith '.run.app'"),
  ],
  [
    "a beginning and an end at a provider",
    "origin-shared-host",
    origin("# startsWith 'https://pay-' && # endsWith '.vercel.app'"),
  ],
  [
    "angle brackets of a page",
    "origin-characters",
    origin("# == '<https://pay.example>'"),
  ],
  [
    "slashes escaped as in JSON",
    "origin-characters",
    origin(String.raw`# == 'https:\\/\\/pay.example'`),
  ],
  [
    "backticks of a page",
    "origin-characters",
    origin("# == '`https://pay.example`'"),
  ],
  [
    "slashes as HTML writes them",
    "html-entity",
    origin("# == 'https:&#47;&#47;pay.example'"),
  ],
  [
    "a mark of the order of bytes",
    "invisible-character",
    origin("# == '\ufeffhttps://pay.example'"),
  ],
  [
    "a mark of the direction of writing",
    "invisible-character",
    origin("# == 'https://pay.example\u200e'"),
  ],
  [
    "the end of a path, of any host",
    "referer-ends",
    referer("# endsWith '/checkout'"),
  ],
  [
    "the host as a part of a path",
    "referer-contains",
    referer("# contains '/pay.example/'"),
  ],
  [
    "the host from the slashes on, without its end",
    "referer-contains",
    referer("# contains '://pay.example'"),
  ],
  [
    "a user in a referer",
    "referer-host",
    referer("# startsWith 'https://shop@pay.example/'"),
  ],
  [
    "the default port in a referer",
    "referer-host",
    referer("# startsWith 'https://pay.example:443/'"),
  ],
  [
    "umlauts in the host of a referer",
    "referer-host",
    referer("# startsWith 'https://m\u00fcller.example/'"),
  ],
]);
