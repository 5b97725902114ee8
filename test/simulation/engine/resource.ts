import { isSecretValue, secretValue, type Properties } from "./property-value";

/** What a program registers of a resource and the state keeps. */
export interface Registration {
  readonly type: string;
  readonly isCustom: boolean;
  parent: string | undefined;
  dependencies: string[];
  propertyDependencies: Record<string, string[]>;
  /** Empty for a component. */
  provider: string;
  additionalSecretOutputs: readonly string[];
  protect: boolean;
  retainOnDelete: boolean;
  deletedWith: string | undefined;
  ignoreChanges: readonly string[];
  replaceOnChanges: readonly string[];
}

/** The entry of a resource in a stack's state. */
export interface Resource extends Registration {
  readonly urn: string;
  /** Replaced, and waiting for its deletion. */
  isDeleted: boolean;
  /** Deleted, and waiting for its replacement. */
  isPendingReplacement: boolean;
  id: string;
  inputs: Properties;
  outputs: Properties;
  initErrors: string[];
}

/** A step that was begun and not ended. */
export interface PendingOperation {
  readonly urn: string;
  readonly type: "creating" | "updating" | "deleting";
}

/** The state of a stack. */
export interface Snapshot {
  readonly resources: readonly Resource[];
  readonly pending: readonly PendingOperation[];
}

/** The references of a resource, from a program or a state. */
export interface Needs {
  readonly dependencies: readonly string[];
  readonly propertyDependencies: Readonly<Record<string, readonly string[]>>;
  readonly deletedWith?: string | undefined;
  readonly parent?: string | undefined;
}

/** The URNs of all resources that a resource refers to, without its parent. */
export function dependencyUrns(resource: Needs): Set<string> {
  return new Set([
    ...resource.dependencies,
    ...Object.values(resource.propertyDependencies).flat(),
    ...(resource.deletedWith === undefined ? [] : [resource.deletedWith]),
  ]);
}

/**
 * The references of a resource to others, each URN replaced by its present one. Those to
 * resources that are no longer there are left out.
 */
export function referencesOf(
  one: Resource,
  now: (urn: string) => string | undefined,
) {
  const found = (urns: readonly (string | undefined)[]) =>
    urns.flatMap((urn) => (urn === undefined ? [] : (now(urn) ?? [])));
  return {
    parent: found([one.parent])[0],
    deletedWith: found([one.deletedWith])[0],
    dependencies: found(one.dependencies),
    propertyDependencies: Object.fromEntries(
      Object.entries(one.propertyDependencies).map(([name, urns]) => [
        name,
        found(urns),
      ]),
    ),
  };
}

/** A resource as it is after the resource with a URN has left the state. */
export const withoutReferencesTo = (one: Resource, gone: string): Resource => ({
  ...one,
  ...referencesOf(one, (urn) => (urn === gone ? undefined : urn)),
});

/** The resources of a state and their dependencies (pkg/resource/graph). */
export class DependencyGraph {
  readonly #index: Map<Resource, number>;

  constructor(private readonly resources: readonly Resource[]) {
    this.#index = new Map(resources.map((one, at) => [one, at]));
  }

  has(resource: Resource): boolean {
    return this.#index.has(resource);
  }

  /** Gives the result of a refresh the place of a resource. */
  alias(found: Resource, existing: Resource): void {
    this.#index.set(found, this.#index.get(existing) ?? -1);
  }

  /**
   * The resources that depend on a resource, directly or not, in the order of the
   * state.
   */
  dependingOn(
    resource: Resource,
    ignored: ReadonlySet<string>,
    { children }: { readonly children: boolean },
  ): Resource[] {
    const found: Resource[] = [];
    const urns = new Set([resource.urn]);
    const from = this.#index.get(resource) ?? -1;
    for (const candidate of this.resources.slice(from + 1)) {
      if (ignored.has(candidate.urn)) continue;
      const isChild =
        children &&
        candidate.parent !== undefined &&
        urns.has(candidate.parent);
      if (!isChild && !intersects(urns, dependencyUrns(candidate))) continue;
      found.push(candidate);
      urns.add(candidate.urn);
    }
    return found;
  }

  /** The resources that a resource directly depends on, with its parent. */
  dependenciesOf(resource: Resource): Set<Resource> {
    const urns = dependencyUrns(resource);
    const before = this.resources.slice(0, this.#index.get(resource) ?? 0);
    const found = new Set<Resource>();
    for (const candidate of before.toReversed()) {
      if (urns.has(candidate.urn)) {
        // It would need the children of the component, too.
        if (!candidate.isCustom)
          throw new Error(`${resource.urn} depends on a component.`);
        found.add(candidate);
      }
      if (candidate.urn === resource.parent) found.add(candidate);
    }
    return found;
  }

  /** The resources that a resource depends on, directly or not. */
  transitiveDependenciesOf(resource: Resource): Set<Resource> {
    const found = new Set<Resource>();
    const left = [resource];
    for (let next = left.pop(); next; next = left.pop())
      for (const dependency of this.dependenciesOf(next))
        if (!found.has(dependency)) {
          found.add(dependency);
          left.push(dependency);
        }
    return found;
  }
}

/** Removes references to missing resources. */
export function dropMissing(resources: readonly Resource[]): void {
  const referenceable = new Set<string>();
  for (const one of resources) {
    const left = (urn: string) => (referenceable.has(urn) ? urn : undefined);
    Object.assign(one, { ...referencesOf(one, left), parent: one.parent });
    referenceable.add(one.urn);
  }
  for (const one of resources)
    if (one.parent !== undefined && !referenceable.has(one.parent))
      one.parent = undefined;
}

const intersects = (a: ReadonlySet<string>, b: ReadonlySet<string>) =>
  [...b].some((one) => a.has(one));

/** The types in a URN, those of the parents first. */
export const typesOf = (urn: string): string => urn.split("::")[2] ?? "";

/** The URN of a resource. */
export function urnOf(
  stack: string,
  parent: string | undefined,
  type: string,
  name: string,
): string {
  const types = parent === undefined ? type : `${typesOf(parent)}$${type}`;
  return `urn:pulumi:${stack}::simulation::${types}::${name}`;
}

/**
 * Marks outputs as secret that the program declares as secret, or whose inputs are
 * secret.
 */
export function markSecrets({
  inputs,
  outputs,
  additionalSecretOutputs,
}: Resource): void {
  for (const [name, value] of Object.entries(outputs))
    if (
      !isSecretValue(value) &&
      (additionalSecretOutputs.includes(name) || isSecretValue(inputs[name]))
    )
      outputs[name] = secretValue(value);
}

/** The type of a resource, by its URN. */
export const ownType = (urn: string): string =>
  typesOf(urn).split("$").at(-1) ?? "";
