import type { Properties } from "./property-value";
import type { Resource } from "./resource";

/** The resource that a request is about. The type follows from the URN, if there is one. */
interface About {
  readonly urn: string;
  readonly type?: string;
}

export interface CheckRequest extends About {
  readonly news: Properties;
  readonly olds?: Properties;
  readonly isPreview: boolean;
}

export interface CreateRequest extends About {
  readonly inputs: Properties;
  readonly isPreview: boolean;
}

/** An import reads without a state. */
export interface ReadRequest extends About {
  readonly id: string;
  readonly state?: {
    readonly inputs?: Properties;
    readonly outputs: Properties;
  };
}

export interface DeleteRequest extends About {
  readonly id: string;
  readonly inputs: Properties;
  readonly outputs: Properties;
}

/** A provider process as the engine calls it. All properties have the engine's form. */
export interface Provider {
  /** Whether previews call its create and update. */
  readonly supportsPreview: boolean;
  check(request: CheckRequest): Promise<{
    readonly inputs: Properties;
    readonly failures: readonly CheckFailure[];
  }>;
  diff(request: DiffRequest): Promise<Difference>;
  create(
    request: CreateRequest,
  ): Promise<{ readonly id: string; readonly outputs: Properties }>;
  /** An empty ID in the answer means that the object does not exist. */
  read(request: ReadRequest): Promise<{
    readonly id: string;
    readonly outputs: Properties;
    readonly inputs?: Properties;
  }>;
  update(request: DiffRequest): Promise<{ readonly outputs: Properties }>;
  delete(request: DeleteRequest): Promise<void>;
  /** The user has interrupted the command. */
  cancel(): Promise<void>;
}

/** The failure of one input in a check. */
export interface CheckFailure {
  readonly property: string;
  readonly reason: string;
}

/** The values that a diff compares, or an update replaces. */
export interface DiffRequest extends About {
  readonly id: string;
  readonly oldInputs: Properties;
  readonly oldOutputs: Properties;
  readonly news: Properties;
  readonly ignoreChanges: readonly string[];
  readonly isPreview: boolean;
}

/** The request for a diff or an update of a resource, whose URN is new if an alias renames it. */
export const comparing = (
  { id, inputs, outputs }: Resource,
  { urn, inputs: news }: Pick<Resource, "urn" | "inputs">,
  ignoreChanges: readonly string[],
  isPreview: boolean,
): DiffRequest => ({
  ...{ urn, id, oldInputs: inputs, oldOutputs: outputs },
  ...{ news, ignoreChanges, isPreview },
});

/** The result of a diff. */
export interface Difference {
  readonly changes: boolean;
  readonly replaces: readonly string[];
  /** Names of the properties that differ. Absent if the provider does not return them. */
  readonly changedKeys?: readonly string[];
  /** The kind of each difference, such as `update` or `add_replace`, by its path. */
  readonly properties?: Record<string, string>;
}
