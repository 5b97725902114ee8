import { isDeepStrictEqual } from "node:util";
import type { z } from "zod";
import { fieldMeta } from "@devid/pulumi/definitions";
import { ENVIRONMENT, KINDS, type CloneKind } from "../read/clone-kinds";
import {
  environmentOf,
  objectsOf,
  type Workspace,
  type WorkspaceObject,
} from "../read/workspace";
import type { ProgramResource } from "./previewed-program";

type Values = Readonly<Record<string, unknown>>;

/** Why a resource and an object belong together. */
export type Evidence =
  /** The state of the stack has the ID. */
  | "state"
  /** The user chose the object. */
  | "choice"
  /** No other object fits as well. */
  | "unique"
  /** A renamed environment with the objects that the program declares in it. */
  | "contents"
  /**
   * Several equal resources and the same number of equal objects are paired in their
   * order.
   */
  | "position";

/** A resource and its object. */
export interface Match {
  readonly resource: ProgramResource;
  readonly kind: CloneKind;
  readonly object: WorkspaceObject;
  readonly evidence: Evidence;
  /** The inputs of the resource, with the IDs of the objects that they refer to. */
  readonly inputs: Values;
}

/** A resource that several objects fit equally well. */
export interface AmbiguousResource {
  readonly resource: ProgramResource;
  readonly kind: CloneKind;
  /** In order of creation. */
  readonly candidates: readonly WorkspaceObject[];
}

/** A resource that no object fits. */
export interface MissingResource {
  readonly resource: ProgramResource;
  readonly kind: CloneKind;
  /**
   * Objects of no resource that fit except for their name or address. One may be the
   * renamed object of the resource.
   */
  readonly renamed: readonly WorkspaceObject[];
}

/** An object that no resource has. */
export interface UnclaimedObject {
  readonly kind: CloneKind;
  readonly object: WorkspaceObject;
  /**
   * The match of a resource that this object fits, too. The object may be a duplicate.
   */
  readonly duplicateOf?: Match;
}

/** The pairs of resources and objects, and the remaining resources and objects. */
export interface Matching {
  readonly matches: readonly Match[];
  readonly ambiguous: readonly AmbiguousResource[];
  readonly missing: readonly MissingResource[];
  readonly unclaimed: readonly UnclaimedObject[];
  /** Choices that cannot be followed. */
  readonly misfits: readonly Misfit[];
}

/** A chosen object that does not fit, because no update can change these fields. */
export interface Misfit {
  readonly resource: ProgramResource;
  readonly object: WorkspaceObject;
  readonly fields: readonly {
    readonly name: string;
    readonly declared: unknown;
    readonly found: unknown;
  }[];
}

/**
 * Finds the object of each resource, all of one workspace. Rule sets and encryption
 * keys are found by their environment. Other objects must have the declared name or
 * address, be in the declared environment, and have the declared values of immutable
 * fields; of several such objects, the object with most equal fields fits best. A
 * renamed environment is found by its contents. If two objects fit equally well, none
 * is taken.
 */
export function matchResources(
  workspace: Workspace,
  resources: readonly ProgramResource[],
  {
    inState = new Map(),
    chosen = new Map(),
  }: {
    /** IDs by URN, in the state of the stack and as the user chose. */
    readonly inState?: ReadonlyMap<string, string>;
    readonly chosen?: ReadonlyMap<string, string>;
  } = {},
): Matching {
  const matching = new Matcher(workspace, resources);
  for (const kind of KINDS) {
    matching.takeKnown(kind, inState, "state");
    matching.takeKnown(kind, chosen, "choice");
    matching.match(kind);
  }
  return matching.result();
}

/** How well an object fits a resource. Ranks are compared member by member. */
type Rank = readonly [place: number, contents: number, fields: number];

interface Candidate {
  readonly resource: ProgramResource;
  readonly object: WorkspaceObject;
  readonly rank: Rank;
}

class Matcher {
  readonly #matches = new Map<string, Match>();
  readonly #taken = new Set<string>();
  readonly #ambiguous: AmbiguousResource[] = [];
  readonly #misfits: Misfit[] = [];

  constructor(
    private readonly workspace: Workspace,
    private readonly resources: readonly ProgramResource[],
  ) {}

  takeKnown(
    kind: CloneKind,
    ids: ReadonlyMap<string, string>,
    evidence: Evidence,
  ): void {
    for (const resource of this.#left(kind)) {
      const id = ids.get(resource.urn);
      const object = objectsOf(this.workspace, kind).find(
        (one) => one.id === id,
      );
      if (!object) continue;
      const fields = this.#unchangeable(kind, resource, object);
      if (evidence === "choice" && fields.length > 0)
        this.#misfits.push({ resource, object, fields });
      this.#take(kind, resource, object, evidence);
    }
  }

  match(kind: CloneKind): void {
    this.#settle(kind, (resource, object) =>
      this.#rank(kind, resource, object, { needsTitle: true }),
    );
    // A renamed environment is found by its contents.
    if (kind.kind === ENVIRONMENT)
      this.#settle(
        kind,
        (resource, object) => {
          const rank = this.#rank(kind, resource, object, {
            needsTitle: false,
          });
          return rank && rank[1] > 0 ? rank : undefined;
        },
        "contents",
      );
  }

  result(): Matching {
    const open = new Set(this.#ambiguous.map(({ resource }) => resource.urn));
    const matches = [...this.#matches.values()];
    return {
      matches,
      misfits: this.#misfits,
      ambiguous: this.#ambiguous,
      missing: KINDS.flatMap((kind) =>
        this.#left(kind)
          .filter(({ urn }) => !open.has(urn))
          .map((resource) => ({
            resource,
            kind,
            renamed: kind.definition.adoption
              ? this.#free(kind).filter((object) =>
                  this.#rank(kind, resource, object, { needsTitle: false }),
                )
              : [],
          })),
      ),
      unclaimed: KINDS.filter(hasOwners).flatMap((kind) =>
        this.#free(kind).map((object) => {
          const duplicateOf = matches.find(
            (match) =>
              match.kind === kind &&
              this.#isLike(kind, match.resource, object, match.object),
          );
          return { kind, object, ...(duplicateOf && { duplicateOf }) };
        }),
      ),
    };
  }

  /**
   * Matches resources and objects that fit each other best, until only equally good
   * pairs are left.
   */
  #settle(
    kind: CloneKind,
    rankOf: (
      resource: ProgramResource,
      object: WorkspaceObject,
    ) => Rank | undefined,
    evidence: Evidence = "unique",
  ): void {
    const open = new Set(this.#ambiguous.map(({ resource }) => resource.urn));
    const outputs = objectsOf(this.workspace, kind).map((one) => one.outputs);
    const free = this.#free(kind).filter(
      (one) => !kind.definition.clone?.obstacle?.(one.outputs, outputs),
    );
    const all = this.#left(kind)
      .filter(({ urn }) => !open.has(urn))
      .flatMap((resource) =>
        free.flatMap((object): Candidate[] => {
          const rank = rankOf(resource, object);
          return rank ? [{ resource, object, rank }] : [];
        }),
      );
    for (;;) {
      const left = all.filter(
        ({ resource, object }) =>
          !this.#matches.has(resource.urn) && !this.#isTaken(kind, object),
      );
      const byResource = bestOf(left, ({ resource }) => resource.urn);
      const byObject = bestOf(left, ({ object }) => object.id);
      const best = left.filter(
        (one) =>
          isOnly(byResource.get(one.resource.urn), one) &&
          isOnly(byObject.get(one.object.id), one),
      );
      const pairs = best.length > 0 ? best : pairsInOrder(left, byResource);
      const why = best.length > 0 ? evidence : "position";
      for (const { resource, object } of pairs)
        this.#take(kind, resource, object, why);
      if (pairs.length > 0) continue;
      for (const candidates of byResource.values()) {
        const [first] = candidates;
        if (first)
          this.#ambiguous.push({
            resource: first.resource,
            kind,
            candidates: candidates.map(({ object }) => object),
          });
      }
      return;
    }
  }

  /** How well an object fits a resource; undefined if it does not fit. */
  #rank(
    kind: CloneKind,
    resource: ProgramResource,
    object: WorkspaceObject,
    { needsTitle }: { readonly needsTitle: boolean },
  ): Rank | undefined {
    const { definition } = kind;
    const inputs = this.#resolved(kind, resource);
    const by = definition.adoption?.by;
    const isHere = this.#isInPlace(kind, resource, object);
    if (isHere === false) return undefined;
    if (definition.clone?.onePerEnvironment !== undefined)
      return isHere ? [1, 0, 0] : undefined;
    const title = by && inputs[by];
    const isNamed = title !== undefined && title === object.outputs[by ?? ""];
    if (title !== undefined && !isNamed && needsTitle) return undefined;
    let equal = isNamed ? 1 : 0;
    if (this.#unchangeable(kind, resource, object).length > 0) return undefined;
    for (const [name, field] of fieldsOf(kind)) {
      if (fieldMeta(field).local || name === by) continue;
      if (isDeepStrictEqual(inputs[name], object.outputs[name])) equal += 1;
    }
    const contents =
      kind.kind === ENVIRONMENT ? this.#inCommon(resource, object.id) : 0;
    return [Number(isHere ?? false), contents, equal];
  }

  /** The fields that differ and that no update can change. */
  #unchangeable(
    kind: CloneKind,
    resource: ProgramResource,
    object: WorkspaceObject,
  ): Misfit["fields"] {
    const inputs = this.#resolved(kind, resource);
    return fieldsOf(kind).flatMap(([name, field]) => {
      const { immutable, local } = fieldMeta(field);
      const [declared, found] = [inputs[name], object.outputs[name]];
      const isFree = !immutable || local || declared === undefined;
      return isFree || isDeepStrictEqual(declared, found)
        ? []
        : [{ name, declared, found }];
    });
  }

  /**
   * Whether another object fits a resource as well as its own object, apart from fields
   * that an update can change.
   */
  #isLike(
    kind: CloneKind,
    resource: ProgramResource,
    object: WorkspaceObject,
    own: WorkspaceObject,
  ): boolean {
    const rank = this.#rank(kind, resource, object, { needsTitle: true });
    const by = kind.definition.adoption?.by;
    if (!rank || !by) return false;
    const place = (one: WorkspaceObject) =>
      kind.environmentInput && environmentOf(this.workspace, kind, one);
    return (
      object.outputs[by] === own.outputs[by] && place(object) === place(own)
    );
  }

  /**
   * Whether an object is in the declared environment of the resource; undefined if that
   * is not known. An environment that does not exist has no objects.
   */
  #isInPlace(
    kind: CloneKind,
    resource: ProgramResource,
    object: WorkspaceObject,
  ): boolean | undefined {
    const { environmentInput } = kind;
    if (environmentInput === undefined) return undefined;
    const inputs = this.#resolved(kind, resource);
    const isUnknown =
      !(environmentInput in inputs) &&
      (resource.unknown.has(environmentInput) ||
        resource.hidden.has(environmentInput));
    if (isUnknown)
      return resource.propertyDependencies[environmentInput]?.some(
        (urn) => this.#kindOf(urn) === ENVIRONMENT && !this.#matches.has(urn),
      )
        ? false
        : undefined;
    const { workspace } = this;
    const declared = { id: "", outputs: inputs };
    return (
      environmentOf(workspace, kind, declared) ===
      environmentOf(workspace, kind, object)
    );
  }

  /** The inputs of a resource, with the IDs of the objects found for its references. */
  #resolved(
    { references }: CloneKind,
    { inputs, unknown, propertyDependencies }: ProgramResource,
  ): Values {
    const resolved: Record<string, unknown> = { ...inputs };
    for (const [name, to] of references) {
      if (!unknown.has(name)) continue;
      const sources = (propertyDependencies[name] ?? []).filter(
        (urn) => this.#kindOf(urn) === to,
      );
      const [source, ...others] = sources;
      const id =
        source !== undefined && others.length === 0
          ? this.#matches.get(source)?.object.id
          : undefined;
      if (id !== undefined) resolved[name] = id;
    }
    return resolved;
  }

  /**
   * How many of the program's objects in a declared environment are in the environment
   * with this ID.
   */
  #inCommon(environment: ProgramResource, id: string): number {
    let count = 0;
    for (const kind of KINDS) {
      const { environmentInput, definition } = kind;
      const by = definition.adoption?.by;
      const ruleFile = definition.clone?.ruleFile;
      if (environmentInput === undefined || (!by && !ruleFile)) continue;
      const titles = ({ outputs }: { readonly outputs: Values }) =>
        ruleFile
          ? ruleFile.rules(outputs).map(({ name }) => name)
          : [outputs[by ?? ""]];
      const declared = this.resources.filter(
        (one) =>
          one.kind === kind.kind &&
          one.propertyDependencies[environmentInput]?.includes(environment.urn),
      );
      const found = objectsOf(this.workspace, kind).filter(
        (object) => environmentOf(this.workspace, kind, object) === id,
      );
      const there = new Set(found.flatMap(titles));
      count += declared
        .flatMap(({ inputs }) => titles({ outputs: inputs }))
        .filter((title) => title !== undefined && there.has(title)).length;
    }
    return count;
  }

  #kindOf(urn: string): string | undefined {
    return this.resources.find((one) => one.urn === urn)?.kind;
  }

  #take(
    kind: CloneKind,
    resource: ProgramResource,
    object: WorkspaceObject,
    evidence: Evidence,
  ): void {
    const inputs = this.#resolved(kind, resource);
    const match = { resource, kind, object, evidence, inputs };
    this.#matches.set(resource.urn, match);
    this.#taken.add(`${kind.kind} ${object.id}`);
  }

  #isTaken(kind: CloneKind, { id }: WorkspaceObject): boolean {
    return this.#taken.has(`${kind.kind} ${id}`);
  }

  /** The resources of a kind that have no object yet. */
  #left({ kind }: CloneKind): ProgramResource[] {
    return this.resources.filter(
      (one) => one.kind === kind && !this.#matches.has(one.urn),
    );
  }

  /** The objects of a kind that no resource has, in order of creation. */
  #free(kind: CloneKind): WorkspaceObject[] {
    return objectsOf(this.workspace, kind).filter(
      (object) => !this.#isTaken(kind, object),
    );
  }
}

const fieldsOf = ({ definition }: CloneKind) =>
  Object.entries(definition.inputs.shape) as [string, z.ZodType][];

/** False for a kind that exists in every environment from the start. */
const hasOwners = ({ definition: { clone } }: CloneKind) =>
  clone?.onePerEnvironment === undefined || clone.ruleFile !== undefined;

/** The candidates of the highest rank in each group. */
function bestOf(
  candidates: readonly Candidate[],
  groupOf: (candidate: Candidate) => string,
): ReadonlyMap<string, readonly Candidate[]> {
  const best = new Map<string, Candidate[]>();
  for (const one of candidates) {
    const group = best.get(groupOf(one));
    const order = group?.[0] ? compare(one.rank, group[0].rank) : 1;
    if (order > 0) best.set(groupOf(one), [one]);
    else if (order === 0) group?.push(one);
  }
  return best;
}

/** Any pairing is right if as many equal resources as equal objects are left. */
function pairsInOrder(
  left: readonly Candidate[],
  byResource: ReadonlyMap<string, readonly Candidate[]>,
): Candidate[] {
  for (const best of byResource.values()) {
    const ids = best.map(({ object }) => object.id);
    const alike = [...byResource.values()].filter((others) =>
      isDeepStrictEqual(
        others.map(({ object }) => object.id),
        ids,
      ),
    );
    const others = left.filter(
      ({ object, resource }) =>
        ids.includes(object.id) &&
        !alike.some(([one]) => one?.resource === resource),
    );
    if (alike.length === ids.length && others.length === 0)
      return alike.flatMap((candidates, index) => candidates[index] ?? []);
  }
  return [];
}

const isOnly = (best: readonly Candidate[] | undefined, one: Candidate) =>
  best?.length === 1 && best[0] === one;

function compare(a: Rank, b: Rank): number {
  for (const [index, value] of a.entries()) {
    const difference = value - (b[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
