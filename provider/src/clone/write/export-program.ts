import { isLocal, type Configuration } from "@devid/sdk";
import { declareWorkspace, type LeftOut } from "../declare/declare-workspace";
import { importFile } from "./import-file";
import { programCode } from "./program-code";
import { projectFiles, stackConfigs } from "./project-files";
import { readme } from "./readme";
import { report } from "./report";
import { ResourceNames } from "../declare/resource-names";
import { ruleFileYaml } from "../../resources/filtering-rule-set/rule-file-yaml";
import type { Selection } from "../read/selection";
import { workspaceFile, WORKSPACE_FILE } from "./read-export";

/** A program that declares a workspace: its files by path, ordered by name. */
export interface ExportedProgram {
  readonly files: ReadonlyMap<string, string>;
  /** The number of resources that it declares. */
  readonly resources: number;
  readonly leftOut: readonly LeftOut[];
}

/**
 * Makes a Pulumi program of a part of a workspace, in memory: a file for each kind,
 * rule files, stack config of every region, a state for `pulumi stack import`, the
 * objects as JSON, a README, and a report of what cannot be copied. It holds no
 * secret, and the same workspace always gives the same bytes.
 */
export function exportProgram(
  selection: Selection,
  configuration: Configuration,
): ExportedProgram {
  const { region } = configuration;
  const { kinds } = selection;
  const moves = selection.only !== undefined;
  const declared = declareWorkspace(selection, {
    isLocal: isLocal(configuration),
  });
  const project = projectName(selection);
  const names = { project, stack: region };
  const what = selection.only ? "An environment of the" : "The";
  const description = `${what} workspace in region ${region}, as devid export found it.`;
  const files = new Map([
    ...projectFiles(project, description),
    ...programCode(declared, { kinds, moves }),
    ...declared.ruleFiles.map(
      ({ path, rules }) => [path, ruleFileYaml(rules)] as const,
    ),
    ...stackConfigs(configuration),
    ["import.json", importFile(declared.resources, kinds, names)],
    ["README.md", readme(names, { region, moves })],
    ["REPORT.md", report(declared, selection)],
    [WORKSPACE_FILE, workspaceFile(selection)],
  ]);
  return {
    files: new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1))),
    resources: declared.resources.length,
    leftOut: declared.leftOut,
  };
}

/** The project's name. That of a single environment differs, so that its stacks are separate from those of the workspace. */
function projectName({ only }: Selection): string {
  if (!only) return "devid-workspace";
  const { name } = new ResourceNames("environment").add(only.id, only.name);
  // The name of a Pulumi project allows no other letters.
  const words = name.match(/[a-z0-9]+/g) ?? [];
  return ["devid-environment", ...words].join("-");
}
