import { pluginType } from "@devid/pulumi/definitions";
import type { Configuration } from "@devid/sdk";
import {
  declareWorkspace,
  type DeclaredResource,
  type DeclaredWorkspace,
  type LeftOut,
} from "../declare/declare-workspace";
import { EnvironmentName } from "../declare/declared-value";
import type { KeptNames } from "../declare/references";
import { typescriptProgram } from "./program/typescript-program";
import { partOf, projectName, type ExportedPart } from "./exported-part";
import { readme } from "./readme";
import { report } from "./report";
import { ResourceNames } from "../declare/resource-names";
import type { Selection } from "../read/selection";
import type { UnreadKind, Workspace } from "../read/workspace";
import { chosenObjects, stackConfigs } from "./stack-config";
import { workspaceFile, WORKSPACE_FILE } from "./read-export";

/** A program that declares a workspace: its files by path, ordered by name. */
export interface ExportedProgram {
  readonly files: ReadonlyMap<string, string>;
  readonly part: ExportedPart;
  /** The names of its resources, for the next export. */
  readonly names: KeptNames;
  /** The workspace with all its objects, even those that were not chosen. */
  readonly whole: Workspace;
  /** The number of resources that it declares. */
  readonly resources: number;
  readonly leftOut: readonly LeftOut[];
  /** The kinds that the program lacks because the service did not list them. */
  readonly unread: readonly UnreadKind[];
}

/**
 * Makes a Pulumi program of a part of a workspace, in memory: the program in TypeScript,
 * stack config of every region, the list for `pulumi import`, the objects as JSON, a
 * README, and a report of data that cannot be copied. The files contain no secret, and
 * the same workspace always gives the same bytes. Objects in `names` keep their names
 * from an earlier export.
 */
export function exportProgram(
  selection: Selection,
  configuration: Configuration,
  { names: kept }: { readonly names?: KeptNames } = {},
): ExportedProgram {
  const { region } = configuration;
  const declared = declareWorkspace(selection, configuration, kept);
  const { resources } = declared;
  const moves = selection.only !== undefined && canMove(declared);
  const part = partOf(selection);
  const project = projectName(part, environmentName(part));
  const isWhole = part.include === undefined && part.exclude === undefined;
  const what = selection.only ? "an environment of the" : "the";
  const description = `${isWhole ? "" : "Part of "}${what} workspace in region ${region}, as devid export found it.`;
  const names = { project, description: capitalized(description) };
  const files = new Map([
    ...typescriptProgram(declared, names, moves),
    ...stackConfigs(configuration, chosenObjects(resources, selection)),
    ["import.json", importFile(resources)],
    ["README.md", readme({ project, region, moves })],
    ["REPORT.md", report(declared, selection)],
    [WORKSPACE_FILE, workspaceFile(selection)],
  ]);
  return {
    files: new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1))),
    part,
    names: namesOf(resources),
    whole: selection.whole,
    resources: resources.length,
    leftOut: declared.leftOut,
    unread: selection.workspace.unread,
  };
}

function namesOf(resources: readonly DeclaredResource[]): KeptNames {
  const names: Record<string, Record<string, string>> = {};
  for (const { kind, id, name } of resources) (names[kind] ??= {})[id] = name;
  return names;
}

/**
 * The list of objects for `pulumi import --file`, which reads each object through the
 * provider plugin and prints the program in any language. So it has names and IDs only.
 */
function importFile(all: readonly DeclaredResource[]): string {
  const resources = all.map(({ kind, name, id }) => ({
    type: pluginType(kind),
    name,
    id,
  }));
  return `${JSON.stringify({ resources }, undefined, 2)}\n`;
}

const capitalized = (text: string) =>
  text.charAt(0).toUpperCase() + text.slice(1);

/** Whether stack config can replace the environment of a program. */
const canMove = ({ resources, lookedUp }: DeclaredWorkspace): boolean =>
  lookedUp.some(({ isDefault }) => isDefault) ||
  resources.some(({ args }) =>
    Object.values(args).some((value) => value instanceof EnvironmentName),
  );

/** The name that the resource of an environment would get. */
const environmentName = ({ environment }: ExportedPart) =>
  environment
    ? new ResourceNames("environment").add(environment.id, environment.name)
        .name
    : "";
