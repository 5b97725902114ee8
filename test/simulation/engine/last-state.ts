import { DependencyGraph, type Resource } from "./resource";

/** The resources of the last state. Steps may mark them as replaced. */
export class LastState {
  #resources: readonly Resource[] = [];
  #olds: ReadonlyMap<string, Resource> = new Map();
  #graph = new DependencyGraph([]);

  constructor(resources: readonly Resource[]) {
    this.replace(resources);
  }

  /** Replaces the resources by the resources that a refresh has found. */
  replace(resources: readonly Resource[]): void {
    this.#resources = resources;
    this.#olds = oldsOf(resources);
    this.#graph = new DependencyGraph(resources);
  }

  get resources(): readonly Resource[] {
    return this.#resources;
  }

  /** The resources by URN, without resources that wait for their deletion. */
  get olds(): ReadonlyMap<string, Resource> {
    return this.#olds;
  }

  get graph(): DependencyGraph {
    return this.#graph;
  }
}

const oldsOf = (resources: readonly Resource[]) =>
  new Map(
    resources
      .filter(({ isDeleted }) => !isDeleted)
      .map((one): [string, Resource] => [one.urn, one]),
  );
