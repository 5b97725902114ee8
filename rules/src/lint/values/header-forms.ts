import { parseIp } from "../../language";
import { quote } from "../../language/syntax/print-expression";
import type { TextComparison } from "../set/comparison";
import { ANY_CHARACTER, samplesOf, wrongPattern } from "./patterns";
import {
  containing,
  isWhole,
  type Mistake,
  type ValueLint,
} from "./value-lint";

/** A header whose values have one form, and what is wrong with a text of another form. */
interface Form {
  readonly of: readonly string[];
  /** What clients send: `languages are written with a hyphen`. */
  readonly why: string;
  /** The right text or comparison; undefined if the text has the form. */
  readonly correct: (
    comparison: TextComparison,
  ) => Pick<Mistake, "shows" | "text" | "comparison"> | undefined;
}

/**
 * The form of a header whose value is a list.
 * @param usual a list that browsers send
 * @param alone elements that some clients send without others
 */
const listForm = (
  name: string,
  usual: string,
  alone: readonly string[] = [],
): Form => {
  const elements = usual.split(",").map((one) => one.replace(/;.*/, "").trim());
  const known = elements.filter((one) => !alone.includes(one));
  return {
    of: [name],
    why: "browsers send a list",
    correct: (comparison) =>
      isWhole(comparison) && known.includes(comparison.text)
        ? {
            shows: usual,
            comparison: containing(comparison.subject, comparison.text),
          }
        : undefined,
  };
};

const ALPHABET = [..."abcdefghijklmnopqrstuvwxyz"];

/** Names of languages in English, in small letters, with their two letters (ISO 639-1). */
let languages: ReadonlyMap<string, string> | undefined;

function languageNamed(name: string): string | undefined {
  if (!/^[a-z]{4,}$/i.test(name)) return undefined;
  if (!languages) {
    const names = new Intl.DisplayNames("en", { type: "language" });
    languages = new Map(
      ALPHABET.flatMap((one) => ALPHABET.map((two) => one + two)).map(
        (code) => [names.of(code)?.toLowerCase() ?? code, code],
      ),
    );
  }
  return languages.get(name.toLowerCase());
}

/** Brands of browsers (User-Agent Client Hints), by the names in user agents that differ. */
const BRANDS: ReadonlyMap<string, string> = new Map([
  ["chrome", "Google Chrome"],
  ["edge", "Microsoft Edge"],
  ["edg", "Microsoft Edge"],
  ["opr", "Opera"],
  ...[
    ...["Google Chrome", "Microsoft Edge", "Chromium", "HeadlessChrome"],
    ...["Opera", "Brave", "Vivaldi", "Samsung Internet", "Android WebView"],
  ].map((brand) => [brand.toLowerCase(), brand] as const),
]);

/** The text with another spelling; undefined if that is the same. */
const respelt = (
  text: string,
  right: string,
  shows = right,
): Pick<Mistake, "shows" | "text"> | undefined =>
  right === text ? undefined : { shows, text: right };

const FORMS: readonly Form[] = [
  listForm(
    "Accept",
    "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8",
    ["application/xml", "*/*"],
  ),
  listForm("Accept-Encoding", "gzip, deflate, br, zstd", ["gzip", "deflate"]),
  {
    of: ["Cookie"],
    why: "a value has all cookies of the site, separated by semicolons",
    correct: (comparison) =>
      isWhole(comparison) && /^[\w-]+=[^;]*$/.test(comparison.text)
        ? {
            shows: `theme=dark; ${comparison.text}`,
            comparison: containing(comparison.subject, comparison.text),
          }
        : undefined,
  },
  {
    of: ["Accept-Language"],
    why: "languages are written as en-US, with a hyphen, the language in small letters",
    correct: ({ text }) =>
      respelt(
        text,
        languageNamed(text) ??
          text.replace(
            /\b([a-z]{2,3})(?:[_-]([a-z]{2}))?\b/gi,
            (all, language: string, region?: string) =>
              all.includes("_") || /^[A-Z]/.test(language)
                ? [language.toLowerCase(), region?.toUpperCase()]
                    .filter(Boolean)
                    .join("-")
                : all,
          ),
      ),
  },
  {
    of: ["Host", "X-Forwarded-Host"],
    why: "a host has no scheme, no path, no default port and no capitals",
    correct(comparison) {
      const { text } = comparison;
      const right = text
        .replace(/^[a-z]+:\/\//i, "")
        .replace(/[/?#].*$/, "")
        .replace(/:(?:443|80)$/, "")
        .toLowerCase();
      return /^[\w.-]+(?::\d+)?$/.test(right)
        ? respelt(text, right, isWhole(comparison) ? right : `shop${right}`)
        : undefined;
    },
  },
  {
    of: ["X-Requested-With"],
    why: "scripts send XMLHttpRequest, in this spelling",
    correct: ({ text }) =>
      /^xml-?http-?request$/i.test(text)
        ? respelt(text, "XMLHttpRequest")
        : undefined,
  },
  {
    of: ["Content-Type", "Accept"],
    why: "media types are written as application/json, in small letters",
    correct(comparison) {
      const { text } = comparison;
      const types = ["json", "html", "xml", "javascript"];
      const bare = text.toLowerCase();
      const type = bare === "html" ? "text/html" : `application/${bare}`;
      return isWhole(comparison) && types.includes(bare)
        ? { shows: type, text: type }
        : /^[a-z]+[/\\][a-z0-9.+-]+$/i.test(text)
          ? respelt(text, bare.replace("\\", "/"))
          : undefined;
    },
  },
  {
    of: ["Sec-Ch-Ua", "Sec-Ch-Ua-Full-Version-List"],
    why: "the value is a list of brands, each in double quotes and with its version",
    correct(comparison) {
      const { text, subject, operator } = comparison;
      const [, name, slash, version] =
        /^"?([\w .-]+?)"?(\/(\d+)?[\d.]*)?$/.exec(text) ?? [];
      if (name === undefined) return undefined;
      const brand = BRANDS.get(name.toLowerCase()) ?? name;
      const isFound =
        slash === undefined &&
        (brand === name ||
          [...BRANDS.values()].some((one) => one.includes(name)));
      if (!isWhole(comparison) && (operator !== "contains" || isFound))
        return undefined;
      const meant = `"${brand}"${version === undefined ? "" : `;v="${version}"`}`;
      return {
        shows: `"${brand}";v="${version ?? 126}", "Not/A)Brand";v="8"`,
        comparison: containing(subject, meant),
      };
    },
  },
  {
    of: ["Authorization", "Proxy-Authorization"],
    why: "credentials stand behind the scheme",
    correct(comparison) {
      const { text, subject } = comparison;
      if (!isWhole(comparison) || !/^(?:bearer|basic|digest)$/i.test(text))
        return undefined;
      const scheme =
        (text[0] ?? "").toUpperCase() + text.slice(1).toLowerCase();
      return {
        shows: `${scheme} dXNlcg`,
        comparison: `${subject} startsWith ${quote(`${scheme} `)}`,
      };
    },
  },
];

/** Headers in which proxies write the address of a client (documentation of each proxy). */
export const ADDRESS_HEADERS: readonly string[] = [
  ...["X-Forwarded-For", "X-Real-Ip", "True-Client-Ip", "Client-Ip"],
  ...["X-Client-Ip", "Cf-Connecting-Ip", "X-Originating-Ip"],
  ...["X-Original-Forwarded-For", "X-Cluster-Client-Ip", "X-Remote-Ip"],
  ...["X-Envoy-External-Address", "Fastly-Client-Ip", "Fly-Client-Ip"],
  ...["X-Azure-Clientip", "X-Azure-Socketip", "X-Appengine-User-Ip"],
];

/** Kinds of values of headers with a form of their own. */
export const HEADER_FORM_VALUES: Readonly<Record<string, ValueLint>> = {
  "header-form": {
    doc: "A header is compared with a text that does not have the form of its values.",
    sent: `${FORMS.map(({ of, why }) => `\`${of[0]}\`: ${why}`).join("; ")} (RFC 9110; RFC 5646; User-Agent Client Hints).`,
    of: FORMS.flatMap(({ of }) => of),
    unless: ["placeholder", "missing-header"],
    example: {
      deny: "any(http.request.headers['Host'], # == 'https://shop.example/')",
    },
    find(comparison) {
      const { part, operator, functions } = comparison;
      if (operator === "matches" || functions.length > 0) return undefined;
      for (const { of, why, correct } of FORMS) {
        const right = of.includes(part) ? correct(comparison) : undefined;
        if (right)
          return { message: `${why}, as in ${quote(right.shows)}`, ...right };
      }
      return undefined;
    },
  },
  "address-text": {
    doc: "A header that contains an address is compared with a network, or with a text that is not an address.",
    sent: "Proxies write addresses in small letters and without leading zeros (RFC 5952). A header is a text, so it cannot be compared with a network. `http.request.ip in cidr(...)` can.",
    of: ADDRESS_HEADERS,
    example: {
      deny: "any(http.request.headers['X-Forwarded-For'], # == '203.0.113.0/24')",
    },
    find(comparison) {
      const { text, operator, subject } = comparison;
      if (operator === "matches") return openDot(text);
      const [, network, bits] = /^([\d.]+|[\da-f:]+)\/(\d+)$/i.exec(text) ?? [];
      if (network !== undefined && isWhole(comparison)) {
        const bytes = Number(bits) / 8;
        const start = network.split(".").slice(0, bytes).join(".");
        const isWritable = network.includes(".") && [1, 2, 3].includes(bytes);
        const shows = isWritable ? start + ".10".repeat(4 - bytes) : network;
        return {
          message: `a network is compared as a text; ${quote(shows)} is an address`,
          shows,
          comparison: isWritable
            ? `${subject} startsWith ${quote(`${start}.`)}`
            : undefined,
          fix: "write the beginning of the addresses, or test http.request.ip",
        };
      }
      if (operator === "startsWith" && /^\d+(?:\.\d+){0,3}$/.test(text)) {
        const dots = text.split(".").length;
        const last = Number(text.split(".").at(-1));
        const isOpen = dots < 4 && last > 0 && last < 26;
        const shows = `${text}0${".10".repeat(4 - dots)}`;
        return isOpen
          ? {
              message: `${shows} begins with ${text}, too`,
              shows,
              text: `${text}.`,
            }
          : undefined;
      }
      if (!isWhole(comparison) || !/^[\da-f:.]+$/i.test(text)) return undefined;
      const isAddress = parseIp(text) !== undefined;
      if (isAddress && text === text.toLowerCase()) return undefined;
      return isAddress
        ? {
            message: `addresses are written in small letters, as ${text.toLowerCase()} is`,
            shows: text.toLowerCase(),
            text: text.toLowerCase(),
          }
        : /[:.].*[:.]/.test(text)
          ? {
              message: `${text} is no address; 203.0.113.10 is one`,
              shows: "203.0.113.10",
              fix: "correct the address",
            }
          : undefined;
    },
  },
};

/** An address that a pattern matches because one of its dots is any character; undefined if no address shows it. */
function openDot(pattern: string): Mistake | undefined {
  const right = pattern.replace(/(?<=\d)\.(?![*+?{])/g, "\\.");
  const others = samplesOf(right)
    .flatMap(({ text }) =>
      [...text.matchAll(/(?<=\d)\./g)].flatMap(({ index }) =>
        [..."0123456789"].map(
          (digit) => text.slice(0, index) + digit + text.slice(index + 1),
        ),
      ),
    )
    .flatMap((start) =>
      ["", ".10", ".10.10", ".10.10.10"].map((end) => start + end),
    )
    .filter((one) => parseIp(one) !== undefined);
  return wrongPattern(pattern, right, ANY_CHARACTER, others);
}
