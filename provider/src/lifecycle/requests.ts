import type { CheckFailure } from "../definition/define-resource";
import type { Properties } from "../definition/value";

/** What every request may hold. */
interface ResourceRequest {
  /** URN of the resource, for messages about it. */
  readonly urn?: string;
}

/** Asks whether inputs are valid. */
export interface CheckRequest extends ResourceRequest {
  /** As the program writes them. */
  readonly news: Properties;
  /** The inputs in the state. Absent for a new resource, and for one that replaces another. */
  readonly olds?: Properties;
  /**
   * Paths of the options of the same names, where the adapter knows them. A path that
   * matches nothing is refused.
   */
  readonly options?: {
    readonly ignoreChanges: readonly string[];
    readonly replaceOnChanges: readonly string[];
  };
}

/** The inputs in the form of the state, and what is wrong with them. */
export interface CheckResponse {
  readonly inputs: Properties;
  readonly failures: readonly CheckFailure[];
}

/** Asks what differs between a state and checked inputs. */
export interface DiffRequest extends ResourceRequest {
  readonly id: string;
  readonly state: Properties;
  readonly news: Properties;
  /** Inputs whose differences are ignored: `description`, `adopt.name`. */
  readonly ignoreChanges?: readonly string[];
}

/** The change of one property. */
export interface PropertyDiff {
  /** `url`, `rules["block-crawlers"].expression`. */
  readonly path: string;
  readonly kind: "add" | "update" | "delete";
  /** Whether it replaces the resource. */
  readonly replaces: boolean;
}

/** The differences. An unknown value counts as changed. */
export interface DiffResponse {
  readonly changes: boolean;
  readonly properties: readonly PropertyDiff[];
  /** Changed paths of ordered inputs, by position: `rules[0].expression`. */
  readonly places?: readonly string[];
  /** Names of the changed inputs that replace the resource. */
  readonly replaces: readonly string[];
  /** The resource's own description of an update in place. */
  readonly summary?: string;
  /** About paths of ignoreChanges that match nothing. */
  readonly warning?: string;
}

/** Asks to create the object, or with `dryRun` for its future state. */
export interface CreateRequest extends ResourceRequest {
  readonly inputs: Properties;
  readonly dryRun?: boolean;
}

/** The object's ID, empty after a dry run, and its state. */
export interface CreateResponse {
  readonly id: string;
  readonly state: Properties;
}

/** Asks to read the object; without a state, by its ID alone. */
export interface ReadRequest extends ResourceRequest {
  readonly id: string;
  readonly state?: Properties;
  /** Whether the resource has the object even if no state says so, as in an import. Otherwise, the object of a read without a state of this provider stays with its owner. */
  readonly owns?: boolean;
}

/** The object as it was read. */
export interface ReadResponse {
  readonly state: Properties;
  /** The inputs that declare it, in the form of the state. Absent for an object that a program only reads: its inputs are the arguments of `get`. */
  readonly inputs?: Properties;
  /** The inputs that declare it in the form that a program writes, without those that have their defaults. */
  readonly program: Properties;
}

/** Asks to update the object, or with `dryRun` for its future state. */
export interface UpdateRequest extends ResourceRequest {
  readonly id: string;
  readonly state: Properties;
  readonly inputs: Properties;
  readonly dryRun?: boolean;
  /** Inputs that stay as they are in the state. */
  readonly ignoreChanges?: readonly string[];
}

/** The new state. */
export interface UpdateResponse {
  readonly state: Properties;
}

/** Asks to delete the object. */
export interface DeleteRequest extends ResourceRequest {
  readonly id: string;
  readonly state: Properties;
}
