import { beforeAll, expect, it } from "vitest";
import { localForTests } from "../../helpers/local-for-tests.js";

let environment: string;
const local = localForTests();
beforeAll(() => {
  ({ environment } = local.service.workspaces.us);
});

const rule = (expression: unknown) => ({
  name: "rule",
  expression,
  action: "deny",
});
const post = (path: string, body: object) =>
  local.us("POST", `/filtering-rules${path}`, { body });
const expressions = async () =>
  (await local.us("GET", "/filtering-rules")).list.map((r) => r.expression);

const TYPO = "http.user_agnt.string == 'a'";
const TYPO_SAID =
  "line 1, column 6: http.user_agnt is not known; http has user_agent, request";

// contract: management-130, management-158, rules-6
it("the service refuses a rule with a wrong expression, and names the place", async () => {
  const answer = await post("", { ...rule(TYPO), environment });
  expect([answer.status, answer.error.code]).toEqual([400, "validation_error"]);
  expect(answer.error.violations).toEqual([
    { property: "expression", message: TYPO_SAID },
  ]);
  expect(answer.error.message).toBe(`expression: ${TYPO_SAID}`);
  expect(await expressions()).toEqual([]);
});

it("the service refuses a change to a wrong expression, and keeps the rule", async () => {
  const { id } = (await post("", { ...rule("true"), environment })).data;
  const answer = await post(`/${id}`, { expression: "true &&" });
  expect([answer.status, answer.violated]).toEqual([400, ["expression"]]);
  expect(answer.error.message).toContain("line 1, column 8: ");
  expect(await expressions()).toEqual(["true"]);
});

it.each(["merge", "overwrite"])(
  "a bulk call in mode %s reports every mistake with its rule, and then writes nothing",
  async (mode) => {
    const twice = "sdk.nam == 'a' &&\n  sdk.versin == 'b'";
    const answer = await post("/bulk", {
      mode,
      rules: [rule("true"), rule(TYPO), rule(twice), rule("'text'")],
    });
    expect(answer.status).toBe(400);
    const said = answer.error.violations?.map(
      ({ property, message }) => `${property}: ${message.split(": ")[0]}`,
    );
    expect(said).toEqual([
      "rules[1].expression: line 1, column 6",
      "rules[2].expression: line 1, column 5",
      "rules[2].expression: line 2, column 7",
      "rules[3].expression: line 1, column 1",
    ]);
    expect(await expressions()).toEqual([]);
  },
);

it("an expression that is missing, empty or not a text is reported once", async () => {
  const said = async (expression: unknown) =>
    (await post("/bulk", { rules: [rule(expression)] })).violated;
  for (const expression of [undefined, "", " \n", 7, null, ["true"]])
    expect(await said(expression)).toEqual(["rules[0].expression"]);
});

it("mistakes in expressions are reported together with other mistakes", async () => {
  const answer = await post("", {
    ...rule(TYPO),
    environment: "ae_none",
    action: "block",
  });
  expect(answer.violated).toEqual(["action", "environment", "expression"]);
});

// contract: management-153, rules-23
it("the service refuses an expression that is too long", async () => {
  const long = `true${" || true".repeat(13_000)}`;
  const answer = await post("", { ...rule(long), environment });
  expect(answer.violated).toEqual(["expression"]);
  expect(answer.error.message).toMatch(/100,?000 characters/);
});
