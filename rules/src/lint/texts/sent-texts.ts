import { parseUrl } from "@devid/sdk/errors";
import { onceFor } from "../../once-for";
import { parseIp, postOrder, type Node } from "../../language";
import { canonicalHeaderName } from "../../language/request/header-names";
import { escaped } from "../../language/regex/pattern";
import { quote } from "../../language/syntax/print-expression";
import { fieldNamed } from "../../language/tables/lookup";
import { KNOWN_HEADERS, knownHeader } from "../../language/tables/headers";
import { trim } from "../../language/text/text";
import { characterOf } from "../../language/text/characters";
import { addressNumber, addressText } from "../../solver/integer-set";
import { USER_AGENT_PARTS } from "../../solver/realistic-texts";
import type { TextComparison } from "../set/comparison";
import { WRITTEN_FOR_MISSING } from "../set/missing-text";
import { nearest } from "../set/nearest";
import { ADDRESS_HEADERS } from "./matches-others";
import {
  BRAND_LISTS,
  BRANDS_OF_CHROME,
  crawlersWith,
  crawlerText,
  REAL_USER_AGENTS,
} from "./clients";
import { USER_AGENT_STEPS } from "./user-agent-words";
import {
  advise,
  holds,
  inCaseOf,
  isWhole,
  one,
  meaning,
  ofWhole,
  replacing,
  type Instead,
  type Meant,
  type Step,
} from "./text-claim";
import { globTest, versionsMeant } from "./other-languages";
import { keepingResults } from "../../keeping-results";

/** What clients send in some parts of a request: each sentence has the step that corrects other texts. */
interface Steps {
  /** Headers and fields; none stands for all. */
  readonly of: readonly string[];
  readonly steps: Readonly<Record<string, Step>>;
}

const about = (of: readonly string[], steps: Steps["steps"]): Steps => ({
  of,
  steps,
});

/** Characters that are invisible, or change the direction of the text. */
const INVISIBLE =
  /\u034f|[\b\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\uffa0]/g;
/** Characters that look like a space but are not U+0020. */
const ODD_BLANK = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g;

/** Cyrillic and Greek letters that look like a Latin letter, each in front of that letter. */
const LOOKALIKES = new Map(
  "аaеeоoрpсcуyхxіiјjѕsԁdһhԛqԝwАAВBЕEКKМMНHОOРPСCТTХXІIЈJЅSαaοoνvιiρpΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧX"
    .match(/../gu)
    ?.map((pair) => [...pair] as [string, string]),
);
const LATIN = /\p{Script=Latin}/u;

/** A text without the signs that word processors and some keyboards write instead of ASCII. */
const asciiSigns = (text: string) =>
  text
    .replace(/[\u2010\u2011\u2013\u2014\u2212]/g, "-")
    .replace(/[\u201c-\u201e]/g, '"')
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/[\u2026\uff01-\uff5e]/g, (sign) => sign.normalize("NFKC"));

const ENTITY =
  /&(?:#x(?<hex>[\da-f]+)|#(?<decimal>\d+)|(?<name>amp|quot|apos|lt|gt|nbsp));/gi;
const ENTITIES: Readonly<Record<string, string>> = {
  ...{ amp: "&", quot: '"', apos: "'", lt: "<", gt: ">", nbsp: " " },
};

const withoutEntities = (text: string) =>
  text.replace(ENTITY, (entity, hex, decimal, name?: string) => {
    const code = parseInt(String(hex ?? decimal), hex === undefined ? 10 : 16);
    const named = name && ENTITIES[name.toLowerCase()];
    return named ?? characterOf(code) ?? entity;
  });

/** Placeholders of templates: `${HOST}`, `{{ host }}`, `<your-domain>`, `CHANGE_ME`. */
const PLACEHOLDER =
  /\$\{[A-Za-z_][\w.-]*\}|\$\([A-Z_]+\)|\{\{[^}]*\}\}|<%[^%]*%>|<[a-z]+(?:[-_ ][a-z]+)+>|%\([a-z_]+\)s|\bYOUR[-_ ][A-Z][A-Z_ -]*|\b(?:CHANGE|REPLACE)_?ME\b|\b(?:TODO|FIXME)\b|__[A-Z][A-Z_]*__/;
/** Words of examples, in front of what nobody has filled in, and the headers of secrets. */
const EXAMPLE = /\b(?:example|sample|dummy|placeholder|your|my)[-_]\w+/i;
export const OF_SECRETS =
  /^(?:Cookie|(?:Proxy-)?Authorization|X-.*(?:Key|Token|Secret|Auth).*)$/;
/** Placeholders that may stand for themselves in a user agent, but in no origin, host, version or package. */
const PLACEHOLDER_OF_NAMES =
  /\$[A-Za-z_]\w{2,}|%[A-Za-z_]\w+%|#\{[^}]*\}|\{[A-Za-z_][\w.-]*\}|@@\w+@@|@\w+@$|\bchange[-_]?me\b|^(?:tbd|tba|xxx+)$/i;

const ADDRESSES = ["Origin", "Referer"];
const PACKAGE = "sdk.platform.app_package_name";
const NAMES = [...ADDRESSES, "Host", "sdk.version", PACKAGE];

/** Steps for the texts of all parts: what keyboards, documents and templates leave in a text. */
const EVERYWHERE: readonly Steps[] = [
  about([], {
    "an invisible character, or a special blank, is never sent": (
      text,
      { isOfPattern },
    ) => {
      // `\b` in an expression is a backspace, and `\\b` the pattern for the edge of a word.
      if (isOfPattern && text.includes("\b"))
        return one("matches", text.replaceAll("\b", "\\b"));
      const right = text.replace(INVISIBLE, "").replace(ODD_BLANK, " ");
      return right === text ? text : right.trim();
    },
    "letters of several scripts, which look alike, are never in one word": (
      text,
    ) =>
      text.replace(/[\p{L}\p{N}]+/gu, (word) =>
        LATIN.test(word)
          ? [...word].map((letter) => LOOKALIKES.get(letter) ?? letter).join("")
          : word,
      ),
    "signs of a word processor and full-width letters are never sent":
      asciiSigns,
    "headers are no HTML, and have no entities": withoutEntities,
    "a quote has no backslash in front of it": replacing(/\\(?=")/g, ""),
    "a value does not begin with the name of its header": (text, { part }) => {
      const [line = "", name = ""] = /^([\w-]+):\s*/.exec(text) ?? [];
      const header = part === "http.user_agent.string" ? "User-Agent" : part;
      return canonicalHeaderName(name) === header && text.slice(line.length);
    },
    "trim() takes away single signs of its list, and no whole beginning":
      ofWhole((text, { node, functions }) => {
        const signs = functions.includes("trim") && signsTrimmed(node);
        const left = signs ? trim(text, signs) : text;
        const advice = `compare all of the text, because ${quote(left)} is left of it`;
        return left !== text && advise(signs + text, advice);
      }),
  }),
  about(["http.user_agent.string", "sdk.version", PACKAGE], {
    "a field that was not sent is the empty text": ofWhole(
      (text) => WRITTEN_FOR_MISSING.test(text) && "",
    ),
  }),
  about([], {
    "lower() leaves no capitals, and upper() no small letters": (
      text,
      { functions },
    ) => inCaseOf(functions, text),
    "no value has a blank at its beginning or end": (
      text,
      { operator, part },
    ) => {
      if (isWhole({ operator }) || text === text.trim()) return text.trim();
      if (operator === "startsWith") return text.trimStart();
      if (operator === "endsWith") return text.trimEnd();
      const isName = USER_AGENT_PARTS.includes(part)
        ? beginsUserAgents(text.trim()) &&
          !REAL_USER_AGENTS.some((each) => each.includes(text))
        : /^\s*\S+\s*$/.test(text);
      return isName && text.trim();
    },
    "a list equals only a list of as many values, and a header has one": (
      text,
      { operator, elementsOf, list },
    ) =>
      operator === "==" &&
      elementsOf !== undefined &&
      list.length > 1 &&
      text === list[0] &&
      one("==", ...list),
    "a placeholder stands for a value that was not filled in": (
      text,
      { part },
    ) => {
      const isSecret = OF_SECRETS.test(part);
      const isName = isSecret || NAMES.includes(part);
      const [found] =
        PLACEHOLDER.exec(text) ??
        (isName ? PLACEHOLDER_OF_NAMES.exec(text) : undefined) ??
        (isSecret ? EXAMPLE.exec(text) : undefined) ??
        [];
      const value = ADDRESSES.includes(part) ? "shop.example" : "value";
      return (
        found !== undefined &&
        advise(text.replaceAll(found, value), "write the intended value")
      );
    },
  }),
];

/** Whether a known client's user agent begins with a name. */
const beginsUserAgents = (name: string) =>
  /^\w{3}/.test(name) &&
  REAL_USER_AGENTS.concat(crawlersWith(name)).some((each) =>
    each.startsWith(name),
  );

/** The signs that a comparison trims off a part of the request. */
function signsTrimmed(node: Node): string | undefined {
  const call = postOrder(node).find(
    (each) => each.node.kind === "call" && each.node.name === "trim",
  )?.node;
  const signs = call?.kind === "call" ? call.args[1] : undefined;
  return signs?.kind === "string" ? signs.value : undefined;
}

const SCHEMES = [
  ...["http", "https", "file", "app", "capacitor", "ionic", "tauri"],
  ...["chrome-extension", "moz-extension", "safari-web-extension"],
  ...["android-app", "resource"],
];
const SCHEME =
  /^([a-z][a-z0-9+.-]*)(:\/\/|:\/|\/\/|;\/\/|:\\\\|:\/\/\/+)(?=[^/\\]|$)/i;

/** An origin with the scheme that is meant, if its scheme is misspelt. */
const withScheme = (text: string) =>
  text.replace(SCHEME, (found, written: string) => {
    const scheme = written.toLowerCase();
    const meant = /^wss?$/.test(scheme)
      ? scheme.replace("ws", "http")
      : SCHEMES.includes(scheme)
        ? scheme
        : nearest(scheme, ["https", "http"], 2);
    return meant === undefined ? found : `${meant}://`;
  });

const decoded = (text: string) => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** `blob:`, or a scheme, in front of a scheme. */
const TWO_SCHEMES = /^(?:blob:|(?:https?:\/\/)+)(?=https?:\/\/)/i;

/** Whether nothing follows a text that is compared. */
const isToEnd = (comparison: TextComparison) =>
  isWhole(comparison) || comparison.operator === "endsWith";

/**
 * The host and port in an address, or in a part of it, as the URL standard writes them:
 * in small letters and in ASCII, without user, path and default port.
 */
function asUrl(text: string, comparison: TextComparison): string {
  const [, scheme = "", rest = text] = /^([a-z]+:\/\/)(.*)$/i.exec(text) ?? [];
  const isEnd = isToEnd(comparison);
  const [host = ""] = rest.split(/(?=[/?#])/);
  const start = scheme || "https://";
  // In front of the beginning of a label, another label can stand.
  const before = scheme === "" && !isWhole(comparison) ? "x" : "";
  const url = parseUrl(start + before + host);
  if (
    // The beginning of an address or a name.
    (!isEnd && /\.$/.test(host)) ||
    !/^https?:/i.test(start) ||
    !url
  )
    return text.toLowerCase();
  const bare = isEnd
    ? url.host
    : url.host.replace(/:\d*$/, "") + (/:\d*$/.exec(host)?.[0] ?? "");
  return scheme.toLowerCase() + bare.slice(before.length);
}

/** The corrections of a host that people mistype. */
const withoutSlips = (text: string) =>
  text.replace(
    /^(https?:\/\/)([^/?#]*)/i,
    (_, scheme: string, rest: string) => {
      // A last group of four digits or more is rather a port.
      const [, address = rest, port6 = ""] =
        /^(.*)(:\d{4,5})$/.exec(rest) ?? [];
      if (parseIp(address)?.length === 16)
        return `${scheme}[${address}]${port6}`;
      if (parseIp(rest)?.length === 16) return `${scheme}[${rest}]`;
      const [, host = "", port = ""] = /^(.*?)(:\d*)?$/.exec(rest) ?? [];
      const isPort = port.length > 1 && Number(port.slice(1)) <= 65_535;
      return (
        scheme +
        host
          .replaceAll(",", ".")
          .replace(/\.{2,}/g, ".")
          .replace(/^\./, "") +
        (isPort ? port : "")
      );
    },
  );

const HOST = /^(?:[a-z0-9-]+\.)+[a-z]{2,}$/i;

/** What browsers send as Origin and Referer: RFC 6454, 7.1; URL standard; Referrer Policy; RFC 9110, 10.1.3. */
const OF_ADDRESSES: readonly Steps[] = [
  about(["Origin"], {
    "a page without an origin of its own sends 'null'": meaning(
      /^(?:about|data|javascript):/i,
      advise("null", "leave it out, or deny 'null'"),
    ),
    "an extension has another origin in each browser": ofWhole((text) => {
      const [scheme = ""] =
        /^(?:moz|safari-web)-extension:\/\/(?=[^*])/i.exec(text) ?? [];
      return (
        scheme !== "" &&
        advise(
          `${scheme}6f1d2c3b-4a59-4e87-b6c5-d4e3f2a1b0c9`,
          `let the extension send its requests from a page of yours, or let all extensions in with startsWith ${quote(scheme)}`,
        )
      );
    }),
    "browsers send one origin": ofWhole((text) => {
      const origins = text.split(/\s*[,;|\s]\s*/).filter((each) => each !== "");
      const areAll = origins.every((each) => /^[a-z-]+:\/\/[^/*]+$/.test(each));
      return origins.length > 1 && areAll && one("==", ...origins);
    }),
    "browsers send a scheme, a host and perhaps a port, without any other sign":
      (text, comparison) =>
        decoded(text)
          .replace(/^\[(.*)\]$/, "$1")
          .replace(/^["'`<(]+|["'`>),;]+$/g, "")
          .replace(TWO_SCHEMES, "")
          .replaceAll("\\/", "/")
          // Behind the beginning of an origin, another label can stand.
          .replace(/(?<=[a-z])\.$/i, isToEnd(comparison) ? "" : "."),
    "pages have the scheme http or https, with ://": withScheme,
  }),
  about(["Referer"], {
    "browsers send the scheme and the host, too": (text, comparison) => {
      const isStart = comparison.operator === "startsWith";
      return (
        (isStart || isWhole(comparison)) &&
        /^(?:\/(?!\/)|\?)[^#*\s]/.test(text) &&
        one(isStart ? "contains" : "endsWith", text)
      );
    },
  }),
  about(ADDRESSES, {
    "browsers send the scheme, too": (text, comparison) => {
      const isStart =
        comparison.operator === "startsWith" &&
        /^(?:\/\/|localhost\b|[\w-]+\.)/.test(text);
      return (
        (isStart || isWhole(comparison)) &&
        /^(?!null$|.*:\/\/)(?=.*\w)[^#*,\s]+$/i.test(text) &&
        `https://${text.replace(/^\/\//, "")}`
      );
    },
  }),
  about(["Origin"], {
    "* stands for itself, and no origin has it": (text, comparison) =>
      text.includes("*") && globTest(text, comparison),
    "a host has names between its dots, and a port is at most 65535":
      ofWhole(withoutSlips),
  }),
  about(ADDRESSES, {
    "port 443 belongs to https, and port 80 to http": (text) =>
      text
        .replace(/^http(?=:\/\/[^/]+:443(?:\/|$))/i, "https")
        .replace(/^https(?=:\/\/[^/]+:80(?:\/|$))/i, "http"),
  }),
  about(["Origin"], {
    "the web view of Capacitor sends https://localhost on Android": ofWhole(
      (text, { ofPart }) => {
        // Only these two look at the whole list, which may have thousands of texts.
        if (!/^(http|capacitor):\/\/localhost$/.test(text)) return false;
        const beside = ofPart.map((each) => each.text);
        const isAlone = beside.every(
          (each) => !/localhost|^file:/.test(each) || each === text,
        );
        return (
          (text === "http://localhost"
            ? beside.includes("capacitor://localhost")
            : isAlone) &&
          !beside.includes("https://localhost") && {
            instead: one("==", text, "https://localhost"),
            ...(isAlone && { only: "kept out", severity: "note" }),
          }
        );
      },
    ),
    "browsers send the host in small letters and in ASCII, without user, path and default port":
      (text, comparison) =>
        /^file:/i.test(text) ? "file://" : asOrigin(text, comparison),
    "an origin is a scheme and a host that browsers accept, or 'null'": ofWhole(
      (text) =>
        (/^https?:/.test(text)
          ? !parseUrl(text)
          : !/^(?:|null|[a-z][a-z0-9+.-]*:\/\/\S*)$|\*/.test(text)) &&
        advise("https://shop.example", "write an origin"),
    ),
  }),
  about(["Referer"], {
    "browsers leave out what # begins": replacing(/(?<=:\/\/[^#]*)#.*$/, ""),
    "browsers send the host in small letters and in ASCII, without user and default port":
      (text) =>
        text.replace(
          /^https?:\/\/[^/?#*\s]+/i,
          (address) => parseUrl(address)?.origin ?? address.toLowerCase(),
        ),
    "browsers send a slash behind the host": (text, comparison) =>
      ((comparison.operator === "endsWith" && HOST.test(text)) ||
        (isWhole(comparison) &&
          /^[a-z][a-z0-9+.-]*:\/\/[^/?#*\s]+$/i.test(text))) &&
      `${text}/`,
  }),
  about(ADDRESSES, {
    "most pages have the scheme https": (text, { operator, text: written }) =>
      text === written &&
      /^http:\/\/(?!localhost\b)[^/]*[a-z](?:[/:?]|$)/i.test(text) &&
      operator !== "endsWith" &&
      operator !== "contains" && {
        instead: one(
          operator === "in" ? "==" : operator,
          text,
          text.replace("http", "https"),
        ),
        only: "let in",
      },
  }),
];

/** An origin, or a part of it, as browsers write it. */
function asOrigin(text: string, comparison: TextComparison): string {
  if (text.includes("*") || text === "null") return text;
  const bare = text.replace(/(?<=[\w\]])[/?#].*$/, "");
  if (/^[a-z][a-z0-9+.-]*:/i.test(bare) && !/^https?:\/\/[^/]/i.test(bare))
    return bare.toLowerCase();
  return /^(?:https?:)?\/*\.?[^/]+$/i.test(bare)
    ? asUrl(bare.replace(/^(https?:\/\/)[^/@]*@/i, "$1"), comparison)
    : bare.toLowerCase();
}

/** Forms in which an app is named elsewhere, and its package name in them. */
const OTHER_NAMES_OF_APPS: readonly RegExp[] = [
  /^(?:https?:\/\/|market:).*?(?:[?&]id=(?<name>[\w.]+))?$/,
  /^(?:id)?\d{6,}$/,
  /^(?<name>[\w.-]+)\.(?:apk|aab|ipa)$/,
  /^[A-Z0-9]{10}\.(?<name>[\w.-]+)$/,
  /^(?<name>[\w.-]+)\/\.?[A-Z][\w.]*$/,
  /^(?<name>\w+(?:\/\w+)+)$/,
  /^\w+(?: \w+)+$/,
];

const OF_THE_SDK: readonly Steps[] = [
  about([PACKAGE], {
    "the SDK sends the package name of Android or the bundle ID of iOS":
      ofWhole((text) => {
        const found = OTHER_NAMES_OF_APPS.find((form) => form.test(text));
        const name = found?.exec(text)?.groups?.name?.replaceAll("/", ".");
        return (
          name ??
          (found &&
            advise("com.acme.shop", "write the package name or the bundle ID"))
        );
      }),
  }),
  about(["sdk.version"], {
    "the service sends one version: numbers with dots between them, without zeros in front and without other signs":
      versionsMeant,
  }),
  about(["sdk.version", PACKAGE, ...USER_AGENT_PARTS], {
    "the commas are looked for, too, and no value has them": (
      text,
      { part, operator },
    ) => {
      const parts = text.split(
        USER_AGENT_PARTS.includes(part) && !/, (?=\w+$)/.test(text)
          ? ","
          : /\s*[,;]\s*/,
      );
      const isList =
        parts.length > 1 &&
        parts.every((each) =>
          /^[\w./-]*\w{2}[\w./-]*$|^\d+(?:\.\d+)+$/.test(each),
        );
      return (
        isList &&
        (part !== "sdk.version" || parts[0]?.includes(".")) &&
        one(isWhole({ operator }) ? "==" : operator, ...parts)
      );
    },
  }),
];

/** Words that people write for a value of a part with few values. */
const SYNONYMS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "sdk.platform.name": {
    ...{ web: "js", browser: "js", javascript: "js", website: "js" },
    ...{ desktop: "js", iphone: "ios", ipad: "ios", ipados: "ios" },
    ...{ apple: "ios", droid: "android", none: "unknown", other: "unknown" },
    "": "unknown",
  },
  "Sec-Fetch-Site": { crossorigin: "cross-site" },
  "Sec-Fetch-Mode": { navigation: "navigate" },
  "Sec-Fetch-Dest": { "": "empty", none: "empty" },
  "X-Forwarded-Proto": { ssl: "https", tls: "https" },
};
/** Words for a boolean, as headers write them. */
const BOOLEANS = [/^(?:true|yes|on|1)$/, /^(?:false|no|off|0)$/] as const;

/** Parts whose values are all known. */
const OF_FEW_VALUES = [
  "sdk.platform.name",
  ...KNOWN_HEADERS.filter(
    ({ name, values }) => values !== undefined && name !== "Origin",
  ).map(({ name }) => name),
];

function valuesOf(part: string): readonly string[] {
  const symbolic = fieldNamed(part)?.symbolic;
  const ofField = symbolic?.kind === "variable" ? symbolic.values : undefined;
  return ofField ?? knownHeader(part)?.values ?? [];
}

function oneOf(text: string, { part, operator }: TextComparison) {
  const values = valuesOf(part);
  // A proxy may send a list of schemes.
  const isList =
    part === "X-Forwarded-Proto" &&
    (!isWhole({ operator }) || text.includes(","));
  const isPossible = (value: string) => holds({ operator, text }, value);
  if (isList || values.some(isPossible)) return text;
  const plain = (value: string) => value.toLowerCase().replace(/\W|_/g, "");
  const bare = plain(text);
  const means = (value: string) =>
    plain(value) === bare ||
    BOOLEANS.some((words) => words.test(bare) && words.test(plain(value))) ||
    (bare.length > 2 && plain(value).startsWith(bare)) ||
    (values.length > 1 && bare.startsWith(plain(value)));
  const synonyms = new Map(Object.entries(SYNONYMS[part] ?? {}));
  const meant =
    values.find((value) =>
      holds({ operator, text: text.toLowerCase() }, value),
    ) ??
    synonyms.get(bare) ??
    (values.filter(means).length === 1 ? values.find(means) : undefined) ??
    nearest(bare, values, bare.length > 5 ? 2 : 1);
  if (meant !== undefined && isWhole({ operator })) return meant;
  return {
    shows: [meant ?? values[0] ?? ""],
    instead: meant === undefined ? undefined : one("==", meant),
    advice: `write one of these: ${values.map(quote).join(", ")}`,
  };
}

/** A kind of codes of two letters: their letters, and the language tag with a code. */
interface Codes {
  readonly type: "language" | "region";
  readonly letters: string;
  readonly tagOf: (code: string) => string;
}

const LANGUAGES: Codes = {
  type: "language",
  letters: "abcdefghijklmnopqrstuvwxyz",
  tagOf: (code) => code,
};
const COUNTRIES: Codes = {
  type: "region",
  letters: LANGUAGES.letters.toUpperCase(),
  tagOf: (code) => `und-${code}`,
};

/** The codes by their English names in small letters, without codes that another one replaced (ISO 639-1 and 3166-1). */
const codesOf = onceFor(({ type, letters, tagOf }: Codes) => {
  const names = new Intl.DisplayNames("en", { type, fallback: "none" });
  return new Map(
    [...letters]
      .flatMap((first) => [...letters].map((second) => first + second))
      .filter(
        (code) => Intl.getCanonicalLocales(tagOf(code))[0] === tagOf(code),
      )
      .flatMap((code) => {
        const name = names.of(code)?.toLowerCase();
        return name === undefined ? [] : [[name, code] as const];
      }),
  );
});

const codeNamed = (of: Codes, name: string) =>
  /^[a-z][a-z ]{3,}$/i.test(name)
    ? codesOf(of).get(name.toLowerCase())
    : undefined;

/** A language, or the language of a country whose code stands in its place, such as `jp`. */
function languageMeant(code: string): string {
  const isLanguage = [...codesOf(LANGUAGES).values()].includes(code);
  const isCountry = [...codesOf(COUNTRIES).values()].includes(
    code.toUpperCase(),
  );
  return isCountry && !isLanguage
    ? (new Intl.Locale(`und-${code}`).maximize().language ?? code)
    : code;
}

/** Brands of browsers (User-Agent Client Hints), by the names in user agents that differ. */
const BRANDS: ReadonlyMap<string, string> = new Map([
  ...[["chrome", "Google Chrome"] as const, ["opr", "Opera"] as const],
  ...["edge", "edg"].map((name) => [name, "Microsoft Edge"] as const),
  ...[["yandex", "YaBrowser"] as const],
  ...[["samsungbrowser", "Samsung Internet"] as const],
  ...[
    ...["Google Chrome", "Microsoft Edge", "Chromium", "HeadlessChrome"],
    ...["Opera", "Brave", "Vivaldi", "Samsung Internet", "Android WebView"],
    ...["YaBrowser", "Yowser"],
  ].map((brand) => [brand.toLowerCase(), brand] as const),
]);

/** Headers in which proxies write the country of a client (documentation of each proxy). */
export const COUNTRY_HEADERS: readonly string[] = [
  ...["Cf-Ipcountry", "Cloudfront-Viewer-Country", "X-Appengine-Country"],
  ...["X-Vercel-Ip-Country", "X-Country", "X-Country-Code"],
  ...["X-Geo-Country", "X-Geoip-Country", "X-Geoip-Country-Code"],
];

/** RFC 9110; RFC 5646; User-Agent Client Hints; RFC 5952. */
const OF_HEADERS: readonly Steps[] = [
  about(["Accept-Language"], {
    "languages are written as en-US, with a hyphen, the language in small letters":
      (text) => codeNamed(LANGUAGES, text) ?? withTags(text),
  }),
  about(COUNTRY_HEADERS, {
    "a country is written with two capital letters (ISO 3166-1)": ofWhole(
      (text) => {
        const code = text.toUpperCase();
        if (code === "UK") return "GB";
        if (code === "EU")
          return advise("DE", "write the codes of its countries");
        if (/^[A-Z]{3}$/.test(code))
          return advise("DE", "write the code of two letters");
        return (
          codeNamed(COUNTRIES, text) ??
          ([...codesOf(COUNTRIES).values()].includes(code) && code)
        );
      },
    ),
  }),
  about(["Access-Control-Request-Method"], {
    "browsers write these methods in capitals": (text) =>
      /^(?:delete|get|head|options|post|put)$/i.test(text) &&
      text.toUpperCase(),
  }),
  about(["Host", "X-Forwarded-Host"], {
    "this is the host that the request goes to, and no client's": (text) =>
      HOST.test(text) &&
      new RegExp(
        `://(?:www\\.)?${escaped(text.replace(/^www\./, ""))}(?![\\w.-])`,
      ).test(crawlerText()) &&
      advise("shop.example", "look for the client's name in its user agent"),
    "a host has no scheme, no path, no default port and no capitals": (
      text,
    ) => {
      const right = text
        .replace(/^[a-z]+:\/\//i, "")
        .replace(/[/?#].*$/, "")
        .replace(/:(?:443|80)$/, "")
        .toLowerCase();
      return /^[\w.-]+(?::\d+)?$/.test(right) && right;
    },
  }),
  about(["X-Requested-With"], {
    "scripts send XMLHttpRequest, in this spelling": replacing(
      /^xml-?http-?request$/i,
      "XMLHttpRequest",
    ),
  }),
  about(["Content-Type", "Accept"], {
    "media types are written as application/json, in small letters": (
      text,
      comparison,
    ) => {
      const bare = text.toLowerCase();
      return isWhole(comparison) && /^(?:json|html|xml|javascript)$/.test(bare)
        ? `${bare === "html" ? "text" : "application"}/${bare}`
        : /^[a-z]+[/\\][a-z0-9.+-]+$/.test(bare) && bare.replace("\\", "/");
    },
  }),
  about([...BRAND_LISTS, "Sec-Ch-Ua-Model"], {
    "only browsers of the Chromium project send it, and none on an iPhone": (
      text,
      { part },
    ) =>
      /^"?(?:Firefox|Safari|CriOS|FxiOS|iP(?:hone|ad))\b/i.test(text) &&
      advise(
        part === "Sec-Ch-Ua-Model" ? '"Pixel 8"' : BRANDS_OF_CHROME,
        "test http.user_agent.string",
      ),
  }),
  about(BRAND_LISTS, {
    "the value is a list of brands, each in double quotes and with its version":
      brandMeant,
  }),
  about(
    ["Arch", "Bitness", "Full-Version", "Model", "Platform-Version"]
      .map((name) => `Sec-Ch-Ua-${name}`)
      .concat("If-Match", "If-None-Match"),
    {
      "the value is in double quotes": ofWhole(
        (text) => /^[^"*]+$/.test(text) && `"${text}"`,
      ),
    },
  ),
  about(["Authorization", "Proxy-Authorization"], {
    "credentials stand behind the scheme, which has a capital": (
      text,
      comparison,
    ) => {
      const right = text.replace(
        /^(?:bearer|basic|digest)\b/i,
        (scheme) =>
          scheme.charAt(0).toUpperCase() + scheme.slice(1).toLowerCase(),
      );
      return isWhole(comparison) && /^(?:Bearer|Basic|Digest)$/.test(right)
        ? {
            shows: [`${right} dXNlcg`],
            instead: one("startsWith", `${right} `),
          }
        : right;
    },
  }),
  about(["Forwarded"], {
    "an address stands behind for= (RFC 7239)": ofWhole(
      (text) =>
        parseIp(text) && {
          shows: [`for=${text};proto=https`],
          instead: one("contains", `for=${text}`),
        },
    ),
  }),
  about(ADDRESS_HEADERS, {
    "the header has an address, in its shortest form and in small letters, and no network":
      addressMeant,
  }),
];

/** The tags of languages in a text, with the language in place of a country. */
const withTags = (text: string) =>
  text.replace(
    /(?<![\w-])([a-z]{2,3})(?:[_-]([a-z]{2}))?\b/gi,
    (all, written: string, region?: string) => {
      const language = languageMeant(written.toLowerCase());
      return all.includes("_") || language !== written || /-uk$/i.test(all)
        ? (Intl.getCanonicalLocales(
            [language, region].filter(Boolean).join("-"),
          )[0] ?? all)
        : all;
    },
  );

/** The brand that is meant by a name, perhaps with its version. */
function brandMeant(text: string, comparison: TextComparison): string | Meant {
  const quoted = text.replace(/(?<=\w)(?=;v="?\d)/g, '"');
  if (quoted !== text) return quoted;
  const [, name, slash, version] =
    /^"?([\w .-]+?)"?(\/(\d+)?[\d.]*)?$/.exec(text) ?? [];
  const brand = BRANDS.get(name?.toLowerCase() ?? "") ?? name;
  const known = [...BRANDS.values()].join();
  const at = known.toLowerCase().indexOf(text.toLowerCase());
  if (at >= 0 && !known.includes(text))
    return known.slice(at, at + text.length);
  const isFound =
    slash === undefined &&
    [...BRANDS.values(), name === brand ? brand : ""].some((known) =>
      known?.includes(name ?? ""),
    );
  const isOther = comparison.operator !== "contains" || isFound;
  if (name === undefined || (!isWhole(comparison) && isOther)) return text;
  return {
    shows: [`"${brand}";v="${version ?? 126}", "Not/A)Brand";v="8"`],
    instead: one(
      "contains",
      `"${brand}"${version === undefined ? "" : `;v="${version}"`}`,
    ),
  };
}

/** The address, or the beginning of addresses, that is meant by an address or a network. */
function addressMeant(
  text: string,
  comparison: TextComparison,
): string | Meant {
  const [, network = "", bits = ""] =
    /^([\d.]+|[\da-f:]+)\/(\d+)$/i.exec(text) ?? [];
  if (!isWhole(comparison))
    return /^[\da-f:]*:[\da-f:]*$/i.test(text)
      ? text.toLowerCase().replace(/\b0+(?=\w)/g, "")
      : text;
  if (network !== "") {
    const bytes = Number(bits) / 8;
    const start = network.split(".").slice(0, bytes).join(".");
    const isWritable = network.includes(".") && [1, 2, 3].includes(bytes);
    return {
      shows: [isWritable ? start + ".10".repeat(4 - bytes) : network],
      instead: isWritable ? one("startsWith", `${start}.`) : undefined,
      advice: "write the beginning of the addresses, or test http.request.ip",
    };
  }
  if (!/^[\da-f:.]*[:.][\da-f:.]*[:.][\da-f:.]*$/i.test(text)) return text;
  const address = parseIp(text);
  return address
    ? addressText(addressNumber(address))
    : advise("203.0.113.10", "correct the address");
}

/** How the texts of each part are corrected, in this order, apart from user agents. */
const OF_PARTS: readonly Steps[] = [
  ...EVERYWHERE,
  ...OF_FEW_VALUES.map((part) => {
    const values = valuesOf(part).map(quote).join(", ");
    return about([part], { [`the value is one of these: ${values}`]: oneOf });
  }),
  ...OF_ADDRESSES,
  ...OF_THE_SDK,
  ...OF_HEADERS,
];
const OF_PATTERNS: readonly Steps[] = [
  about([], { "the signs of a pattern are compared as they are": unsigned }),
];

const ALL: readonly Steps[] = [
  ...OF_PARTS,
  about(USER_AGENT_PARTS, USER_AGENT_STEPS),
  ...OF_PATTERNS,
];

/** The steps that correct the texts of a part, in their order, each with its sentence. */
export const stepsOf = keepingResults(1_000, (part) =>
  ALL.filter(({ of }) => of.length === 0 || of.includes(part)).flatMap(
    ({ steps }) => Object.entries(steps),
  ),
);

/** What clients send in the parts of a request: the parts, and one sentence about them. */
export const FACTS: readonly (readonly [parts: string, sent: string])[] = [
  ...[...OF_PARTS, ...OF_PATTERNS].reduce((facts, { of, steps }) => {
    const parts = of.join(", ") || "every part";
    const before = facts.get(parts);
    const sent = [...(before ? [before] : []), ...Object.keys(steps)];
    return facts.set(parts, sent.join("; "));
  }, new Map<string, string>()),
];

/** The comparison that is meant by a text with the signs of a pattern. */
function unsigned(text: string, comparison: TextComparison): string | Instead {
  const { operator, part } = comparison;
  const isStart = operator === "startsWith" || isWhole(comparison);
  const isEnd = operator === "endsWith" || isWhole(comparison);
  const isOfNames = /^\w+(?:\.\w+)+\.\*$/.test(text);
  const beginning = text.slice(0, -1);
  // In `com.acme.*`, the dots separate names.
  if (isOfNames && part === PACKAGE && isStart)
    return one("startsWith", beginning);
  const isPattern =
    !isOfNames &&
    /\.\*|\.\+|\\[dwsbDWS.]|^\(\?i\)|\[[a-z0-9]-[a-z0-9]\]/i.test(text);
  const isAnyOf =
    !isWhole(comparison) && /^[\w .-]+(?:\|[\w .-]+)+$/.test(text);
  if (isPattern || isAnyOf) {
    const body = isAnyOf && (isStart || isEnd) ? `(?:${text})` : text;
    const pattern = `${isStart && !/^\^|^\(\?i\)/.test(text) ? "^" : ""}${body}${isEnd && !text.endsWith("$") ? "$" : ""}`;
    return one("matches", pattern);
  }
  const [, start = "", body = "", end = ""] =
    /^(\^(?=\w)|\*(?!\/))?(.*?)((?<=\w)\$|(?<!^)\*)?$/s.exec(text) ?? [];
  const isOfStars =
    part === "Accept" || part === "Origin" || body.includes("*");
  if (start + end === "" || !/\w/.test(body)) return text;
  if ((start + end).includes("*") && isOfStars) return text;
  const opensStart = start === "*" || (start === "" && !isStart);
  const opensEnd = end === "*" || (end === "" && !isEnd);
  const meant = opensStart
    ? opensEnd
      ? "contains"
      : "endsWith"
    : opensEnd
      ? "startsWith"
      : "==";
  return one(meant, body);
}
