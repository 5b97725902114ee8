import type { Properties } from "./property-value";
import type { Registration } from "./resource";

/** An earlier name or type of a resource. A member that is left out has not changed. */
export interface Alias {
  readonly type?: string;
  readonly name?: string;
}

/** A resource as the program registers it. */
export interface Goal extends Readonly<Registration> {
  readonly name: string;
  readonly properties: Properties;
  readonly aliases: readonly Alias[];
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
