import { DevidError, type Client } from "@devid/sdk";
import { pluginType } from "@devid/pulumi/definitions";
import { STACK_TYPE } from "@devid/pulumi/state";
import type { ReadProgress } from "../read/read-workspace";
import { objectsOf, type Workspace } from "../read/workspace";
import { matchResources, type Matching, type Misfit } from "./match-resources";
import {
  type PreviewedProgram,
  type ProgramResource,
} from "./previewed-program";
import {
  readProgramWorkspaces,
  type ProgramWorkspace,
  type StackConfig,
} from "./program-workspaces";
import { recoveredState, type StackDeployment } from "./recovered-state";

/** The input of a recovery. */
export interface RecoveryInput {
  readonly program: PreviewedProgram;
  /** The state of the stack. A lost state has no resources. */
  readonly before: StackDeployment;
  readonly stackConfig: StackConfig;
  /** `NAME=ID`: the resource with this name or URN has this object. */
  readonly choices?: readonly string[];
  readonly onProgress?: (progress: ReadProgress) => void;
}

/** A workspace, matched with the program. */
export interface RecoveredWorkspace extends Matching {
  readonly workspace: Workspace;
  readonly client: Client;
}

/** What a recovery found. */
export interface Recovery {
  readonly program: PreviewedProgram;
  /** One for each workspace that the program has resources in. */
  readonly workspaces: readonly RecoveredWorkspace[];
  /** Resources of other packages, which cannot be recovered. */
  readonly others: readonly ProgramResource[];
  /** The new state of the stack; absent while a resource has several candidates. */
  readonly state?: StackDeployment;
  /** The list for `pulumi import --file`, for resources of the provider plugin; absent without them. */
  readonly pluginImports?: { readonly resources: readonly object[] };
}

/** A recovery cannot start, or a choice names nothing. */
export class RecoveryError extends DevidError {
  override readonly name = "RecoveryError";
}

/**
 * Finds the objects of a program's resources in its workspaces, and makes a state. It
 * only reads: a list call for each kind and workspace, with 100 objects a page.
 * @throws RecoveryError; ConfigurationError and the errors of the client
 */
export async function recoverStack({
  program,
  before,
  stackConfig,
  choices = [],
  onProgress,
}: RecoveryInput): Promise<Recovery> {
  const { resources } = program;
  const own = resources.filter(({ kind }) => kind !== undefined);
  if (own.length === 0)
    throw new RecoveryError(
      `The program declares no resource of devid in stack ${program.stack}.`,
    );
  const parts = await readProgramWorkspaces(program, stackConfig, onProgress);
  parts.forEach(assertRead);
  const inState = idsInState(before);
  const chosen = chosenIds(parts, choices);
  const workspaces = parts.map(
    ({ workspace, client, resources: declared }) => ({
      workspace,
      client,
      ...matchResources(workspace, declared, { inState, chosen }),
    }),
  );
  for (const { misfits } of workspaces) misfits.forEach(refuseChoice);
  const matches = workspaces.flatMap(({ workspace, matches: found }) => {
    const { region, defaultEnvironment } = workspace;
    const owner = { region, workspace: defaultEnvironment.id };
    return found.map((match) => {
      const all = objectsOf(workspace, match.kind);
      const siblings = new Set(all.map(({ id }) => id));
      return { ...match, owner, siblings };
    });
  });
  const isDecided = workspaces.every(({ ambiguous }) => ambiguous.length === 0);
  const ofPlugin = matches.filter(
    ({ resource, kind }) => resource.type === pluginType(kind.kind),
  );
  return {
    program,
    workspaces,
    others: resources.filter(
      ({ custom, kind, type }) =>
        custom && kind === undefined && !type.startsWith("pulumi:"),
    ),
    ...(isDecided && { state: recoveredState(program, matches, before) }),
    ...(isDecided &&
      ofPlugin.length > 0 && {
        pluginImports: {
          resources: ofPlugin
            .filter(({ evidence }) => evidence !== "state")
            .map(({ resource, object }) => ({
              type: resource.type,
              name: resource.name,
              id: object.id,
            })),
        },
      }),
  };
}

/** The number of resources in a state, without the stack itself and its providers. */
export function resourcesIn({ deployment }: StackDeployment): number {
  return (deployment.resources ?? []).filter(
    ({ type }) =>
      type !== STACK_TYPE && !String(type).startsWith("pulumi:providers:"),
  ).length;
}

/** Refuses a choice that the next update would replace and delete. @throws RecoveryError */
function refuseChoice({ resource, object, fields }: Misfit): never {
  const text = (value: unknown) =>
    value === undefined ? "none" : JSON.stringify(value);
  const reasons = fields.map(
    ({ name, declared, found }) =>
      `its ${name} is ${text(found)}, the program says ${text(declared)}`,
  );
  throw new RecoveryError(
    `The choice ${resource.name}=${object.id} does not fit: ${reasons.join(", and ")}. No update can change that, so the next pulumi up would delete ${object.id} and make another one. Choose an object that fits, or change the program first.`,
  );
}

/**
 * Refuses to write a state if a kind could not be read, because its objects would look
 * missing.
 * @throws RecoveryError
 */
function assertRead({ workspace, resources }: ProgramWorkspace): void {
  for (const { kind, what, reason } of workspace.unread) {
    const names = resources.flatMap((one) =>
      one.kind === kind ? [one.name] : [],
    );
    if (names.length > 0)
      throw new RecoveryError(
        `The ${what} of the workspace in region ${workspace.region} could not be read, so the state cannot have ${names.join(", ")} of kind ${kind}. ${reason}`,
      );
  }
}

function idsInState({
  deployment,
}: StackDeployment): ReadonlyMap<string, string> {
  return new Map(
    (deployment.resources ?? []).flatMap(({ urn, id, delete: isOld }) =>
      typeof id === "string" && isOld !== true ? [[String(urn), id]] : [],
    ),
  );
}

/** The user's choices, by URN. @throws RecoveryError */
function chosenIds(
  parts: readonly ProgramWorkspace[],
  choices: readonly string[],
): ReadonlyMap<string, string> {
  const chosen = new Map<string, string>();
  for (const choice of choices) {
    const at = choice.lastIndexOf("=");
    const [name, id] = [choice.slice(0, at), choice.slice(at + 1)];
    if (at < 1 || id === "")
      throw new RecoveryError(
        `The choice "${choice}" has another form than NAME=ID: the name of a resource in the program, and the ID of an object.`,
      );
    const named = parts.flatMap(({ workspace, resources }) =>
      resources
        .filter((one) => one.name === name || one.urn === name)
        .map((resource) => ({ workspace, resource })),
    );
    if (named.length === 0)
      throw new RecoveryError(
        `The choice ${choice} names a resource that the program does not declare: "${name}".`,
      );
    const fitting = named.filter(({ workspace, resource }) =>
      (workspace.objects[resource.kind ?? ""] ?? []).some(
        (object) => object.id === id,
      ),
    );
    const [found, ...others] = fitting;
    if (!found)
      throw new RecoveryError(
        `The choice ${choice} names an object that is not there: no ${named.map(({ resource }) => resource.kind).join(" or ")} of the workspace has the ID ${id}.`,
      );
    if (others.length > 0)
      throw new RecoveryError(
        `The choice ${choice} fits several resources: ${fitting.map(({ resource }) => resource.urn).join(", ")}. Name one by its URN.`,
      );
    chosen.set(found.resource.urn, id);
  }
  return chosen;
}
