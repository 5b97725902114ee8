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

/** A program that declares a workspace: its files, by path, in the order of their names. */
export interface ExportedProgram {
  readonly files: ReadonlyMap<string, string>;
  /** How many resources it declares. */
  readonly resources: number;
  readonly leftOut: readonly LeftOut[];
}

/**
 * Writes a part of a workspace as a Pulumi program, in memory: one file a kind,
 * rule files, stack config of every region, the state that takes everything
 * over, what was found, and a report of what cannot be copied. The same workspace gives the
 * same bytes. No secret is in them.
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

/** Of its own for one environment, so that its stacks and those of the whole workspace do not meet. */
function projectName({ only }: Selection): string {
  if (!only) return "devid-workspace";
  const { name } = new ResourceNames("environment").add(only.id, only.name);
  // Pulumi takes no other letters in the name of a project.
  const words = name.match(/[a-z0-9]+/g) ?? [];
  return ["devid-environment", ...words].join("-");
}
