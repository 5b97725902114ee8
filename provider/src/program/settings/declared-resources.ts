import { setTimeout as sleep } from "node:timers/promises";
import { maskUrls } from "@devid/sdk";
import * as pulumi from "@pulumi/pulumi";
import type { z } from "zod";
import type {
  FoundObject,
  ResourceDefinition,
} from "../../definition/define-resource";
import { fieldMeta } from "../../definition/field";
import { runError } from "../program-errors";
import { knownValue, type OutputMembers } from "../pulumi-members";
import type { WorkspaceObjects } from "./workspace-objects";

/** A resource as the program declares it, with the arguments that stack config gives it. */
export interface DeclaredResource {
  readonly definition: ResourceDefinition;
  readonly name: string;
  readonly resource: object;
  readonly props: pulumi.Inputs;
  /** Whether the stack's state lacks it. */
  readonly isNew: () => Promise<boolean>;
  /** Whether stack config sets its name, its address or `adopt`. */
  readonly isSettled: boolean;
}

/** A new resource, and the existing objects that equal it. */
export interface ObjectInTheWay {
  readonly declared: DeclaredResource;
  readonly found: readonly FoundObject[];
}

const ENVIRONMENT = "Environment";

/** The argument of a rule set that lets it replace the rules of its environment. */
export const TAKE_OVER = "takeOver";

/** The environment of a resource does not exist yet: the program makes it. */
const NOT_THERE = Symbol("an environment that does not exist");

const ANY = Symbol("any environment");

/** The resources of a program, compared with what its workspace already has. */
export class DeclaredResources {
  readonly #all: DeclaredResource[] = [];

  /**
   * @param objects is called when the workspace is first asked
   * @param options `isWaitedFor`: resources wait for the answers, so the answers must
   * not wait for resources
   */
  constructor(
    private readonly objects: () => Promise<WorkspaceObjects>,
    private readonly options: { readonly isWaitedFor?: boolean } = {},
  ) {}

  add(declared: DeclaredResource): void {
    this.#all.push(declared);
  }

  /**
   * The ID of the environment with a name: one that the program declares, by its name
   * or that of its resource, or else one of the workspace.
   * @throws RunError where there is none, or several
   */
  async environmentId(name: string): Promise<pulumi.Input<string>> {
    for (const { definition, name: own, resource, props } of this.#all)
      if (
        definition.kind === ENVIRONMENT &&
        (own === name || (await this.#known(props.name)) === name)
      )
        return (resource as pulumi.CustomResource).id;
    const all = await (await this.objects()).environments();
    const [only, ...others] = all.filter((one) => one.name === name);
    if (only && others.length === 0) return only.id;
    const listed = all.map((one) => `${one.name} (${one.id})`).join(", ");
    throw runError(
      `The settings of stack config name the environment ${name}, but ${only ? `the workspace has ${others.length + 1} of that name` : "neither the program nor the workspace has one"}. The workspace has ${listed}.`,
    );
  }

  /** Whether the state has none of them. */
  async areAllNew(): Promise<boolean> {
    const news = await Promise.all(this.#all.map(({ isNew }) => isNew()));
    return news.every(Boolean);
  }

  /** New resources that the workspace already has, unless stack config settles them. */
  async inTheWay(): Promise<ObjectInTheWay[]> {
    const all = await Promise.all(
      this.#all.map(async (declared) => ({
        declared,
        found: await this.#unsettled(declared),
      })),
    );
    return all.filter(({ found }) => found.length > 0);
  }

  /**
   * The object that a new resource takes over. It has the same name or address, and the
   * same fields that no update can change.
   * @throws RunError where there are several
   */
  async toAdopt(
    declared: DeclaredResource,
  ): Promise<{ id: string } | undefined> {
    if (!(await declared.isNew())) return undefined;
    const found = await this.#found(declared);
    const [only] = found;
    if (!only || found.length === 1) return only && { id: only.id };
    const { definition, name } = declared;
    throw runError(
      `${definition.kind} ${name} cannot adopt by name, because the workspace has ${found.length} such objects: ${found.map(({ id }) => id).join(", ")}.\n` +
        `Say which one, or delete the others: pulumi config set --path settings.${definition.kind}.${name}.adopt.id ${only.id}`,
    );
  }

  /** Whether a resource is new, and the workspace already has an object like it. */
  async isInTheWay(declared: DeclaredResource): Promise<boolean> {
    return (await declared.isNew()) && (await this.#found(declared)).length > 0;
  }

  async #unsettled(
    declared: DeclaredResource,
  ): Promise<readonly FoundObject[]> {
    const { isSettled, isNew, props } = declared;
    const isTaken = props.adopt !== undefined || props[TAKE_OVER] === true;
    const isAsked = !isSettled && !isTaken && (await isNew());
    return isAsked ? this.#found(declared) : [];
  }

  async #found(declared: DeclaredResource): Promise<readonly FoundObject[]> {
    const { definition, props } = declared;
    const { adoption } = definition;
    if (!adoption)
      return TAKE_OVER in definition.inputs.shape
        ? this.#inPlace(declared)
        : [];
    const title = await this.#known(props[adoption.by]);
    if (typeof title !== "string") return [];
    const objects = await this.objects();
    const named = (await objects.unmanaged(definition)).filter(
      ({ outputs }) => outputs[adoption.by] === title,
    );
    if (named.length === 0) return [];
    const fixed = await this.#fixed(declared, objects);
    return named.filter(({ outputs }) =>
      fixed.every(
        ([input, value]) => value === ANY || outputs[input] === value,
      ),
    );
  }

  /**
   * The existing object in the environment of a resource, for a kind that exists once
   * in each environment.
   */
  async #inPlace({
    definition,
    props,
  }: DeclaredResource): Promise<readonly FoundObject[]> {
    const objects = await this.objects();
    const place = await this.#place(definition, props, "environment", objects);
    return (await objects.unmanaged(definition)).filter(
      ({ id }) => id === place,
    );
  }

  #fixed(
    { definition, props }: DeclaredResource,
    objects: WorkspaceObjects,
  ): Promise<(readonly [string, unknown])[]> {
    const fields = Object.entries(definition.inputs.shape).filter(
      ([, field]) => {
        const { immutable, local } = fieldMeta(field as z.ZodType);
        return immutable && !local;
      },
    );
    return Promise.all(
      fields.map(async ([input, field]) => {
        const isPlace = fieldMeta(field as z.ZodType).references !== undefined;
        const value = isPlace
          ? await this.#place(definition, props, input, objects)
          : ((await this.#known(props[input])) ?? ANY);
        return [input, value] as const;
      }),
    );
  }

  /** The ID of the environment that a resource is declared in; undefined for the whole workspace. */
  async #place(
    definition: ResourceDefinition,
    props: pulumi.Inputs,
    input: string,
    objects: WorkspaceObjects,
  ): Promise<unknown> {
    const given: unknown = props[input];
    if (given === undefined) {
      const type = await this.#known(props.type);
      return definition.clone?.inDefaultEnvironment?.({ ...props, type })
        ? objects.defaultEnvironment()
        : undefined;
    }
    // An environment that is to be made, or adopted, has no known ID in a preview.
    const made = await this.#environmentBehind(given);
    if (made && (await made.isNew())) {
      const [only, ...others] = await this.#found(made);
      return only && others.length === 0 ? only.id : NOT_THERE;
    }
    return (await this.#known(given)) ?? ANY;
  }

  #known(value: unknown): Promise<unknown> {
    return this.options.isWaitedFor ? valueAtOnce(value) : knownValue(value);
  }

  async #environmentBehind(
    value: unknown,
  ): Promise<DeclaredResource | undefined> {
    if (!pulumi.Output.isInstance(value)) return undefined;
    const output = value as unknown as OutputMembers;
    const behind = this.options.isWaitedFor
      ? output.resources()
      : ((await output.allResources?.()) ?? new Set());
    return this.#all.find(
      ({ definition, resource }) =>
        definition.kind === ENVIRONMENT && behind.has(resource),
    );
  }
}

/** Longest wait for a value, because it may depend on a resource. */
const PATIENCE_MS = 1_000;

/** A value; undefined if it depends on a resource, or takes longer than a moment. */
async function valueAtOnce(value: unknown): Promise<unknown> {
  if (!pulumi.Output.isInstance(value)) return value;
  const { size } = (value as unknown as OutputMembers).resources();
  if (size > 0) return undefined;
  const isOver = new AbortController();
  const { signal } = isOver;
  const patience = sleep(PATIENCE_MS, undefined, { signal });
  return Promise.race([
    knownValue(value),
    patience.catch(() => undefined),
  ]).finally(() => isOver.abort());
}

/** How many objects a message names, at most. */
const MOST = 20;

/** The objects in the way, a line each; parts of an address that may be secret are masked. */
export function listInTheWay(all: readonly ObjectInTheWay[]): string[] {
  const lines = all.map(({ declared: { definition, name }, found }) => {
    const [first] = found;
    const title = maskUrls(definition.title(first?.outputs ?? {}));
    const ids = found.map(({ id }) => id).join(", ");
    const what = definition.adoption ? `"${title}" exists` : "is there already";
    return `  ${definition.kind} ${name}: ${what} (${ids})`;
  });
  const rest = lines.length - MOST;
  return rest > 0 ? [...lines.slice(0, MOST), `  and ${rest} more`] : lines;
}
