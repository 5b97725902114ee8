import { assertNever } from "../assert-never";
import type { Field } from "../language/tables/fields";
import { fieldNamed } from "../language/tables/lookup";
import { isOneOf, isTrue } from "./atoms";
import { booleanVariable, fieldVariable } from "./formula";
import { always, truth, type SymbolicValue } from "./symbolic-value";

/** The value of a request field: all headers, or what the `symbolic` of its row says. */
export function evaluateField(field: Field): SymbolicValue | undefined {
  const { type, symbolic } = field;
  if (type === "headers") return always({ kind: "headers" });
  switch (symbolic?.kind) {
    case undefined:
      return undefined;
    case "variable":
      if (type === "string")
        return always({ kind: "text", variable: fieldVariable(field) });
      return type === "boolean"
        ? truth(isTrue(booleanVariable(field)))
        : undefined;
    case "equals": {
      const other = fieldNamed(symbolic.field);
      return other && truth(isOneOf(fieldVariable(other), [symbolic.value]));
    }
    default:
      return assertNever(symbolic);
  }
}
