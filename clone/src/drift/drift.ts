import type { RuleSetDiff } from "@devid/rules";
import type { ObjectSummary } from "./object-summary";

/** How a stack, its program and its workspaces differ. Plain data for JSON, without secrets. */
export interface Drift {
  /** `project/stack` */
  readonly stack: string;
  readonly resources: readonly DriftedResource[];
  /** Objects of the workspaces that are in no known state. */
  readonly unmanaged: readonly ObjectSummary[];
  /** What could not be judged. */
  readonly notJudged: readonly NotJudged[];
}

/** A resource that differs from the state or the program. */
export interface DriftedResource {
  readonly urn: string;
  /** `Webhook "hook"` */
  readonly resource: string;
  /** Absent for a resource that was never deployed. */
  readonly id?: string;
  /**
   * `changed` and `deleted`: somebody changed the workspace without the stack. `not
   * deployed`: the program was changed, but not the workspace.
   */
  readonly drift: "changed" | "deleted" | "not deployed";
  /** The operation of a deployment after a refresh. */
  readonly operation: "create" | "update" | "replace" | "delete";
  /**
   * The properties that differ: for `changed` from the state to the workspace, for `not
   * deployed` from the workspace to the program.
   */
  readonly properties: readonly {
    readonly name: string;
    /** As JSON. */
    readonly before?: string;
    readonly after?: string;
  }[];
  /** The same for the rules of a rule set, by their meaning. */
  readonly rules?: RuleSetDiff;
}

/** Something that could not be judged. */
export interface NotJudged {
  /** `webhooks`, `Webhook "hook"` */
  readonly what: string;
  /** One or more sentences. */
  readonly reason: string;
}

/** The number of differences. */
export const driftCount = ({ resources, unmanaged }: Drift): number =>
  resources.length + unmanaged.length;
