import { copyOf } from "./property-value";
import {
  dropMissing,
  type PendingOperation,
  type Resource,
  type Snapshot,
  referencesOf,
} from "./resource";

/**
 * The state that a deployment writes after each step: first the resources of the steps
 * so far, then the resources of the last state that no step has touched
 * (pkg/backend/snapshot.go).
 */
export class Checkpoints {
  readonly #news: Resource[] = [];
  readonly #dones = new Set<Resource>();
  /** Whether a refresh within the update has taken resources away. */
  #isRefreshed = false;
  readonly #running: {
    readonly resource: Resource;
    readonly type: PendingOperation["type"];
  }[] = [];

  /**
   * @param base resources of the last state, which steps may mark as replaced
   * @param aliases the present URN of each URN that an alias names
   * @param save stores a state; if the engine is killed at this point, it never returns
   */
  constructor(
    public base: readonly Resource[],
    private readonly pending: readonly PendingOperation[],
    private readonly aliases: ReadonlyMap<string, string>,
    private readonly save: (snapshot: () => Snapshot) => Promise<void>,
  ) {}

  /** Notes that an operation begins. */
  async begin(
    type: PendingOperation["type"],
    resource: Resource,
  ): Promise<void> {
    this.#running.push({ type, resource });
    await this.write();
  }

  /** Notes that an operation has ended. `change` is its result. */
  async end(
    resource: Resource,
    change: {
      readonly done?: Resource | undefined;
      readonly made?: Resource | undefined;
    } = {},
  ): Promise<void> {
    const at = this.#running.findIndex((one) => one.resource === resource);
    if (at >= 0) this.#running.splice(at, 1);
    this.note(change);
    await this.write();
  }

  /** Notes the result of a step that is written together with a later step. */
  note({
    done,
    made,
  }: {
    readonly done?: Resource | undefined;
    readonly made?: Resource | undefined;
  }): void {
    if (done) this.#dones.add(done);
    if (made) this.#news.push(made);
  }

  /** Notes the result of a refresh of a resource within the update. */
  async refreshed(done: Resource, made: Resource | undefined): Promise<void> {
    this.#isRefreshed = true;
    this.note({ done, made });
    await this.write();
  }

  /** Saves the state as it is now. */
  write(): Promise<void> {
    return this.save(() => this.snapshot());
  }

  snapshot(): Snapshot {
    const kept = [...this.#news, ...this.base].filter(
      (one) => !this.#dones.has(one),
    );
    const now = (urn: string) => this.aliases.get(urn) ?? urn;
    const resources = copyOf(kept).map((one) => ({
      ...one,
      ...referencesOf(one, now),
    }));
    if (this.#isRefreshed) dropMissing(resources);
    return {
      resources,
      pending: [
        ...this.#running.map(({ resource, type }) => ({
          urn: resource.urn,
          type,
        })),
        ...this.pending.filter(({ type }) => type === "creating"),
      ],
    };
  }
}
