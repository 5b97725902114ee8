import { describe, expect, test } from "vitest";
import {
  checkExpression,
  FIELDS,
  FUNCTIONS,
  OPERATORS,
} from "../../../rules/src/language";

describe.each(FIELDS)("$name", ({ name, type, doc, example }) => {
  test("has an example that uses it and is valid", () => {
    expect(example).toContain(name);
    expect(checkExpression(example)).toMatchObject({ ok: true });
    expect(doc).toMatch(/^[A-Z].*\.$/);
  });

  test("fits only operators of its type", () => {
    const uses = {
      boolean: `${name} && true`,
      string: `${name} contains 'a'`,
      headers: `'a' in ${name}`,
      ip: `${name} in cidr('::/0')`,
    };
    const fitting = Object.entries(uses).filter(
      ([, use]) => checkExpression(use).ok,
    );
    expect(fitting.map(([kind]) => kind)).toEqual([type]);
  });
});

test.each([...OPERATORS, ...FUNCTIONS])(
  "the example of $name uses it and is valid",
  ({ name, example, doc }) => {
    expect(example).toContain(name.split(" ")[0]);
    expect(checkExpression(example)).toMatchObject({ ok: true });
    expect(doc).toMatch(/^[A-Z`].*\.$/);
  },
);
