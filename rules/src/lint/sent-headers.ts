import { checkExpression } from "../language";
import { quote } from "../language/syntax/print-expression";
import { all, matches, type Condition } from "../solver/condition";
import { headerOf } from "./header-read";
import type { LintedRule } from "./linted-set";

/** Holds for requests as they come: a header that a rule reads has a value if it was sent. */
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
