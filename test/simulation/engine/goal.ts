import type { Properties } from "./property-value";

/** An earlier name or type of a resource. A member that is left out has not changed. */
export interface Alias {
  readonly type?: string;
  readonly name?: string;
}

/** A resource as the program registers it. */
export interface Goal {
  readonly type: string;
  readonly name: string;
  readonly isCustom: boolean;
  readonly parent?: string | undefined;
  readonly properties: Properties;
  readonly dependencies: readonly string[];
  readonly propertyDependencies: Readonly<Record<string, readonly string[]>>;
  /** Empty for a component. */
  readonly provider: string;
  readonly aliases: readonly Alias[];
  readonly additionalSecretOutputs: readonly string[];
  readonly protect?: boolean;
  readonly retainOnDelete?: boolean;
  readonly deletedWith?: string | undefined;
  readonly ignoreChanges?: readonly string[];
  readonly replaceOnChanges?: readonly string[];
  readonly deleteBeforeReplace?: boolean;
}

/** The values that a program receives for a resource. */
export interface Registered {
  readonly urn: string;
  /** The text for unknown values, if a preview or a failure leaves the ID unknown. */
  readonly id: string;
  readonly outputs: Properties;
}

/** Runs a program. The program calls `register` for each resource. */
export type RunProgram = (
  register: (goal: Goal) => Promise<Registered>,
) => Promise<void>;
