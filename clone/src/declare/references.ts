import { parseUrl } from "@devid/sdk/errors";
import { ENVIRONMENT, KINDS, type CloneKind } from "../read/clone-kinds";
import type { Selection } from "../read/selection";
import {
  ContradictoryListsError,
  environmentOf,
  objectsOf,
  titleOf,
  wholeOf,
  type WorkspaceObject,
} from "../read/workspace";
import { ObjectReference } from "./declared-value";
import { ResourceNames, type ResourceName } from "./resource-names";

/** An environment that the written program looks up instead of declaring it. */
export interface LookedUpEnvironment extends ResourceName {
  readonly isDefault: boolean;
  /** Its name in the service, by which the program finds it. */
  readonly title: string;
}

/** The names of resources by the kind and the ID of their objects. */
export type KeptNames = Readonly<
  Record<string, Readonly<Record<string, string>>>
>;

/** The names of objects in a written program, and the references between its resources. */
export class References {
  readonly #names = new Map<string, ReadonlyMap<string, ResourceName>>();
  readonly #declared = new Map<string, Set<string>>();
  readonly #lookedUp = new Set<string>();

  /** @param kept the names that objects keep from an earlier export */
  constructor(
    private readonly selection: Selection,
    kept: KeptNames = {},
  ) {
    const { environments, defaultEnvironment } = selection.workspace;
    const taken = this.#aliases();
    // The default environment comes first: no other one takes its name.
    const places = new Map([
      [defaultEnvironment.id, "default"],
      ...environments
        .filter(({ id }) => id !== defaultEnvironment.id)
        .map(({ id, name }) => [id, name] as const),
    ]);
    for (const kind of KINDS) {
      const words =
        kind.kind === ENVIRONMENT
          ? places
          : new Map(
              objectsOf(selection.workspace, kind).map((object) => [
                object.id,
                this.#words(kind, object),
              ]),
            );
      const own = Object.entries(kept[kind.kind] ?? {});
      const names = new ResourceNames(
        wordOf(kind),
        taken,
        new Map(own.filter(([id]) => words.has(id))),
      );
      const added = [...words].map(
        ([id, text]) => [id, names.add(id, text)] as const,
      );
      this.#names.set(kind.kind, new Map(added));
    }
  }

  /** The name of an object in the program. @throws ContradictoryListsError for an object that the workspace lacks */
  nameOf(kind: string, id: string): ResourceName {
    const name = this.#names.get(kind)?.get(id);
    if (name) return name;
    throw new ContradictoryListsError(
      `Something belongs to ${kind} ${id}, which the workspace in region ${this.selection.workspace.region} does not list. Was it deleted meanwhile? Export again.`,
    );
  }

  /** Records that the program declares an object, so that others can refer to it. */
  declare(kind: string, id: string): void {
    const declared = this.#declared.get(kind) ?? new Set();
    this.#declared.set(kind, declared.add(id));
  }

  isDeclared(kind: string, id: string): boolean {
    return this.#declared.get(kind)?.has(id) ?? false;
  }

  /**
   * An output of an object as a reference to the declared resource, or to an environment
   * that the program looks up; otherwise its value.
   */
  to(
    kind: CloneKind,
    id: string,
    output = "id",
    value = id,
  ): ObjectReference | string {
    const isEnvironment = kind.kind === ENVIRONMENT;
    if (!isEnvironment && !this.isDeclared(kind.kind, id)) return value;
    if (!this.isDeclared(kind.kind, id)) this.#lookedUp.add(id);
    return new ObjectReference(kind.kind, this.nameOf(kind.kind, id), output);
  }

  get lookedUp(): LookedUpEnvironment[] {
    const { environments, defaultEnvironment } = this.selection.workspace;
    return environments
      .filter(({ id }) => this.#lookedUp.has(id))
      .map(({ id, name }) => ({
        ...this.nameOf(ENVIRONMENT, id),
        isDefault: id === defaultEnvironment.id,
        title: name,
      }));
  }

  /** The names under which the program's files import each other. */
  #aliases(): readonly string[] {
    const meant = new Set(
      KINDS.flatMap(({ references }) => [...references.values()]),
    );
    return KINDS.filter(({ kind }) => meant.has(kind)).map(
      ({ alias }) => alias,
    );
  }

  /** The text from which the name of an object's resource is made. */
  #words(kind: CloneKind, object: WorkspaceObject): string {
    const { workspace } = this.selection;
    const { onePerEnvironment, adoption } = kind.definition;
    const place = environmentOf(workspace, kind, object);
    if (onePerEnvironment !== undefined && place !== undefined)
      return this.nameOf(ENVIRONMENT, place).name;
    const whole = wholeOf(workspace, kind, object);
    if (kind.partOf && whole)
      return this.nameOf(kind.partOf.kind.kind, whole.id).name;
    const title = titleOf(workspace, kind, object);
    return adoption?.by === "url" || kind.partOf ? addressWords(title) : title;
  }
}

/** The name of an object whose own name has neither a letter nor a digit. */
const wordOf = ({ definition }: CloneKind) =>
  definition.onePerEnvironment ??
  definition.singular.toLowerCase().replaceAll(" ", "-");

/** Host and path of an address in readable form; any other text as it is. */
function addressWords(url: string): string {
  const parsed = parseUrl(url);
  if (!parsed) return url;
  const { hostname, pathname } = parsed;
  try {
    return hostname + decodeURIComponent(pathname);
  } catch {
    return hostname + pathname;
  }
}
