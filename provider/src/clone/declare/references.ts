import { ENVIRONMENT, type CloneKind } from "../read/clone-kinds";
import type { Selection } from "../read/selection";
import {
  environmentOf,
  objectsOf,
  titleOf,
  type WorkspaceObject,
} from "../read/workspace";
import { Code } from "./code";
import { ResourceNames, type ResourceName } from "./resource-names";

/** An environment that a program refers to without declaring it. */
export interface LookedUpEnvironment extends ResourceName {
  readonly isDefault: boolean;
  /** Its name in the service, by which it is found. */
  readonly title: string;
}

/** What the objects of a workspace are called in a program, and how its resources refer to each other. */
export class References {
  readonly #names = new Map<string, ReadonlyMap<string, ResourceName>>();
  readonly #declared = new Map<string, Set<string>>();
  readonly #lookedUp = new Set<string>();

  constructor(private readonly selection: Selection) {
    const { kinds, workspace } = selection;
    const environment = kinds.find(({ kind }) => kind === ENVIRONMENT);
    const aliases = this.#aliases();
    if (environment) {
      const names = new ResourceNames(wordOf(environment), aliases);
      const { id: defaultId } = workspace.defaultEnvironment;
      const all = [
        { id: defaultId, name: "default" },
        ...workspace.environments.filter(({ id }) => id !== defaultId),
      ];
      this.#names.set(
        ENVIRONMENT,
        new Map(all.map(({ id, name }) => [id, names.add(id, name)])),
      );
    }
    for (const kind of kinds) {
      if (kind === environment) continue;
      const names = new ResourceNames(wordOf(kind), aliases);
      const own = objectsOf(workspace, kind).map(
        (object) =>
          [object.id, names.add(object.id, this.#words(kind, object))] as const,
      );
      this.#names.set(kind.kind, new Map(own));
    }
  }

  /** What an object is called. @throws Error for one that the workspace does not have */
  nameOf(kind: string, id: string): ResourceName {
    const name = this.#names.get(kind)?.get(id);
    if (name) return name;
    throw new Error(
      `Something belongs to ${kind} ${id}, which the workspace in region ${this.selection.workspace.region} does not list. Was it deleted meanwhile? Export again.`,
    );
  }

  /** The program declares this object: others may refer to it. */
  declare(kind: string, id: string): void {
    const declared = this.#declared.get(kind) ?? new Set();
    this.#declared.set(kind, declared.add(id));
  }

  isDeclared(kind: string, id: string): boolean {
    return this.#declared.get(kind)?.has(id) ?? false;
  }

  /**
   * A reference to an object; its ID where the program does not declare it. An
   * environment that is not declared is looked up.
   */
  to(kind: CloneKind, id: string): Code | string {
    const isEnvironment = kind.kind === ENVIRONMENT;
    if (!isEnvironment && !this.isDeclared(kind.kind, id)) return id;
    const { identifier } = this.nameOf(kind.kind, id);
    if (!this.isDeclared(kind.kind, id)) this.#lookedUp.add(id);
    return new Code(`${kind.alias}.${identifier}.id`, id);
  }

  /** Environments that were referred to and are not declared. */
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

  /** What the program's files import others as. */
  #aliases(): readonly string[] {
    const { kinds } = this.selection;
    const meant = new Set(
      kinds.flatMap(({ references }) => [...references.values()]),
    );
    return kinds
      .filter(({ kind }) => meant.has(kind))
      .map(({ alias }) => alias);
  }

  /** What the name of an object's resource is made of. */
  #words(kind: CloneKind, object: WorkspaceObject): string {
    const { workspace } = this.selection;
    const { clone, adoption } = kind.definition;
    const place = environmentOf(workspace, kind, object);
    if (clone?.onePerEnvironment !== undefined && place !== undefined)
      return this.nameOf(ENVIRONMENT, place).name;
    const title = titleOf(workspace, kind, object);
    return adoption?.by === "url" ? addressWords(title) : title;
  }
}

/** What has no letter or digit in its name is called so. */
const wordOf = ({ definition }: CloneKind) =>
  definition.clone?.onePerEnvironment ??
  definition.singular.toLowerCase().replaceAll(" ", "-");

/** Host and path of an address as people read them; all of it where it is none. */
function addressWords(url: string): string {
  if (!URL.canParse(url)) return url;
  const { hostname, pathname } = new URL(url);
  try {
    return hostname + decodeURIComponent(pathname);
  } catch {
    return hostname + pathname;
  }
}
