import type { Review } from "./review";

/** The result of a deployment for one resource. */
export interface AppliedResource {
  /** `Webhook hook` */
  readonly resource: string;
  readonly operation: "create" | "update" | "replace" | "delete";
  /** `not done`: planned, and not begun. */
  readonly outcome: "done" | "failed" | "not done";
  /** Why it failed. */
  readonly message?: string;
}

/** What a deployment did. It is plain data, which JSON can hold. */
export interface Applied extends Pick<Review, "file" | "scope"> {
  readonly version: 1;
  /**
   * `whole`: everything was done; `part`: some resources were changed; `nothing`:
   * no resource was changed.
   */
  readonly extent: "whole" | "part" | "nothing";
  /** The resources that the deployment changed, or should have changed. */
  readonly resources: readonly AppliedResource[];
  /** Why the deployment stopped, if no resource has the reason. */
  readonly messages: readonly string[];
  /** Digest of the rules in force now, or why it is not known. */
  readonly inForce: string | { readonly absent: string };
}
