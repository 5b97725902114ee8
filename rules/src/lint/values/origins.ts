import { parseIp } from "../../language";
import { behindHeaderName, hasEntity, hasPlaceholder } from "./left-overs";
import { isMissingHeader } from "../set/missing-text";
import { quote } from "../../language/syntax/print-expression";
import { nearest } from "../set/nearest";
import { onceFor } from "../../once-for";
import { isMatch, samplesOf } from "./patterns";
import {
  aloneOrBefore,
  isWhole,
  type Mistake,
  type ValueLint,
} from "./value-lint";
import type { TextComparison } from "../set/comparison";

/** RFC 6454, 7.1, and the URL standard, "origin": what browsers send. */
const SENT =
  'Browsers send a scheme, a host in small letters and in ASCII, and a port that is not the default one of the scheme: `https://shop.example`, `http://localhost:3000`; no path and no slash at the end; or `null` (RFC 6454; URL standard, "host serializing").';
const OF = ["Origin"];

/** Why no browser sends an origin, and the form that browsers send. */
interface Fault {
  readonly doc: string;
  /** What clients send instead: `browsers send ...`. */
  readonly why: string;
  readonly has: (text: string, comparison: TextComparison) => boolean;
  readonly correct: (text: string, comparison: TextComparison) => string;
  /** An expression with the fault. */
  readonly found: string;
}

const HOST = /^(?:[a-z][a-z0-9+.-]*:\/\/)?[^/?#:*\s]*(?::\d+)?(?=[/?#])/i;

const SCHEMES = [
  "http",
  "https",
  "file",
  "app",
  "capacitor",
  "ionic",
  "tauri",
  "chrome-extension",
  "moz-extension",
  "safari-web-extension",
  "android-app",
  "resource",
];
const SCHEME =
  /^([a-z][a-z0-9+.-]*)(:\/\/|:\/|\/\/|;\/\/|:\\\\|:\/\/\/+)(?=[^/\\]|$)/i;

/**
 * The wrong scheme that a text begins with, and the scheme that is meant; undefined if
 * the scheme is right or missing.
 */
function meantScheme(text: string): string | undefined {
  const [, written = "", sign] = SCHEME.exec(text) ?? [];
  if (/^file:\/\/\/*[^/*]/i.test(text)) return undefined;
  if (written === "") return undefined;
  const scheme = written.toLowerCase();
  if (scheme === "ws" || scheme === "wss") return scheme.replace("ws", "http");
  if (SCHEMES.includes(scheme)) return sign === "://" ? undefined : scheme;
  return nearest(scheme, ["https", "http"], 2);
}

const asciiHost = (text: string) =>
  // oxlint-disable-next-line no-control-regex
  text.replace(/[^\s./:]*[^\x00-\x7f][^\s./:]*/gu, (label) =>
    URL.canParse(`https://${label}`)
      ? new URL(`https://${label}`).hostname
      : label,
  );

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const isTextOfOrigin = ({ part, text }: TextComparison) =>
  text !== "null" &&
  !isMissingHeader(part, text) &&
  !hasPlaceholder(text, part) &&
  !hasEntity(text) &&
  behindHeaderName(text, part) === undefined;

/** `blob:`, or a scheme, in front of a scheme. */
const TWO_SCHEMES = /^(?:blob:|(?:https?:\/\/)+)(?=https?:\/\/)/i;

/** Pages whose Origin is `null`. */
const OPAQUE = /^(?:about|data|javascript):/i;

/** The origin that a text with a wrong host or port means; undefined if that is not clear. */
function meantHost(text: string): string | undefined {
  const [, scheme = "", host = "", port = ""] =
    /^(https?:\/\/)(.*?)(:\d*)?$/.exec(text) ?? [];
  if (parseIp(host + port)?.length === 16) return `${scheme}[${host}${port}]`;
  const right =
    scheme +
    host
      .replaceAll(",", ".")
      .replace(/\.{2,}/g, ".")
      .replace(/^\./, "");
  const whole =
    right + (port === ":" || Number(port.slice(1)) > 65_535 ? "" : port);
  return URL.canParse(whole) ? new URL(whole).origin : undefined;
}

/** Whether a text is a whole origin of a page on the web whose host or port no browser sends. */
const hasWrongHost = (text: string, comparison: TextComparison) =>
  isWhole(comparison) &&
  /^https?:\/\/[^/?#*\s]+$/.test(text) &&
  !/:(?:443|80)$/.test(text) &&
  text === text.toLowerCase() &&
  /^[!-~]+$/.test(text) &&
  meantHost(text) !== text;

/** A text without characters at its ends that no origin has there, and without user-info before its host. */
function withoutSigns(text: string, comparison: TextComparison): string {
  const bare = text
    .replace(/^["'`<(]+|["'`>),;]+$/g, "")
    .replace(TWO_SCHEMES, "")
    .replaceAll("\\/", "/")
    .replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/@\s]+@/i, "$1");
  const isEnd = isWhole(comparison) || comparison.operator === "endsWith";
  return isEnd ? bare.replace(/([a-z])\.$/i, "$1") : bare;
}

const BEGINS_AS_HOST = /^(?:\/\/|localhost\b|[\w-]+\.)/;

/** In the order in which they are corrected; only the first fault of a text is reported. */
const FAULTS: Readonly<Record<string, Fault>> = {
  "origin-characters": {
    doc: "An Origin is compared with a text that has quotes, a comma, a second scheme, a user or a dot at the end of the host.",
    why: "browsers send a scheme, a host and perhaps a port",
    has: (text, comparison) => withoutSigns(text, comparison) !== text,
    correct: withoutSigns,
    found: "any(http.request.headers['Origin'], # == 'https://shop.example,')",
  },
  "origin-scheme": {
    doc: "An Origin is compared with a text whose scheme is misspelt.",
    why: "pages have the scheme http or https",
    has: (text) => meantScheme(text) !== undefined,
    correct: (text) => text.replace(SCHEME, `${meantScheme(text)}://`),
    found: "any(http.request.headers['Origin'], # == 'htps://shop.example')",
  },
  "origin-percent": {
    doc: "An Origin is compared with a text that has `%`.",
    why: "browsers send no encoded characters in an Origin",
    has: (text) => /%[0-9a-f]{2}/i.test(text) && decoded(text) !== text,
    correct: (text) => decoded(text),
    found:
      "any(http.request.headers['Origin'], # == 'https%3A%2F%2Fshop.example')",
  },
  "origin-without-scheme": {
    doc: "An Origin is compared with a text that has no scheme.",
    why: "browsers send the scheme, too",
    has: (text, comparison) =>
      !text.includes("://") &&
      !OPAQUE.test(text) &&
      text.toLowerCase() !== "null" &&
      (isWhole(comparison)
        ? !/[*,\s]/.test(text)
        : comparison.operator === "startsWith" && BEGINS_AS_HOST.test(text)),
    correct: (text) => `https://${text.replace(/^\/\//, "")}`,
    found: "any(http.request.headers['Origin'], # == 'shop.example')",
  },
  "origin-path": {
    doc: "An Origin is compared with a text that has a path, or a slash at its end.",
    why: "browsers send an Origin without a path and without a slash at its end",
    has: (text) =>
      /^file:\/\/\/*[^/*]/i.test(text) ||
      (HOST.test(text) && /[\w\]]/.test(HOST.exec(text)?.[0] ?? "")),
    correct: (text) =>
      text.startsWith("file:") ? "file://" : (HOST.exec(text)?.[0] ?? text),
    found: "any(http.request.headers['Origin'], # == 'https://shop.example/')",
  },
  "origin-host": {
    doc: "An Origin is compared with a host or port that does not exist, or that browsers write differently.",
    why: "browsers send a host as the URL standard writes it, and a port up to 65535",
    has: hasWrongHost,
    correct: (text) => meantHost(text) ?? text,
    found: "any(http.request.headers['Origin'], # == 'https://shop,example')",
  },
  "origin-port": {
    doc: "An Origin is compared with a text that has the default port of its scheme.",
    why: "browsers leave the default port out",
    has: (text) =>
      /^https:\/\/[^/]+:443$|^http:\/\/[^/]+:80$|^[^/]*\w:443$/i.test(text),
    correct: (text) => text.replace(/:\d+$/, ""),
    found:
      "any(http.request.headers['Origin'], # == 'https://shop.example:443')",
  },
  "origin-capitals": {
    doc: "An Origin is compared with a text that has capitals.",
    why: "browsers send scheme and host in small letters",
    has: (text, { functions }) =>
      text !== text.toLowerCase() &&
      !functions.includes("upper") &&
      !functions.includes("lower"),
    correct: (text) => text.toLowerCase(),
    found: "any(http.request.headers['Origin'], # == 'https://Shop.example')",
  },
  "origin-not-ascii": {
    doc: "An Origin is compared with a host that is not in ASCII.",
    why: "browsers send such a host in Punycode",
    has: (text) =>
      asciiHost(text) !== text && !/[\u200b-\u206f\ufeff]/.test(text),
    correct: asciiHost,
    found:
      "any(http.request.headers['Origin'], # == 'https://b\u00fccher.example')",
  },
};

const ALL_FAULTS = Object.values(FAULTS);

/** The corrected text of an Origin for its operator; the edit lets no other origin in. */
export function rightOrigin(
  { operator, subject: part }: Pick<TextComparison, "operator" | "subject">,
  text: string,
): Pick<Mistake, "shows" | "text" | "comparison"> {
  const isFull = /^[a-z][a-z0-9+.-]*:\/\/[^/]*[a-z0-9\]]$/i.test(text);
  const asOne = `${part} == ${quote(text)}`;
  if (operator === "startsWith" || operator === "contains") {
    if (isFull && !/:\d*$/.test(text))
      return { shows: text, comparison: asOne };
  }
  if (operator === "startsWith") {
    const rest = /\/$/.test(text)
      ? "shop.example"
      : /[.-]$/.test(text)
        ? "example"
        : "";
    return { shows: text + rest, text };
  }
  if (operator === "endsWith" || operator === "contains") {
    if (/^[a-z0-9]/i.test(text) && /\.[a-z]/i.test(text))
      return { shows: `https://${text}`, comparison: hostTest(part, text) };
    if (text.startsWith(".")) {
      const comparison =
        operator === "contains" && /\.[a-z]{2,}$/i.test(text)
          ? `${part} endsWith ${quote(text)}`
          : undefined;
      const shows = `https://www${text}`;
      return comparison ? { shows, comparison } : { shows, text };
    }
    const shows = text.startsWith("//")
      ? `https:${text}`
      : text.startsWith("://")
        ? `https${text}`
        : `https://shop${text}`;
    return { shows, text };
  }
  return { shows: text, text };
}

/** Holds for a host and the hosts under it. */
export const hostTest = (part: string, host: string) =>
  `${part} == ${quote(`https://${host}`)} || ${part} endsWith ${quote(`.${host}`)}`;

function corrected(text: string, comparison: TextComparison): string {
  return ALL_FAULTS.reduce(
    (right, { has, correct }) =>
      has(right, comparison) ? correct(right, comparison) : right,
    text,
  );
}

/** What is wrong with a pattern that matches origins only with a path. */
function pathInPattern(pattern: string, why: string): Mistake | undefined {
  const texts = samplesOf(pattern).map(({ text }) => text);
  const areAll =
    texts.length > 0 && texts.every((text) => /^https?:\/\/[^/]+\//.test(text));
  const shows = /^https?:\/\/[^/]+/.exec(texts[0] ?? "")?.[0];
  const [, head] = /^(.*?:\/\/.*?)\\?\/[^/]*$/.exec(pattern) ?? [];
  if (!areAll || shows === undefined || isMatch(pattern, shows))
    return undefined;
  const right = head === undefined ? undefined : `${head}$`;
  const isRight = right !== undefined && isMatch(right, shows);
  return {
    message: `${why}: ${quote(shows)} does not match this pattern`,
    shows,
    text: isRight ? right : undefined,
    fix: "end the pattern behind the host",
  };
}

/** The first fault of a text. It is found once for all lints of origins. */
const firstFault = onceFor((comparison: TextComparison) =>
  ALL_FAULTS.find(({ has }) => has(comparison.text, comparison)),
);

const neverSent = (code: string, fault: Fault): ValueLint => {
  const { doc, why, found } = fault;
  return {
    doc,
    sent: SENT,
    of: OF,
    example: { allow: found },
    find(comparison) {
      const { text, operator } = comparison;
      if (operator === "matches")
        return code === "origin-path" ? pathInPattern(text, why) : undefined;
      const isFound = firstFault(comparison) === fault && !text.includes("*");
      if (!isFound || !isTextOfOrigin(comparison)) return undefined;
      const meant = corrected(text, comparison);
      // Nobody knows which host is meant.
      const right =
        meant === text
          ? { shows: "https://shop.example" }
          : rightOrigin(comparison, meant);
      return {
        message: `${why}: ${quote(right.shows)}, and ${quote(text)} is not found in it`,
        ...right,
      };
    },
  };
};

/** The comparison that a shell pattern (glob) means; undefined if it is unclear. */
function globTest(
  part: string,
  glob: string,
): { shows: string; comparison?: string } {
  if (glob === "*")
    return { shows: "https://shop.example", comparison: `${part} != ''` };
  const [scheme = "https://"] = /^[a-z][a-z0-9+.-]*:\/\//i.exec(glob) ?? [];
  const rest = glob.replace(/^(?:[a-z*][a-z0-9+.*-]*:\/\/)/i, "");
  const ofAnyScheme = /^\*:\/\//.test(glob) || /^\*[^.]/.test(glob);
  if (rest === "*")
    return {
      shows: `${scheme}shop.example`,
      comparison: `${part} startsWith ${quote(scheme)}`,
    };
  const under = /^\*(\.[^*]+)$/.exec(rest)?.[1];
  if (under !== undefined)
    return {
      shows: `${scheme}www${under}`,
      comparison: `${part} startsWith ${quote(scheme)} && ${part} endsWith ${quote(under)}`,
    };
  const host = /^\*?([^*]+\.[^*:]+?)(?::\*|\/?\*)?$/.exec(rest)?.[1];
  if (host === undefined)
    return { shows: `${scheme}${rest.replaceAll("*", "shop")}` };
  const origin = `${scheme}${host}`;
  if (rest.endsWith(":*"))
    return {
      shows: `${origin}:8443`,
      comparison: aloneOrBefore(part, origin, ":"),
    };
  if (ofAnyScheme)
    return {
      shows: `https://${host}`,
      comparison: `${part} in [${quote(`https://${host}`)}, ${quote(`http://${host}`)}]`,
    };
  return { shows: origin, comparison: `${part} == ${quote(origin)}` };
}

/** An origin as a browser may send it. */
export const IS_ORIGIN =
  /^(?!.*\.\.)[a-z][a-z0-9+-]*:\/\/[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?$/;

/** Texts in the syntax of another tool, and texts for pages that have no Origin of their own. */
const OTHER_LANGUAGE: Readonly<Record<string, ValueLint>> = {
  "origin-of-installation": {
    doc: "An Origin is compared with the Origin that an extension has in one browser only.",
    sent: "Firefox and Safari give an extension another Origin in each installation (MDN, `web_accessible_resources`).",
    of: OF,
    example: {
      allow:
        "any(http.request.headers['Origin'], # == 'moz-extension://0b5a3c1e-7d52-4e0c-9a3e-2b1c4d5e6f70')",
      fixed:
        "any(http.request.headers['Origin'], # startsWith 'moz-extension://')",
    },
    find(comparison) {
      const [, scheme] =
        /^((?:moz|safari-web)-extension:\/\/)[\da-f-]{36}$/i.exec(
          comparison.text,
        ) ?? [];
      if (scheme === undefined || !isWhole(comparison)) return undefined;
      const shows = `${scheme}6f1d2c3b-4a59-4e87-b6c5-d4e3f2a1b0c9`;
      return {
        message: `the extension has another Origin in each browser, such as ${quote(shows)}`,
        shows,
        fix: `let the extension send its requests from a page of yours, or let all extensions in with startsWith ${quote(scheme)}`,
      };
    },
  },
  "origin-opaque": {
    doc: "An Origin is compared with the address of a page that has no origin of its own.",
    sent: 'Pages whose address begins with `about:`, `data:` or `javascript:` send the Origin `null`, or the Origin of the page that opened them (URL standard, "opaque origin").',
    of: OF,
    example: {
      deny: "any(http.request.headers['Origin'], # == 'about:blank')",
      fixed: "any(http.request.headers['Origin'], # == 'null')",
    },
    find: ({ text, operator }) =>
      operator !== "matches" && OPAQUE.test(text)
        ? {
            message: `no page sends ${quote(text)} as its Origin; without one of its own it sends 'null'`,
            shows: "null",
            fix: "leave it out, or deny 'null'",
          }
        : undefined,
  },
  "origin-glob": {
    doc: "An Origin is compared with a text that has `*`.",
    sent: `${SENT} A text has no wildcards. \`*\` is compared like any other character.`,
    of: OF,
    example: {
      allow:
        "any(http.request.headers['Origin'], # == 'https://*.shop.example')",
    },
    find(comparison) {
      const { operator, text, subject } = comparison;
      if (operator === "matches" || !text.includes("*")) return undefined;
      const right =
        operator === "endsWith" && /^\*+\.[^*]+$/.test(text)
          ? {
              shows: `https://www${text.replace(/^\*+/, "")}`,
              text: text.replace(/^\*+/, ""),
            }
          : globTest(subject, text);
      return {
        message: `* stands for itself, and no Origin has it; ${quote(right.shows)} is meant`,
        fix: "compare the beginning and the end",
        ...right,
      };
    },
  },
  "origin-list": {
    doc: "An Origin is compared with several origins in one text.",
    sent: `${SENT} That is one origin.`,
    of: OF,
    example: {
      allow:
        "any(http.request.headers['Origin'], # == 'https://a.example, https://b.example')",
    },
    find(comparison) {
      const { text, subject } = comparison;
      const origins = text.split(/\s*[,;|\s]\s*/).filter((one) => one !== "");
      const [first] = origins;
      const isList =
        origins.length > 1 && origins.every((one) => IS_ORIGIN.test(one));
      return isWhole(comparison) && isList && first !== undefined
        ? {
            message: `browsers send one origin, such as ${quote(first)}`,
            shows: first,
            comparison: `${subject} in [${origins.map(quote).join(", ")}]`,
          }
        : undefined;
    },
  },
};

/** Kinds of values of the header Origin. */
export const ORIGIN_VALUES: Readonly<Record<string, ValueLint>> = {
  ...Object.fromEntries(
    Object.entries(FAULTS).map(([code, fault]) => [
      code,
      neverSent(code, fault),
    ]),
  ),
  ...OTHER_LANGUAGE,
};
