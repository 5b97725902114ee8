import {
  createClient,
  optionsFromEnvironment,
  type Client,
  type Environment,
} from "@devid/sdk";
import * as pulumi from "@pulumi/pulumi";
import type {
  FoundObject,
  ResourceDefinition,
} from "../../definition/define-resource";
import { everyItem } from "../../session/answers";
import { settingSources } from "../../definition/setting-sources";
import { pluginType, resourceType } from "../../definition/engine-names";
import { stackState, type StackState } from "../stack-state";

type KnownState = Pick<StackState, "ofType">;

/**
 * What the workspace of a stack has at the start of the program. Each kind is
 * listed once, when it is first asked for.
 */
export class WorkspaceObjects {
  readonly #lists = new Map<string, Promise<readonly FoundObject[]>>();
  #environments: Promise<readonly Environment[]> | undefined;

  constructor(
    readonly client: Client,
    private readonly state: KnownState,
  ) {}

  /**
   * The workspace that stack config and the environment name.
   * @returns undefined where the stack's state cannot be read
   * @throws ConfigurationError
   */
  static async ofStack(): Promise<WorkspaceObjects | undefined> {
    const state = await stackState();
    if (!state) return undefined;
    const settings = pulumi.runtime.allConfig() as Record<
      string,
      string | undefined
    >;
    const sources = settingSources((key) => settings[key]);
    return new WorkspaceObjects(
      createClient(optionsFromEnvironment(sources)),
      state,
    );
  }

  /** All environments, oldest first. */
  environments(): Promise<readonly Environment[]> {
    return (this.#environments ??= everyItem(
      this.client.environments.listAll(),
    ));
  }

  /** The ID of the default environment, which identifies the workspace. */
  async defaultEnvironment(): Promise<string | undefined> {
    const all = [...(await this.environments())];
    return this.client.environments.defaultOf(all)?.id;
  }

  /** The objects of a kind that a program could have made, and that the stack's state does not have. */
  unmanaged(definition: ResourceDefinition): Promise<readonly FoundObject[]> {
    const { kind } = definition;
    const list = this.#lists.get(kind) ?? this.#unmanaged(definition);
    this.#lists.set(kind, list);
    return list;
  }

  async #unmanaged(
    definition: ResourceDefinition,
  ): Promise<readonly FoundObject[]> {
    const { kind, clone } = definition;
    const all = await everyItem(definition.list(this.client));
    const outputsOfAll = all.map(({ outputs }) => outputs);
    // No program can have made the default environment.
    const first =
      kind === "Environment" ? await this.defaultEnvironment() : undefined;
    // The engine does not tell the IDs of the state's resources.
    const signOf = (outputs: Record<string, unknown>) =>
      JSON.stringify([definition.title(outputs), outputs.createdAt]);
    const inState = [resourceType(kind), pluginType(kind)]
      .flatMap((type) => [...this.state.ofType(type).values()])
      .map(signOf);
    return all.filter(({ id, outputs }) => {
      const at = inState.indexOf(signOf(outputs));
      if (at !== -1) inState.splice(at, 1);
      return (
        at === -1 && id !== first && !clone?.obstacle?.(outputs, outputsOfAll)
      );
    });
  }
}
