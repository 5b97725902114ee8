import { existsSync } from "node:fs";
import {
  readExport,
  readWorkspace,
  select,
  type Selection,
  type SelectionOptions,
  type Workspace,
} from "@devid/clone";
import { REGIONS } from "@devid/sdk";
import { configuredClient } from "./configured-client";
import { withReadProgress } from "../output/progress";
import { UsageError } from "../errors";

/**
 * One side of a comparison, as it was read; `selectionOf` then chooses the part
 * to compare.
 */
export interface ComparedSource {
  readonly name: string;
  readonly workspace: Workspace;
  /** What an export has; absent for a workspace of the service. */
  readonly exported?: Selection;
  /** ID or name of the environment that the user named with the region. */
  readonly environment?: string;
  /** Where the management key was found: `DEVID_MANAGEMENT_KEY_EU`. */
  readonly keyFrom?: string;
}

/**
 * Finds what an argument names: a region, `eu`, one environment of a region,
 * `eu/Staging`, or a folder that `devid export` wrote. A folder is read at
 * once; a workspace is read when the returned function is called.
 * @throws UsageError for any other argument, NoExportError; the returned
 * function throws the errors of the client
 */
export function findSource(argument: string): () => Promise<ComparedSource> {
  const [, name = argument, environment] =
    /^(.*?)\/(.*)$/s.exec(argument) ?? [];
  const region = REGIONS.find((one) => one === name);
  if (region !== undefined)
    return async () => {
      const client = configuredClient({ region });
      const workspace = await withReadProgress(region, (onProgress) =>
        readWorkspace(client, { onProgress }),
      );
      const keyFrom = client.configuration.managementKey?.from;
      return { name: argument, workspace, environment, keyFrom };
    };
  if (!existsSync(argument))
    throw new UsageError(
      `"${argument}" is neither a region (${REGIONS.join(", ")}), nor an environment of one (eu/Staging), nor a folder.`,
    );
  const { selection: exported, changed } = readExport(argument);
  if (changed.length > 0)
    process.stderr.write(
      `${argument} is compared as it was exported; changed since: ${changed.join(", ")}.\n`,
    );
  const { workspace } = exported;
  return () => Promise.resolve({ name: argument, workspace, exported });
}

/**
 * Refuses a comparison of two regions whose management keys are for one workspace:
 * it would find no differences. A workspace is in one region; its default
 * environment identifies it.
 * @throws UsageError
 */
export function assertTwoWorkspaces(
  was: ComparedSource,
  is: ComparedSource,
): void {
  if (was.exported || is.exported) return;
  const { defaultEnvironment, region } = was.workspace;
  const other = is.workspace;
  if (
    region === other.region ||
    defaultEnvironment.id !== other.defaultEnvironment.id
  )
    return;
  throw new UsageError(
    `${was.name} and ${is.name} are one and the same workspace, so there is nothing to compare.\n` +
      `The management keys for ${region} (from ${was.keyFrom}) and for ${other.region} (from ${is.keyFrom}) are both for the workspace whose default environment is ${defaultEnvironment.id} (${defaultEnvironment.name}).\n` +
      `Set DEVID_MANAGEMENT_KEY_${region.toUpperCase()} and DEVID_MANAGEMENT_KEY_${other.region.toUpperCase()}, each to the key of its own workspace; devid whoami --region ${other.region} shows which one a key is for.`,
  );
}

/**
 * Chooses what of a source is compared: what the user asked for. Without a choice,
 * what the export on the other side covers.
 */
export function selectionOf(
  source: ComparedSource,
  other: ComparedSource,
  environment?: string,
): Selection {
  const { workspace, exported } = source;
  if (exported) {
    const { options } = exported;
    return select(
      workspace,
      environment ? { ...options, environment } : options,
    );
  }
  const asked = source.environment ?? environment;
  if (!other.exported) return select(workspace, { environment: asked });
  const { options, only } = other.exported;
  const same =
    only &&
    (only.id === other.workspace.defaultEnvironment.id
      ? workspace.defaultEnvironment.id
      : only.name);
  const part: SelectionOptions = { ...options, environment: asked ?? same };
  return select(workspace, part);
}
