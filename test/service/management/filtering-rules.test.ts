import { setImmediate } from "node:timers";
import { expect, it } from "vitest";
import { expressionViolations } from "../../../service/src/rules/evaluate-rules";
import { localForTests } from "../../helpers/local-for-tests.js";
import { requestTests } from "../request-tests.js";

const local = localForTests();

const rule = (name: string, more: object = {}) => ({
  name,
  expression: "sdk.platform.is_ios",
  action: "deny",
  ...more,
});
const bulk = (rules: object[], mode = "merge") =>
  local.us("POST", "/filtering-rules/bulk", { body: { mode, rules } });
const names = async () =>
  (await local.us("GET", "/filtering-rules")).list.map(({ name }) => name);

const wrongBulk = (mode: string) =>
  `a bulk call in mode ${mode} reports every mistake with its rule, and then writes nothing
  POST /filtering-rules/bulk {mode: ${mode}, rules: [{deny: a}, {deny: b, expression:
    http.user_agnt}, {deny: c, expression: "sdk.nam == 'a' &&\\n  sdk.versin == 'b'"},
    {deny: d, expression: "'text'"}]} = 400 {violations: [{property:
    "rules[1].expression", message: "~line 1, column 6: "}, {property:
    "rules[2].expression", message: "~line 1, column 5: "}, {property:
    "rules[2].expression", message: "~line 2, column 6: "}, {property:
    "rules[3].expression", message: "~line 1, column 1: "}]}
  GET /filtering-rules = 200 {ids: []}`;

requestTests(
  local,
  `
// contract: management-125, management-126, management-127, management-129
// contract: management-130, management-131, management-132, management-133
// contract: management-134, management-135, management-136, management-138
// contract: management-139, management-150, management-155, management-158
a new rule is enabled, and denies with Forbidden
  clock 2030-01-01T00:00:00Z
  POST /filtering-rules {rule: bots} = 201 rule {id: ~tr_, name: bots,
    environment: $default, expression: http.user_agent.is_ai_bot, action: deny,
    status: enabled, deny_with: Forbidden, created_at: ~2030-01-01T,
    updated_at: null}
  GET /filtering-rules/$rule = 200 {name: bots, created_at: $rule.created_at}
// contract: management-128, management-137
an allow rule has no deny_with, and two rules may have one name
  POST /filtering-rules {rule: us, action: allow} = 201 rule {deny_with: null}
  POST /filtering-rules/$rule {action: deny} = 200 {deny_with: Forbidden}
  POST /filtering-rules/$rule {action: allow} = 200 {deny_with: null}
  POST /filtering-rules {rule: us} = 201
  GET /filtering-rules = 200 {names: [us, us]}
// contract: management-136, management-139, management-141, management-143
// contract: management-145, management-146, management-147, management-157
a new rule is the last one, or stands at its placement
  POST /filtering-rules {rule: first} = 201 first
  POST /filtering-rules {rule: last} = 201 last
  POST /filtering-rules {rule: zero, placement: {position: 0}} = 201
  POST /filtering-rules {rule: two, placement: {position: 2}} = 201
  POST /filtering-rules {rule: beyond, placement: {position: 99}} = 201
  POST /filtering-rules {rule: behind, placement: {after: $first}} = 201
  POST /filtering-rules {rule: before, placement: {before: $last}} = 201
  GET /filtering-rules = 200 {names: [zero, first, behind, two, before, last, beyond]}
// contract: management-23, management-131, management-132, management-133
// contract: management-141, management-151, management-152, management-153
// contract: management-154, management-155, management-156
all violations of a rule are reported at once
  POST /filtering-rules {name: "", environment: ae_none, expression: " ", action: block,
    status: "on", deny_with: Teapot, placement: {position: -1, first: true},
    order: 1} = 400 [action, deny_with, environment, expression, name, order,
    placement.first, placement.position, status]
  POST /filtering-rules {} = 400 [action, environment, expression, name]
// contract: management-140, management-142, management-144, management-147
a placement is one of a whole number and a neighbour of the same environment
  POST /environments {name: other} = 201 other
  POST /filtering-rules {rule: far, environment: $other} = 201 far
  POST /filtering-rules {rule: near} = 201 near
  POST /filtering-rules {rule: x, placement: {position: 0.5}} = 400 [placement.position]
  POST /filtering-rules {rule: x, placement: {position: "0"}} = 400 [placement.position]
  POST /filtering-rules {rule: x, placement: {after: 0}} = 400 [placement.after]
  POST /filtering-rules {rule: x, placement: {before: {}}} = 400 [placement.before]
  POST /filtering-rules {rule: x, placement: {after: tr_none}} = 400 [placement.after]
  POST /filtering-rules {rule: x, placement: {before: $far}} = 400 [placement.before]
  POST /filtering-rules {rule: x, placement: {position: 0, after: $near}} = 400
    [placement]
  POST /filtering-rules/$near {placement: {after: $near}} = 400 [placement.after]
  GET /filtering-rules = 200 {names: [near, far]}
// contract: management-135, management-138, management-159, management-160
an update changes the given fields of a rule only, and keeps its position
  POST /filtering-rules {rule: first} = 201
  POST /filtering-rules {rule: second} = 201 second
  POST /filtering-rules {rule: third} = 201
  clock 2030-01-01T00:00:00Z
  POST /filtering-rules/$second {id: $second, expression: sdk.platform.is_ios} = 200
    {name: second, expression: sdk.platform.is_ios, action: deny, status: enabled,
    deny_with: Forbidden, created_at: $second.created_at, updated_at: ~2030-01-01}
  POST /filtering-rules/$second {id: tr_other} = 400 [id]
  PATCH /filtering-rules/$second {name: other} = 405
  eu POST /filtering-rules/$second {name: taken} = 404
  eu DELETE /filtering-rules/$second = 404
  GET /filtering-rules = 200 {names: [first, second, third]}
// contract: management-145
an update moves a rule, also to another environment
  POST /environments {name: other} = 201 other
  POST /filtering-rules {rule: a} = 201 a
  POST /filtering-rules {rule: b} = 201 b
  POST /filtering-rules {rule: c} = 201 c
  POST /filtering-rules {rule: d, environment: $other} = 201 d
  POST /filtering-rules/$c {placement: {position: 0}} = 200
  POST /filtering-rules/$a {placement: {after: $b}} = 200
  GET /filtering-rules?environment=$default = 200 {names: [c, b, a]}
  POST /filtering-rules/$b {environment: $other} = 200
  POST /filtering-rules/$a {environment: $other, placement: {before: $d}} = 200
  GET /filtering-rules?environment=$default = 200 {names: [c]}
  GET /filtering-rules?environment=$other = 200 {names: [a, d, b]}
// contract: management-35, management-148, management-149
rules are filtered by environment, status and a part of the name
  POST /environments {name: other} = 201 other
  POST /filtering-rules {rule: Block crawlers} = 201
  POST /filtering-rules {rule: block bots, status: disabled} = 201
  POST /filtering-rules {rule: crawlers elsewhere, environment: $other} = 201
  POST /filtering-rules {rule: 100%_sure} = 201
  GET /filtering-rules?name=CRAWL = 200 {names: [Block crawlers, crawlers elsewhere]}
  GET /filtering-rules?name=block&status=disabled = 200 {names: [block bots]}
  GET /filtering-rules?environment=$other = 200 {names: [crawlers elsewhere]}
  GET /filtering-rules?name=%25_ = 200 {names: [100%_sure]}
  GET /filtering-rules?name=block&limit=1 = 200 {names: [Block crawlers, block bots]}
// contract: management-162, management-163
a deleted rule leaves no gap
  POST /filtering-rules {rule: a} = 201
  POST /filtering-rules {rule: b} = 201 b
  POST /filtering-rules {rule: c} = 201
  DELETE /filtering-rules/$b = 204
  DELETE /filtering-rules/$b = 404
  POST /filtering-rules {rule: d, placement: {position: 1}} = 201
  GET /filtering-rules = 200 {names: [a, d, c]}
// contract: management-164, management-165, management-166, management-168
// contract: management-169, management-170, management-173
a bulk call merges by default: it updates rules with an ID and creates the others, in the default environment
  POST /filtering-rules/bulk {rules: [{deny: b, status: disabled}]} = 200 b
  POST /filtering-rules/bulk {rules: [{deny: a}]} = 200 {list: [{environment:
    $default}]}
  POST /filtering-rules/bulk {mode: merge, rules: [{deny: c}, {deny: "b, changed",
    id: $b, action: allow}]} = 200 {list: [{name: c}, {name: "b, changed", id: $b,
    status: disabled, deny_with: null}]}
  GET /filtering-rules = 200 {list: [{name: "b, changed"}, {name: a, updated_at: null},
    {name: c}]}
// contract: management-143
a bulk call places rules one after another
  POST /filtering-rules {rule: a} = 201 a
  POST /filtering-rules {rule: b} = 201
  POST /filtering-rules {rule: c} = 201 c
  POST /filtering-rules/bulk {rules: [{deny: first, placement: {position: 0}}, {deny: c,
    id: $c, placement: {before: $a}}, {deny: d, placement: {after: $a}}]} = 200
  GET /filtering-rules = 200 {names: [first, c, a, d, b]}
// contract: management-165, management-166, management-172, management-173
a merge reports every violation with its rule, and then changes nothing
  POST /filtering-rules {rule: a} = 201 a
  POST /filtering-rules {rule: b} = 201 b
  POST /filtering-rules/bulk {rules: [{deny: changed, id: $a}, {deny: x, id: tr_none,
    expression: ""}, {deny: y, id: $a, placement: {after: tr_none}}, no rule, {rule: z,
    placement: {after: $a, before: $b}}]} = 400 ["rules[1].expression", "rules[1].id",
    "rules[2].id", "rules[2].placement.after", "rules[3]", "rules[4].environment",
    "rules[4].placement"]
  GET /filtering-rules = 200 {list: [{name: a, updated_at: null}, {name: b}]}
// contract: management-167
a merge accepts only IDs of its own environment
  POST /environments {name: other} = 201 other
  POST /filtering-rules/bulk {rules: [{deny: there}], environment: $other} = 200 there
  POST /filtering-rules/bulk {rules: [{deny: here, id: $there}]} = 400 ["rules[0].id"]
  POST /filtering-rules/bulk {rules: [{deny: renamed, id: $there}], environment: $other}
    = 200 {list: [{id: $there, environment: $other}]}
  POST /filtering-rules/bulk {rules: [{deny: x}], environment: ae_none} = 400
    [environment]
// contract: management-171, management-173
an overwrite replaces the rules of its environment by new rules in the order of the array
  POST /environments {name: other} = 201 other
  POST /filtering-rules {rule: elsewhere, environment: $other} = 201
  POST /filtering-rules {rule: a} = 201 a
  POST /filtering-rules {rule: b} = 201 b
  POST /filtering-rules/bulk {mode: overwrite, rules: [{deny: b, id: $b}, {deny: a},
    {deny: new}]} = 200 made {list: [{name: b}, {name: a}, {name: new}]}
  GET /filtering-rules = 200 {names: [b, a, new, elsewhere]}
  GET /filtering-rules/$a = 404
  GET /filtering-rules/$b = 404
  POST /filtering-rules/bulk {mode: overwrite, rules: []} = 200 {ids: []}
  GET /filtering-rules = 200 {names: [elsewhere]}
// contract: management-174
an overwrite refuses a neighbour that it deletes, and then deletes nothing
  POST /filtering-rules {rule: a} = 201 a
  POST /filtering-rules/bulk {mode: overwrite, rules: [{deny: b, placement: {after: $a}},
    {deny: c, id: tr_c, placement: {before: tr_c}, action: block}, {deny: d, placement:
    {position: 0, after: tr_c}}]} = 400 ["rules[0].placement.after", "rules[1].action",
    "rules[1].placement.before", "rules[2].placement"]
  GET /filtering-rules = 200 {ids: [$a]}
// contract: management-165, management-169
a bulk call refuses everything but rules and a mode
  POST /filtering-rules/bulk {} = 400 [rules]
  POST /filtering-rules/bulk {rules: {}} = 400 [rules]
  POST /filtering-rules/bulk {rules: [], mode: replace, dry: true} = 400 [dry, mode]
  POST /filtering-rules/bulk [] = 400 [body]
// contract: management-130, management-158, rules-6
a rule with a wrong expression is refused, and the place is named
  POST /filtering-rules {rule: x, expression: http.user_agnt.string == 'a'} = 400
    validation_error {message: "expression: line 1, column 6: http.user_agnt is not
    known; http has user_agent, request", violations: [{property: expression, message:
    "line 1, column 6: http.user_agnt is not known; http has user_agent, request"}]}
  POST /filtering-rules {deny: x, expression: sdk.nam == 'a', environment: ae_none,
    action: block} = 400 [action, environment, expression]
  GET /filtering-rules = 200 {ids: []}
a change to a wrong expression is refused, and the rule is kept
  POST /filtering-rules {rule: x, expression: "true"} = 201 rule
  POST /filtering-rules/$rule {expression: "true &&"} = 400 [expression]
  POST /filtering-rules/$rule {expression: "true &&"} = 400 {message:
    "~expression: line 1, column 8: "}
  GET /filtering-rules = 200 {list: [{expression: "true"}]}
an expression that is missing, empty or not a text is reported once
  POST /filtering-rules/bulk {rules: [{deny: a, expression: ""}, {deny: b, expression:
    " \\n"}, {deny: c, expression: 7}, {deny: d, expression: null}, {deny: e, expression:
    ["true"]}, {name: f, action: deny}]} = 400 ["rules[0].expression",
    "rules[1].expression", "rules[2].expression", "rules[3].expression",
    "rules[4].expression", "rules[5].expression"]
${wrongBulk("merge")}
${wrongBulk("overwrite")}
// test-rules-properties.test.ts compares the decisions with the evaluator.
// contract: management-177
a test of given rules denies with Forbidden, and refuses wrong rules with their mistakes
  POST /filtering-rules/test {rules: [{expression: "true", action: deny}],
    test_request_payload: {}} = 200 {result: deny, deny_with: Forbidden}
  POST /filtering-rules/test {rules: [{expression: "true", action: deny, deny_with:
    Forbidden}], test_request_payload: {}} = 200 {result: deny, deny_with: Forbidden}
  POST /filtering-rules/test {rules: [{expression: "true", action: deny, deny_with:
    null}], test_request_payload: {}} = 200 {result: deny, deny_with: Forbidden}
  POST /filtering-rules/test {rules: [{expression: "true", action: deny}, {expression:
    sdk}], test_request_payload: {}} = 400 ["rules[1].action", "rules[1].expression"]
// contract: management-178, rules-4
a test of an environment's rules uses only its current rules
  POST /environments {name: other} = 201 other
  POST /filtering-rules {rule: x, expression: "true", environment: $other} = 201
  POST /filtering-rules/test {environment: $default, test_request_payload: {}} = 200
    {result: allow, deny_with: null, triggered_rule: null}
  POST /filtering-rules/test {environment: $other, test_request_payload: {}} = 200
    {result: deny, deny_with: Forbidden, triggered_rule: "true"}
  POST /filtering-rules {rule: first, expression: "true"} = 201 first
  POST /filtering-rules {rule: second, expression: "!false"} = 201
  POST /filtering-rules/test {environment: $default, test_request_payload: {}} = 200
    {result: deny, triggered_rule: "true"}
  POST /filtering-rules/$first {placement: {position: 1}} = 200
  POST /filtering-rules/test {environment: $default, test_request_payload: {}} = 200
    {result: deny, triggered_rule: "!false"}
  POST /filtering-rules/$first {placement: {position: 0}, action: allow} = 200
  POST /filtering-rules/test {environment: $default, test_request_payload: {}} = 200
    {result: allow, deny_with: null, triggered_rule: "true"}
  POST /filtering-rules/$first {status: disabled} = 200
  POST /filtering-rules/test {environment: $default, test_request_payload: {}} = 200
    {result: deny, triggered_rule: "!false"}
// contract: management-182
a test requires either rules or an environment, and one of the two requests
  POST /filtering-rules/test {rules: [{expression: "true", action: deny}], environment:
    $default, test_request_id: 1.a} = 400 [body]
  POST /filtering-rules/test {rules: [{expression: "true", action: deny}],
    test_request_id: 1.a, test_request_payload: {}} = 400 [body]
  POST /filtering-rules/test {environment: $default} = 400 [body]
  POST /filtering-rules/test {} = 400 [body, body]
  POST /filtering-rules/test = 400 [body]
  POST /filtering-rules/test {environment: ae_none, test_request_payload: {}} = 400
    [environment]
// contract: management-179
a test uses the request of a past event, whose unknown headers count as not sent
  control POST /us/events [{event_id: 1.a, url: https://shop.example/cart, user_agent:
    ShopApp/1}] = 201
  POST /filtering-rules/test {test_request_id: 1.a, rules: [{expression:
    "http.request.headers['Origin'][0] == 'https://shop.example' &&
    http.user_agent.string contains 'ShopApp' && http.request.headers['X-A'] == nil",
    action: deny}]} = 200 {result: deny}
  POST /filtering-rules/test {test_request_id: 1.b, rules: [{expression: "true",
    action: deny}]} = 404 not_found {message: There is no event 1.b.}
// contract: management-179
a test with an event is refused if the event is older than three months
  clock 2030-01-01T00:00:00Z
  control POST /us/events [{event_id: 1.old}] = 201
  clock 2030-03-31T21:36:00Z
  POST /filtering-rules/test {environment: $default, test_request_id: 1.old} = 200
  clock 2030-04-01T02:24:00Z
  POST /filtering-rules/test {environment: $default, test_request_id: 1.old} = 400
    [test_request_id]
  POST /filtering-rules/test {environment: $default, test_request_id: 1.old} = 400
    {message: "~.*older than three months"}
`,
);

it.each<[string, (object | undefined)[], string]>([
  // contract: management-174
  ["positions", [{ position: 2 }, { position: 0 }, { position: 1 }], "bca"],
  ["one position", [{ position: 2 }, undefined, undefined], "bca"],
  [
    "positions that a move of one rule after another would get wrong",
    [{ position: 2 }, { position: 3 }, { position: 1 }, { position: 0 }],
    "dcab",
  ],
  ["a position beyond the end", [{ position: 9 }, undefined], "ba"],
  ["behind another rule", [{ after: "tr_b" }, undefined, undefined], "bac"],
  ["before another rule", [undefined, undefined, { before: "tr_a" }], "cab"],
  ["nothing", [{}, {}], "ab"],
])("an overwrite accepts placements: %s", async (_, placements, order) => {
  const given = placements.map((placement, index) => {
    const name = "abcd".charAt(index);
    return rule(name, { id: `tr_${name}`, placement });
  });
  const { list } = await bulk(given, "overwrite");
  expect(list.map(({ name }) => name)).toEqual(given.map(({ name }) => name));
  expect(await names()).toEqual([...order]);
});

it("an overwrite is atomic for readers", async () => {
  const sets = ["x", "y"].map((set) =>
    Array.from({ length: 8 }, (_, n) => rule(`${set}${n}`)),
  );
  const answers = await Promise.all(
    Array.from({ length: 20 }, async (_, n) => {
      await bulk(sets[n % 2] ?? [], "overwrite");
      return names();
    }),
  );
  for (const seen of answers) {
    expect(seen).toHaveLength(8);
    expect(new Set(seen.map((name) => String(name).charAt(0))).size).toBe(1);
  }
});

const thousand = (more: (i: number) => object) =>
  Array.from({ length: 1_000 }, (_, i) => rule(`${i}`, more(i)));

// contract: management-175
it("a thousand rules can be merged and placed by bulk calls", async () => {
  const { ids } = await bulk(thousand(() => ({})));
  expect(ids).toHaveLength(1_000);
  for (const placement of [
    () => ({ position: 0 }),
    (i: number) => (i === 0 ? { position: 0 } : { after: ids[i - 1] }),
  ]) {
    const moved = thousand((i) => ({ id: ids[i], placement: placement(i) }));
    expect((await bulk(moved)).status).toBe(200);
  }
  expect((await local.us("GET", "/filtering-rules")).ids).toEqual(ids);
}, 60_000);

it("a thousand rules are checked in parts, so that other calls are answered meanwhile", async () => {
  let turns = 0;
  let isChecking = true;
  const turn = () => {
    turns++;
    if (isChecking) setImmediate(turn);
  };
  setImmediate(turn);
  // Long enough for several turns on a fast machine.
  const tenParts = (i: number) =>
    Array.from(
      { length: 10 },
      (_, k) => `http.user_agent.string == "${i}.${k}"`,
    );
  const given = thousand((i) => ({ expression: tenParts(i).join(" || ") }));
  expect(await expressionViolations({ rules: given })).toEqual([]);
  isChecking = false;
  expect(turns).toBeGreaterThan(2);
});

// contract: management-153, rules-23
it("an expression that is too long is refused", async () => {
  const long = `true${" || true".repeat(13_000)}`;
  const { error } = await bulk([rule("long", { expression: long })]);
  expect(error.violations).toEqual([
    {
      property: "rules[0].expression",
      message: expect.stringMatching(/100,?000 characters/) as string,
    },
  ]);
});

it.each([
  [2, "deny", "within their limit"],
  // Without the limit, 50 to the power of 8 steps would never end.
  [8, "allow", "not beyond it, and other calls are answered meanwhile"],
])("%i nested quantifiers %s: %s", async (depth, result) => {
  const nested = (left: number): string =>
    left === 0
      ? "# == 'never'"
      : `any(http.request.headers['X-A'], ${nested(left - 1)})`;
  const headers = { "X-A": Array.from({ length: 50 }, (_, i) => `v${i}`) };
  const test = (expression: string) => {
    const rules = [{ expression, action: "deny" }];
    const body = { rules, test_request_payload: { headers } };
    return local.us("POST", "/filtering-rules/test", { body });
  };
  const [found, other] = await Promise.all([
    test(`!${nested(depth)}`),
    test("http.user_agent.is_crawler_bot"),
  ]);
  expect(found.data).toMatchObject({ result });
  expect(other.data).toMatchObject({ result: "allow" });
});
