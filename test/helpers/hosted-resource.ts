import {
  HostError,
  type DiffAnswer,
  type DynamicHost,
  type Kind,
  type Properties,
} from "./dynamic-host";

/** What an update did with a resource. */
export type Step = "create" | "update" | "replace" | "same";

/** What a stack's state holds of a resource. */
interface Kept {
  readonly id: string;
  /** The inputs, as the last check, or read, answered them. */
  readonly inputs: Properties;
  readonly state: Properties;
}

const NOTHING: Kept = { id: "", inputs: {}, state: {} };

/** A resource of a stack, taken through its life by the engine's own steps. */
export class HostedResource {
  id = "";
  inputs: Properties = {};
  /** What the state holds; empty while there is no object. */
  state: Properties = {};
  /** Whether the last step left the object unlike what was declared. */
  incomplete = false;

  constructor(
    private readonly host: DynamicHost,
    readonly kind: Kind,
    kept: Kept = NOTHING,
  ) {
    this.#keep(kept);
  }

  /** The same resource of the state, as the next command's host sees it. */
  on(host: DynamicHost): HostedResource {
    return new HostedResource(host, this.kind, this);
  }

  /** Checks, compares, and does what that asks for. Failures of the check are thrown, too. */
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

  /** Makes another object and deletes this one, as after `--replace`. */
  async replace(program: Properties): Promise<void> {
    const { id, state } = this;
    await this.#create(await this.#checked(this.#later(program)));
    await this.host.delete(this.kind, id, state);
  }

  /** What the next update would do. A replacement is checked once more, as something new. */
  async preview(program: Properties): Promise<DiffAnswer> {
    if (this.id === "") throw new Error("There is no state to compare with.");
    const later = this.#later(program);
    const inputs = await this.#checked(later, this.inputs);
    const difference = await this.#diff(inputs);
    if (difference.replaces.length > 0) await this.#checked(later);
    return difference;
  }

  /** What a preview checks of something that is to be made. */
  async previewCreate(program: Properties): Promise<void> {
    await this.#checked(program);
  }

  /** Reads the object into the state; answers whether it is still there. */
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

  /** What its class makes of a program once the resource is in the state: adoption is over. */
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
