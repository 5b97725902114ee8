import { quote } from "../syntax/print-expression";

/**
 * The values of a header; undefined if it was not sent. The name must have the spelling
 * of the request, as in the library's maps (docs/assumptions.md, A39).
 */
export function findHeader<Values>(
  headers: Readonly<Record<string, Values>>,
  name: string,
): Values | undefined {
  return Object.hasOwn(headers, name) ? headers[name] : undefined;
}

/** The syntax of header names. */
export const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;

/**
 * The name under which rules see a header, as Go spells it: with capitals at the
 * start and behind each hyphen (docs/assumptions.md, A39). Undefined for a text
 * that is no header name, such as one with a blank.
 */
export function canonicalHeaderName(name: string): string | undefined {
  if (!HEADER_NAME.test(name)) return undefined;
  return name
    .toLowerCase()
    .replace(/(?:^|-)[a-z]/g, (start) => start.toUpperCase());
}

/**
 * What is wrong with the name of a header in an expression, and the name that is
 * probably meant; undefined if the name is canonical.
 */
export function headerNameMistake(
  name: string,
): { readonly message: string; readonly meant?: string } | undefined {
  if (isCanonicalHeaderName(name)) return undefined;
  // Blanks around the name, or the colon of a header line, are typing mistakes.
  const meant = canonicalHeaderName(name.trim().replace(/\s*:$/, ""));
  return meant === undefined
    ? {
        message: `no header can be called ${quote(name)}, so it is never found`,
      }
    : {
        message: `rules see this header as ${meant}, so ${quote(name)} is never found`,
        meant,
      };
}

/** Whether rules can see a header under a name: whether the name is spelt in its canonical form. */
export function isCanonicalHeaderName(name: string): boolean {
  return canonicalHeaderName(name) === name;
}
