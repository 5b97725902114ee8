import {
  pluginType,
  resourceType,
} from "../../provider/src/definition/engine-names";
import type { ResourceSpec } from "../../provider/src/program/resource-class";
import { RESOURCE_SPECS } from "../../provider/src/program/resources";
import {
  refuseOptions,
  toldOptions,
} from "../../provider/src/program/resource-options";
import { keyOfGeneration } from "../../provider/src/program/rotating-api-key";
import type { Kind as ResourceKind } from "../helpers/provider-host";
import type { Alias, Goal, Registered, RunProgram } from "./engine/goal";
import {
  secretValue,
  UNKNOWN_TEXT,
  type Properties,
} from "./engine/property-value";
import { urnOf } from "./engine/resource";
import { additionalSecretOutputs, dynamicProperties } from "./forms";
import type { Form } from "../helpers/program-form";

/** The kinds of resources, and a component that does nothing. */
export type Kind =
  | ResourceKind
  | "RotatingApiKey"
  | "Group"
  /** A data source. Nothing is registered. */
  | "DataSource";

/** The ID of another resource of the program, or a field of a data source's answer. */
export interface Reference {
  readonly ref: string;
  readonly field?: string;
}

/** The ID of an object that somebody made by hand, by its label in the story. */
export interface ObjectReference {
  readonly object: string;
}

/** One resource of a program. Other resources are named by their names. */
export interface Declaration {
  readonly name: string;
  readonly kind: Kind;
  readonly args: Properties;
  readonly parent?: string;
  /** Name of an explicit provider. */
  readonly provider?: string;
  /** Former names. */
  readonly aliases?: readonly { readonly name: string }[];
  readonly protect?: boolean;
  readonly retainOnDelete?: boolean;
  readonly deletedWith?: string;
  readonly ignoreChanges?: readonly string[];
  readonly replaceOnChanges?: readonly string[];
  readonly deleteBeforeReplace?: boolean;
}

/** A program: its resources in their order. */
export interface Program {
  readonly form: Form;
  readonly resources: readonly Declaration[];
}

/** The stack that runs a program, as the program sees it. */
export interface Place {
  readonly stack: string;
  /** URNs that the state had when the command began. */
  readonly inState: ReadonlySet<string>;
  idOf(label: string): string;
  /** Calls a data source. */
  ask(
    form: Form,
    name: string,
    args: Properties,
    provider: string,
  ): Promise<Properties>;
}

/** The result of a resource or a data source in a program. */
interface Result extends Registered {
  /** The URNs that the result depends on. */
  readonly urns: readonly string[];
}

/** The types of components. */
const COMPONENTS: Readonly<Partial<Record<Kind, string>>> = {
  Group: "simulation:index:Group",
  RotatingApiKey: "devid:index:RotatingApiKey",
};

/** Whether an object of the service belongs to each resource of a kind. */
const isCustomKind = (kind: Kind) => COMPONENTS[kind] === undefined;

/**
 * The resources that a declaration registers. A `RotatingApiKey` also registers its
 * keys.
 */
export function expanded(declaration: Declaration): Declaration[] {
  const { name, kind, args, ...options } = declaration;
  if (kind !== "RotatingApiKey") return [declaration];
  const { generations, ...ofKey } = args;
  const keys = (generations as readonly string[]).map(
    (generation): Declaration => ({
      name: keyOfGeneration(name, generation),
      kind: "ApiKey",
      args: { ...ofKey, name: `${String(args.name)} ${generation}` },
      parent: name,
    }),
  );
  return [{ name, kind, args: {}, ...options }, ...keys];
}

/** The type of a kind in the state. */
export const typeOf = (form: Form, kind: Kind): string =>
  COMPONENTS[kind] ??
  (form === "dynamic" ? resourceType(kind) : pluginType(kind));

/** The URN of a declared resource. */
export function urnOfDeclared(
  { form, resources }: Program,
  stack: string,
  name: string,
): string {
  const found = resources.find((one) => one.name === name);
  if (!found) throw new Error(`The program has no resource ${name}.`);
  const parent =
    found.parent === undefined
      ? undefined
      : urnOfDeclared({ form, resources }, stack, found.parent);
  return urnOf(stack, parent, typeOf(form, found.kind), name);
}

/** Names of the resources that a declaration refers to. */
export function namesUsedBy(declaration: Declaration): Set<string> {
  const { args, parent, deletedWith } = declaration;
  const names = new Set<string>();
  for (const value of Object.values(args))
    for (const name of referencesIn(value)) names.add(name);
  for (const name of [parent, deletedWith]) if (name) names.add(name);
  return names;
}

function referencesIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  if ("ref" in value) return [String(value.ref)];
  return Object.values(value).flatMap(referencesIn);
}

/**
 * Runs a program as a Node process does: all resources start at once, and wait for
 * their references.
 */
export function runProgram(program: Program, place: Place): RunProgram {
  return async (register) => {
    const results = new Map<string, Promise<Result>>();
    for (const declaration of program.resources) {
      const used = [...namesUsedBy(declaration)];
      const result = (async () => {
        const needed = await Promise.all(
          used.map(async (name): Promise<[string, Result]> => {
            const found = results.get(name);
            if (found) return [name, await found];
            throw new Error(`${declaration.name} uses ${name} before it is.`);
          }),
        );
        if (declaration.kind === "DataSource")
          return asked(program, declaration, new Map(needed), place);
        const made = await register(
          goalOf(program, declaration, new Map(needed), place),
        );
        return { ...made, urns: [made.urn] };
      })();
      results.set(declaration.name, result);
    }
    await Promise.all(results.values());
  };
}

/** The answer of a data source. Unknown if an argument is unknown. */
async function asked(
  { form }: Program,
  { args: { source, ...args }, provider = "" }: Declaration,
  needed: ReadonlyMap<string, Result>,
  place: Place,
): Promise<Result> {
  const urns: string[] = [];
  const given = resolved(args, needed, place, urns) as Properties;
  const nothing = { urn: "", id: UNKNOWN_TEXT, urns };
  if (Object.values(given).includes(UNKNOWN_TEXT))
    return { ...nothing, outputs: {} };
  const answer = await place.ask(form, String(source), given, provider);
  return { ...nothing, id: "", outputs: answer };
}

/** Replaces references in an argument by their values, and adds the URNs to `used`. */
function resolved(
  value: unknown,
  needed: ReadonlyMap<string, Result>,
  place: Place,
  used: string[],
): unknown {
  const next = (one: unknown) => resolved(one, needed, place, used);
  if (Array.isArray(value)) return value.map(next);
  if (typeof value !== "object" || value === null) return value;
  if ("ref" in value) {
    const { ref, field } = value as Reference;
    const found = needed.get(ref);
    if (found) used.push(...found.urns);
    if (field === undefined || found?.id === UNKNOWN_TEXT)
      return found?.id ?? UNKNOWN_TEXT;
    return found?.outputs[field];
  }
  if ("object" in value) return place.idOf(String(value.object));
  if ("secret" in value) return secretValue(next(value.secret));
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, next(member)]),
  );
}

function goalOf(
  program: Program,
  declaration: Declaration,
  needed: ReadonlyMap<string, Result>,
  place: Place,
): Goal {
  const { form } = program;
  const { name, kind, args } = declaration;
  const isCustom = isCustomKind(kind);
  // The plugin form stands for YAML and Python, whose resources have no class of ours.
  const spec = (RESOURCE_SPECS as Readonly<Record<string, ResourceSpec>>)[kind];
  if (spec && form === "dynamic")
    refuseOptions(spec, name, optionsOf(declaration));
  const parent = needed.get(declaration.parent ?? "")?.urn;
  const type = typeOf(form, kind);
  const other = typeOf(form === "dynamic" ? "plugin" : "dynamic", kind);
  const aliases: Alias[] = [
    ...(isCustom ? [{ type: other }] : []),
    ...(declaration.aliases ?? []).flatMap(({ name: old }): Alias[] => [
      { name: old },
      { name: old, type: other },
    ]),
  ];
  const urns = [
    urnOf(place.stack, parent, type, name),
    ...aliases.map((alias) =>
      urnOf(place.stack, parent, alias.type ?? type, alias.name ?? name),
    ),
  ];
  const isInState = urns.some((urn) => place.inState.has(urn));
  const propertyDependencies: Record<string, string[]> = {};
  const properties: Properties = {};
  for (const [key, value] of Object.entries(args)) {
    if (value === undefined || (key === "adopt" && isInState)) continue;
    const used: string[] = [];
    const given = resolved(value, needed, place, used);
    if (given === undefined) continue;
    properties[key] = given;
    if (used.length > 0) propertyDependencies[key] = used;
  }
  const secretInputs = Object.entries(args)
    .filter(([, value]) => holdsSecret(value))
    .map(([key]) => key);
  if (isCustom && form === "dynamic")
    Object.assign(
      properties,
      dynamicProperties(
        kind,
        secretInputs,
        urnOf(place.stack, parent, type, name),
      ),
    );
  if (isCustom) Object.assign(properties, toldOptions(optionsOf(declaration)));
  return {
    type,
    name,
    isCustom,
    parent,
    properties,
    dependencies: [...new Set(Object.values(propertyDependencies).flat())],
    propertyDependencies,
    provider: isCustom ? `${form}:${declaration.provider ?? ""}` : "",
    aliases,
    additionalSecretOutputs: isCustom
      ? additionalSecretOutputs(form, kind)
      : [],
    protect: declaration.protect ?? false,
    retainOnDelete: declaration.retainOnDelete ?? false,
    deletedWith: needed.get(declaration.deletedWith ?? "")?.urn,
    ignoreChanges: declaration.ignoreChanges ?? [],
    replaceOnChanges: declaration.replaceOnChanges ?? [],
    ...(declaration.deleteBeforeReplace !== undefined && {
      deleteBeforeReplace: declaration.deleteBeforeReplace,
    }),
  };
}

/** The options that the class of a dynamic resource sees. */
const optionsOf = ({
  deletedWith,
  replaceOnChanges = [],
  ignoreChanges = [],
}: Declaration) => ({
  ...(deletedWith !== undefined && { deletedWith: {} as never }),
  replaceOnChanges: [...replaceOnChanges],
  ignoreChanges: [...ignoreChanges],
});

function holdsSecret(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return "secret" in value || Object.values(value).some(holdsSecret);
}
