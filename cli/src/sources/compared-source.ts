import { existsSync } from "node:fs";
import {
  readExport,
  readWorkspace,
  select,
  type Selection,
  type SelectionOptions,
  type Workspace,
} from "@devid/pulumi/clone";
import { REGIONS, type Region } from "@devid/sdk";
import { configuredClient } from "./configured-client";
import { ReadProgressLine } from "../output/progress";
import { UsageError } from "../errors";

/** A side of a comparison, before it is known which part of it is meant. */
export type ComparedSource =
  | {
      readonly kind: "workspace";
      readonly name: string;
      readonly workspace: Workspace;
      /** ID or name of the environment that was named with the region. */
      readonly environment?: string;
    }
  | {
      readonly kind: "export";
      readonly name: string;
      readonly selection: Selection;
    };

/**
 * What an argument names: a region, `eu`, one environment of it, `eu/Staging`,
 * or a folder that `devid export` wrote. A workspace is read by the call that is
 * answered, a folder at once.
 * @throws UsageError for anything else, NoExportError; the call, the errors of the client
 */
export function findSource(argument: string): () => Promise<ComparedSource> {
  const [region, environment] = splitOnce(argument);
  if (isRegion(region))
    return async () => {
      const client = await configuredClient({ region });
      const progress = new ReadProgressLine(region);
      const workspace = await readWorkspace(client, {
        onProgress: progress.show,
      }).finally(() => progress.end());
      return { kind: "workspace", name: argument, workspace, environment };
    };
  if (!existsSync(argument))
    throw new UsageError(
      `"${argument}" is neither a region (${REGIONS.join(", ")}), nor an environment of one (eu/Staging), nor a folder.`,
    );
  const { selection, changed } = readExport(argument);
  if (changed.length > 0)
    process.stderr.write(
      `${argument} is compared as it was exported; changed since: ${changed.join(", ")}.\n`,
    );
  return () => Promise.resolve({ kind: "export", name: argument, selection });
}

/** The part of a side that is meant: what was asked for, and what the other side, an export, is a part of. */
export function selectionOf(
  source: ComparedSource,
  other: ComparedSource,
  environment?: string,
): Selection {
  if (source.kind === "export") {
    const { workspace, options } = source.selection;
    return select(
      workspace,
      environment ? { ...options, environment } : options,
    );
  }
  const { workspace } = source;
  const asked = source.environment ?? environment;
  if (other.kind === "workspace")
    return select(workspace, { environment: asked });
  const { options, only, workspace: exported } = other.selection;
  const same =
    only &&
    (only.id === exported.defaultEnvironment.id
      ? workspace.defaultEnvironment.id
      : only.name);
  const part: SelectionOptions = { ...options, environment: asked ?? same };
  return select(workspace, part);
}

const isRegion = (text: string): text is Region =>
  REGIONS.some((region) => region === text);

function splitOnce(argument: string): [string, string | undefined] {
  const slash = argument.indexOf("/");
  return slash === -1
    ? [argument, undefined]
    : [argument.slice(0, slash), argument.slice(slash + 1)];
}
