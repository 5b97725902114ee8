import { HostError } from "./protocol-provider";
import type { DiffAnswer, ProviderHost, Kind } from "./provider-host";
import type { Properties } from "../simulation/engine/property-value";

/** What an update did to a resource. */
export type Step = "create" | "update" | "replace" | "same";

/** The entry of a resource in a stack's state. */
interface Kept {
  readonly id: string;
  /** The inputs that the last check or read returned. */
  readonly inputs: Properties;
  readonly state: Properties;
}

const NOTHING: Kept = { id: "", inputs: {}, state: {} };

/**
 * A resource of a stack; its methods call the host in the same order as the
 * engine does.
 */
export class HostedResource {
  id = "";
  inputs: Properties = {};
  /** The outputs in the state; empty while the object does not exist. */
  state: Properties = {};
  /**
   * Whether the last step failed and left the object different from its
   * declaration.
   */
  incomplete = false;

  constructor(
    private readonly host: ProviderHost,
    readonly kind: Kind,
    kept: Kept = NOTHING,
  ) {
    this.#keep(kept);
  }

  /** The same resource in the state, with the host of the next command. */
  on(host: ProviderHost): HostedResource {
    return new HostedResource(host, this.kind, this);
  }

  /**
   * Checks and compares the program, then creates, updates or replaces the
   * object as needed. Throws if the check fails.
   */
  async up(program: Properties): Promise<Step> {
    if (this.id === "") {
      await this.#create(await this.#checked(program));
      return "create";
    }
    const inputs = await this.#checked(this.#later(program), this.inputs);
    const { changes, replaces } = await this.#diff(inputs);
    if (replaces.length > 0) {
      await this.replace(program);
      return "replace";
    }
    if (!changes && !this.incomplete) {
      this.inputs = inputs;
      return "same";
    }
    await this.#keepWhatExists(inputs, async () => {
      const { host, kind, id, state } = this;
      return { id, state: await host.update(kind, id, state, inputs) };
    });
    return "update";
  }

  /** Creates a new object and deletes the old one, as `--replace` does. */
  async replace(program: Properties): Promise<void> {
    const { id, state } = this;
    await this.#create(await this.#checked(this.#later(program)));
    await this.host.delete(this.kind, id, state);
  }

  /**
   * Returns what the next update would do. A replacement is checked a second time, as a
   * new object.
   */
  async preview(program: Properties): Promise<DiffAnswer> {
    if (this.id === "") throw new Error("There is no state to compare with.");
    const later = this.#later(program);
    const inputs = await this.#checked(later, this.inputs);
    const difference = await this.#diff(inputs);
    if (difference.replaces.length > 0) await this.#checked(later);
    return difference;
  }

  /** Runs the check that a preview does for a new object. */
  async previewCreate(program: Properties): Promise<void> {
    await this.#checked(program);
  }

  /** Reads the object into the state; returns whether it still exists. */
  async refresh(): Promise<boolean> {
    const { host, kind } = this;
    const { id, inputs, properties } = await host.read(
      kind,
      this.id,
      this.state,
    );
    this.#keep(id === "" ? NOTHING : { id, inputs, state: properties });
    this.incomplete = false;
    return id !== "";
  }

  async destroy(): Promise<void> {
    await this.host.delete(this.kind, this.id, this.state);
  }

  /**
   * The inputs for a resource that is already in the state, without `adopt`,
   * which only a new resource uses.
   */
  #later({ adopt: _, ...program }: Properties): Properties {
    return program;
  }

  #keep({ id, inputs, state }: Kept): void {
    Object.assign(this, { id, inputs, state });
  }

  async #checked(program: Properties, olds?: Properties): Promise<Properties> {
    const { inputs, failures } = await this.host.check(
      this.kind,
      program,
      olds,
    );
    if (failures.length === 0) return inputs;
    const lines = failures.map((f) => `${f.property}: ${f.reason}`);
    throw new HostError(lines.join("\n"));
  }

  #diff(inputs: Properties): Promise<DiffAnswer> {
    return this.host.diff(this.kind, this.id, this.state, inputs);
  }

  #create(inputs: Properties): Promise<void> {
    return this.#keepWhatExists(inputs, async () => {
      const made = await this.host.create(this.kind, inputs);
      return { id: made.id, state: made.properties };
    });
  }

  async #keepWhatExists(
    inputs: Properties,
    work: () => Promise<Omit<Kept, "inputs">>,
  ): Promise<void> {
    this.incomplete = false;
    try {
      this.#keep({ inputs, ...(await work()) });
    } catch (error) {
      if (error instanceof HostError && error.kept) {
        const { id, properties } = error.kept;
        this.#keep({ id, inputs, state: properties });
        this.incomplete = true;
      }
      throw error;
    }
  }
}
