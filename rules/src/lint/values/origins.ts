import { hasPlaceholder, isMissingHeader } from "./left-overs";
import { quote } from "../../language/syntax/print-expression";
import { nearest } from "../set/nearest";
import { isWhole, type Mistake, type ValueLint } from "./value-lint";
import type { TextComparison } from "../set/comparison";

/** RFC 6454, 7.1, and the URL standard, "origin": what browsers send. */
const SENT =
  'Browsers send a scheme, a host in small letters and in ASCII, and a port that is not the default one of the scheme: `https://shop.example`, `http://localhost:3000`; no path and no slash at the end; or `null` (RFC 6454; URL standard, "host serializing").';
const OF = ["Origin"];

/** Why no browser sends an origin, and what it sends instead. */
interface Fault {
  readonly code: string;
  readonly doc: string;
  /** Who sends what it corrects: `browsers send ...`. */
  readonly why: string;
  readonly has: (text: string, comparison: TextComparison) => boolean;
  readonly correct: (text: string, comparison: TextComparison) => string;
  readonly found: string;
  readonly fixed: string;
}

const HOST = /^(?:[a-z][a-z0-9+.-]*:\/\/)?[^/?#:*\s]*(?::\d+)?(?=[/?#])/i;

/** Schemes of pages that send an Origin. */
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
  /^([a-z][a-z0-9+.-]*)(:\/\/|:\/|\/\/|;\/\/|:\\\\|:\/\/\/+)(?=[^/\\])/i;

/** The scheme that a text begins with and the one that is meant; undefined where it is right, or none. */
function meantScheme(text: string): string | undefined {
  const [, written = "", sign] = SCHEME.exec(text) ?? [];
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
  text !== "null" && !isMissingHeader(part, text) && !hasPlaceholder(text);

/** A text without signs at its ends that no origin has there, and without a user in front of its host. */
function withoutSigns(text: string, comparison: TextComparison): string {
  const bare = text
    .replace(/^["'`<(]+|["'`>),;]+$/g, "")
    .replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/@\s]+@/i, "$1");
  const isEnd = isWhole(comparison) || comparison.operator === "endsWith";
  return isEnd ? bare.replace(/([a-z])\.$/i, "$1") : bare;
}

/** Whether a text is a host, or begins as one. */
const BEGINS_AS_HOST = /^(?:\/\/|localhost\b|[\w-]+\.)/;

/** In the order in which they are corrected; a text is reported for the first one that it has. */
const FAULTS: readonly Fault[] = [
  {
    code: "origin-characters",
    doc: "An Origin is compared with a text that has quotes, a comma, a user or a dot at the end of the host.",
    why: "browsers send a scheme, a host and perhaps a port",
    has: (text, comparison) => withoutSigns(text, comparison) !== text,
    correct: withoutSigns,
    found: "any(http.request.headers['Origin'], # == 'https://shop.example,')",
    fixed: "any(http.request.headers['Origin'], # == 'https://shop.example')",
  },
  {
    code: "origin-scheme",
    doc: "An Origin is compared with a text whose scheme is misspelt.",
    why: "pages have the scheme http or https",
    has: (text) => meantScheme(text) !== undefined,
    correct: (text) => text.replace(SCHEME, `${meantScheme(text)}://`),
    found: "any(http.request.headers['Origin'], # == 'htps://shop.example')",
    fixed: "any(http.request.headers['Origin'], # == 'https://shop.example')",
  },
  {
    code: "origin-percent",
    doc: "An Origin is compared with a text that has `%`.",
    why: "browsers send no encoded characters in an Origin",
    has: (text) => /%[0-9a-f]{2}/i.test(text) && decoded(text) !== text,
    correct: (text) => decoded(text),
    found:
      "any(http.request.headers['Origin'], # == 'https%3A%2F%2Fshop.example')",
    fixed: "any(http.request.headers['Origin'], # == 'https://shop.example')",
  },
  {
    code: "origin-without-scheme",
    doc: "An Origin is compared with a text that has no scheme.",
    why: "browsers send the scheme, too",
    has: (text, comparison) =>
      !text.includes("://") &&
      text.toLowerCase() !== "null" &&
      (isWhole(comparison)
        ? !/[*,\s]/.test(text)
        : comparison.operator === "startsWith" && BEGINS_AS_HOST.test(text)),
    correct: (text) => `https://${text.replace(/^\/\//, "")}`,
    found: "any(http.request.headers['Origin'], # == 'shop.example')",
    fixed: "any(http.request.headers['Origin'], # == 'https://shop.example')",
  },
  {
    code: "origin-path",
    doc: "An Origin is compared with a text that has a path, or a slash at its end.",
    why: "browsers send an Origin without a path and without a slash at its end",
    has: (text) => HOST.test(text) && /[\w\]]/.test(HOST.exec(text)?.[0] ?? ""),
    correct: (text) => HOST.exec(text)?.[0] ?? text,
    found: "any(http.request.headers['Origin'], # == 'https://shop.example/')",
    fixed: "any(http.request.headers['Origin'], # == 'https://shop.example')",
  },
  {
    code: "origin-port",
    doc: "An Origin is compared with a text that has the default port of its scheme.",
    why: "browsers leave the default port out",
    has: (text) =>
      /^https:\/\/[^/]+:443$|^http:\/\/[^/]+:80$|^[^/]*\w:443$/i.test(text),
    correct: (text) => text.replace(/:\d+$/, ""),
    found:
      "any(http.request.headers['Origin'], # == 'https://shop.example:443')",
    fixed: "any(http.request.headers['Origin'], # == 'https://shop.example')",
  },
  {
    code: "origin-capitals",
    doc: "An Origin is compared with a text that has capitals.",
    why: "browsers send scheme and host in small letters",
    has: (text, { functions }) =>
      text !== text.toLowerCase() &&
      !functions.includes("upper") &&
      !functions.includes("lower"),
    correct: (text) => text.toLowerCase(),
    found: "any(http.request.headers['Origin'], # == 'https://Shop.example')",
    fixed: "any(http.request.headers['Origin'], # == 'https://shop.example')",
  },
  {
    code: "origin-not-ascii",
    doc: "An Origin is compared with a host that is not in ASCII.",
    why: "browsers send such a host in Punycode",
    has: (text) =>
      asciiHost(text) !== text && !/[\u200b-\u206f\ufeff]/.test(text),
    correct: asciiHost,
    found:
      "any(http.request.headers['Origin'], # == 'https://b\u00fccher.example')",
    fixed:
      "any(http.request.headers['Origin'], # == 'https://xn--bcher-kva.example')",
  },
];

/** What is right for a text of an Origin, as its operator asks for it, so that the edit lets no other origin in. */
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
const hostTest = (part: string, host: string) =>
  `${part} == ${quote(`https://${host}`)} || ${part} endsWith ${quote(`.${host}`)}`;

/** A text with all its faults corrected. */
function corrected(text: string, comparison: TextComparison): string {
  return FAULTS.reduce(
    (right, { has, correct }) =>
      has(right, comparison) ? correct(right, comparison) : right,
    text,
  );
}

const neverSent = (fault: Fault): ValueLint => {
  const { code, doc, why, has, found, fixed } = fault;
  return {
    code,
    severity: "warning",
    doc,
    sent: SENT,
    of: OF,
    example: { action: "allow", found, fixed },
    find(comparison) {
      const { text, operator } = comparison;
      if (!isTextOfOrigin(comparison) || operator === "matches")
        return undefined;
      const first = FAULTS.find((one) => one.has(text, comparison));
      if (first !== fault || text.includes("*") || !has(text, comparison))
        return undefined;
      const right = rightOrigin(comparison, corrected(text, comparison));
      return {
        message: `${why}: ${quote(right.shows)}, and ${quote(text)} is not found in it`,
        ...right,
      };
    },
  };
};

/** What a pattern of a shell means, as a comparison; undefined where that is not seen. */
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
      comparison: `${part} == ${quote(origin)} || ${part} startsWith ${quote(`${origin}:`)}`,
    };
  if (ofAnyScheme)
    return {
      shows: `https://${host}`,
      comparison: `${part} in [${quote(`https://${host}`)}, ${quote(`http://${host}`)}]`,
    };
  return { shows: origin, comparison: `${part} == ${quote(origin)}` };
}

/** An origin as a browser may send it. */
const IS_ORIGIN =
  /^(?!.*\.\.)[a-z][a-z0-9+-]*:\/\/[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?$/;

/** The first of some origins that can be one and that a comparison holds for. */
export function lettingIn(
  { operator, text }: Pick<TextComparison, "operator" | "text">,
  origins: readonly string[],
): string | undefined {
  return origins.find((origin) => {
    if (!IS_ORIGIN.test(origin)) return false;
    switch (operator) {
      case "contains":
        return origin.includes(text);
      case "startsWith":
        return origin.startsWith(text);
      case "endsWith":
        return origin.endsWith(text);
      default:
        return origin === text;
    }
  });
}

/** Hosts under which anybody can have a host of their own. */
const SHARED_HOSTS = [
  ...["com", "net", "org", "io", "dev", "app", "de", "fr", "nl", "eu", "us"],
  ...["co.uk", "org.uk", "com.au", "co.jp", "com.br", "co.in", "co.nz"],
  ...["vercel.app", "netlify.app", "pages.dev", "workers.dev", "github.io"],
  ...["gitlab.io", "herokuapp.com", "web.app", "firebaseapp.com", "ngrok.io"],
  ...["ngrok-free.app", "azurewebsites.net", "cloudfront.net", "fly.dev"],
  ...["amazonaws.com", "s3.amazonaws.com", "onrender.com", "surge.sh"],
  ...["azurestaticapps.net", "blogspot.com", "wixsite.com", "myshopify.com"],
];

const ATTACKER =
  "Whoever can register a host chooses the Origin that their page sends.";

/** Comparisons that say less than they mean: an origin of somebody else is let in. */
const OPEN: readonly ValueLint[] = [
  {
    code: "origin-contains",
    severity: "warning",
    doc: "`contains` lets in every Origin that has the text anywhere.",
    sent: ATTACKER,
    of: OF,
    onlyIf: "let in",
    example: {
      action: "allow",
      found: "any(http.request.headers['Origin'], # contains 'shop.example')",
      fixed:
        "any(http.request.headers['Origin'], (# == 'https://shop.example' || # endsWith '.shop.example'))",
    },
    find(comparison) {
      const { operator, text } = comparison;
      if (operator !== "contains" || text === "") return undefined;
      const shows = lettingIn(comparison, [
        `${text}.evil.example`,
        `${text}evil.example`,
        `https://${text}.evil.example`,
        `https://www${text}.evil.example`,
        `https${text}.evil.example`,
        `https:${text}.evil.example`,
        `https://evil${text}`,
        `https://${text}evil.example`,
        `https://shop${text}evil.example`,
      ]);
      if (shows === undefined) return undefined;
      const { comparison: right } = rightOrigin(comparison, text);
      return {
        message: `${quote(shows)} contains ${quote(text)}, too`,
        shows,
        comparison: right,
        fix: "compare all of the origin, or its end from a dot on",
      };
    },
  },
  {
    code: "origin-ends",
    severity: "warning",
    doc: "`endsWith` a host without a dot in front lets in hosts that only end in the same letters.",
    sent: ATTACKER,
    of: OF,
    onlyIf: "let in",
    example: {
      action: "allow",
      found: "any(http.request.headers['Origin'], # endsWith 'shop.example')",
      fixed:
        "any(http.request.headers['Origin'], (# == 'https://shop.example' || # endsWith '.shop.example'))",
    },
    find(comparison) {
      const { operator, text } = comparison;
      if (operator !== "endsWith" || !/^[a-z0-9].*\./.test(text))
        return undefined;
      const shows = lettingIn(comparison, [`https://evil${text}`]);
      return shows === undefined
        ? undefined
        : {
            message: `${quote(shows)} ends with ${quote(text)}, too`,
            shows,
            comparison: hostTest(comparison.subject, text),
          };
    },
  },
  {
    code: "origin-shared-host",
    severity: "warning",
    doc: "`endsWith` a host under which anybody can have one.",
    sent: `${ATTACKER} Under a public suffix, and under the host of a provider, that is everybody.`,
    of: OF,
    onlyIf: "let in",
    example: {
      action: "allow",
      found: "any(http.request.headers['Origin'], # endsWith '.vercel.app')",
      fixed:
        "any(http.request.headers['Origin'], # == 'https://our-shop.vercel.app')",
    },
    find(comparison) {
      const { operator, text } = comparison;
      const host = text.replace(/^\./, "");
      return operator === "endsWith" && SHARED_HOSTS.includes(host)
        ? {
            message: `anybody can have 'https://evil.${host}'`,
            shows: `https://evil.${host}`,
            fix: "name the hosts that are yours",
          }
        : undefined;
    },
  },
  {
    code: "origin-starts",
    severity: "warning",
    doc: "`startsWith` a host without its end lets in hosts that only begin with the same letters.",
    sent: ATTACKER,
    of: OF,
    onlyIf: "let in",
    example: {
      action: "allow",
      found:
        "any(http.request.headers['Origin'], # startsWith 'https://shop.example')",
      fixed: "any(http.request.headers['Origin'], # == 'https://shop.example')",
    },
    find(comparison) {
      const { operator, text, subject } = comparison;
      const host = /:\/\/(.+)$/.exec(text)?.[1];
      if (operator !== "startsWith" || host === undefined) return undefined;
      const shows = lettingIn(comparison, [
        `${text}.evil.example`,
        `${text}evil.example`,
      ]);
      if (shows === undefined) return undefined;
      const is = `${subject} == ${quote(text)}`;
      const isLocal = host === "localhost" || host === "127.0.0.1";
      const right = isLocal
        ? `${is} || ${subject} startsWith ${quote(`${text}:`)}`
        : /\.[a-z]{2,}$/.test(host) && !host.endsWith(".www")
          ? is
          : undefined;
      return {
        message: `${quote(shows)} starts with ${quote(text)}, too`,
        shows,
        comparison: right,
        fix: "compare all of the origin, or its end from a dot on",
      };
    },
  },
  {
    code: "origin-null",
    severity: "warning",
    doc: "The Origin `null` is let in.",
    sent: 'Browsers send `null` for every page in a sandboxed frame, and for files: any site can make its own pages send it (HTML standard, "sandboxed origin browsing context flag").',
    of: OF,
    onlyIf: "let in",
    example: {
      action: "allow",
      found:
        "any(http.request.headers['Origin'], # in ['https://shop.example', 'null'])",
      fixed:
        "any(http.request.headers['Origin'], # in ['https://shop.example'])",
    },
    find(comparison) {
      return isWhole(comparison) && comparison.text === "null"
        ? {
            message:
              "every site can send the Origin 'null', from a sandboxed frame",
            shows: "null",
            isDropped: true,
            fix: "name the origins that are yours",
          }
        : undefined;
    },
  },
];

/** Texts of an Origin that are written for something else than a comparison. */
const OTHER_LANGUAGE: readonly ValueLint[] = [
  {
    code: "origin-glob",
    severity: "warning",
    doc: "An Origin is compared with a text that has `*`.",
    sent: `${SENT} A text has no wildcards: \`*\` is compared like any other character.`,
    of: OF,
    example: {
      action: "allow",
      found:
        "any(http.request.headers['Origin'], # == 'https://*.shop.example')",
      fixed:
        "any(http.request.headers['Origin'], (# startsWith 'https://' && # endsWith '.shop.example'))",
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
  {
    code: "origin-list",
    severity: "warning",
    doc: "An Origin is compared with several origins in one text.",
    sent: `${SENT} That is one origin.`,
    of: OF,
    example: {
      action: "allow",
      found:
        "any(http.request.headers['Origin'], # == 'https://a.example, https://b.example')",
      fixed:
        "any(http.request.headers['Origin'], # in ['https://a.example', 'https://b.example'])",
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
];

/** Kinds of values of the header Origin. */
export const ORIGIN_VALUES: readonly ValueLint[] = [
  ...FAULTS.map(neverSent),
  ...OTHER_LANGUAGE,
  ...OPEN,
];
