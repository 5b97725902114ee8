import { DevidError, maskUrls } from "@devid/sdk";
import { diffRules, type RuleSetDiff } from "@devid/rules";
import { z } from "zod";
import {
  changedFields,
  defaultOf,
  fieldMeta,
  fieldsMarked,
  readState,
  type Values,
} from "@devid/pulumi/definitions";
import {
  containsSecretText,
  containsUnknownText,
  ownerOf,
  type PreviewedResource,
  readPreview,
} from "@devid/pulumi/state";
import { kindNamed, KINDS, type CloneKind } from "../read/clone-kinds";
import type { ReadProgress } from "../read/read-workspace";
import {
  objectsOf,
  type Workspace,
  type WorkspaceObject,
} from "../read/workspace";
import type { Drift, DriftedResource, NotJudged } from "./drift";
import { objectSummary } from "./object-summary";
import { readProgramWorkspaces, type StackConfig } from "./program-workspaces";

/** The members of the output of `pulumi stack export` that are used here. */
export const StackDeployment = z.object({
  deployment: z.object({
    resources: z.array(z.object({ id: z.string().optional() })).optional(),
  }),
});
export type StackDeployment = z.output<typeof StackDeployment>;

/** The input of `findDrift`. */
export interface DriftInput {
  /** The output of `pulumi preview --json --show-sames`, with a refresh or without. */
  readonly preview: string;
  /** Name of the preview in error messages: `preview.json`. */
  readonly name: string;
  /** Stack config, if known. All other settings come from environment variables. */
  readonly stackConfig?: StackConfig;
  /** States of other stacks with objects in the same workspaces. */
  readonly otherStates?: readonly StackDeployment[];
  /** IDs of objects that are meant to be in no state. */
  readonly allowed?: readonly string[];
  readonly onProgress?: (progress: ReadProgress) => void;
}

/** The drift of a stack cannot be found. */
export class DriftError extends DevidError {
  override readonly name = "DriftError";
}

interface OwnResource extends PreviewedResource {
  readonly cloneKind: CloneKind;
}

/**
 * Finds how a stack, its program and its workspaces differ. It reads only: a list call
 * for each kind and workspace. The objects are compared with the state, and the state
 * with the program, so that a change in the workspace is reported even if a guard of a
 * rule set would refuse to undo it.
 * @throws DriftError; FailedPreviewError, UnreadablePreviewError,
 * ConfigurationError and the errors of the client
 */
export async function findDrift(input: DriftInput): Promise<Drift> {
  const { preview: text, name, otherStates = [], allowed = [] } = input;
  const preview = readPreview(text, name);
  if (preview.hidesSames)
    throw new DriftError(
      `The preview ${name} leaves out the resources that stay as they are, so their objects would be taken for ones of nobody. Make it with pulumi preview --json --show-sames.`,
    );
  const own = preview.resources.flatMap((resource): OwnResource[] => {
    const cloneKind = kindNamed(resource.kind);
    return cloneKind ? [{ ...resource, cloneKind }] : [];
  });
  if (own.length === 0)
    throw new DriftError(
      `The preview ${name} shows no resource of devid, so it does not say which workspace to look at.`,
    );
  const workspaceOf = await readProgramWorkspaces(
    preview,
    input.stackConfig,
    input.onProgress,
  );
  const touched = new Set<Workspace>();
  const judgements = own.flatMap((resource) => {
    const workspace = workspaceOf(resource);
    if (workspace) touched.add(workspace);
    return judge(resource, workspace) ?? [];
  });
  const known = new Set([
    ...own.flatMap(({ recorded }) => recorded?.id ?? []),
    ...otherStates.flatMap(idsIn),
    ...allowed,
  ]);
  return {
    stack: preview.stack ?? "",
    resources: judgements
      .filter((one) => "urn" in one)
      .toSorted((a, b) => (a.urn < b.urn ? -1 : 1)),
    unmanaged: [...touched].flatMap((workspace) =>
      // The part of an object has the ID of the object.
      KINDS.filter(({ partOf }) => !partOf).flatMap((kind) =>
        objectsOf(workspace, kind)
          .filter((object) => !known.has(object.id) && isMade(kind, object))
          .map((object) => objectSummary(workspace, kind, object)),
      ),
    ),
    notJudged: [
      ...[...touched].flatMap(({ region, unread }) =>
        unread.map(({ what, reason }) => ({
          what: `${what} (${region})`,
          reason,
        })),
      ),
      ...judgements.filter((one) => "reason" in one),
    ],
  };
}

/**
 * Compares a resource with its object. An object that equals the declared one is no
 * drift, even if the state is outdated.
 */
function judge(
  resource: OwnResource,
  workspace: Workspace | undefined,
): DriftedResource | NotJudged | (DriftedResource | NotJudged)[] | undefined {
  const { urn, recorded, cloneKind, after } = resource;
  const what = `${cloneKind.kind} "${resource.name}"`;
  if (!hasReadableRules(cloneKind, [recorded?.outputs, after?.inputs]))
    return {
      what,
      reason: "The preview has its rules in a form that devid does not know.",
    };
  const drifted = (
    drift: DriftedResource["drift"],
    operation: DriftedResource["operation"],
    found: Differences,
  ): DriftedResource => {
    const id = recorded?.id;
    const named = { urn, resource: what, ...(id !== undefined && { id }) };
    return { ...named, drift, operation, ...found };
  };
  if (!recorded?.id)
    return drifted(
      "not deployed",
      "create",
      differences(cloneKind, {}, after?.inputs ?? {}, "program"),
    );
  const { id } = recorded;
  if (!workspace) {
    const owner = ownerOf(resource);
    const reason = owner
      ? `It is in the workspace in region ${owner.region} whose default environment is ${owner.workspace}, and none of the known keys is for that one. A preview hides a secret key of a devid.Provider: give it in DEVID_MANAGEMENT_KEY_${owner.region.toUpperCase()}.`
      : "No provider of the program says in which workspace it is.";
    return { what, reason };
  }
  // The report names the whole kind.
  if (workspace.unread.some(({ kind }) => kind === cloneKind.kind))
    return undefined;
  const object = objectsOf(workspace, cloneKind).find((one) => one.id === id);
  const found = object ?? emptyRuleSet(workspace, cloneKind, id);
  if (!found)
    return after ? drifted("deleted", "create", NO_DIFFERENCE) : undefined;
  const { definition } = cloneKind;
  const last = recorded.outputs;
  const state = readState(definition, found.outputs, last, undefined);
  const changed = differences(cloneKind, last, state, "object");
  if (!after)
    return isAny(changed)
      ? drifted("changed", "delete", changed)
      : drifted("not deployed", "delete", NO_DIFFERENCE);
  const planned =
    resource.operation === "replace" ? ("replace" as const) : "update";
  const toDeploy = differences(cloneKind, state, after.inputs, "program");
  // For a secret, the preview says only that it differs.
  const isSame =
    !containsSecretText(after.inputs) || resource.operation === "same";
  const judged = isAny(toDeploy)
    ? isAny(changed)
      ? drifted("changed", planned, changed)
      : drifted("not deployed", planned, toDeploy)
    : isSame
      ? []
      : drifted("not deployed", planned, NO_DIFFERENCE);
  const notShown = UNSHOWN.flatMap(({ isSo, unless, verb, why }) => {
    const expected = fieldsMarked(definition.inputs, unless);
    const names = Object.entries(after.inputs)
      .filter(([name, value]) => isSo(value) && !expected.includes(name))
      .map(([name]) => name);
    const reason = `The preview ${verb} ${names.join(", ")}, ${why}.`;
    return names.length === 0 ? [] : [{ what, reason }];
  });
  return [judged, notShown].flat();
}

/** What a preview does not show of an input, unless its field has a mark. */
const UNSHOWN = [
  {
    isSo: containsSecretText,
    unless: "secret",
    verb: "hides",
    why: "which the program makes a secret",
  },
  {
    isSo: containsUnknownText,
    unless: "local",
    verb: "does not have",
    why: "which only a deployment makes known",
  },
] as const;

const NO_DIFFERENCE: Differences = { properties: [] };

const isAny = ({ properties, rules }: Differences) =>
  properties.length > 0 || rules !== undefined;

type Differences = Pick<DriftedResource, "properties" | "rules">;

/**
 * The inputs whose values differ in the service. Inputs that only the state has and
 * secrets, which no preview shows, are left out.
 */
function differences(
  { definition }: CloneKind,
  before: Values,
  after: Values,
  as: "program" | "object",
): Differences {
  const { inputs, clone } = definition;
  let rules: RuleSetDiff | undefined;
  const changed = changedFields(inputs, before, after, as);
  const properties = changed.flatMap(({ name, before: was, after: given }) => {
    const field = inputs.shape[name] as z.ZodType;
    const { local, secret } = fieldMeta(field);
    if (local || secret) return [];
    const is = given ?? defaultOf(field);
    // Neither a secret nor a value that is not known yet can be compared.
    if ([was, is].some((value) => isHidden(value))) return [];
    const file = clone?.ruleFile;
    if (file && name === "rules") {
      const inOrder = (value: unknown) =>
        file.rules(value === undefined ? {} : { rules: value });
      rules = diffRules(inOrder(was), inOrder(is));
      return [];
    }
    return [
      {
        name,
        ...(was !== undefined && { before: shown(was) }),
        ...(is !== undefined && { after: shown(is) }),
      },
    ];
  });
  return { properties, ...(rules && { rules }) };
}

const isHidden = (value: unknown) =>
  containsSecretText(value) || containsUnknownText(value);

/** Whether the rules in a preview have the form of rules: a state may be edited by hand. */
function hasReadableRules(
  { definition }: CloneKind,
  values: readonly (Values | undefined)[],
): boolean {
  const file = definition.clone?.ruleFile;
  if (!file) return true;
  const field = definition.inputs.shape.rules as z.ZodType;
  try {
    for (const rules of values.map((each) => each?.rules))
      if (rules !== undefined && !isHidden(rules))
        file.rules({ rules: field.parse(rules) });
    return true;
  } catch {
    return false;
  }
}

const shown = (value: unknown) => maskUrls(JSON.stringify(value));

/** The service lists no rule set for an environment without rules. */
function emptyRuleSet(
  { environments }: Workspace,
  { definition }: CloneKind,
  id: string,
): WorkspaceObject | undefined {
  const isThere =
    definition.clone?.ruleFile && environments.some((one) => one.id === id);
  return isThere
    ? { id, outputs: { environment: id, environmentId: id, rules: {} } }
    : undefined;
}

/**
 * Whether somebody made an object. Each environment has an encryption key from the
 * start, so a key counts only while it is enabled.
 */
function isMade({ definition }: CloneKind, { outputs }: WorkspaceObject) {
  const isFromStart =
    definition.onePerEnvironment !== undefined &&
    definition.clone?.ruleFile === undefined;
  return !isFromStart || outputs.status === "enabled";
}

const idsIn = ({ deployment }: StackDeployment): string[] =>
  (deployment.resources ?? []).flatMap(({ id }) => id ?? []);
