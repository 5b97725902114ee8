import fc from "fast-check";
import { beforeAll, describe, expect, it, vi } from "vitest";
import type { RuleRequest } from "../../../rules/src/language";
import { isPossible } from "../solver/is-possible";
import type * as fields from "../../../rules/src/language/tables/fields";
import type * as operators from "../../../rules/src/language/tables/operators";

// A new field or a new text operator needs only one more row in a table.
// These rows exist only in this file, and pass through every part of the language.

/** A member of a request that only the scratch fields read. */
type ScratchRequest = RuleRequest & { readonly isVpn?: boolean };

const field = {
  name: "http.request.is_vpn",
  type: "boolean",
  doc: "Whether the request came through a VPN.",
  example: "http.request.is_vpn && sdk.platform.is_browser",
  from: "isVpn" as keyof RuleRequest,
  read: (request: ScratchRequest) => request.isVpn ?? false,
  symbolic: { kind: "variable" },
} satisfies fields.Field;

/** The same field with a row that gives the solver no facts. */
const obscure: fields.Field = {
  ...field,
  name: "http.request.is_odd",
  symbolic: undefined,
};

const operator: operators.TextOperatorRow = {
  kind: "text",
  name: "hasPrefix",
  precedence: 20,
  isNegatable: true,
  place: "start",
  doc: "Whether a text begins with another text.",
  example: "http.user_agent.string hasPrefix 'Googlebot'",
};

const modules = async () => ({
  ...(await import("../../../rules/src/language.js")),
  ...(await import("../../../rules/src/eval/compile-expression.js")),
  ...(await import("../../../rules/src/solver/condition.js")),
  ...(await import("../../../rules/src/solver/find-request.js")),
  ...(await import("./random-expression.js")),
  ...(await import("./random-request.js")),
});

let scratch: Awaited<ReturnType<typeof modules>>;

beforeAll(async () => {
  vi.resetModules();
  vi.doMock("../../../rules/src/language/tables/fields", async (original) => {
    const table = await original<typeof fields>();
    return { ...table, FIELDS: [...table.FIELDS, field, obscure] };
  });
  vi.doMock(
    "../../../rules/src/language/tables/operators",
    async (original) => {
      const table = await original<typeof operators>();
      return { ...table, OPERATORS: [...table.OPERATORS, operator] };
    },
  );
  scratch = await modules();
  vi.doUnmock("../../../rules/src/language/tables/fields");
  vi.doUnmock("../../../rules/src/language/tables/operators");
  vi.resetModules();
});

const checked = (source: string) => {
  const result = scratch.checkExpression(source);
  return result.ok
    ? result.expression
    : expect.fail(`${source}: ${result.problems[0]?.message}`);
};
const compiled = (source: string) => scratch.compileExpression(checked(source));
const messageOf = (source: string) => {
  const result = scratch.checkExpression(source);
  return result.ok ? undefined : result.problems[0]?.message;
};
const find = (source: string) =>
  scratch.findRequest(scratch.matches(checked(source)));
const vpn: ScratchRequest = { headers: {}, isVpn: true };

describe("a boolean field that is added as one row", () => {
  it("is checked as a boolean, and suggested for a misspelt name", () => {
    checked(field.example);
    expect(messageOf(`${field.name} contains 'a'`)).toContain("a boolean");
    expect(messageOf("http.request.is_vnp")).toContain("is_vpn");
  });

  it("is evaluated, also if its value is unknown", () => {
    const expression = compiled(`!${field.name}`);
    expect(expression.evaluate(vpn)).toEqual({ value: false });
    expect(expression.evaluate({ headers: {} })).toEqual({ value: true });
    const request = { headers: {}, isVpn: scratch.UNKNOWN };
    expect(expression.evaluatePartly(request)).toEqual({
      unknown: [field.name],
    });
    expect(
      compiled(`${field.name} && sdk.platform.is_ios`).evaluatePartly(request),
    ).toEqual({ value: false });
  });

  it("is solved, with a witness", () => {
    expect(find(field.name)).toEqual({ answer: "found", request: vpn });
    expect(find(`!${field.name}`).answer).toBe("found");
    expect(find(`${field.name} && !${field.name}`).answer).toBe("none");
  });

  it("is never proven false if its row gives the solver no facts", () => {
    expect(find(obscure.name).answer).toBe("cannot tell");
    expect(find(`!${obscure.name}`).answer).toBe("found");
    expect(find(`${obscure.name} || ${field.name}`).answer).toBe("found");
    expect(find(`${obscure.name} && !${obscure.name}`).answer).toBe("none");
  });
});

describe("a text operator that is added as one row", () => {
  const { example } = operator;

  it("is parsed, printed, formatted and checked", () => {
    const { root } = checked(`not (${example})`);
    expect(scratch.printExpression(root)).toBe(`!(${example})`);
    const negated = "sdk.version  not hasPrefix 'a' and true";
    expect(scratch.formatExpression(negated)).toBe(
      "sdk.version not hasPrefix 'a' && true",
    );
    expect(messageOf("1 hasPrefix 'a'")).toBe(
      "hasPrefix needs two strings, not a number and a string",
    );
    expect(messageOf("sdk.version not nothing 'a'")).toContain("hasPrefix");
  });

  it("is evaluated and solved", () => {
    const expression = compiled(example);
    const request = { headers: {}, userAgent: "Googlebot/2.1" };
    expect(expression.evaluate(request)).toEqual({ value: true });
    expect(expression.evaluate({ headers: {} })).toEqual({ value: false });
    expect(find(example).answer).toBe("found");
    expect(find(`${example} && not (${example})`).answer).toBe("none");
  });
});

it("the reference page lists the added rows", () => {
  const page = scratch.languageReference();
  for (const { name, doc, example } of [field, obscure, operator]) {
    expect(page).toContain(`\`${name}\``);
    expect(page).toContain(doc);
    expect(page).toContain(example);
  }
});

it("random tests use the added rows", () => {
  const drawn = fc.sample(scratch.supported, { numRuns: 500, seed: 1 }).join();
  for (const { name } of [field, obscure, operator])
    expect(drawn).toContain(name);
  const requests = fc.sample(scratch.request, { numRuns: 50, seed: 1 });
  expect(requests.some((one) => "isVpn" in one)).toBe(true);
});

it("the solver gives no wrong answer about the added rows", () => {
  const seen = { found: 0, none: 0, "cannot tell": 0 };
  const requests = fc.sample(scratch.request, { numRuns: 100, seed: 2 });
  const source = scratch.supported.filter(
    (text) =>
      [field, obscure, operator].some(({ name }) => text.includes(name)) &&
      scratch.checkExpression(text).ok,
  );
  fc.assert(
    fc.property(source, (text) => {
      const found = find(text);
      const expression = compiled(text);
      seen[found.answer]++;
      if (found.answer === "found")
        expect(expression.evaluate(found.request)).toEqual({ value: true });
      if (found.answer === "none")
        for (const one of requests)
          if (isPossible(one))
            expect(expression.evaluate(one)).not.toEqual({ value: true });
    }),
    { numRuns: 300 },
  );
  expect(Math.min(seen.found, seen.none)).toBeGreaterThan(4);
});
