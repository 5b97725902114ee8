import {
  createClient,
  optionsFromEnvironment,
  type Client,
  type SettingSource,
} from "@devid/sdk";
import { nameOfUrn } from "@devid/pulumi/definitions";
import {
  pluginSettings,
  settingSources,
  STACK_PREFIX,
  typeOfUrn,
} from "@devid/pulumi/state";
import { readWorkspace, type ReadProgress } from "../read/read-workspace";
import type { Workspace } from "../read/workspace";
import type { PreviewedProgram, ProgramResource } from "./previewed-program";

/** A workspace, and the resources that the program has in it. */
export interface ProgramWorkspace {
  readonly workspace: Workspace;
  readonly client: Client;
  readonly resources: readonly ProgramResource[];
}

/** Stack config, by names such as `devid:region`. */
export type StackConfig = Readonly<Record<string, string | undefined>>;

/**
 * Reads the workspaces of a program's providers with list calls. Settings come from the
 * arguments of the provider, then from stack config, then from environment variables.
 * @throws ConfigurationError and the errors of the client
 */
export async function readProgramWorkspaces(
  program: PreviewedProgram,
  stackConfig: StackConfig,
  onProgress?: (progress: ReadProgress) => void,
): Promise<ProgramWorkspace[]> {
  const own = program.resources.filter(({ kind }) => kind !== undefined);
  const read = new Map<string, Omit<ProgramWorkspace, "resources">>();
  const parts = new Map<
    string,
    ProgramWorkspace & { resources: ProgramResource[] }
  >();
  for (const provider of new Set(own.map((one) => one.provider))) {
    const sources = settingsOf(program, provider ?? "", stackConfig);
    const options = optionsFromEnvironment(sources);
    const { region, endpoint, managementUrl, managementKey } = options;
    const access = JSON.stringify([
      region,
      endpoint,
      managementUrl,
      managementKey,
    ]);
    let reached = read.get(access);
    if (!reached) {
      const client = createClient(options);
      reached = {
        client,
        workspace: await readWorkspace(client, { onProgress }),
      };
      read.set(access, reached);
    }
    const { workspace } = reached;
    const identity = `${workspace.region} ${workspace.defaultEnvironment.id}`;
    const part = parts.get(identity) ?? { ...reached, resources: [] };
    part.resources.push(...own.filter((one) => one.provider === provider));
    parts.set(identity, part);
  }
  return [...parts.values()];
}

/** Where a provider of the program finds its settings, before environment variables. */
function settingsOf(
  { resources }: PreviewedProgram,
  urn: string,
  stackConfig: StackConfig,
): SettingSource[] {
  const explicit = resources.find((one) => one.urn === urn)?.inputs;
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
