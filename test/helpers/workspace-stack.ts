import { EngineStack } from "./engine-stack";
import { LocalWorkspace } from "./local-workspace";

/**
 * A local workspace and a stack of the engine over it, for `openForTests`. The
 * workspace has one environment for each of `places`, so that one engine run covers
 * several environments.
 */
export class WorkspaceStack<Place extends string = never> {
  readonly workspace = new LocalWorkspace();
  /** The IDs of the environments. */
  readonly environments = {} as Record<Place, string>;
  #stack: EngineStack | undefined;

  constructor(private readonly places: readonly Place[] = []) {}

  async open(): Promise<void> {
    const { workspace } = this;
    await workspace.open();
    for (const place of this.places)
      this.environments[place] = await workspace.newEnvironment(
        `Shop ${place}`,
      );
    this.#stack = await EngineStack.open(workspace.env);
  }

  get stack(): EngineStack {
    if (!this.#stack) throw new Error("The stack is not open yet.");
    return this.#stack;
  }

  async close(): Promise<void> {
    this.#stack?.close();
    await this.workspace.close();
  }
}
