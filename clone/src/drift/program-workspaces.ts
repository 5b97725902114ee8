import {
  createClient,
  optionsFromEnvironment,
  type SettingSource,
} from "@devid/sdk";
import {
  containsSecretText,
  containsUnknownText,
  nameOfUrn,
  pluginSettings,
  settingSources,
  splitProvider,
  STACK_PREFIX,
  typeOfUrn,
  type PreviewedResource,
} from "@devid/pulumi/state";
import { readWorkspace, type ReadProgress } from "../read/read-workspace";
import type { Workspace } from "../read/workspace";

/** A workspace, and the resources that the program has in it. */
export interface ProgramWorkspace {
  readonly workspace: Workspace;
  /** URNs of the resources. */
  readonly urns: readonly string[];
}

/** Stack config, by names such as `devid:region`. */
export type StackConfig = Readonly<Record<string, string | undefined>>;

/**
 * Reads the workspaces of a program's providers with list calls. Settings come from the
 * arguments of the provider, then from stack config, then from environment variables.
 * @throws ConfigurationError and the errors of the client
 */
export async function readProgramWorkspaces(
  resources: readonly PreviewedResource[],
  stackConfig: StackConfig,
  onProgress?: (progress: ReadProgress) => void,
): Promise<ProgramWorkspace[]> {
  const own = resources.filter(
    ({ kind, after }) => kind !== undefined && after !== undefined,
  );
  const read = new Map<string, Workspace>();
  const parts = new Map<string, ProgramWorkspace & { urns: string[] }>();
  for (const provider of new Set(own.map(providerOf))) {
    const sources = settingsOf(resources, provider ?? "", stackConfig);
    const options = optionsFromEnvironment(sources);
    const { region, endpoint, managementUrl, managementKey } = options;
    const access = JSON.stringify([
      region,
      endpoint,
      managementUrl,
      managementKey,
    ]);
    const workspace =
      read.get(access) ??
      (await readWorkspace(createClient(options), { onProgress }));
    read.set(access, workspace);
    const identity = `${workspace.region} ${workspace.defaultEnvironment.id}`;
    const part = parts.get(identity) ?? { workspace, urns: [] };
    part.urns.push(
      ...own
        .filter((one) => providerOf(one) === provider)
        .map(({ urn }) => urn),
    );
    parts.set(identity, part);
  }
  return [...parts.values()];
}

/** Where a provider of the program finds its settings, before environment variables. */
function settingsOf(
  resources: readonly PreviewedResource[],
  urn: string,
  stackConfig: StackConfig,
): SettingSource[] {
  const shown = resources.find((one) => one.urn === urn)?.after?.inputs;
  const explicit = shown && knownPart(shown);
  const isPlugin = typeOfUrn(urn) === "pulumi:providers:devid";
  if (!isPlugin)
    return settingSources((key) => {
      const value = explicit ? explicit[key] : stackConfig[key];
      return typeof value === "string" ? value : undefined;
    });
  const fromStack = Object.fromEntries(
    Object.entries(stackConfig).flatMap(([name, value]) =>
      name.startsWith(STACK_PREFIX)
        ? [[name.slice(STACK_PREFIX.length), value]]
        : [],
    ),
  );
  return [pluginSettings(explicit ?? fromStack, nameOfUrn(urn))];
}

/** URN of the provider of a resource, without its ID. */
export function providerOf({
  after,
  before,
  recorded,
}: PreviewedResource): string | undefined {
  const { provider } = after ?? before ?? recorded ?? {};
  return provider ? splitProvider(provider).urn : undefined;
}

/** The values that a preview neither hides nor lacks. */
const knownPart = (values: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(values).filter(
      ([, value]) => !containsUnknownText(value) && !containsSecretText(value),
    ),
  );
