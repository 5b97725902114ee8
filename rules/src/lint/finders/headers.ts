import {
  checkExpression,
  type CheckedExpression,
  type Node,
  type NodeOf,
  type RuleRequest,
} from "../../language";
import { headerNameMistake } from "../../language/request/header-names";
import { quote } from "../../language/syntax/print-expression";
import { isName } from "../../language/text/characters";
import { all, matches, type Condition } from "../../solver/condition";
import { plainTexts } from "../../solver/realistic-texts";
import { headerNotSent, misspeltHeader } from "./known-headers";
import { replacement, type FindInRule } from "../set/lint";
import type { LintedRule } from "../set/linted-set";
import { headerNameIn, headerOf } from "../set/read-headers";
import { shown, sourceOf } from "../set/shown";

/**
 * Holds for normal requests: every header that the rule reads is either missing or has
 * a value.
 */
export function sentHeaders({ nodes, expression }: LintedRule): Condition {
  const names = nodes.flatMap(
    ({ node }) => headerOf(node, expression.types) ?? [],
  );
  return all(
    ...[...new Set(names)].flatMap((name) => {
      const checked = checkExpression(
        `${quote(name)} not in http.request.headers || len(http.request.headers[${quote(name)}]) > 0`,
      );
      return checked.ok ? [matches(checked.expression)] : [];
    }),
  );
}

/** The edit that gives a header another name. A name with a hyphen cannot follow a dot. */
function renamed(
  node: Node,
  name: NodeOf<"string">,
  to: string,
  expression: CheckedExpression,
) {
  if (node.kind !== "member" || node.notation === "index")
    return replacement(name, quote(to));
  return isName(to)
    ? replacement(name, to)
    : replacement(node, `${sourceOf(node.object, expression)}[${quote(to)}]`);
}

/** Finds header names under which rules see no header. */
export const findHeaderNameCase: FindInRule = (rule) =>
  rule.nodes.flatMap(({ node }) => {
    const name = headerNameIn(node, rule.expression.types);
    if (!name) return [];
    const mistake = headerNameMistake(name.value);
    if (!mistake) return [];
    const { message, meant: canonical } = mistake;
    // The name may be misspelt, too: both are corrected at once.
    const meant = canonical && (misspeltHeader(canonical) ?? canonical);
    const fix =
      meant === undefined
        ? "write the name of a header, such as Origin"
        : `write ${meant}`;
    const edits =
      meant === undefined
        ? undefined
        : [renamed(node, name, meant, rule.expression)];
    return { message, fix, span: name.span, edits };
  });

/** Finds headers that services send in answers, and clients never. */
export const findHeaderOfAnswers: FindInRule = (rule) =>
  rule.nodes.flatMap(({ node }) => {
    const name = headerNameIn(node, rule.expression.types);
    const found = name && headerNotSent(name.value);
    if (!name || !found) return [];
    const { meant, why, field = "a request header" } = found;
    return {
      message: `${name.value} ${why}; no client sends it in a request`,
      fix: meant === undefined ? `test ${field}` : `write ${quote(meant)}`,
      span: name.span,
      edits:
        meant === undefined
          ? undefined
          : [renamed(node, name, meant, rule.expression)],
    };
  });

/** Finds header names that differ in one or two letters from a known name. */
export const findHeaderNameUnknown: FindInRule = (rule, set) =>
  rule.nodes.flatMap(({ node }) => {
    const name = headerNameIn(node, rule.expression.types);
    const meant = name && misspeltHeader(name.value);
    if (!meant) return [];
    const whole = renamed(node, name, meant, rule.expression);
    const message = `no client is known to send ${name.value}; here is a request with ${meant}`;
    const [plain = ""] = plainTexts(meant);
    // The values that the rule looks for under the misspelt name, and a usual value.
    const sent = ({ headers, ...others }: RuleRequest): RuleRequest[] => {
      const { [name.value]: asked, ...rest } = headers;
      const values = [...(asked ?? rest[meant] ?? []), plain];
      return values
        .filter((value) => value !== "")
        .map((value) => ({
          ...others,
          headers: { ...rest, [meant]: [value] },
        }));
    };
    const notSent = checkExpression(
      `${quote(name.value)} not in http.request.headers`,
    );
    return (
      shown(rule, set, whole, message, sent) ??
      shown(
        rule,
        set,
        whole,
        message,
        undefined,
        notSent.ok ? matches(notSent.expression) : undefined,
      ) ??
      []
    );
  });
