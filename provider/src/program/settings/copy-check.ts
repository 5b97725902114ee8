import { runError } from "../program-errors";
import {
  listInTheWay,
  type DeclaredResources,
  type ObjectInTheWay,
} from "./declared-resources";
import type { WorkspaceObjects } from "./workspace-objects";

/** The workspace that a program was exported from. */
export interface ExportedFrom {
  /** ID of its default environment. */
  readonly workspace: string;
  /** The only environment of the program; stack config can name another environment. */
  readonly environment?: string;
}

/** What a check for copies needs to know of the program. */
export interface CopyFacts {
  readonly declared: Pick<DeclaredResources, "areAllNew" | "inTheWay">;
  readonly objects: () => Promise<WorkspaceObjects>;
  /**
   * Stack config, which names the environment of a program for a single environment.
   */
  readonly setting: (name: string) => string | undefined;
  readonly exportedFrom?: ExportedFrom | undefined;
  /** Whether new resources adopt objects with their name or address. */
  readonly adopt?: "byName" | undefined;
}

/** The setting that names the environment of a program that was exported from a single one. */
const ENVIRONMENT_NAME = "environmentName";

/**
 * Looks for objects that the program would make a second time.
 * @returns a warning that names them, for another workspace than that of the export
 * @throws RunError where a new stack would copy the workspace into itself
 */
export async function checkCopy(facts: CopyFacts): Promise<string | undefined> {
  if (isExpected(facts)) return undefined;
  await refuseCopyInPlace(facts);
  const inTheWay = await facts.declared.inTheWay();
  if (inTheWay.length === 0) return undefined;
  const { region } = (await facts.objects()).client.configuration;
  return describeExisting(inTheWay, region);
}

/**
 * Checks that a new stack does not copy the workspace of its export into itself. In
 * another workspace, this takes one list call. If the stack has any resource of the
 * program, it takes no call.
 * @throws RunError naming what would be made a second time
 */
export async function refuseCopyInPlace(facts: CopyFacts): Promise<void> {
  const { declared, objects, setting, exportedFrom } = facts;
  if (isExpected(facts) || !exportedFrom || !(await declared.areAllNew()))
    return;
  const here = await (await objects()).defaultEnvironment();
  if (here !== exportedFrom.workspace) return;
  const isUnnamed =
    exportedFrom.environment !== undefined &&
    setting(ENVIRONMENT_NAME) === undefined;
  // Rules have no name that a copy could change; the provider refuses to replace them.
  const named = (await declared.inTheWay()).filter(
    ({ declared: { definition } }) => definition.adoption,
  );
  if (named.length > 0 || isUnnamed)
    throw runError(describeCopyInPlace(named, exportedFrom, isUnnamed));
}

/**
 * While `devid drift` previews the program, the checks make no call
 * (`Session.isOffline`).
 */
const isExpected = ({ adopt }: CopyFacts) =>
  adopt !== undefined || process.env.DEVID_OFFLINE === "true";

function describeExisting(
  inTheWay: readonly ObjectInTheWay[],
  region: string,
): string {
  return [
    `The workspace in region ${region} already has what this stack would create, under the same name or address:`,
    ...listInTheWay(inTheWay),
    "Each would be created a second time, and rules would be refused. To adopt all of it instead:",
    "  pulumi config set --path settings.adopt byName",
  ].join("\n");
}

function describeCopyInPlace(
  inTheWay: readonly ObjectInTheWay[],
  { workspace, environment }: ExportedFrom,
  isUnnamed: boolean,
): string {
  // Under another name, the environment has none of what is in it.
  const asked = isUnnamed ? inTheWay.filter(isAnywhere) : inTheWay;
  // One command a kind is enough, that of the first such object.
  const kinds = new Map(
    asked
      .map(({ declared }) => [declared.definition.kind, declared] as const)
      .reverse(),
  );
  const settings = [...kinds.values()]
    .reverse()
    .filter(
      ({ definition }) => !(isUnnamed && definition.kind === "Environment"),
    )
    .map(({ definition: { kind, adoption }, name }) => {
      const value = adoption?.by === "url" ? "https://..." : '"Another name"';
      return `  pulumi config set --path settings.${kind}.${name}.${adoption?.by} ${value}`;
    });
  return [
    `This stack is new, and its program was exported from this very workspace (default environment ${workspace}), so it would create a second time what is there:`,
    ...listInTheWay(asked),
    ...(isUnnamed
      ? [
          `  the environment ${environment}, because ${ENVIRONMENT_NAME} is not set`,
        ]
      : []),
    "To manage what is there, import it first, as README.md of the export says.",
    "To create a copy beside it, give each object a name or address of its own:",
    ...(isUnnamed
      ? [`  pulumi config set ${ENVIRONMENT_NAME} "Another name"`]
      : []),
    ...settings,
  ].join("\n");
}

/**
 * Whether an object is in the way in any environment, because a webhook's address is
 * looked for everywhere.
 */
const isAnywhere = ({ declared }: ObjectInTheWay) =>
  declared.definition.adoption?.by === "url";
