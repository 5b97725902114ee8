import type { Client } from "@devid/sdk";
import { Claims } from "./claims";
import { ListSnapshot } from "./list-snapshot";
import { Locks } from "./locks";
import {
  workspaceMismatch,
  type MismatchedObject,
  type WorkspaceIdentity,
} from "./workspace-identity";

/** Shows a text about one resource to whoever runs the engine. */
export type Tell = (
  severity: "info" | "warning",
  text: string,
) => Promise<void>;

/** Shows a text to whoever runs the engine; `urn` names the resource that it is about. */
export type Log = (
  severity: "info" | "warning",
  text: string,
  urn?: string,
) => Promise<void>;

/**
 * One configured provider, for as long as it lives: its client, what it has
 * read, who waits for whom, and what it has done. Two sessions share nothing.
 */
export class Session {
  readonly reads = new ListSnapshot();
  readonly locks = new Locks();
  readonly claims = new Claims();
  readonly client: Client;
  readonly #abort = new AbortController();
  readonly #log: Log;
  readonly #told = new Set<string>();
  readonly #seen = new Map<string, MismatchedObject>();
  #identity: Promise<WorkspaceIdentity> | undefined;

  /**
   * `makeClient` is given the session's signal, which ends every call; `log`
   * shows texts to whoever runs the engine.
   */
  constructor(makeClient: (signal: AbortSignal) => Client, log: Log) {
    this.client = makeClient(this.#abort.signal);
    this.#log = log;
  }

  /** Aborted when whoever runs the engine has called the operations off. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Calls off what is under way: calls end, and none begins. */
  cancel(): void {
    this.#abort.abort();
  }

  /** Shows a text, free of secrets, about a resource. */
  tell(urn: string | undefined): Tell {
    return (severity, text) =>
      this.#log(severity, this.client.redact(text), urn);
  }

  /** Whether it is the first time in this session that somebody asks about this. */
  isFirst(what: string): boolean {
    if (this.#told.has(what)) return false;
    this.#told.add(what);
    return true;
  }

  /**
   * The workspace that the management key is for; asked once.
   * @throws Error when it lists no environment
   */
  async workspace(): Promise<WorkspaceIdentity> {
    this.#identity ??= this.#findWorkspace();
    try {
      return await this.#identity;
    } catch (error) {
      this.#identity = undefined;
      throw error;
    }
  }

  /**
   * Stops where a state belongs to another region than the configured one.
   * Makes no call.
   * @throws WorkspaceMismatchError
   */
  assertRegion(object: MismatchedObject): void {
    const { configuration } = this.client;
    if (object.owner && object.owner.region !== configuration.region)
      throw workspaceMismatch(object, configuration);
  }

  /** Notes that the program has an object with this state. */
  see(object: MismatchedObject): void {
    if (object.owner) this.#seen.set(object.owner.workspace, object);
  }

  /**
   * The workspace to make something in, after a look at what the program has:
   * unchanged objects of another workspace tell that the key is the wrong one.
   * @throws WorkspaceMismatchError
   */
  async workspaceToCreateIn(): Promise<WorkspaceIdentity> {
    const here = await this.workspace();
    for (const object of this.#seen.values())
      if (object.owner?.workspace !== here.workspace)
        throw workspaceMismatch(object, this.client.configuration, here);
    return here;
  }

  /**
   * Stops where a state belongs to another workspace than the management key:
   * nothing of it may be read, written or taken for gone there. A state of an
   * old version does not say, and nothing is asked.
   * @throws WorkspaceMismatchError
   */
  async assertWorkspace(object: MismatchedObject): Promise<void> {
    if (!object.owner) return;
    this.assertRegion(object);
    const here = await this.workspace();
    if (object.owner.workspace !== here.workspace)
      throw workspaceMismatch(object, this.client.configuration, here);
  }

  async #findWorkspace(): Promise<WorkspaceIdentity> {
    const { environments, configuration } = this.client;
    const all = [...(await this.reads.all(environments)).values()];
    const found = environments.defaultOf(all);
    const { region } = configuration;
    if (found) return { region, workspace: found.id };
    throw new Error(
      `The workspace in region ${region} lists no environment, though every workspace has one. Check with devid whoami which workspace the management key is for.`,
    );
  }
}
