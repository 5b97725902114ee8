import { deny, header, mistakes, only } from "./reported-mistake";

/** Mistakes in headers and their values. */
export const HEADER_MISTAKES = mistakes("proxy", [
  [
    "a locale as programs write it",
    "header-form",
    deny(`any(${header("Accept-Language")}, # == 'en_US')`),
  ],
  [
    "a language in capitals",
    "header-form",
    only(`any(${header("Accept-Language")}, # startsWith 'EN')`),
  ],
  [
    "a locale anywhere",
    "header-form",
    deny(`any(${header("Accept-Language")}, # contains 'pt_BR')`),
  ],
  [
    "an address as the host",
    "header-form",
    deny(`${header("Host")}[0] == 'https://old.pay.example'`),
  ],
  [
    "a host with its slash",
    "header-form",
    deny(`any(${header("Host")}, # == 'old.pay.example/')`),
  ],
  [
    "a host with capitals",
    "header-form",
    deny(`any(${header("Host")}, # == 'Old.Pay.example')`),
  ],
  [
    "a host with the port that nobody sends",
    "header-form",
    deny(`any(${header("Host")}, # == 'old.pay.example:443')`),
  ],
  [
    "a host with a star",
    "signs-of-a-pattern",
    deny(`any(${header("Host")}, # == '*.pay.example')`),
  ],
  [
    "the scheme in capitals",
    "unknown-value",
    deny(`any(${header("X-Forwarded-Proto")}, # == 'HTTP')`),
  ],
  [
    "the scheme with its slashes",
    "unknown-value",
    deny(`${header("X-Forwarded-Proto")}[0] == 'http://'`),
  ],
  [
    "a script's request in another case",
    "header-form",
    deny(`any(${header("X-Requested-With")}, # == 'XmlHttpRequest')`),
  ],
  [
    "a media type without its first half",
    "header-form",
    deny(`any(${header("Content-Type")}, # == 'json')`),
  ],
  [
    "a media type with a backslash",
    "header-form",
    deny(String.raw`any(${header("Accept")}, # contains 'text\\html')`),
  ],
  [
    "a media type with a capital",
    "header-form",
    deny(`any(${header("Content-Type")}, # startsWith 'Application/JSON')`),
  ],
  [
    "tracking as a boolean",
    "unknown-value",
    deny(`any(${header("Dnt")}, # == 'true')`),
  ],
  [
    "a brand as all of a list of brands",
    "header-form",
    deny(`any(${header("Sec-Ch-Ua")}, # == 'HeadlessChrome')`),
  ],
  [
    "a system with its version",
    "unknown-value",
    deny(`any(${header("Sec-Ch-Ua-Platform")}, # == '"Windows 10"')`),
  ],
  [
    "saving as a boolean",
    "unknown-value",
    deny(`any(${header("Save-Data")}, # == 'true')`),
  ],
  [
    "a scheme of credentials alone",
    "header-form",
    deny(`any(${header("Authorization")}, # == 'Bearer')`),
  ],
  [
    "a network where an address stands",
    "address-text",
    deny(`any(${header("X-Forwarded-For")}, # == '198.51.100.0/24')`),
  ],
  [
    "the beginning of an address, within a number",
    "address-text",
    deny(`any(${header("X-Forwarded-For")}, # startsWith '198.51.1')`),
  ],
  [
    "an address with a number too large",
    "address-text",
    deny(`any(${header("X-Real-Ip")}, # == '198.51.100.256')`),
  ],
  [
    "an address of IPv6 in capitals",
    "address-text",
    deny(`any(${header("X-Real-Ip")}, # == '2001:DB8::7')`),
  ],
  [
    "a list of proxies that is trusted",
    "header-of-anybody",
    only(`any(${header("Forwarded")}, # contains 'for=198.51.100.7')`),
  ],
  [
    "an upgrade under a boolean",
    "unknown-value",
    deny(`any(${header("Upgrade-Insecure-Requests")}, # == 'true')`),
  ],
  [
    "a header of answers",
    "header-of-answer",
    deny(`'Access-Control-Allow-Origin' in http.request.headers`),
  ],
  [
    "a cookie that is set",
    "header-of-answer",
    deny(`any(${header("Set-Cookie")}, # contains 'beta=1')`),
  ],
  [
    "a header as CGI names it",
    "header-name-case",
    deny(`any(${header("HTTP_USER_AGENT")}, # contains 'sqlmap')`),
  ],
  [
    "a header with underscores",
    "header-name-case",
    deny(`'X_Forwarded_For' in http.request.headers`),
  ],
  [
    "a header of HTTP/2 with its colon",
    "header-name-case",
    deny(`any(${header(":authority")}, # == 'old.pay.example')`),
  ],
  [
    "a header with its colon",
    "header-name-case",
    deny(`'Origin:' not in http.request.headers`),
  ],
  [
    "a header with a blank",
    "header-name-case",
    deny(`'Origin ' not in http.request.headers`),
  ],
  [
    "a header spelt as in Britain",
    "header-name-unknown",
    deny(`'Authorisation' in http.request.headers`),
  ],
  [
    "a header with a verb for a participle",
    "header-name-unknown",
    deny(`'X-Forward-For' in http.request.headers`),
  ],
  [
    "a header in all capitals",
    "header-name-case",
    deny(`'DNT' in http.request.headers`),
  ],
  [
    "a header with an invisible character",
    "header-name-case",
    deny(`'Ori\u200bgin' not in http.request.headers`),
  ],
  [
    "a header with a Cyrillic letter",
    "header-name-case",
    deny(`'\u041erigin' not in http.request.headers`),
  ],
  [
    "a header with dashes of a word processor",
    "header-name-case",
    deny(`'X\u2013Forwarded\u2013For' in http.request.headers`),
  ],
]);
