import type { Environment } from "@devid/sdk";
import { Code } from "./code";
import { ResourceNames, type ResourceName } from "./resource-names";
import type { Selection } from "../read/selection";

/** An environment that a program refers to without declaring it. */
export interface LookedUpEnvironment extends ResourceName {
  readonly isDefault: boolean;
  /** Its name in the service, by which it is found. */
  readonly title: string;
}

/** What the environments of a workspace are called in a program, and how its resources refer to them. */
export class EnvironmentPlaces {
  readonly #names = new Map<string, ResourceName>();
  readonly #lookedUp = new Set<string>();

  constructor(private readonly selection: Selection) {
    const { environments, defaultEnvironment } = selection.workspace;
    const names = new ResourceNames("environment");
    this.#names.set(
      defaultEnvironment.id,
      names.add(defaultEnvironment.id, "default"),
    );
    for (const { id, name } of environments)
      if (id !== defaultEnvironment.id)
        this.#names.set(id, names.add(id, name));
  }

  /** @throws Error for an environment that the workspace does not have */
  nameOf(id: string): ResourceName {
    const name = this.#names.get(id);
    if (name) return name;
    throw new Error(
      `Something belongs to environment ${id}, which the workspace in region ${this.selection.workspace.region} does not list. Was it deleted meanwhile? Export again.`,
    );
  }

  isDefault(id: string | null | undefined): boolean {
    return id === this.selection.workspace.defaultEnvironment.id;
  }

  /**
   * A reference to an environment. What a resource gets when it names none need
   * not be referred to, unless the whole program can move to another environment.
   */
  reference(id: string, ifNoneIsNamed?: "default"): Code | undefined {
    const { identifier } = this.nameOf(id);
    const moves = this.selection.only !== undefined;
    if (ifNoneIsNamed && this.isDefault(id) && !moves) return undefined;
    if (!this.declared(id)) this.#lookedUp.add(id);
    return new Code(`environments.${identifier}.id`, id);
  }

  /** The name of a declared environment's resource. */
  declared(id: string): string | undefined {
    const isDeclared = this.selection.environments.some((e) => e.id === id);
    return isDeclared ? this.nameOf(id).name : undefined;
  }

  /** Environments that were referred to and are not declared. */
  get lookedUp(): LookedUpEnvironment[] {
    const isMeant = ({ id }: Environment) => this.#lookedUp.has(id);
    return this.selection.workspace.environments
      .filter(isMeant)
      .map(({ id, name }) => ({
        ...this.nameOf(id),
        isDefault: this.isDefault(id),
        title: name,
      }));
  }
}
