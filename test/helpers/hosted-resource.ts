import {
  HostError,
  type DiffAnswer,
  type DynamicHost,
  type Kind,
  type Properties,
} from "./dynamic-host";

/** What an update did with a resource. */
export type Step = "create" | "update" | "replace" | "same";

/** A resource of a stack, taken through its life by the engine's own steps. */
export class HostedResource {
  id = "";
  /** What the state holds; empty while there is no object. */
  state: Properties = {};
  /** Whether the last step left the object unlike what was declared. */
  incomplete = false;

  constructor(
    private readonly host: DynamicHost,
    readonly kind: Kind,
  ) {}

  /** Checks, compares, and does what that asks for. Failures of the check are thrown, too. */
  async up(program: Properties): Promise<Step> {
    const inputs = await this.#checked(program);
    if (this.id === "") {
      await this.#create(inputs);
      return "create";
    }
    const { changes, replaces } = await this.#diff(inputs);
    if (replaces.length > 0) {
      const old = { id: this.id, state: this.state };
      await this.#create(inputs);
      await this.host.delete(this.kind, old.id, old.state);
      return "replace";
    }
    if (!changes && !this.incomplete) return "same";
    await this.#keepWhatExists(async () => {
      const { host, kind, id, state } = this;
      this.state = await host.update(kind, id, state, inputs);
    });
    return "update";
  }

  /** What the next update would do. */
  async preview(program: Properties): Promise<DiffAnswer> {
    return this.#diff(await this.#checked(program));
  }

  /** Reads the object into the state; answers whether it is still there. */
  async refresh(): Promise<boolean> {
    const { host, kind } = this;
    const found = await host.read(kind, this.id, this.state);
    this.id = found.id;
    this.state = found.id === "" ? {} : found.properties;
    this.incomplete = false;
    return found.id !== "";
  }

  async destroy(): Promise<void> {
    await this.host.delete(this.kind, this.id, this.state);
  }

  async #checked(program: Properties): Promise<Properties> {
    const { inputs, failures } = await this.host.check(this.kind, program);
    if (failures.length === 0) return inputs;
    const lines = failures.map((f) => `${f.property}: ${f.reason}`);
    throw new HostError(lines.join("\n"));
  }

  #diff(inputs: Properties): Promise<DiffAnswer> {
    return this.host.diff(this.kind, this.id, this.state, inputs);
  }

  #create(inputs: Properties): Promise<void> {
    return this.#keepWhatExists(async () => {
      const made = await this.host.create(this.kind, inputs);
      this.id = made.id;
      this.state = made.properties;
    });
  }

  async #keepWhatExists(work: () => Promise<void>): Promise<void> {
    this.incomplete = false;
    try {
      await work();
    } catch (error) {
      if (error instanceof HostError && error.kept) {
        this.id = error.kept.id;
        this.state = error.kept.properties;
        this.incomplete = true;
      }
      throw error;
    }
  }
}
