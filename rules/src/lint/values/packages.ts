import { quote } from "../../language/syntax/print-expression";
import { ANY_CHARACTER, samplesOf, withDots, wrongPattern } from "./patterns";
import {
  aloneOrBefore,
  isWhole,
  type Mistake,
  type ValueLint,
} from "./value-lint";

const OF = ["sdk.platform.app_package_name"];
const CHOSEN =
  "The publisher of an app chooses its package name. Dots separate its parts.";

/** Forms in which an app is named elsewhere, and its package name in them. */
const OTHER_FORMS: readonly {
  readonly form: RegExp;
  readonly name: (found: RegExpExecArray) => string | undefined;
}[] = [
  {
    form: /^(?:https?:\/\/|market:).*?(?:[?&]id=([\w.]+))?$/,
    name: ([, id]) => id,
  },
  { form: /^(?:id)?\d{6,}$/, name: () => undefined },
  { form: /^([\w.-]+)\.(?:apk|aab|ipa)$/, name: ([, name]) => name },
  { form: /^[A-Z0-9]{10}\.([\w.-]+)$/, name: ([, name]) => name },
  { form: /^([\w.-]+)\/\.?[A-Z][\w.]*$/, name: ([, name]) => name },
  { form: /^\w+(?:\/\w+)+$/, name: ([name]) => name.replaceAll("/", ".") },
  { form: /^\w+(?: \w+)+$/, name: () => undefined },
];

/** Kinds of values of the package name of an app. */
export const PACKAGE_VALUES: Readonly<Record<string, ValueLint>> = {
  "package-starts": {
    doc: "The rule tests only a part of a package name. Apps of other publishers can have this part, too.",
    sent: CHOSEN,
    of: OF,
    onlyIf: "let in",
    example: { allow: "sdk.platform.app_package_name startsWith 'com.acme'" },
    find({ operator, text, subject }): Mistake | undefined {
      if (operator === "endsWith")
        return /^[\w.-]+$/.test(text)
          ? {
              message: `${quote(`evil.${text.replace(/^\./, "")}`)} ends with ${quote(text)}, too`,
              shows: `evil.${text.replace(/^\./, "")}`,
              fix: "name the apps that are yours",
            }
          : undefined;
      if (!/^[a-z][\w.]*\w$/i.test(text)) return undefined;
      const comparison = aloneOrBefore(subject, text, ".");
      if (operator === "startsWith")
        return {
          message: `${quote(`${text}evil.app`)} starts with ${quote(text)}, too`,
          shows: `${text}evil.app`,
          comparison,
        };
      return operator === "contains"
        ? {
            message: `${quote(`evil.${text}`)} contains ${quote(text)}, too`,
            shows: `evil.${text}`,
            comparison,
          }
        : undefined;
    },
  },
  "package-pattern": {
    doc: "In a pattern, the dots of a package name match any character.",
    sent: `${CHOSEN} A dot without \\ is any character (RE2, syntax).`,
    of: OF,
    onlyIf: "let in",
    example: {
      allow: "sdk.platform.app_package_name matches '^com.acme.(?:shop|pay)$'",
    },
    operator: "matches",
    find({ text, subject }) {
      const right = withDots(text);
      const others = samplesOf(right).flatMap((one) =>
        [...one.text.matchAll(/\./g)].map(
          ({ index }) =>
            `${one.text.slice(0, index)}x${one.text.slice(index + 1)}`,
        ),
      );
      const found = wrongPattern(text, right, ANY_CHARACTER, others);
      // Without the ends, a pattern matches names that contain it.
      return found && /^[\w.]+$/.test(text)
        ? {
            ...found,
            text: undefined,
            comparison: `${subject} == ${quote(text)}`,
          }
        : found;
    },
  },
  "package-form": {
    doc: "An app is named by its address in a store, its number there, its file, its title or its team.",
    sent: "The SDK sends the package name of Android or the bundle ID of iOS, such as `com.acme.shop`.",
    of: OF,
    example: {
      allow:
        "sdk.platform.app_package_name == 'https://play.google.com/store/apps/details?id=com.acme.shop'",
    },
    find(comparison) {
      const { text } = comparison;
      if (!isWhole(comparison)) return undefined;
      for (const { form, name } of OTHER_FORMS) {
        const found = form.exec(text);
        if (!found) continue;
        const right = name(found);
        const shows = right ?? "com.acme.shop";
        return {
          message: `the SDK sends a name such as ${quote(shows)}`,
          shows,
          text: right,
          fix: "write the package name or the bundle ID",
        };
      }
      return undefined;
    },
  },
};
