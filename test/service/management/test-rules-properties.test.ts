import { checkExpression, compileRuleSet, type Rule } from "@devid/rules";
import fc from "fast-check";
import { beforeAll, expect, it } from "vitest";
import {
  damaged,
  documented,
  soup,
  supported,
} from "../../rules/language/random-expression";
import { request } from "../../rules/language/random-request";
import { localForTests } from "../../helpers/local-for-tests.js";

let environment: string;
const local = localForTests();
beforeAll(() => {
  ({ environment } = local.service.workspaces.us);
});

const test = (body: unknown, undocumented = false) =>
  local.us("POST", "/filtering-rules/test", { body, undocumented });

const rules: fc.Arbitrary<Rule[]> = fc.array(
  fc.record({
    name: fc.constantFrom("a", "b"),
    expression: fc
      .oneof(documented, supported)
      .filter((source) => checkExpression(source).ok),
    action: fc.constantFrom("allow", "deny"),
    status: fc.constantFrom("enabled", "enabled", "disabled"),
  }),
  { minLength: 1, maxLength: 5 },
);

/** Requests for a test. The service finds the bot flags from the user agent. */
const payload = request.map(
  ({ isAiBot: _, isCrawlerBot: __, ...payload }) => payload,
);

// contract: management-176, management-178, management-180, management-181, rules-3, rules-5
it("a test of rules agrees with the evaluator, for given rules and for rules of an environment", async () => {
  const seen = { allow: 0, deny: 0, "no rule": 0 };
  await fc.assert(
    fc.asyncProperty(rules, payload, async (rules, test_request_payload) => {
      const compiled = compileRuleSet(rules);
      if (!compiled.ok) return expect.fail("the rules were refused");
      const { result, decidedBy } = compiled.evaluate(test_request_payload);
      seen[decidedBy ? result : "no rule"]++;
      const expected = {
        result,
        deny_with: result === "deny" ? "Forbidden" : null,
        triggered_rule: decidedBy?.expression ?? null,
      };
      await local.us("POST", "/filtering-rules/bulk", {
        body: { rules, mode: "overwrite" },
      });
      const inForce = await test({ environment, test_request_payload });
      expect(inForce.data).toEqual(expected);
      const enabled = rules
        .filter(({ status }) => status === "enabled")
        .map(({ expression, action }) => ({ expression, action }));
      const given = await test({ rules: enabled, test_request_payload });
      expect(given.data).toEqual(expected);
    }),
    { numRuns: 100 },
  );
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(10);
});

const scrap = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom("__proto__", "constructor", "", "deny", "allow", "Forbidden"),
);
const anyRule = fc.record(
  {
    expression: fc.oneof(
      { weight: 5, arbitrary: documented },
      { weight: 5, arbitrary: supported },
      damaged,
      soup,
      scrap,
    ),
    action: fc.constantFrom("allow", "deny"),
    deny_with: fc.constantFrom("Forbidden", null),
  },
  { requiredKeys: ["expression", "action"] },
);
const someRules = fc.array(fc.oneof({ weight: 5, arbitrary: anyRule }, scrap), {
  maxLength: 3,
});
// The environment's ID is known only when the service runs.
const anEnvironment = fc.constant("").map(() => environment);
/** Valid bodies, with a random part here and there. */
const likely = fc
  .tuple(
    fc.oneof(
      fc.record({ rules: someRules }),
      fc.record({ environment: anEnvironment }),
    ),
    fc.oneof(
      fc.record({ test_request_payload: fc.oneof(payload, payload, scrap) }),
      fc.record({ test_request_id: fc.string() }),
    ),
    fc.record(
      { rules: scrap, environment: scrap, test_request_id: scrap },
      { requiredKeys: [] },
    ),
    fc.constantFrom(true, false, false),
  )
  .map(([rules, asked, scraps, scrapped]) => ({
    ...rules,
    ...asked,
    ...(scrapped && scraps),
  }));
const anyBody = fc.oneof({ weight: 5, arbitrary: likely }, fc.jsonValue());

it("a test of rules never fails with 5xx", async () => {
  const seen = { 200: 0, 400: 0, 404: 0 };
  await fc.assert(
    fc.asyncProperty(anyBody, async (body) => {
      const { status } = await test(body, true);
      expect(Object.keys(seen)).toContain(String(status));
      seen[status as keyof typeof seen]++;
    }),
    { numRuns: 150 },
  );
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(10);
});
