import { maskUrls } from "@devid/sdk";
import { nameOfUrn } from "@devid/pulumi/definitions";
import type { CloneKind } from "../read/clone-kinds";
import {
  environmentOf,
  titleOf,
  type Workspace,
  type WorkspaceObject,
} from "../read/workspace";
import type { Evidence } from "./match-resources";
import { resourceLabel } from "./previewed-program";
import type { Recovery } from "./recover-stack";

/** What a recovery found, as plain data for JSON: every object with its ID. */
export interface RecoverySummary {
  /** `project/stack` */
  readonly stack: string;
  /** The number of resources that the state of the stack already has. */
  readonly inState: number;
  readonly found: readonly {
    readonly urn: string;
    readonly id: string;
    readonly evidence: Evidence;
  }[];
  readonly ambiguous: readonly {
    readonly urn: string;
    readonly candidates: readonly ObjectSummary[];
  }[];
  /** Declared, and not in the workspace. */
  readonly missing: readonly {
    readonly urn: string;
    /** Undeclared objects that fit except for their name or address. */
    readonly renamed?: readonly ObjectSummary[];
  }[];
  /** In the workspace, and not declared. */
  readonly undeclared: readonly ObjectSummary[];
  /** In the workspace, and equal to an object that a resource has. */
  readonly duplicates: readonly (ObjectSummary & {
    readonly of: { readonly urn: string; readonly id: string };
  })[];
  /** URNs of the resources of other packages. */
  readonly others: readonly string[];
}

/** An object of the workspace. */
export interface ObjectSummary {
  /** `API key` */
  readonly what: string;
  readonly id: string;
  /** Name or address; parts of an address that may be secret are masked. */
  readonly name: string;
  readonly region: string;
  /** Name of its environment; absent for an object of the whole workspace. */
  readonly environment?: string;
  readonly createdAt?: string;
}

/** Summarises a recovery. */
export function summarizeRecovery({
  program,
  workspaces,
  others,
}: Recovery): RecoverySummary {
  const matches = workspaces.flatMap((one) => one.matches);
  const left = workspaces.flatMap(({ workspace, unclaimed }) =>
    unclaimed.map(({ kind, object, duplicateOf }) => ({
      summary: objectSummary(workspace, kind, object),
      duplicateOf,
    })),
  );
  return {
    stack: `${program.project}/${program.stack}`,
    inState: matches.filter(({ evidence }) => evidence === "state").length,
    found: matches
      .filter(({ evidence }) => evidence !== "state")
      .map(({ resource, object, evidence }) => ({
        urn: resource.urn,
        id: object.id,
        evidence,
      })),
    ambiguous: workspaces.flatMap((part) =>
      part.ambiguous.map(({ resource, kind, candidates }) => ({
        urn: resource.urn,
        candidates: candidates.map((one) =>
          objectSummary(part.workspace, kind, one),
        ),
      })),
    ),
    missing: workspaces.flatMap((part) =>
      part.missing.map(({ resource: { urn }, kind, renamed }) => ({
        urn,
        ...(renamed.length > 0 && {
          renamed: renamed.map((one) =>
            objectSummary(part.workspace, kind, one),
          ),
        }),
      })),
    ),
    undeclared: left
      .filter(({ duplicateOf }) => !duplicateOf)
      .map(({ summary }) => summary),
    duplicates: left.flatMap(({ summary, duplicateOf }) => {
      if (!duplicateOf) return [];
      const { resource, object } = duplicateOf;
      return [{ ...summary, of: { urn: resource.urn, id: object.id } }];
    }),
    others: others.map(({ urn }) => urn),
  };
}

/** A recovery as text for a terminal of 80 columns; IDs and names are never cut. */
export function formatRecovery(summary: RecoverySummary): string {
  const { stack, inState, found, ambiguous, missing, duplicates } = summary;
  const declared = found.length + ambiguous.length + missing.length;
  const counts = [
    inState > 0 &&
      `${inState} ${inState === 1 ? "resource is" : "resources are"} in its state already.`,
    (declared > 0 || inState === 0) &&
      `${found.length} of ${declared}${inState > 0 ? " others" : " resources"} found in the workspace.`,
  ].filter(Boolean);
  const linesOf = (evidence: Evidence) =>
    found
      .filter((one) => one.evidence === evidence)
      .map(({ urn, id }) => [`${resourceLabel(urn)}: ${id}`]);
  const [first] = ambiguous;
  // After the choice of an environment, its contents may be found by their names.
  const renamed = first ? [] : missing.filter((one) => one.renamed);
  const listed = new Set(
    renamed.flatMap((one) => (one.renamed ?? []).map(({ id }) => id)),
  );
  const sections = [
    section(
      `Several objects fit these resources equally well. Choose one for each, such\nas --choose ${first ? nameOfUrn(first.urn) : ""}=ID; the others are then listed as duplicates.`,
      ambiguous.map(({ urn, candidates }) => [
        resourceLabel(urn),
        ...candidates.map(objectLine),
      ]),
    ),
    section(
      "Environments with another name than the program says, found by what is in\nthem. The next preview changes their names back:",
      linesOf("contents"),
    ),
    section(
      "Alike, and paired in the order in which they were made. Check which token is\nused where:",
      linesOf("position"),
    ),
    section(
      first
        ? "Declared, and not found so far. A choice of an environment may find what is in\nit:"
        : "Declared, and not in the workspace. The next pulumi up makes them:",
      missing
        .filter((one) => !renamed.includes(one))
        .map(({ urn }) => [resourceLabel(urn)]),
    ),
    section(
      "Declared, and not in the workspace under this name or address. If one of these\nobjects was renamed, choose it, such as " +
        `--choose ${nameOfUrn(renamed[0]?.urn ?? "")}=${renamed[0]?.renamed?.[0]?.id ?? ""}; otherwise\nthe next pulumi up makes another one, and these stay as they are:`,
      renamed.map(({ urn, renamed: candidates = [] }) => [
        resourceLabel(urn),
        ...candidates.map(objectLine),
      ]),
    ),
    // These lists are final only after the choices.
    ...(first
      ? []
      : [
          section(
            "In the workspace twice. No state has these, and each is like the object of\na resource. Delete those that nothing uses:",
            duplicates.map((one) => [
              objectLine(one),
              `like ${one.of.id} of ${resourceLabel(one.of.urn)}`,
            ]),
          ),
          section(
            "In the workspace, and not declared. They stay as they are:",
            summary.undeclared
              .filter(({ id }) => !listed.has(id))
              .map((one) => [objectLine(one)]),
          ),
        ]),
    section(
      "Resources of other packages, which are not recovered:",
      summary.others.map((urn) => [urn]),
    ),
  ];
  return [`Stack ${stack}\n${counts.join("\n")}\n`, ...sections].join("");
}

/** An object of a workspace, as reports list it. */
export function objectSummary(
  workspace: Workspace,
  kind: CloneKind,
  object: WorkspaceObject,
): ObjectSummary {
  const { definition } = kind;
  const place = environmentOf(workspace, kind, object);
  const environment =
    place === object.id
      ? undefined
      : workspace.environments.find(({ id }) => id === place)?.name;
  const { createdAt } = object.outputs;
  const { what = definition.singular } =
    definition.clone?.obstacle?.(object.outputs, []) ?? {};
  return {
    what,
    id: object.id,
    name: maskUrls(titleOf(workspace, kind, object)),
    region: workspace.region,
    ...(environment !== undefined && { environment }),
    ...(typeof createdAt === "string" && { createdAt }),
  };
}

/** An object in a line of text. */
export function objectLine({
  what,
  id,
  name,
  environment,
  region,
  createdAt,
}: ObjectSummary): string {
  const place = environment === undefined ? "" : ` in ${environment}`;
  const made = createdAt?.replace(/\.\d+Z$/, "Z");
  const time = made === undefined ? "" : `, made ${made}`;
  return `${what} ${id} ${name}${place} (${region})${time}`;
}

/** A heading and its items. All but the first line of an item are indented. */
function section(
  heading: string,
  items: readonly (readonly string[])[],
): string {
  if (items.length === 0) return "";
  const lines = items.flatMap(([first, ...others]) => [
    `  ${first}`,
    ...others.map((line) => `    ${line}`),
  ]);
  return `\n${heading}\n${lines.join("\n")}\n`;
}
