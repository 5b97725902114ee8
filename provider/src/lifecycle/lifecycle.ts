import { randomUUID } from "node:crypto";
import {
  camelPath,
  DevidError,
  isLocal,
  missingManagementKey,
  NotFoundError,
  ValidationError,
} from "@devid/sdk";
import type {
  CheckFailure,
  OperationContext,
  ResourceDefinition,
} from "../definition/define-resource";
import { GoneError, OwnershipError } from "../definition/errors";
import { fieldsMarked } from "../definition/field";
import { IncompleteError } from "../definition/incomplete-error";
import {
  bareProperties,
  containsUnknown,
  UNKNOWN,
  withSecrets,
  type Properties,
} from "../definition/value";
import type { Session } from "../session/session";
import { checkInputs } from "./check-inputs";
import { changedInputs, findDifference, pendingWork } from "./difference";
import { AdoptionError, findToAdopt } from "./find-to-adopt";
import type {
  CheckRequest,
  CheckResponse,
  CreateRequest,
  CreateResponse,
  DeleteRequest,
  DiffRequest,
  DiffResponse,
  ReadRequest,
  ReadResponse,
  UpdateRequest,
  UpdateResponse,
} from "./requests";
import {
  declaredState,
  observed,
  readState,
  stateOf,
  toState,
  upgradeState,
  type Kept,
  type Owner,
} from "./state";

type Values = Readonly<Record<string, unknown>>;

/**
 * Check, defaults, unknown values, diff, replaces, reveal-once fields,
 * adoption, ownership and state versions, once for every resource; adapters
 * translate to and from it. It remembers nothing: what a session knows is in
 * the session.
 */
export class Lifecycle {
  constructor(
    private readonly definition: ResourceDefinition,
    private readonly session: Session,
  ) {}

  /**
   * Checks inputs. For a new resource that is otherwise right, the service is
   * asked, too, where only it can tell.
   */
  async check({ news, olds, urn }: CheckRequest): Promise<CheckResponse> {
    const { definition, session } = this;
    const { configuration } = session.client;
    session.claims.enterProgram();
    const bareNews = bareProperties(news);
    const { values, failures } = checkInputs(
      definition.inputs,
      bareNews.values,
    );
    const refused = new Set(failures.map((f) => f.property.split(/[.[]/)[0]));
    const passed = Object.entries(values).filter(
      ([name, value]) => !refused.has(name) && value !== UNKNOWN,
    );
    const given = Object.entries(bareNews.values)
      .filter(([, value]) => value !== undefined)
      .map(([name]) => name);
    const found =
      definition.validate?.(Object.fromEntries(passed), {
        isLocal: isLocal(configuration),
        given: new Set(given),
        secrets: bareNews.secrets,
      }) ?? [];
    const all = [...failures, ...found];
    const inputs = failures.length > 0 ? values : this.#normalize(values);
    if (!configuration.managementKey) all.push(this.#missingKey());
    else if (all.length === 0 && !olds)
      all.push(...(await this.#checkAgainstService(inputs, urn)));
    return {
      inputs: withSecrets(toState(inputs), bareNews.secrets),
      failures: all,
    };
  }

  /**
   * Compares state and inputs. Sends nothing.
   * @throws WorkspaceMismatchError when the state is of another region
   */
  diff({ id, state, news }: DiffRequest): DiffResponse {
    const { kind } = this.definition;
    const last = this.#last(state);
    this.session.assertRegion({ kind, id, owner: last.owner });
    this.session.claims.see(kind, id, last.owner?.claim);
    return findDifference(
      this.definition,
      id,
      this.#normalize(last),
      this.#normalize(bareProperties(news).values),
    );
  }

  /** Makes the object, or takes over the one to adopt. @throws IncompleteError whose outputs are a whole state */
  async create(request: CreateRequest): Promise<CreateResponse> {
    const { definition, session } = this;
    const { values: inputs, secrets } = bareProperties(request.inputs);
    if (request.dryRun)
      return { id: "", state: this.#sealed(this.#unmade(inputs), secrets) };
    const context = this.#context(request.urn);
    return this.#write(inputs, async () => {
      const owner = { ...(await session.workspace()), claim: randomUUID() };
      const keep = (id: string) =>
        session.claims.make(definition.kind, id, owner.claim);
      return this.#owning(owner, keep, async () => {
        const found = await findToAdopt(definition, context, inputs);
        const { id, outputs, last } = found
          ? await this.#adopt(context, found, inputs)
          : { ...(await definition.create({ ...context, inputs })), last: {} };
        keep(id);
        const state = declaredState(definition, outputs, last, inputs, owner);
        return { id, state: this.#sealed(state, secrets) };
      });
    });
  }

  /**
   * Reads the object; `undefined` when it is gone. Without a state it is read by
   * its ID alone.
   * @throws WorkspaceMismatchError when the state is of another workspace
   */
  async read(request: ReadRequest): Promise<ReadResponse | undefined> {
    const { definition, session } = this;
    const { id } = request;
    const last = request.state && this.#last(request.state);
    const found = await this.#guard(last ?? {}, async () => {
      const { kind } = definition;
      await session.assertWorkspace({ kind, id, owner: last?.owner });
      const context = this.#context(request.urn);
      const outputs = await definition.read({ ...context, id, last });
      return outputs && { outputs, here: await session.workspace() };
    });
    if (!found) return undefined;
    const owner = last?.owner ?? found.here;
    const state = readState(definition, found.outputs, last, owner);
    const inputs = Object.fromEntries(
      Object.entries(state).filter(([name]) => name in definition.inputs.shape),
    );
    return {
      state: this.#sealed(state),
      inputs: this.#sealed(inputs),
      program: this.#sealed(definition.denormalize?.(inputs) ?? inputs),
    };
  }

  /** Makes the object as declared. @throws IncompleteError whose outputs are a whole state */
  async update(request: UpdateRequest): Promise<UpdateResponse> {
    const { definition, session } = this;
    const { id } = request;
    const { values: inputs, secrets } = bareProperties(request.inputs);
    const last = this.#last(request.state);
    const settings = fieldsMarked(definition.inputs, "setting");
    const changed = changedInputs(
      definition.inputs,
      this.#normalize(last),
      this.#normalize(inputs),
    ).filter((name) => !settings.includes(name));
    const isNothingSent =
      changed.length === 0 && !pendingWork(definition, last, inputs);
    if (isNothingSent || request.dryRun) {
      const state = isNothingSent
        ? declaredState(definition, last, last, inputs, last.owner)
        : this.#unmade(inputs, last);
      return { state: this.#sealed(state, secrets) };
    }
    const update = async () => {
      const { kind } = definition;
      await session.assertWorkspace({ kind, id, owner: last.owner });
      const owner = last.owner ?? (await session.workspace());
      return this.#owning(owner, undefined, async () => {
        const outputs = await this.#unlessGone(id, () =>
          definition.update({
            ...this.#context(request.urn),
            id,
            inputs,
            last,
            changed: new Set(changed),
          }),
        );
        return declaredState(definition, outputs, last, inputs, owner);
      });
    };
    const state = await this.#write(inputs, update, last);
    return { state: this.#sealed(state, secrets) };
  }

  /**
   * Takes the object away; one that is gone already is done. An object that
   * another resource of the program has stays.
   * @throws WorkspaceMismatchError when the state is of another workspace
   */
  async delete({ id, state, urn }: DeleteRequest): Promise<void> {
    const { definition, session } = this;
    const { kind } = definition;
    const last = this.#last(state);
    const context = { ...this.#context(urn), id, last };
    await this.#write(last, async () => {
      await session.assertWorkspace({ kind, id, owner: last.owner });
      const other = session.claims.other(kind, id, last.owner?.claim);
      if (other && definition.leave) return definition.leave(context);
      if (other === "made")
        return context.tell(
          "info",
          `${kind} ${id} was not deleted: another resource of the program took it over in this update, and has it now.`,
        );
      if (other)
        throw new OwnershipError(
          `${kind} ${id} was not deleted: another resource of this program has it, too, perhaps since an update was interrupted. ` +
            `Take the one that is gone from the program out of the state alone: pulumi state delete, with the URN shown here; ${id} stays as it is.`,
        );
      try {
        await definition.delete(context);
      } catch (error) {
        if (!(error instanceof NotFoundError)) throw error;
      }
      session.claims.forget(kind, id);
    });
  }

  /** Takes over an object that exists; an update makes it as declared, where it is not. */
  async #adopt(
    context: OperationContext,
    { id, outputs }: { id: string; outputs: Values },
    inputs: Values,
  ): Promise<{ id: string; outputs: Values; last: Values }> {
    const { definition } = this;
    const changed = this.#changedByAdoption(outputs, inputs);
    const isDone =
      changed.length === 0 && !pendingWork(definition, outputs, inputs);
    const update = { id, inputs, last: outputs, changed: new Set(changed) };
    const adopted = isDone
      ? outputs
      : await definition.update({ ...context, ...update });
    await context.tell(
      "info",
      `${definition.kind} ${id} existed and was adopted; ` +
        (changed.length > 0
          ? `changed: ${changed.join(", ")}.`
          : "it was as declared."),
    );
    return { id, outputs: adopted, last: outputs };
  }

  #changedByAdoption(outputs: Values, inputs: Values): string[] {
    const locals = fieldsMarked(this.definition.inputs, "local");
    return changedInputs(this.definition.inputs, outputs, inputs).filter(
      (name) => !locals.includes(name),
    );
  }

  /** What only the service can tell of a resource that is to be made. */
  async #checkAgainstService(
    inputs: Values,
    urn: string | undefined,
  ): Promise<readonly CheckFailure[]> {
    const { definition } = this;
    const context = this.#context(urn);
    const known = Object.fromEntries(
      Object.entries(inputs).filter(([, value]) => !containsUnknown(value)),
    );
    return this.#guard(inputs, async () => {
      const failures = [
        ...((await definition.beforeCreate?.({ ...context, inputs: known })) ??
          []),
      ];
      if (failures.length > 0 || known.adopt === undefined) return failures;
      try {
        const found = await findToAdopt(definition, context, inputs);
        if (found) {
          const changed = this.#changedByAdoption(found.outputs, inputs);
          const changes =
            changed.length > 0
              ? `this changes its ${changed.join(", ")}`
              : "it is as declared";
          await context.tell(
            "info",
            `${definition.kind} ${found.id} exists and is to be adopted; ${changes}.`,
          );
        }
        return [];
      } catch (error) {
        if (!(error instanceof AdoptionError)) throw error;
        return [{ property: "adopt", reason: error.message }];
      }
    });
  }

  #missingKey(): CheckFailure {
    const { client } = this.session;
    const reason = this.session.isFirst("missing key")
      ? missingManagementKey(client.configuration)
      : "No management key is configured, as is said above.";
    return { property: "", reason };
  }

  /** A state of which a preview knows the inputs, and the outputs that no update changes. */
  #unmade(inputs: Values, last?: Values & Kept): Record<string, unknown> {
    const { definition } = this;
    const stable = fieldsMarked(definition.outputs, "stable");
    const outputs = Object.keys(definition.outputs.shape)
      .filter((name) => !(name in definition.inputs.shape))
      .map((name): [string, unknown] => [
        name,
        last && stable.includes(name) ? last[name] : UNKNOWN,
      ]);
    const values = { ...Object.fromEntries(outputs), ...inputs };
    return stateOf(definition, values, last?.owner);
  }

  /** Values with all that is secret in them marked as such. */
  #sealed(values: Values, secrets: ReadonlySet<string> = new Set()) {
    const own = fieldsMarked(this.definition.outputs, "secret");
    return withSecrets(values, [...own, ...secrets]);
  }

  /** The state in today's shape. */
  #last(state: Properties): Values & Kept {
    return upgradeState(this.definition, bareProperties(state).values);
  }

  #context(urn: string | undefined): OperationContext {
    const { session } = this;
    return { session, client: session.client, tell: session.tell(urn) };
  }

  #normalize<V extends Values>(inputs: V): V {
    return (this.definition.normalize?.(inputs) as V | undefined) ?? inputs;
  }

  /** Does work whose object, when it is left incomplete, belongs to this owner. */
  async #owning<T>(
    owner: Owner,
    keep: ((id: string) => void) | undefined,
    work: () => Promise<T>,
  ): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof IncompleteError)) throw error;
      keep?.(error.id);
      const outputs = { ...error.outputs, owner };
      throw new IncompleteError(error.id, outputs, error.cause);
    }
  }

  /** An update of an object that somebody deleted says so. */
  async #unlessGone<T>(id: string, update: () => Promise<T>): Promise<T> {
    try {
      return await update();
    } catch (error) {
      if (!(error instanceof NotFoundError) || !error.operation.includes(id))
        throw error;
      throw new GoneError(
        `${this.definition.kind} ${id} was not updated: it is no longer in the workspace; somebody deleted it. ` +
          `Run pulumi refresh, which takes it out of the state, and then pulumi up, which makes another one.`,
      );
    }
  }

  /** Does what may change an object: lists that were read before it are not good any more. */
  async #write<T>(
    inputs: Values,
    work: () => Promise<T>,
    last?: Values & Kept,
  ): Promise<T> {
    try {
      return await this.#guard(inputs, work, last);
    } finally {
      this.session.reads.drop();
    }
  }

  /** Errors on their way out: no secret in them, properties by the program's names, and a state for what exists. */
  async #guard<T>(
    inputs: Values,
    work: () => Promise<T>,
    last?: Values & Kept,
  ): Promise<T> {
    const { definition } = this;
    const { client } = this.session;
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
      const { owner, ...outputs } = error.outputs as Values & Kept;
      const kept = observed(definition, outputs, last, inputs);
      // What was declared is not yet so, but for what the service knows nothing of, or never changes.
      const own = [
        ...fieldsMarked(definition.inputs, "local"),
        ...fieldsMarked(definition.inputs, "immutable"),
      ].map((name): [string, unknown] => [name, inputs[name]]);
      const values = { ...Object.fromEntries(own), ...kept };
      const state = stateOf(definition, values, owner);
      throw new IncompleteError(error.id, this.#sealed(state), cause);
    }
  }

  #explain(error: unknown, inputs: Values): Error {
    const toPath = (path: string) =>
      this.definition.toInputPath?.(camelPath(path), inputs) ?? camelPath(path);
    if (error instanceof ValidationError) return error.renamed(toPath);
    return error instanceof Error ? error : new Error(String(error));
  }
}
