import type { CheckFailure } from "../definition/define-resource";
import type { Properties } from "../definition/value";

/** What every request may say about its resource. */
interface ResourceRequest {
  /** For the log. */
  readonly urn?: string;
}

/** Are these inputs right? */
export interface CheckRequest extends ResourceRequest {
  /** As the program writes them. */
  readonly news: Properties;
  /** Of the state. Absent for a new resource, and for one that replaces another. */
  readonly olds?: Properties;
}

/** Inputs in the form that state keeps, and what is wrong with them, by property path. */
export interface CheckResponse {
  readonly inputs: Properties;
  readonly failures: readonly CheckFailure[];
}

/** What differs between a state and checked inputs? */
export interface DiffRequest extends ResourceRequest {
  readonly id: string;
  readonly state: Properties;
  readonly news: Properties;
}

/** What happens to one property. */
export interface PropertyDiff {
  /** `url`, `rules["block-crawlers"].expression`. */
  readonly path: string;
  readonly kind: "add" | "update" | "delete";
  /** Whether it replaces the resource. */
  readonly replaces: boolean;
}

/** What differs. An unknown value is a change. */
export interface DiffResponse {
  readonly changes: boolean;
  readonly properties: readonly PropertyDiff[];
  /** Names of the inputs that replace the resource. */
  readonly replaces: readonly string[];
  readonly deleteBeforeReplace: boolean;
  /** What an update in place does, in the resource's own words. */
  readonly summary?: string;
}

/** Make the object, or with `dryRun` say what is known of its state. */
export interface CreateRequest extends ResourceRequest {
  readonly inputs: Properties;
  readonly dryRun?: boolean;
}

/** The object's ID, empty after a dry run, and its state. */
export interface CreateResponse {
  readonly id: string;
  readonly state: Properties;
}

/** Read the object; by its ID alone where there is no state. */
export interface ReadRequest extends ResourceRequest {
  readonly id: string;
  readonly state?: Properties;
}

/** What was read. */
export interface ReadResponse {
  readonly state: Properties;
  /** The inputs that declare it, in the form that state keeps. */
  readonly inputs: Properties;
  /** The same in the form that a program writes. */
  readonly program: Properties;
}

/** Make the object as declared, or with `dryRun` say what is known of its state. */
export interface UpdateRequest extends ResourceRequest {
  readonly id: string;
  readonly state: Properties;
  readonly inputs: Properties;
  readonly dryRun?: boolean;
}

/** The new state. */
export interface UpdateResponse {
  readonly state: Properties;
}

/** Take the object away. */
export interface DeleteRequest extends ResourceRequest {
  readonly id: string;
  readonly state: Properties;
}
