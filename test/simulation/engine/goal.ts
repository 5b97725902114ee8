import type { Properties } from "./property-value";

/** Another place that a resource had: what is left out is as it is now. */
export interface Alias {
  readonly type?: string;
  readonly name?: string;
  /** URN; null for none. */
  readonly parent?: string | null;
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
  /** ID of an existing object that is to be imported. */
  readonly importId?: string;
}

/** What a program gets for a resource. */
export interface Registered {
  readonly urn: string;
  /** The text for unknown values where a preview, or a failure, leaves it unknown. */
  readonly id: string;
  readonly outputs: Properties;
}

/** Runs a program; `register` gives it the resources. */
export type RunProgram = (
  register: (goal: Goal) => Promise<Registered>,
) => Promise<void>;
