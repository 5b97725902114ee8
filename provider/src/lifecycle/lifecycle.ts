import {
  camelPath,
  DevidError,
  isLocal,
  missingManagementKey,
  NotFoundError,
  ValidationError,
  type Client,
} from "@devid/sdk";
import { Adopter } from "./adopter";
import type { Found } from "../definition/adoption";
import { changedInputs } from "./changed-inputs";
import { checkInputs } from "./check-inputs";
import type {
  CheckFailure,
  OperationContext,
  ResourceDefinition,
  Tell,
} from "../definition/define-resource";
import { findDifference, type Difference } from "./difference";
import { fieldsMarked } from "../definition/field";
import { IncompleteError } from "../definition/incomplete-error";
import { declaredState, observed, readState, stateOf } from "./kept-state";
import { ListSnapshot } from "../session/list-snapshot";
import { ReadCount } from "../session/read-count";
import { toState } from "./to-state";
import { containsUnknown } from "./unknown";
import { upgradeState } from "./upgrade-state";

/** Properties as the engine passes them. */
export type Properties = Record<string, unknown>;

/**
 * Check, defaults, unknown values, diff, replaces, reveal-once fields,
 * adoption and state versions, once for every resource; adapters translate to
 * and from it. One serves a kind for as long as a process lives.
 */
export class Lifecycle {
  readonly #adopter: Adopter;
  readonly #reads: ListSnapshot;

  /** `tell` shows what happens; `reads` counts those of all kinds of the process. */
  constructor(
    private readonly definition: ResourceDefinition,
    private readonly tell: Tell,
    reads = new ReadCount(),
  ) {
    this.#adopter = new Adopter(definition);
    this.#reads = new ListSnapshot(reads);
  }

  /** Inputs in the form that state keeps, and what is wrong with them. Sends nothing. */
  check(
    client: Client,
    news: Properties,
  ): { inputs: Properties; failures: CheckFailure[] } {
    const { definition } = this;
    const { values, failures } = checkInputs(definition.inputs, news);
    const refused = new Set(failures.map((f) => f.property.split(/[.[]/)[0]));
    const known = Object.fromEntries(
      Object.entries(values).filter(
        ([name, value]) => !refused.has(name) && !containsUnknown(value),
      ),
    );
    const given = Object.keys(news).filter((name) => news[name] !== undefined);
    const context = {
      isLocal: isLocal(client.configuration),
      given: new Set(given),
    };
    const found = definition.validate?.(known, context) ?? [];
    const inputs = failures.length > 0 ? values : this.#normalize(values);
    const keyless: CheckFailure[] = client.configuration.managementKey
      ? []
      : [
          {
            property: "",
            reason: missingManagementKey(client.configuration),
          },
        ];
    return {
      inputs: toState(inputs),
      failures: [...failures, ...found, ...keyless],
    };
  }

  /** Compares state and inputs. Sends nothing. An unknown value is a change. */
  diff(olds: Properties, news: Properties, id = ""): Difference {
    const inputs = this.#normalize(news);
    const difference = findDifference(
      this.definition,
      id,
      this.#normalize(this.#upgrade(olds)),
      inputs,
    );
    this.#adopter.note(id, inputs, difference.replaces.length > 0);
    return difference;
  }

  /** Makes the object, or takes over the one to adopt. @throws IncompleteError whose outputs are a whole state */
  async create(
    client: Client,
    inputs: Properties,
  ): Promise<{ id: string; state: Properties }> {
    return this.#write(client, inputs, async () => {
      const found = await this.#adopter.find(client, inputs);
      if (found) return this.#adopt(client, found, inputs);
      const context = { ...this.#context(client), inputs };
      const { id, outputs } = await this.definition.create(context);
      return {
        id,
        state: declaredState(this.definition, outputs, undefined, inputs),
      };
    });
  }

  /**
   * Reads the object: its state and the inputs that would declare it;
   * `undefined` when it is gone.
   */
  async read(
    client: Client,
    id: string,
    lastState: Properties,
  ): Promise<{ state: Properties; inputs: Properties } | undefined> {
    const { definition } = this;
    const imported = !("schemaVersion" in lastState);
    const last = imported ? undefined : this.#upgrade(lastState);
    const outputs = await this.#guard(client, last ?? {}, () =>
      definition.read({
        ...this.#context(client),
        reads: this.#reads,
        id,
        last,
      }),
    );
    if (!outputs) return undefined;
    const state = readState(definition, outputs, last);
    const inputNames = Object.keys(definition.inputs.shape);
    const inputs = Object.fromEntries(
      Object.entries(state).filter(([name]) => inputNames.includes(name)),
    );
    return { state, inputs };
  }

  /** Makes the object as declared. @throws IncompleteError whose outputs are a whole state */
  async update(
    client: Client,
    id: string,
    olds: Properties,
    inputs: Properties,
  ): Promise<Properties> {
    const last = this.#upgrade(olds);
    const work = async () => {
      const context = { ...this.#context(client), id, inputs, last };
      const outputs = await this.definition.update(context);
      return declaredState(this.definition, outputs, last, inputs);
    };
    return this.#write(client, inputs, work, last);
  }

  /** Takes the object away; one that is gone already is done. */
  async delete(client: Client, id: string, olds: Properties): Promise<void> {
    if (this.#adopter.has(id)) {
      await this.tell(
        "info",
        `${this.definition.kind} ${id} was not deleted: another resource of the program has adopted it.`,
      );
      return;
    }
    await this.#write(client, olds, async () => {
      try {
        const last = this.#upgrade(olds);
        await this.definition.delete({ ...this.#context(client), id, last });
      } catch (error) {
        if (!(error instanceof NotFoundError)) throw error;
      }
    });
  }

  /** Takes over an object that exists; an update makes it as declared, where it is not. */
  async #adopt(
    client: Client,
    { id, outputs }: Found,
    inputs: Properties,
  ): Promise<{ id: string; state: Properties }> {
    const { definition } = this;
    const locals = fieldsMarked(definition.inputs, "local");
    const changed = changedInputs(definition.inputs, outputs, inputs).filter(
      (name) => !locals.includes(name),
    );
    const isDone =
      changed.length === 0 && !definition.pending?.(outputs, inputs);
    const context = {
      ...this.#context(client),
      id,
      inputs,
      last: outputs,
    };
    const adopted = isDone ? outputs : await definition.update(context);
    await context.tell(
      "info",
      `${definition.kind} ${id} existed and was adopted; ` +
        (changed.length > 0
          ? `changed: ${changed.join(", ")}.`
          : "it was as declared."),
    );
    return {
      id,
      state: declaredState(this.definition, adopted, outputs, inputs),
    };
  }

  #context(client: Client): OperationContext {
    const tell: Tell = (severity, text) =>
      this.tell(severity, client.redact(text));
    return { client, tell };
  }

  #normalize(inputs: Properties): Properties {
    return this.definition.normalize?.(inputs) ?? inputs;
  }

  #upgrade(state: Properties): Properties {
    return upgradeState(this.definition, state);
  }

  /** Does what may change an object: lists that were read before it are not good any more. */
  async #write<T>(
    client: Client,
    inputs: Properties,
    work: () => Promise<T>,
    last?: Properties,
  ): Promise<T> {
    try {
      return await this.#guard(client, inputs, work, last);
    } finally {
      this.#reads.drop();
    }
  }

  /** Errors on their way out: no secret in them, properties by the program's names, and a state for what exists. */
  async #guard<T>(
    client: Client,
    inputs: Properties,
    work: () => Promise<T>,
    last?: Properties,
  ): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const incomplete = error instanceof IncompleteError;
      const cause = this.#explain(incomplete ? error.cause : error, inputs);
      cause.message = client.redact(cause.message);
      // An error of ours says all in its message, and hosts print stacks.
      cause.stack =
        cause instanceof DevidError ? "" : client.redact(cause.stack ?? "");
      if (!incomplete) throw cause;
      const { definition } = this;
      const kept = observed(definition, { ...error.outputs }, last, inputs);
      const state = stateOf(definition, { ...inputs, ...kept });
      throw new IncompleteError(error.id, state, cause);
    }
  }

  #explain(error: unknown, inputs: Properties): Error {
    const toPath = (path: string) =>
      this.definition.toInputPath?.(camelPath(path), inputs) ?? camelPath(path);
    if (error instanceof ValidationError) return error.renamed(toPath);
    return error instanceof Error ? error : new Error(String(error));
  }
}
