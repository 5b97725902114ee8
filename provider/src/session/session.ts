import { noDefaultEnvironment } from "./environment-choice";
import { ConfigurationError, DevidError, type Client } from "@devid/sdk";
import { harmlessText } from "@devid/sdk/errors";
import type { ResourceSettings } from "./resource-settings";
import { Ledger } from "../ownership/ledger";
import { Deletions } from "./deletions";
import { ListSnapshot } from "./list-snapshot";
import { KeyedMutex } from "./keyed-mutex";
import {
  workspaceMismatch,
  type OwnedObject,
  type WorkspaceIdentity,
} from "./workspace-identity";

/** Shows the user of the engine a message about one resource. */
export type Log = (
  severity: "info" | "warning",
  message: string,
) => Promise<void>;

/** Shows the user of the engine a message; `urn` names the resource that it is about. */
export type EngineLog = (
  severity: "info" | "warning",
  message: string,
  urn?: string,
) => Promise<void>;

/** An error that has the ID and the state of an object which is not as declared. */
export interface Unfinished extends Error {
  readonly id: string;
  readonly outputs: Readonly<Record<string, unknown>>;
}

/** The user cancelled the command; calls that were not sent yet are not made. */
export class CancelledError extends DevidError {
  override readonly name = "CancelledError";
}

/**
 * One configured provider from start to end: its client, the lists that it has read,
 * the operations that wait for each other, and the ledger of owners. Sessions share
 * nothing.
 */
export class Session {
  readonly reads = new ListSnapshot();
  readonly mutex = new KeyedMutex();
  readonly ledger = new Ledger();
  readonly deletions = new Deletions();
  /** IDs that a warning of this run has named as objects which may be left over. */
  readonly suspected = new Set<string>();
  /**
   * What creates and updates of this run have left unfinished, by URN. If an `onError` hook
   * repeats one, the engine passes the state from before the first attempt.
   */
  readonly unfinished = new Map<string | undefined, Unfinished>();
  readonly client: Client;
  readonly #abort = new AbortController();
  readonly #log: EngineLog;
  readonly #asked = new Set<string>();
  /** An object of each workspace that states name. */
  readonly #owned = new Map<string, OwnedObject>();
  readonly #results = new Map<string, Promise<unknown>>();

  /**
   * @param makeClient gets the session's signal, which ends every call
   * @param log shows messages to the user of the engine
   * @param settings say how resources are made
   */
  constructor(
    makeClient: (signal: AbortSignal) => Client,
    log: EngineLog,
    readonly settings: ResourceSettings,
  ) {
    this.client = makeClient(this.#abort.signal);
    this.#log = log;
  }

  /** Aborted once `cancel` was called. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /**
   * Ends reads and waits, and prevents further calls. A write that was sent is still
   * answered, if the client has the option `finishesWrites`.
   */
  cancel(): void {
    this.#abort.abort(new CancelledError("The update was cancelled."));
  }

  /** The log for messages about one resource; secrets are removed from them, and what acts on a terminal. */
  logFor(urn: string | undefined): Log {
    return (severity, message) =>
      this.#log(severity, harmlessText(this.client.redact(message)), urn);
  }

  /** Whether this is the first call with this text in the session: for messages that are shown once. */
  isFirst(what: string): boolean {
    const { size } = this.#asked;
    return this.#asked.add(what).size > size;
  }

  /**
   * The workspace of the management key. The service is asked once a session.
   * @throws ConfigurationError when it lists no environment
   */
  workspace(): Promise<WorkspaceIdentity> {
    return this.once("workspace", () => this.#findWorkspace());
  }

  /**
   * Checks that the state of an object belongs to the configured region, and keeps
   * its workspace in mind for the creates of this session. Makes no call.
   * @throws WorkspaceMismatchError
   */
  assertRegion(object: OwnedObject): void {
    const { configuration } = this.client;
    if (!object.owner) return;
    if (object.owner.region !== configuration.region)
      throw workspaceMismatch(object, configuration);
    this.#owned.set(object.owner.workspace, object);
  }

  /**
   * Whether checks of new resources make no call. `devid drift` sets `DEVID_OFFLINE`
   * while it previews a program whose objects may exist already.
   */
  get isOffline(): boolean {
    return process.env.DEVID_OFFLINE === "true";
  }

  /**
   * Runs work once in the session, at the first call, and returns its result to every
   * call. After a failure, the next call runs the work again.
   */
  once<T>(what: string, work: () => Promise<T>): Promise<T> {
    const known = this.#results.get(what);
    if (known) return known as Promise<T>;
    const result = work();
    this.#results.set(what, result);
    result.catch(() => this.#results.delete(what));
    return result;
  }

  /**
   * The workspace of the management key, if an object of the state belongs to it. In
   * another workspace the object may be neither read nor written, and its absence would
   * not mean that it is gone. A create has no state: it may not go on if any state
   * of the session belongs to another workspace, because the key is then the wrong one.
   * A state from which somebody removed the owner is not checked.
   * @throws WorkspaceMismatchError
   */
  async workspaceOf(object?: OwnedObject): Promise<WorkspaceIdentity> {
    if (object) this.assertRegion(object);
    const here = await this.workspace();
    for (const one of object ? [object] : this.#owned.values())
      if (one.owner && one.owner.workspace !== here.workspace)
        throw workspaceMismatch(one, this.client.configuration, here);
    return here;
  }

  async #findWorkspace(): Promise<WorkspaceIdentity> {
    const { environments, configuration } = this.client;
    const all = [...(await this.reads.all(environments)).values()];
    const found = environments.defaultOf(all);
    const { region } = configuration;
    if (found) return { region, workspace: found.id };
    throw new ConfigurationError(noDefaultEnvironment(region));
  }
}
