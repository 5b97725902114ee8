import {
  botPatterns,
  type Core,
  headerNameOf,
  literalTextOf,
  LONGEST_USER_AGENT,
} from "@devid/rules/internals";
import type { Dialect } from "./dialects";
import { networkSql, type LeafSql } from "./network-sql";
import { isSameInEveryRe2 } from "./re2";

/**
 * A leaf condition as SQL that gives the same answer as the evaluator for each text of
 * a column. Undefined if there is no such SQL: the evaluator then decides by the value.
 */
export function leafSql(
  leaf: Core,
  column: string,
  dialect: Dialect,
): LeafSql | undefined {
  const { quoteText } = dialect;
  let unless: readonly string[] = [];
  const written = sqlOf(leaf);
  return written === undefined ? undefined : { sql: written, unless };

  function sqlOf(node: Core): string | undefined {
    switch (node.kind) {
      case "field": {
        const { from, symbolic } = node.field;
        if (from === "isAiBot" || from === "isCrawlerBot") return botFlag(from);
        // Each platform of another name is unknown.
        return symbolic?.kind === "equals" && symbolic.value !== "unknown"
          ? `(${column} = ${quoteText(symbolic.value)})`
          : undefined;
      }
      case "network": {
        const found = networkSql(dialect, column, node.network);
        unless = found.unless;
        return found.sql;
      }
      case "text": {
        const { place } = node.operator;
        return compared(node.left, node.right, (text, part) => {
          switch (place) {
            case "anywhere":
              return dialect.contains(text, part);
            case "start":
              return dialect.startsWith(text, part);
            case "end":
              return dialect.endsWith(text, part);
          }
        });
      }
      case "equal": {
        const equal = (a: string, b: string) => `(${a} = ${b})`;
        return (
          compared(node.left, node.right, equal) ??
          compared(node.right, node.left, equal)
        );
      }
      case "in": {
        const text = textOf(node.needle);
        if (text === undefined || node.list.kind !== "list") return undefined;
        const values = node.list.elements.map(literalTextOf);
        if (values.length === 0 || values.includes(undefined)) return undefined;
        const literals = values.map((value) => quoteText(value ?? ""));
        return `(${text} IN (${literals.join(", ")}))`;
      }
      case "matches": {
        const text = textOf(node.text);
        return text === undefined ? undefined : matches(text, node.pattern);
      }
      default:
        return undefined;
    }
  }

  function matches(text: string, pattern: string): string | undefined {
    return dialect.hasRe2 && isSameInEveryRe2(pattern)
      ? dialect.matches(text, pattern)
      : undefined;
  }

  /** No user agent has both flags (docs/assumptions.md, A105). */
  function botFlag(flag: "isAiBot" | "isCrawlerBot"): string | undefined {
    const patterns = botPatterns();
    const isAi = matches(column, patterns.ai);
    const isOther = matches(column, patterns.other);
    if (isAi === undefined || isOther === undefined) return undefined;
    // The evaluator reads the first UTF-16 units, and some characters take two.
    unless = [`${dialect.lengthOf(column)} > ${LONGEST_USER_AGENT / 2}`];
    return flag === "isAiBot" ? isAi : `(${isOther} AND NOT ${isAi})`;
  }

  function compared(
    left: Core,
    right: Core,
    write: (text: string, literal: string) => string | undefined,
  ): string | undefined {
    const [text, literal] = [textOf(left), literalTextOf(right)];
    if (text === undefined || literal === undefined) return undefined;
    return write(text, quoteText(literal));
  }

  /** The text of the column, in small or capital letters; undefined for another value. */
  function textOf(node: Core): string | undefined {
    switch (node.kind) {
      case "field":
        // A platform of another name reads as `unknown`.
        return node.field.type === "string" && node.field.from !== "sdkPlatform"
          ? column
          : undefined;
      case "element": {
        const { list, index } = node;
        const isFirst = index.kind === "constant" && index.value === 0n;
        const isHeader = list.kind === "header" && headerNameOf(list);
        // An event has one value of a header, or none.
        return isHeader && isFirst ? column : undefined;
      }
      case "call": {
        const { call, args } = node;
        const [of, ...others] = args;
        const text = of && others.length === 0 ? textOf(of) : undefined;
        if (text === undefined || !("name" in call)) return undefined;
        if (call.name !== "lower" && call.name !== "upper") return undefined;
        unless = [`NOT ${dialect.isAscii(column)}`];
        return `${call.name}(${text})`;
      }
      default:
        return undefined;
    }
  }
}
