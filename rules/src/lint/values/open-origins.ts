import { quote } from "../../language/syntax/print-expression";
import { operatorsOf } from "../../language/tables/lookup";
import { beginningsOf, type TextComparison } from "../set/comparison";
import { isMatch, samplesOf } from "./patterns";
import { SHARED_HOSTS } from "./shared-hosts";
import { hostTest, IS_ORIGIN, rightOrigin } from "./origins";
import { aloneOrBefore, isWhole, type ValueLint } from "./value-lint";

const OF = ["Origin"];

/** The first valid origin for which a comparison holds. */
function lettingIn(
  { operator, text }: Pick<TextComparison, "operator" | "text">,
  origins: readonly string[],
): string | undefined {
  const row = operatorsOf.text.get(operator);
  return origins.find(
    (origin) => IS_ORIGIN.test(origin) && row?.holds(origin, text),
  );
}

/** An origin that a pattern matches and that anybody can have at a provider. */
function sharedInPattern(pattern: string): string | undefined {
  return samplesOf(pattern)
    .flatMap(({ text }) => {
      const [, front = "", host = ""] =
        /^([a-z]+:\/\/[^.:/]*)\.([^:/]+)/.exec(text) ?? [];
      return SHARED_HOSTS.has(host)
        ? [`${front}evil`, front.replace("//", "//evil")].map(
            (one) => `${one}.${host}`,
          )
        : [];
    })
    .find((one) => isMatch(pattern, one));
}

const ATTACKER =
  "Anybody can register a host, and so choose the Origin of their pages.";

/** Comparisons that are too wide: they allow origins of other people. */
export const OPEN_ORIGIN_VALUES: Readonly<Record<string, ValueLint>> = {
  "origin-contains": {
    operator: "contains",
    doc: "`contains` matches every Origin with the text anywhere in it.",
    sent: ATTACKER,
    of: OF,
    onlyIf: "let in",
    example: {
      allow: "any(http.request.headers['Origin'], # contains 'shop.example')",
    },
    find(comparison) {
      const { text } = comparison;
      if (text === "") return undefined;
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
  "origin-ends": {
    operator: "endsWith",
    doc: "`endsWith` with a host without a leading dot also matches other hosts that end in the same letters.",
    sent: ATTACKER,
    of: OF,
    onlyIf: "let in",
    example: {
      allow: "any(http.request.headers['Origin'], # endsWith 'shop.example')",
    },
    find(comparison) {
      const { text } = comparison;
      if (!/^[a-z0-9].*\./.test(text)) return undefined;
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
  "origin-shared-host": {
    doc: "The rule allows hosts under a domain where anybody can get a host.",
    sent: `${ATTACKER} Under a public suffix, and under the domain of a hosting provider, everybody can get a host.`,
    of: OF,
    onlyIf: "let in",
    example: {
      allow: "any(http.request.headers['Origin'], # endsWith '.vercel.app')",
      fixed:
        "any(http.request.headers['Origin'], # == 'https://our-shop.vercel.app')",
    },
    find(comparison) {
      const { operator, text } = comparison;
      const shows =
        operator === "matches"
          ? sharedInPattern(text)
          : operator === "endsWith" && SHARED_HOSTS.has(text.replace(/^\./, ""))
            ? `${beginningsOf(comparison)[0] ?? "https://"}evil.${text.replace(/^\./, "")}`
            : undefined;
      return shows === undefined
        ? undefined
        : {
            message: `anybody can have ${quote(shows)}`,
            shows,
            fix: "name the hosts that are yours",
          };
    },
  },
  "origin-starts": {
    operator: "startsWith",
    doc: "`startsWith` with an unfinished host also matches other hosts that begin with the same letters.",
    sent: ATTACKER,
    of: OF,
    onlyIf: "let in",
    example: {
      allow:
        "any(http.request.headers['Origin'], # startsWith 'https://shop.example')",
    },
    find(comparison) {
      const { text, subject } = comparison;
      const host = /:\/\/(.+)$/.exec(text)?.[1];
      if (host === undefined) return undefined;
      const shows = lettingIn(comparison, [
        `${text}.evil.example`,
        `${text}evil.example`,
      ]);
      if (shows === undefined) return undefined;
      const is = `${subject} == ${quote(text)}`;
      const isLocal = host === "localhost" || host === "127.0.0.1";
      const right = isLocal
        ? aloneOrBefore(subject, text, ":")
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
  "origin-null": {
    doc: "The rule allows the Origin `null`.",
    sent: 'Browsers send `null` for every page in a sandboxed frame, and for files. So any site can make its pages send `null` (HTML standard, "sandboxed origin browsing context flag").',
    of: OF,
    onlyIf: "let in",
    example: {
      allow:
        "any(http.request.headers['Origin'], # in ['https://shop.example', 'null'])",
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
};
