import { randomUUID } from "node:crypto";
import { isLocal, missingManagementKey, NotFoundError } from "@devid/sdk";
import type {
  CheckFailure,
  OperationContext,
  ResourceDefinition,
} from "../definition/define-resource";
import { fieldsMarked } from "../definition/field";
import {
  AdoptionError,
  IncompleteError,
  LookupError,
} from "../definition/errors";
import {
  bareProperties,
  containsUnknown,
  UNKNOWN,
  withSecrets,
  type Properties,
} from "../definition/value";
import { OwnershipError } from "../session/claims";
import type { Session } from "../session/session";
import { checkInputs } from "./check-inputs";
import {
  changedInputs,
  findDifference,
  pendingWork,
  withIgnored,
} from "./difference";
import { adopt, describeAdoption, findToAdopt, isDecidedLater } from "./adopt";
import { expandFile } from "./expand-file";
import { warnOfTwins } from "./warn-of-twins";
import { explainFailure, explainGone, redactorOf } from "./explain-failure";
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
  programOf,
  readState,
  stateOf,
  toState,
  upgradeState,
  withoutUsualSettings,
  withSettings,
  type Owned,
  type Owner,
} from "./state";

type Values = Readonly<Record<string, unknown>>;

/** What an operation was given. */
interface Given {
  readonly inputs: Values;
  /** Names of the inputs that the program marks as secret. */
  readonly secrets: ReadonlySet<string>;
  /** The state before an update. */
  readonly last?: Values & Owned;
}

/**
 * Does for every kind of resource what is the same for all: check, defaults,
 * unknown values, diff, replacement, secrets that are shown once, adoption,
 * ownership and the versions of states. Adapters translate its requests and
 * responses. It keeps nothing between calls; the session does.
 */
export class Lifecycle {
  constructor(
    private readonly definition: ResourceDefinition,
    private readonly session: Session,
  ) {}

  /**
   * Checks inputs. Those of an update are also compared with the last ones; for a new
   * resource without failures, the service is asked what only it can tell.
   */
  async check({ news, olds, urn }: CheckRequest): Promise<CheckResponse> {
    const { definition, session } = this;
    const { configuration } = session.client;
    session.claims.enterProgram();
    if (olds) session.seeInState(urn);
    const expanded = await expandFile(
      definition,
      bareProperties(this.#withoutLateAdoption(news, urn, olds)),
      olds,
    );
    const { secrets } = expanded;
    const { values, failures: wrong } = checkInputs(
      definition.inputs,
      expanded.values,
      olds && bareProperties(olds).values,
    );
    const failures = [...expanded.failures, ...wrong];
    const refused = new Set(failures.map((f) => f.property.split(/[.[]/)[0]));
    const passed = Object.entries(values).filter(
      ([name, value]) => !refused.has(name) && value !== UNKNOWN,
    );
    const given = Object.entries(expanded.values)
      .filter(([, value]) => value !== undefined)
      .map(([name]) => name);
    const found =
      definition.validate?.(Object.fromEntries(passed), {
        isLocal: isLocal(configuration),
        apiVersion: configuration.apiVersion,
        given: new Set(given),
        secrets,
      }) ?? [];
    const all = [...failures, ...found];
    const inputs = failures.length > 0 ? values : this.#normalize(values);
    if (!configuration.managementKey && !session.isOffline)
      all.push(this.#missingKey());
    else if (all.length === 0)
      all.push(
        ...(olds
          ? this.#checkUpdate(olds, inputs)
          : session.isOffline
            ? []
            : await this.#checkAgainstService(inputs, urn)),
      );
    const redact = redactorOf(expanded.values, secrets);
    const told = withoutUsualSettings(definition.inputs, inputs);
    return {
      inputs: withSecrets(toState(told), secrets),
      failures: all.map(({ property, reason }) => ({
        property: expanded.givenAs(property),
        reason: redact(reason),
      })),
    };
  }

  /**
   * Compares a state with inputs. Makes no call.
   * @throws WorkspaceMismatchError when the state belongs to another region
   */
  diff({ id, state, news, ignoreChanges, urn }: DiffRequest): DiffResponse {
    const { kind } = this.definition;
    const last = this.#upgraded(state);
    const { values, secrets } = this.#inputsOf(news);
    this.session.seeInState(urn);
    this.session.assertRegion({ kind, id, owner: last.owner });
    this.session.see({ kind, id, owner: last.owner });
    this.session.claims.see(kind, id, last.owner?.claim);
    const was = this.#normalize(last);
    const is = withIgnored(this.#normalize(values), was, ignoreChanges);
    const found = findDifference(this.definition, id, was, is);
    const hidden = new Set([...secrets, ...bareProperties(state).secrets]);
    const isSecret = changedInputs(this.definition.inputs, was, is).some(
      (name) => hidden.has(name),
    );
    const { summary, ...shown } = found;
    return isSecret ? shown : found;
  }

  /** Creates the object, or adopts one. @throws IncompleteError whose outputs are a whole state */
  async create(request: CreateRequest): Promise<CreateResponse> {
    const { definition, session } = this;
    const { urn } = request;
    const { values: inputs, secrets } = this.#inputsOf(
      this.#withoutLateAdoption(request.inputs, urn),
    );
    if (request.dryRun)
      return {
        id: "",
        state: this.#withSecrets(this.#plannedState(inputs), secrets),
      };
    const context = this.#context(urn);
    const given = { inputs, secrets };
    return this.#write(given, async () => {
      const here = await session.workspaceToCreateIn();
      const owner = { ...here, claim: randomUUID() };
      const keep = (id: string) =>
        session.claims.make(definition.kind, id, owner.claim, urn);
      return this.#owning(owner, keep, async () => {
        // Two resources must not find the same object before one of them has claimed it.
        const found = await session.mutex.run(definition.kind, async () => {
          const existing = await findToAdopt(definition, context, inputs);
          if (existing) keep(existing.id);
          return existing;
        });
        const { id, outputs, last } = found
          ? await adopt(definition, context, found, inputs)
          : { ...(await definition.create({ ...context, inputs })), last: {} };
        keep(id);
        if (!found) await warnOfTwins(definition, context, { id, outputs });
        const state = declaredState(definition, outputs, last, inputs, owner);
        return { id, state: this.#withSecrets(state, secrets) };
      });
    });
  }

  /**
   * Reads the object, `undefined` when it is gone. Without a state it is read by its
   * ID alone.
   * @throws WorkspaceMismatchError when the state belongs to another workspace
   */
  async read(request: ReadRequest): Promise<ReadResponse | undefined> {
    const { definition, session } = this;
    const { id } = request;
    const last = request.state && this.#upgraded(request.state);
    const { secrets } = bareProperties(request.state ?? {});
    const given = { inputs: last ?? {}, secrets };
    const found = await this.#explained(given, async () => {
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
      state: this.#withSecrets(state, secrets),
      inputs: this.#withSecrets(inputs, secrets),
      program: this.#withSecrets(programOf(definition, inputs), secrets),
    };
  }

  /** Makes the object as declared. @throws IncompleteError whose outputs are a whole state */
  async update(request: UpdateRequest): Promise<UpdateResponse> {
    const { definition, session } = this;
    const { id } = request;
    const { values: news, secrets } = this.#inputsOf(request.inputs);
    const last = this.#upgraded(request.state);
    const inputs = withIgnored(news, last, request.ignoreChanges);
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
        : this.#plannedState(inputs, last);
      return { state: this.#withSecrets(state, secrets) };
    }
    const update = async () => {
      const { kind } = definition;
      await session.assertWorkspace({ kind, id, owner: last.owner });
      const owner = last.owner ?? (await session.workspace());
      return this.#owning(owner, undefined, async () => {
        const outputs = await definition
          .update({
            ...this.#context(request.urn),
            id,
            inputs,
            last,
            changed: new Set(changed),
          })
          .catch((error: unknown) => {
            throw explainGone(kind, id, error);
          });
        return declaredState(definition, outputs, last, inputs, owner);
      });
    };
    const state = await this.#write({ inputs, secrets, last }, update);
    return { state: this.#withSecrets(state, secrets) };
  }

  /**
   * Deletes the object; that it is gone already is no error. An object that another
   * resource of the program has stays.
   * @throws WorkspaceMismatchError when the state belongs to another workspace
   */
  delete(request: DeleteRequest): Promise<void> {
    return this.session.deletions.run(() => this.#delete(request));
  }

  async #delete({ id, state, urn }: DeleteRequest): Promise<void> {
    const { definition, session } = this;
    const { kind } = definition;
    const last = this.#upgraded(state);
    const context = { ...this.#context(urn), id, last };
    const { secrets } = bareProperties(state);
    session.seeInState(urn);
    await this.#write({ inputs: last, secrets }, async () => {
      await session.assertWorkspace({ kind, id, owner: last.owner });
      if (session.claims.hasFailed(kind, id))
        throw new OwnershipError(
          `${kind} ${id} was not deleted, and stays as it is: another resource of this program was to take it over in this update, and could not. See to that, and run the update again.`,
        );
      const other = session.claims.other(kind, id, last.owner?.claim);
      if (other && definition.leave) return definition.leave(context);
      const maker = session.claims.maker(kind, id);
      if (other === "made" && maker !== undefined && maker === urn)
        return context.log(
          "warning",
          `${kind} ${id} was not replaced: its replacement has adopt, which took it over again. Take adopt out of the program, and replace it again.`,
        );
      if (other === "made")
        return context.log(
          "info",
          `${kind} ${id} was not deleted: another resource of the program took it over in this update, and has it now.`,
        );
      if (other)
        throw new OwnershipError(
          `${kind} ${id} was not deleted: another resource of this program has it, too, perhaps since an update was interrupted. ` +
            `Take the one that is gone from the program out of the state alone: pulumi state delete with its URN, which pulumi stack --show-urns prints; ${id} stays as it is.`,
        );
      try {
        await definition.delete(context);
      } catch (error) {
        if (!(error instanceof NotFoundError)) throw error;
      }
      session.claims.forget(kind, id);
    });
  }

  /**
   * Inputs without `adopt` where the create replaces a resource: it would take over
   * the object that the replacement is to delete, or, after a rename, somebody else's.
   */
  #withoutLateAdoption(
    inputs: Properties,
    urn: string | undefined,
    olds?: Properties,
  ): Properties {
    const replaces = !olds && this.session.wasInState(urn);
    if (!replaces || !this.definition.adoption) return inputs;
    const { adopt: _, ...others } = inputs;
    return others;
  }

  /** Failures of an update in place; none for a replacement. */
  #checkUpdate(olds: Properties, inputs: Values): readonly CheckFailure[] {
    const { definition } = this;
    const last = this.#normalize(this.#inputsOf(olds).values);
    const changed = changedInputs(definition.inputs, last, inputs);
    const immutable = fieldsMarked(definition.inputs, "immutable");
    return changed.some((name) => immutable.includes(name))
      ? []
      : (definition.validateUpdate?.(last, inputs) ?? []);
  }

  /** Failures of a create that only the service can tell. */
  async #checkAgainstService(
    inputs: Values,
    urn: string | undefined,
  ): Promise<readonly CheckFailure[]> {
    const { definition } = this;
    const context = this.#context(urn);
    const known = Object.fromEntries(
      Object.entries(inputs).filter(([, value]) => !containsUnknown(value)),
    );
    return this.#explained({ inputs, secrets: new Set() }, async () => {
      const failures = [
        ...((await definition.beforeCreate?.({ ...context, inputs: known })) ??
          []),
      ];
      if (failures.length > 0 || known.adopt === undefined) return failures;
      try {
        const found = await findToAdopt(definition, context, inputs);
        if (found)
          await context.log(
            "info",
            describeAdoption(definition, found, inputs),
          );
        return [];
      } catch (error) {
        const isAboutAdopt =
          error instanceof AdoptionError || error instanceof LookupError;
        if (!isAboutAdopt) throw error;
        if (
          error instanceof LookupError &&
          isDecidedLater(definition, inputs, error)
        ) {
          await context.log(
            "info",
            `${definition.kind}: ${error.matches.join(" or ")} is to be adopted. The declared environment decides which; a preview does not know its ID before it is made or adopted.`,
          );
          return [];
        }
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

  /** The state that a preview expects: the inputs, and in an update the outputs that none changes. */
  #plannedState(
    inputs: Values,
    last?: Values & Owned,
  ): Record<string, unknown> {
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

  /** Values in which every secret is marked as one. */
  #withSecrets(values: Values, secrets: ReadonlySet<string> = new Set()) {
    const own = fieldsMarked(this.definition.outputs, "secret");
    return withSecrets(values, [...own, ...secrets]);
  }

  /** The state, upgraded to the form of this version, with every setting. */
  #upgraded(state: Properties): Values & Owned {
    const { values } = bareProperties(state);
    const upgraded = upgradeState(this.definition, values);
    return withSettings(this.definition.inputs, upgraded);
  }

  /** Checked inputs with every setting, and the names of secret ones. */
  #inputsOf(properties: Properties): ReturnType<typeof bareProperties> {
    const { values, secrets } = bareProperties(properties);
    return { values: withSettings(this.definition.inputs, values), secrets };
  }

  #context(urn: string | undefined): OperationContext {
    const { session } = this;
    return { session, client: session.client, log: session.logFor(urn) };
  }

  #normalize<V extends Values>(inputs: V): V {
    return (this.definition.normalize?.(inputs) as V | undefined) ?? inputs;
  }

  /** Runs work, and puts the owner into the state of an object that is left incomplete. */
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

  /** Runs work that may change an object, and drops the lists that were read before. */
  async #write<T>(given: Given, work: () => Promise<T>): Promise<T> {
    try {
      return await this.#explained(given, work);
    } finally {
      this.session.reads.drop();
    }
  }

  /** Runs work, and prepares its errors for the user. */
  async #explained<T>(
    { inputs, secrets, last }: Given,
    work: () => Promise<T>,
  ): Promise<T> {
    const { definition, session } = this;
    try {
      return await work();
    } catch (error) {
      const known = explainFailure(
        definition,
        session.client,
        error,
        inputs,
        last,
        secrets,
      );
      if (!(known instanceof IncompleteError)) throw known;
      const outputs = this.#withSecrets({ ...known.outputs }, secrets);
      throw new IncompleteError(known.id, outputs, known.cause);
    }
  }
}
