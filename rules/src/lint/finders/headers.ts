import { checkExpression } from "../../language";
import { headerNameMistake } from "../../language/request/header-names";
import { quote } from "../../language/syntax/print-expression";
import { all, matches, type Condition } from "../../solver/condition";
import { misspeltHeader } from "./known-headers";
import { replacement, type FindInRule } from "../set/lint";
import type { LintedRule } from "../set/linted-set";
import { headerNameIn, headerOf } from "../set/read-headers";

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

/** Finds header names under which rules see no header. */
export const findHeaderNameCase: FindInRule = ({
  nodes,
  expression: { types },
}) =>
  nodes.flatMap(({ node }) => {
    const name = headerNameIn(node, types);
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
    const isDot =
      node.kind === "member" &&
      node.notation === "dot" &&
      !meant?.includes("-");
    const edits =
      meant === undefined
        ? undefined
        : [replacement(name, isDot ? meant : quote(meant))];
    return [{ message, fix, span: name.span, edits }];
  });
