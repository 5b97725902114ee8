import type { Context } from "../context";
import { Ruleset } from "../events/ruleset";
import { invalid } from "../http/answer-error";
import { operation, type Operation } from "../http/operation";

/** `POST /_local/{region}/rulesets`: a ruleset, which in public is made in the dashboard. */
export function rulesetOperation({ store }: Context): Operation {
  return operation({
    name: "setRuleset",
    method: "POST",
    path: "/:region/rulesets",
    summary: "Add a ruleset, or change the one with this ID",
    description:
      "GET /events/{event_id} judges an event with it. An action is allow or block, or an object with such a type and what goes with it.",
    body: Ruleset,
    status: 201,
    answer: Ruleset,
    run: async ({ workspace, body }) => {
      // Loaded when first needed: the rule language would slow the start.
      const { checkExpression } = await import("@devid/rules/language");
      const violations = body.rules.flatMap(({ expression }, index) => {
        const checked = checkExpression(expression);
        return checked.ok
          ? []
          : checked.problems.map(({ message, line, column }) => ({
              property: `rules[${index}].expression`,
              message: `line ${line}, column ${column}: ${message}`,
            }));
      });
      if (violations.length > 0) throw invalid(violations);
      store.rulesets.set(workspace, body);
      return body;
    },
  });
}
