import {
  pluginType,
  providerText,
} from "../../provider/src/definition/engine-names";
import type * as registry from "../../provider/src/registry";
import type { Properties } from "../simulation/engine/property-value";
import type { Difference, Provider } from "../simulation/engine/provider";
import type { Form } from "./program-form";

/** Names of the resource handlers in `@devid/pulumi/provider`. */
export type Kind = keyof typeof registry;

/** The answer to Diff. The plugin also says which properties differ. */
export type DiffAnswer = Pick<Difference, "changes" | "replaces"> &
  Partial<Pick<Difference, "properties">>;

/** An object and its state; an empty ID means that the object is gone. */
export interface StateAnswer {
  readonly id: string;
  readonly properties: Properties;
}

/** A provider of a form, called about resources by their kinds. */
export abstract class ProviderHost {
  /** Everything that the provider has written to standard error. */
  stderr = "";

  protected constructor(private readonly form: Form) {}

  protected abstract get provider(): Provider;

  abstract stop(): Promise<void>;

  /**
   * Waits until everything that the provider has written to standard error has
   * arrived. An answer may arrive earlier than output, so a test that expects no
   * output has to wait here first.
   */
  allOutput(): Promise<string> {
    return Promise.resolve(this.stderr);
  }

  /**
   * `olds` are the inputs in the state. Left out for a new object and for a
   * replacement.
   */
  async check(kind: string, news: Properties, olds?: Properties) {
    const { inputs, failures } = await this.provider.check({
      ...about(kind),
      news: this.#sent(kind, news),
      ...(olds && { olds: this.#sent(kind, olds) }),
      isPreview: true,
    });
    return {
      inputs: this.#received(inputs),
      failures: failures.map((failure) => {
        if (failure.property === "") return namedInText(failure.reason);
        // For a dynamic resource, the engine would print the whole value.
        if (this.form === "plugin") return failure;
        throw new Error(`A failure names ${failure.property}.`);
      }),
    };
  }

  async diff(
    kind: string,
    id: string,
    olds: Properties,
    news: Properties,
    ignoreChanges: readonly string[] = [],
  ): Promise<DiffAnswer> {
    const found = await this.provider.diff(
      this.#compared(kind, id, olds, news, { ignoreChanges, isPreview: true }),
    );
    const { changes, replaces, properties } = found;
    return { changes, replaces, ...(this.form === "plugin" && { properties }) };
  }

  /** With `isPreview`, nothing is created, and unknown outputs are `UNKNOWN_TEXT`. */
  async create(
    kind: string,
    news: Properties,
    isPreview = false,
  ): Promise<StateAnswer> {
    const inputs = this.#sent(kind, news);
    const request = { ...about(kind), inputs, isPreview };
    const { id, outputs } = await this.provider.create(request);
    return { id, properties: this.#received(outputs) };
  }

  async read(kind: string, id: string, last: Properties = {}) {
    const state = { outputs: this.#sent(kind, last) };
    const found = await this.provider.read({ ...about(kind), id, state });
    return {
      id: found.id,
      properties: this.#received(found.outputs),
      inputs: this.#received(found.inputs ?? {}),
    };
  }

  async update(
    kind: string,
    id: string,
    olds: Properties,
    news: Properties,
    isPreview = false,
  ): Promise<Properties> {
    const { outputs } = await this.provider.update(
      this.#compared(kind, id, olds, news, { ignoreChanges: [], isPreview }),
    );
    return this.#received(outputs);
  }

  delete(kind: string, id: string, state: Properties): Promise<void> {
    const outputs = this.#sent(kind, state);
    return this.provider.delete({ ...about(kind), id, inputs: {}, outputs });
  }

  #compared<Options>(
    kind: string,
    id: string,
    olds: Properties,
    news: Properties,
    options: Options,
  ) {
    return {
      ...{ ...about(kind), id, oldInputs: {} },
      oldOutputs: this.#sent(kind, olds),
      news: this.#sent(kind, news),
      ...options,
    };
  }

  #sent(kind: string, properties: Properties): Properties {
    return this.form === "plugin"
      ? properties
      : { ...properties, __provider: providerText(kind) };
  }

  /** The properties of an answer, which must still contain the provider's text. */
  #received(properties: Properties): Properties {
    if (this.form === "plugin") return properties;
    const { __provider, ...rest } = properties;
    if (Object.keys(rest).length > 0 && typeof __provider !== "string")
      throw new Error("The host answered without the provider's text.");
    return rest;
  }
}

/** The resource that a request is about. */
const about = (kind: string) => ({ urn: "", type: pluginType(kind) });

/** A failure that names its input in its text. */
function namedInText(text: string) {
  const [, property = "", reason = text] =
    /^([\w[\]."'-]+): (.*)$/s.exec(text) ?? [];
  return { property, reason };
}
