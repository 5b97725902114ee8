import type { Properties } from "./property-value";

/** A provider process as the engine calls it. All properties have the engine's form. */
export interface Provider {
  /** Whether previews call its create and update. */
  readonly supportsPreview: boolean;
  check(request: {
    readonly urn: string;
    readonly news: Properties;
    readonly olds?: Properties;
    readonly isPreview: boolean;
  }): Promise<{
    readonly inputs: Properties;
    readonly failures: readonly CheckFailure[];
  }>;
  diff(request: DiffRequest): Promise<Difference>;
  create(request: {
    readonly urn: string;
    readonly inputs: Properties;
    readonly isPreview: boolean;
  }): Promise<{ readonly id: string; readonly outputs: Properties }>;
  /**
   * An import reads without a state. An empty ID in the answer means that the object
   * does not exist.
   */
  read(request: {
    readonly urn: string;
    readonly id: string;
    readonly state?: {
      readonly inputs: Properties;
      readonly outputs: Properties;
    };
  }): Promise<{
    readonly id: string;
    readonly outputs: Properties;
    readonly inputs?: Properties;
  }>;
  update(request: DiffRequest): Promise<{ readonly outputs: Properties }>;
  delete(request: {
    readonly urn: string;
    readonly id: string;
    readonly inputs: Properties;
    readonly outputs: Properties;
  }): Promise<void>;
  /** The user has interrupted the command. */
  cancel(): Promise<void>;
}

/** The failure of one input in a check. */
export interface CheckFailure {
  readonly property: string;
  readonly reason: string;
}

/** The values that a diff compares, or an update replaces. */
export interface DiffRequest {
  readonly urn: string;
  readonly id: string;
  readonly oldInputs: Properties;
  readonly oldOutputs: Properties;
  readonly news: Properties;
  readonly ignoreChanges: readonly string[];
  readonly isPreview: boolean;
}

/** The result of a diff. */
export interface Difference {
  readonly changes: boolean;
  readonly replaces: readonly string[];
  readonly deleteBeforeReplace: boolean;
  /** Names of the properties that differ. Absent if the provider does not return them. */
  readonly changedKeys?: readonly string[];
  /** Paths of the properties that differ, and whether each replaces. */
  readonly detailed?: Readonly<Record<string, boolean>>;
}
