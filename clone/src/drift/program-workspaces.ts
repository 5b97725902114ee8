import { optionsFromEnvironment, type SettingSource } from "@devid/sdk";
import {
  connect,
  connectPreviewed,
  ownerOf,
  providerOf,
  settingsOfProvider,
  type Preview,
  type PreviewedResource,
} from "@devid/pulumi/state";
import { readWorkspace, type ReadProgress } from "../read/read-workspace";
import type { Workspace } from "../read/workspace";

/** Stack config, by names such as `devid:region`. */
export type StackConfig = Readonly<Record<string, string | undefined>>;

/**
 * Reads the workspaces of a program's providers with list calls, and finds the one of
 * each resource: by its state, else by its provider. The function returns undefined if
 * none of the providers is for the workspace of the state, or the key of its provider is
 * not known, such as a secret argument, which a preview hides.
 * @throws ConfigurationError, also for an address that only a preview of others names; the errors of the client
 */
export async function readProgramWorkspaces(
  preview: Preview,
  stackConfig: StackConfig | undefined,
  onProgress?: (progress: ReadProgress) => void,
): Promise<(resource: PreviewedResource) => Workspace | undefined> {
  const declared = preview.resources.filter(
    ({ kind, after }) => kind !== undefined && after !== undefined,
  );
  const read = new Map<string, Workspace>();
  const byProvider = new Map<string, Workspace>();
  let withoutKey: readonly SettingSource[] | undefined;
  // Stack config comes with a preview that devid has made of a program.
  const open = stackConfig === undefined ? connectPreviewed : connect;
  for (const provider of new Set(declared.map(providerOf))) {
    const own = declared.filter((one) => providerOf(one) === provider);
    const [first] = [...own.filter(ownerOf), ...own];
    if (!first) continue;
    const { sources } = settingsOfProvider(first, preview, stackConfig);
    const { region, endpoint, managementUrl, managementKey } =
      optionsFromEnvironment(sources);
    if (managementKey === undefined) {
      withoutKey ??= sources;
      continue;
    }
    const access = JSON.stringify([
      region,
      endpoint,
      managementUrl,
      managementKey,
    ]);
    const found =
      read.get(access) ?? (await readWorkspace(open(sources), { onProgress }));
    // Several keys may be for one workspace.
    const workspace =
      [...read.values()].find(
        isAt(found.region, found.defaultEnvironment.id),
      ) ?? found;
    read.set(access, workspace);
    byProvider.set(provider, workspace);
  }
  // No key is known: the error names the places of one.
  if (read.size === 0 && withoutKey) await readWorkspace(connect(withoutKey));
  const all = [...read.values()];
  return (resource) => {
    const owner = ownerOf(resource);
    return owner
      ? all.find(isAt(owner.region, owner.workspace))
      : byProvider.get(providerOf(resource));
  };
}

/** Whether a workspace is in a region and has a default environment. */
const isAt =
  (at: string, environment: string) =>
  ({ region, defaultEnvironment: { id } }: Workspace) =>
    region === at && id === environment;
