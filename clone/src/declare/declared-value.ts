import type { Rule } from "@devid/rules";
import type { ResourceName } from "./resource-names";

/**
 * An output of another object, as a rule its ID, as the program writes it: through the
 * resource that declares the object, or through an environment that the program looks up.
 */
export class ObjectReference {
  constructor(
    readonly kind: string,
    readonly name: ResourceName,
    readonly output = "id",
  ) {}
}

/** The name of a program's environment, which stack config may replace. */
export class EnvironmentName {
  constructor(
    /** The name without stack config. */
    readonly standard: string,
  ) {}
}

/**
 * A value of an enumeration that the service knows but this version of devid does not
 * know.
 */
export class NewValue {
  constructor(readonly value: string) {}
}

/** The rules of a rule set, which a program declares in full or as the path of a rule file. */
export class DeclaredRules {
  constructor(
    readonly rules: readonly Rule[],
    /** The argument of TypeScript programs that takes the path of a rule file: `rulesFile`. */
    readonly argument: string,
    /** The path of the rule file in the program: `rules/default.yaml`. */
    readonly path: string,
  ) {}
}

/** An argument of a declared resource, independent of the language. */
export type DeclaredValue =
  | string
  | number
  | boolean
  | ObjectReference
  | EnvironmentName
  | NewValue
  | DeclaredRules
  | readonly DeclaredValue[]
  | { readonly [name: string]: DeclaredValue };
