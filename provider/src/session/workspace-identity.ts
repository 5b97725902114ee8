import { DevidError, type Configuration, type Region } from "@devid/sdk";

/** What identifies a workspace. */
export interface WorkspaceIdentity {
  readonly region: Region;
  /** ID of its default environment: every workspace has one, and it cannot be deleted. */
  readonly workspace: string;
}

/** An object, and its workspace according to the state, if the state has one. */
export interface OwnedObject {
  readonly kind: string;
  readonly id: string;
  readonly owner: WorkspaceIdentity | undefined;
}

/** An object of the state belongs to another workspace than the configured one; nothing was changed. */
export class WorkspaceMismatchError extends DevidError {
  override readonly name = "WorkspaceMismatchError";
}

/**
 * The error that names both workspaces and says what to do. `here` is absent if the
 * regions differ.
 */
export function workspaceMismatch(
  { kind, id, owner }: OwnedObject,
  { region, managementKey }: Configuration,
  here?: WorkspaceIdentity,
): WorkspaceMismatchError {
  const there = `the workspace in region ${owner?.region} whose default environment is ${owner?.workspace}`;
  const configured = here
    ? `the management key from ${managementKey?.from} is for the workspace in region ${here.region} whose default environment is ${here.workspace}`
    : `the configured region is ${region}`;
  const back = here
    ? "configure a management key of the first workspace"
    : `set the region back to ${owner?.region} (stack config devid:region, which pulumi refresh and pulumi destroy read only with --run-program, or DEVID_REGION)`;
  return new WorkspaceMismatchError(
    `${kind} ${id} is in ${there}, but ${configured}. Nothing was read or changed.\n` +
      `To continue with it, ${back}. ` +
      `To have the same object in the other workspace as well, declare it in a stack of its own (pulumi stack init), or under another name with a devid.Provider of its own.`,
  );
}
