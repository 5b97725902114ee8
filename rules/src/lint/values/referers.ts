import { quote } from "../../language/syntax/print-expression";
import { isWhole, type ValueLint } from "./value-lint";

const SENT =
  "A Referer is the address of a page. To another site, browsers send only the origin with a slash, `https://shop.example/`. To the same site, they also send the path. They never send a fragment (Referrer Policy, default `strict-origin-when-cross-origin`; RFC 9110, 10.1.3).";
const OF = ["Referer"];

const WITHOUT_PATH = /^[a-z][a-z0-9+.-]*:\/\/[^/?#*\s]+$/i;
const HOST = /^(?:[a-z0-9-]+\.)+[a-z]{2,}$/i;

/** Kinds of values of the header Referer. */
export const REFERER_VALUES: Readonly<Record<string, ValueLint>> = {
  "referer-host": {
    doc: "A Referer is compared with a host in a form that browsers do not send.",
    sent: `${SENT} Scheme and host are in small letters and in ASCII, without a user and without the default port (URL standard, "host parsing"; Referrer Policy).`,
    of: OF,
    example: {
      allow:
        "any(http.request.headers['Referer'], # startsWith 'https://Shop.example/')",
    },
    find({ operator, text, functions }) {
      const right = text.replace(/^https?:\/\/[^/?#*\s]+/i, (address) =>
        URL.canParse(address) ? new URL(address).origin : address.toLowerCase(),
      );
      if (operator === "matches" || functions.length > 0 || right === text)
        return undefined;
      return {
        message: `browsers write this host in another way, as in ${quote(right)}`,
        shows: right,
        text: right,
      };
    },
  },
  "referer-without-path": {
    doc: "A Referer is compared with a text that ends after the host.",
    sent: SENT,
    of: OF,
    example: {
      allow:
        "any(http.request.headers['Referer'], # == 'https://shop.example')",
    },
    find(comparison) {
      const { operator, text, subject } = comparison;
      const isEnd = operator === "endsWith" && HOST.test(text);
      if (!isEnd && !(isWhole(comparison) && WITHOUT_PATH.test(text)))
        return undefined;
      const shows = `${isEnd ? "https://" : ""}${text}/`;
      return {
        message: `browsers send a slash behind the host, as in ${quote(shows)}`,
        shows,
        comparison: `${subject} startsWith ${quote(shows)}`,
      };
    },
  },
  "referer-without-scheme": {
    doc: "A Referer is compared with a text that has no scheme.",
    sent: SENT,
    of: OF,
    example: {
      allow:
        "any(http.request.headers['Referer'], # startsWith 'shop.example/')",
    },
    find(comparison) {
      const { operator, text, subject } = comparison;
      const isStart = isWhole(comparison) || operator === "startsWith";
      const [host = "", ...path] = text.replace(/^\/\//, "").split("/");
      if (!isStart || text.includes("://") || !HOST.test(host))
        return undefined;
      const right = `https://${host}/${path.join("/")}`;
      return {
        message: `browsers send the scheme, too, as in ${quote(right)}`,
        shows: right,
        comparison:
          isWhole(comparison) && path.length > 0
            ? `${subject} == ${quote(right)}`
            : `${subject} startsWith ${quote(right)}`,
      };
    },
  },
  "referer-fragment": {
    doc: "A Referer is compared with a text that has a fragment.",
    sent: SENT,
    of: OF,
    example: {
      deny: "any(http.request.headers['Referer'], # == 'https://shop.example/#cart')",
    },
    find({ operator, text }) {
      const [page = ""] = text.split("#");
      return operator !== "matches" && page !== text && page.includes("://")
        ? {
            message: `browsers leave out what # begins, and send ${quote(page)}`,
            shows: page,
            text: page,
          }
        : undefined;
    },
  },
  "referer-starts": {
    operator: "startsWith",
    doc: "`startsWith` with a host without a slash behind it also matches other hosts that begin with the same letters.",
    sent: SENT,
    of: OF,
    onlyIf: "let in",
    example: {
      allow:
        "any(http.request.headers['Referer'], # startsWith 'https://shop.example')",
    },
    find({ text }) {
      if (!WITHOUT_PATH.test(text) || /:\d*$/.test(text)) return undefined;
      const shows = `${text}.evil.example/`;
      return {
        message: `${quote(shows)} starts with ${quote(text)}, too`,
        shows,
        text: `${text}/`,
      };
    },
  },
  "referer-ends": {
    operator: "endsWith",
    doc: "`endsWith` with a path matches this path on every host.",
    sent: SENT,
    of: OF,
    onlyIf: "let in",
    example: {
      allow: "any(http.request.headers['Referer'], # endsWith '/checkout')",
      fixed:
        "any(http.request.headers['Referer'], # == 'https://shop.example/checkout')",
    },
    find: ({ text }) =>
      /^\/[^/]/.test(text)
        ? {
            message: `'https://evil.example${text}' ends with it, too`,
            shows: `https://evil.example${text}`,
            fix: "compare the beginning with the host, too",
          }
        : undefined,
  },
  "referer-contains": {
    operator: "contains",
    doc: "`contains` matches every Referer with the text anywhere in it.",
    sent: SENT,
    of: OF,
    onlyIf: "let in",
    example: {
      allow: "any(http.request.headers['Referer'], # contains 'shop.example')",
    },
    find({ text, subject }) {
      const host = text.replace(/^(?:[a-z]*:)?\/{1,2}|\/$/g, "");
      if (!HOST.test(host)) return undefined;
      const shows = [
        `https://evil${host.replace(/^\.?/, "")}/`,
        `https://${host}.evil.example/`,
        `https://evil.example/${host}/`,
      ].find((one) => one.includes(text));
      // `://host/` has both ends of the host.
      if (shows === undefined) return undefined;
      return {
        message: `${quote(shows)} contains ${quote(text)}, too`,
        shows,
        comparison: `${subject} startsWith ${quote(`https://${host}/`)}`,
      };
    },
  },
};
