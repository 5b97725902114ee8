import { isDeepStrictEqual } from "node:util";
import { maskUrls, type Configuration } from "@devid/sdk";
import type { z } from "zod";
import {
  checkInputs,
  defaultOf,
  fieldMeta,
  fieldsMarked,
  newValues,
  type ResourceDefinition,
  stateOf,
  type Values,
} from "@devid/pulumi/definitions";
import {
  ENVIRONMENT,
  kindNamed,
  KINDS,
  RULES,
  type CloneKind,
} from "../read/clone-kinds";
import type { Selection } from "../read/selection";
import {
  environmentOf,
  objectsOf,
  titleOf,
  type WorkspaceObject,
} from "../read/workspace";
import {
  DeclaredRules,
  EnvironmentName,
  NewValue,
  type DeclaredValue,
} from "./declared-value";
import {
  References,
  type KeptNames,
  type LookedUpEnvironment,
} from "./references";
import { fileNameOf, type ResourceName } from "./resource-names";
import { secretOutputs, type SecretOutput } from "./secret-outputs";

/** A resource of the written program, and its state after it was taken over. */
export interface DeclaredResource extends ResourceName {
  readonly kind: string;
  /** Without arguments that have their default. */
  readonly args: Readonly<Record<string, DeclaredValue>>;
  readonly id: string;
  /** Its name or address in the service. */
  readonly title: string;
  /** ID of its environment; absent for an object of the whole workspace. */
  readonly environment?: string;
  /** The whole state, without secrets. */
  readonly state: Values;
}

/** An object of the workspace that the written program does not declare. */
export interface LeftOut {
  readonly kind: string;
  readonly what: string;
  readonly id: string;
  /** Its name or address; parts of an address that may be secret are masked. */
  readonly name: string;
  /** Why it is left out: the end of a sentence. */
  readonly reason: string;
  /** What to do about all objects that are left out for this reason: Markdown. */
  readonly advice?: string;
}

/** The contents of a program that declares a workspace. */
export interface DeclaredWorkspace {
  /** Ordered by kind, so that each resource comes after those that it refers to. */
  readonly resources: readonly DeclaredResource[];
  readonly ruleSets: readonly DeclaredRules[];
  readonly lookedUp: readonly LookedUpEnvironment[];
  /** The stack outputs, in the order of the resources. */
  readonly outputs: readonly SecretOutput<DeclaredResource>[];
  readonly leftOut: readonly LeftOut[];
}

/**
 * Turns the chosen objects of a workspace into resources. An object that the
 * provider would refuse is left out, with the reason.
 * @param kept the names that objects keep from an earlier export
 */
export function declareWorkspace(
  selection: Selection,
  configuration: Configuration,
  kept?: KeptNames,
): DeclaredWorkspace {
  const { workspace } = selection;
  const references = new References(selection, kept);
  const resources: DeclaredResource[] = [];
  const ruleSets: DeclaredRules[] = [];
  const leftOut: LeftOut[] = [];
  for (const kind of KINDS) {
    const objects = objectsOf(workspace, kind);
    const outputs = objects.map((object) => object.outputs);
    const { definition } = kind;
    for (const object of objects) {
      const program = inputsOf(selection, kind, object);
      const { reason, what, advice } = definition.obstacle?.(
        object.outputs,
        outputs,
      ) ?? {
        reason: refusal(definition, program, object.outputs, configuration),
      };
      const title = titleOf(workspace, kind, object);
      if (reason === undefined) {
        references.declare(kind.kind, object.id);
        resources.push(
          declared(selection, references, { kind, object, title, program }),
        );
      } else
        leftOut.push({
          kind: kind.kind,
          what: what ?? definition.singular,
          id: object.id,
          name: maskUrls(title),
          reason: maskUrls(reason),
          ...(advice !== undefined && { advice }),
        });
      const rules = rulesOf(references, kind, object);
      if (rules && reason === undefined) ruleSets.push(rules);
    }
  }
  const outputs = secretOutputs(resources, (environment) =>
    selection.only
      ? undefined
      : references.nameOf(ENVIRONMENT, environment).name,
  );
  const { lookedUp } = references;
  return { resources, ruleSets, lookedUp, outputs, leftOut };
}

/**
 * The inputs that declare an object, in the form of a program: outputs that are also
 * inputs, that are not secret, and that the service stores.
 */
function inputsOf(
  { workspace, only }: Selection,
  kind: CloneKind,
  object: WorkspaceObject,
): Values {
  const { definition, environmentInput } = kind;
  const { outputs } = object;
  const shape: Readonly<Record<string, z.ZodType>> = definition.inputs.shape;
  // The default environment is named only if stack config can replace the environment
  // of the whole program.
  const isUnnamed =
    only === undefined &&
    definition.inDefaultEnvironment?.(outputs) === true &&
    environmentOf(workspace, kind, object) === workspace.defaultEnvironment.id;
  const known = Object.entries(shape).filter(
    ([name, field]) =>
      outputs[name] !== undefined &&
      !fieldMeta(field).local &&
      !(isUnnamed && name === environmentInput),
  );
  const inputs = Object.fromEntries(
    known.map(([name]) => [name, outputs[name]]),
  );
  return definition.denormalize?.(inputs) ?? inputs;
}

/** Why the provider would refuse an object; undefined if it would not. */
function refusal(
  definition: ResourceDefinition,
  program: Values,
  outputs: Values,
  configuration: Configuration,
): string | undefined {
  const { values, failures } = checkInputs(definition.inputs, program, program);
  const secrets = fieldsMarked(definition.inputs, "secret");
  if (failures.length > 0)
    return failures
      .map(({ path, property, reason }) =>
        secrets.includes(String(path[0]))
          ? `${String(path[0])}: is a secret, which no export writes, and is required; declare it by hand`
          : `${definition.toInputPath?.(property, outputs) ?? property}: ${reason}${instead(program, path)}`,
      )
      .join(", ");
  const given = new Set(Object.keys(program));
  const context = { configuration, given, secrets: new Set<string>() };
  const found = definition.validate?.(values, context) ?? [];
  return found.length === 0
    ? undefined
    : found.map((f) => `${f.property}: ${f.reason}`).join(", ");
}

/** The refused text itself: `, and is "challenge"`. */
function instead(program: Values, path: readonly PropertyKey[]): string {
  const value = path.reduce<unknown>(
    (at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key],
    program,
  );
  return typeof value === "string" ? `, and is ${JSON.stringify(value)}` : "";
}

function declared(
  { workspace, only }: Selection,
  references: References,
  found: {
    readonly kind: CloneKind;
    readonly object: WorkspaceObject;
    readonly title: string;
    readonly program: Values;
  },
): DeclaredResource {
  const { kind, object, title, program } = found;
  const { definition } = kind;
  const { region, defaultEnvironment } = workspace;
  const { values: checked } = checkInputs(definition.inputs, program, program);
  const inputs = definition.normalize?.(checked) ?? checked;
  const unknownHere = newValues(definition.inputs, program);
  const computed = Object.fromEntries(
    Object.entries(object.outputs).filter(
      ([name]) => !(name in definition.inputs.shape),
    ),
  );
  // Not a random text, so that two exports of a workspace are the same.
  const claim = object.id;
  const owner = { region, workspace: defaultEnvironment.id, claim };
  const args: Record<string, DeclaredValue> = {};
  const rules = rulesOf(references, kind, object);
  const environment = environmentOf(workspace, kind, object);
  for (const [name, value] of Object.entries(program)) {
    const field = definition.inputs.shape[name] as z.ZodType;
    const { reference = name, output } = fieldMeta(field).copiedFrom ?? {};
    const to = kindNamed(kind.references.get(reference));
    const id = program[reference];
    if (isDeepStrictEqual(defaultOf(field), value)) continue;
    if (to && typeof id === "string" && typeof value === "string") {
      args[name] = references.to(to, id, output, value);
    } else if (rules && name === definition.fileInput?.inPlaceOf)
      args[name] = rules;
    else if (only && kind.kind === ENVIRONMENT && name === "name")
      args[name] = new EnvironmentName(title);
    else if (unknownHere.includes(name))
      args[name] = new NewValue(String(value));
    else args[name] = value as DeclaredValue;
  }
  return {
    kind: kind.kind,
    ...references.nameOf(kind.kind, object.id),
    id: object.id,
    title,
    ...(environment !== undefined && { environment }),
    args,
    state: stateOf(definition, { ...inputs, ...computed }, owner),
  };
}

/** The rules of an object; undefined for an object of another kind than rule sets. */
function rulesOf(
  references: References,
  { kind, definition }: CloneKind,
  { id, outputs }: WorkspaceObject,
): DeclaredRules | undefined {
  const ruleFile = definition.clone?.ruleFile;
  if (!ruleFile) return undefined;
  const { name } = references.nameOf(kind, id);
  const path = `${RULES}/${fileNameOf(name)}.yaml`;
  return new DeclaredRules(ruleFile.rules(outputs), ruleFile.argument, path);
}
