import { parseIp } from "../../language";
import { quote } from "../../language/syntax/print-expression";
import type { TextComparison } from "../set/comparison";
import { isWhole, type Mistake, type ValueLint } from "./value-lint";

/** A header whose values have one form, and what is wrong with a text of another form. */
interface Form {
  readonly of: readonly string[];
  /** What clients send: `languages are written with a hyphen`. */
  readonly why: string;
  /** The right text or comparison; undefined where the text has the form. */
  readonly correct: (
    comparison: TextComparison,
  ) => Pick<Mistake, "shows" | "text" | "comparison"> | undefined;
}

/** The text with another spelling; undefined where that is the same. */
const respelt = (
  text: string,
  right: string,
  shows = right,
): Pick<Mistake, "shows" | "text"> | undefined =>
  right === text ? undefined : { shows, text: right };

const FORMS: readonly Form[] = [
  {
    of: ["Accept-Language"],
    why: "languages are written as en-US, with a hyphen, the language in small letters",
    correct: ({ text }) =>
      respelt(
        text,
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
      const { text, subject } = comparison;
      const name = /^"?([\w .-]+)"?$/.exec(text)?.[1];
      if (!isWhole(comparison) || name === undefined) return undefined;
      return {
        shows: `"${name}";v="126", "Not/A)Brand";v="8"`,
        comparison: `${subject} contains ${quote(`"${name}"`)}`,
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

/** Headers in which proxies write addresses. */
const ADDRESSES = [
  ...["X-Forwarded-For", "X-Real-Ip", "True-Client-Ip", "Client-Ip"],
  ...["X-Client-Ip", "Cf-Connecting-Ip", "X-Originating-Ip"],
];

/** Kinds of values of headers with a form of their own. */
export const HEADER_FORM_VALUES: readonly ValueLint[] = [
  {
    code: "header-form",
    severity: "warning",
    doc: "A header is compared with a text that does not have the form of its values.",
    sent: `${FORMS.map(({ of, why }) => `\`${of[0]}\`: ${why}`).join("; ")} (RFC 9110; RFC 5646; User-Agent Client Hints).`,
    of: FORMS.flatMap(({ of }) => of),
    unless: ["placeholder", "missing-header"],
    example: {
      action: "deny",
      found: "any(http.request.headers['Host'], # == 'https://shop.example/')",
      fixed: "any(http.request.headers['Host'], # == 'shop.example')",
    },
    find(comparison) {
      const { part, operator, functions } = comparison;
      const form = FORMS.find(({ of }) => of.includes(part));
      if (!form || operator === "matches" || functions.length > 0)
        return undefined;
      const right = form.correct(comparison);
      return (
        right && {
          message: `${form.why}, as in ${quote(right.shows)}`,
          ...right,
        }
      );
    },
  },
  {
    code: "address-text",
    severity: "warning",
    doc: "A header that contains an address is compared with a network, or with a text that is not an address.",
    sent: "Proxies write addresses in small letters and without leading zeros (RFC 5952). A header is a text, so it cannot be compared with a network. `http.request.ip in cidr(...)` can.",
    of: ADDRESSES,
    example: {
      action: "deny",
      found:
        "any(http.request.headers['X-Forwarded-For'], # == '203.0.113.0/24')",
      fixed:
        "any(http.request.headers['X-Forwarded-For'], # startsWith '203.0.113.')",
    },
    find(comparison) {
      const { text, operator, subject } = comparison;
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
];
