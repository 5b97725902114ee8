import { missingManagementKey, NotFoundError } from "@devid/sdk";
import type {
  CheckFailure,
  MadeObject,
  OperationContext,
  ResourceDefinition,
} from "../definition/define-resource";
import { ONLY_READ } from "../definition/host-protocol";
import { redactorOf } from "../definition/redactor-of";
import type { z } from "zod";
import { fieldMeta, fieldsMarked } from "../definition/field";
import {
  AdoptionError,
  IncompleteError,
  LookupError,
  OperationError,
} from "../definition/errors";
import {
  bareProperties,
  containsUnknown,
  UNKNOWN,
  withSecrets,
  type Properties,
  type Values,
} from "../definition/value";
import { OwnershipError } from "../ownership/decisions";
import { ContradictionError } from "../session/answers";
import { make } from "./make";
import { OwnershipGuard } from "./ownership-guard";
import type { Session, Unfinished } from "../session/session";
import { checkInputs } from "./check-inputs";
import {
  changedInputs,
  findDifference,
  pendingWork,
  withIgnored,
} from "./difference";
import { adopt, describeAdoption, findByName, findToAdopt } from "./adopt";
import { shownId } from "../definition/find-one";
import { unmatchedPaths } from "./named-paths";
import { expandFile } from "./expand-file";
import { ResourceOverrides } from "./overrides";
import { explainFailure, explainGone, type Given } from "./explain-failure";
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
  assertReadable,
  claimed,
  declaredValues,
  onlyRead,
  programOf,
  readState,
  stateOf,
  toState,
  withoutDefaultSettings,
  withSettings,
  type Owned,
  withOwner,
} from "./state";

/**
 * The part of the operations that is the same for every kind: check, defaults, unknown
 * values, diff, replacement, secrets that are shown once, adoption, ownership and the
 * version of states. Adapters translate its requests and responses. It has no state;
 * the session has.
 */
export class Lifecycle {
  readonly #guard: OwnershipGuard;

  constructor(
    private readonly definition: ResourceDefinition,
    private readonly session: Session,
  ) {
    this.#guard = new OwnershipGuard(definition, session.ledger);
  }

  /**
   * Checks inputs. For an update, they are also compared with the last inputs. For a
   * new resource without failures, the service is asked for further failures.
   */
  async check({
    news,
    olds,
    urn,
    options,
  }: CheckRequest): Promise<CheckResponse> {
    const { definition, session } = this;
    const { configuration } = session.client;
    session.ledger.enterProgram();
    if (olds) session.ledger.mention(urn);
    const last = olds && this.#inputsOf(olds);
    const overrides = new ResourceOverrides(definition, session, urn);
    const expanded = expandFile(
      definition,
      this.#withoutAdoptInReplacement(
        overrides.applyTo(bareProperties(news)),
        urn,
        last !== undefined,
      ),
      last?.values,
    );
    const overridden = overrides.applyToRules(expanded);
    const { secrets } = overridden;
    const { values, failures: wrong } = checkInputs(
      definition.inputs,
      overridden.values,
      last?.values,
    );
    const failures = [
      ...overrides.failures(),
      ...expanded.failures,
      ...overridden.failures,
      ...wrong,
    ];
    const refused = new Set(failures.map((f) => f.property.split(/[.[]/)[0]));
    const passed = Object.fromEntries(
      Object.entries(values).filter(
        ([name, value]) => !refused.has(name) && value !== UNKNOWN,
      ),
    );
    const all = [
      ...failures,
      ...this.#validate(passed, overridden.values, secrets),
      ...this.#guard.checkTakenAlong(passed, urn),
    ];
    const inputs = failures.length > 0 ? values : this.#normalize(values);
    const hidden = new Set([...secrets, ...(last?.secrets ?? [])]);
    const was = failures.length === 0 && last && this.#normalize(last.values);
    if (failures.length === 0 && options)
      all.push(...this.#checkOptions(options, inputs, was || {}));
    if (!configuration.managementKey && !session.isOffline)
      all.push(this.#missingKey());
    else if (all.length === 0)
      all.push(
        ...(was
          ? this.#checkUpdate(was, inputs, hidden)
          : session.isOffline
            ? []
            : await this.#checkNew({ inputs, secrets }, urn)),
      );
    const redact = redactorOf([overridden.values, last?.values ?? {}], hidden);
    // Refused inputs may have names that the engine cannot read in the form of the state.
    // Without a preview, the engine would report an unknown value in place of the failures.
    const checked = withoutDefaultSettings(
      definition.inputs,
      all.length > 0 ? passed : inputs,
    );
    return {
      inputs: withSecrets(toState(checked), secrets),
      failures: all.map(({ property, reason }) =>
        overrides.explain(redact(expanded.givenAs(property)), redact(reason)),
      ),
    };
  }

  /**
   * Compares a state with inputs. Makes no call.
   * @throws WorkspaceMismatchError when the state belongs to another region
   */
  diff({ id, state, news, ignoreChanges, urn }: DiffRequest): DiffResponse {
    const { kind } = this.definition;
    const { last, secrets: ofState } = this.#lastOf(state);
    const { values, secrets } = this.#checkedInputs(news);
    this.session.assertRegion({ kind, id, owner: last.owner });
    this.#guard.enter("seen", id, last, urn);
    const was = this.#normalize(last);
    const is = withIgnored(this.definition, values, was, ignoreChanges);
    const unmatched = unmatchedPaths(
      this.definition,
      "ignoreChanges",
      ignoreChanges,
      was,
      is,
    );
    const hidden = new Set([...secrets, ...ofState]);
    const found: DiffResponse = {
      ...findDifference(this.definition, id, was, is, hidden),
      ...(unmatched.length > 0 && { warning: unmatched.join("\n") }),
    };
    const { lost } = last.owner ?? {};
    if (lost !== undefined)
      return {
        ...found,
        changes: true,
        replaces: [...found.replaces, lost],
        properties: [
          ...found.properties,
          { path: lost, kind: "update", replaces: true },
        ],
        summary: `${kind} ${id}, created at ${String(last.createdAt)}, is replaced, because the service's answer that showed its ${lost} was lost.`,
      };
    const isSecret = changedInputs(this.definition.inputs, was, is).some(
      (name) => hidden.has(name),
    );
    const { summary, ...shown } = found;
    if (isSecret || summary === undefined) return shown;
    return { ...shown, summary: redactorOf([was, is], hidden)(summary) };
  }

  /** Creates the object, or adopts one. @throws IncompleteError whose outputs are a whole state */
  async create(request: CreateRequest): Promise<CreateResponse> {
    const { definition, session } = this;
    const { urn } = request;
    const { values: inputs, secrets } = this.#withoutAdoptInReplacement(
      this.#inputsToWrite(request.inputs),
      urn,
    );
    if (request.dryRun)
      return {
        id: "",
        state: this.#withSecrets(this.#plannedState(inputs), secrets),
      };
    const left = session.unfinished.get(urn);
    if (left) return this.#finish(left, request);
    const { ledger } = session;
    const isReplacement = ledger.hasResource(urn);
    return this.#write(urn, { inputs, secrets }, async (context) => {
      const here = await session.workspaceOf();
      const owner = claimed(here);
      const self = { claim: owner.claim, urn };
      let taken: string | undefined;
      try {
        const onlyOne = this.#guard.onlyOne(inputs, here.workspace);
        if (onlyOne !== undefined)
          taken = this.#guard.take("written", onlyOne, self);
        let found = await findToAdopt(definition, context, inputs);
        if (!isReplacement)
          found ??= await findByName(definition, context, inputs, urn);
        if (found) taken = this.#guard.take("written", found.id, self);
        const made: MadeObject = found
          ? await adopt(definition, context, found, inputs)
          : await make(definition, context, inputs, () => {
              if (taken !== undefined) this.#guard.ask("take", taken, self);
            });
        const { id, outputs, unfinished } = made;
        const values = declaredValues(
          definition,
          outputs,
          found?.outputs,
          inputs,
        );
        const state = stateOf(definition, { ...values, ...unfinished }, owner);
        const names = this.#guard.namesOf(id, { ...state, owner }, urn);
        ledger.note("written", taken ?? names.object, names.self);
        return { id, state: this.#withSecrets(state, secrets) };
      } catch (error) {
        if (error instanceof IncompleteError)
          ledger.note("written", taken ?? error.id, self);
        // The resource that has the object now must not delete it.
        else if (taken !== undefined) ledger.note("wanted", taken, self);
        throw withOwner(error, owner);
      }
    });
  }

  /**
   * Goes on with an object that a create of this run has left unfinished. A secret that was
   * lost stays lost: only the next run can replace the object.
   */
  async #finish(
    left: Unfinished,
    { inputs, urn }: CreateRequest,
  ): Promise<CreateResponse> {
    const { id, outputs: state } = left;
    if (this.#lastOf(state).last.owner?.lost !== undefined) throw left;
    return { id, ...(await this.update({ id, state, inputs, urn })) };
  }

  /**
   * Reads the object, `undefined` when it is gone. Without a state it is read by its
   * ID alone.
   * @throws WorkspaceMismatchError when the state belongs to another workspace
   * @throws LookupError without a state, when there is no object with the ID
   * @throws OwnershipError for an import of the default environment
   */
  async read(request: ReadRequest): Promise<ReadResponse | undefined> {
    const { definition, session } = this;
    const { id } = request;
    const { last, secrets } = request.state
      ? this.#lastOf(request.state)
      : { secrets: new Set<string>() };
    const given = { inputs: last ?? {}, secrets };
    const found = await this.#explained(request.urn, given, async (context) => {
      const { kind } = definition;
      const here = await session.workspaceOf({ kind, id, owner: last?.owner });
      const outputs = await definition.read({ ...context, id, last });
      // The dynamic provider host would go on with an object that has no values.
      if (!outputs && !last)
        throw new LookupError(
          `There is no ${definition.singular} ${shownId(id)} in the workspace in region ${here.region}. Check the ID.`,
          [],
        );
      if (!outputs) return undefined;
      const owner = last?.owner ?? here;
      if (request.owns && !last?.owner)
        this.#guard.namesOf(id, { owner }, request.urn);
      const isOwned = request.owns || last?.schemaVersion !== undefined;
      return { outputs, owner: isOwned ? claimed(owner) : onlyRead(owner) };
    });
    if (!found) return undefined;
    const state = readState(definition, found.outputs, last, found.owner);
    const inputs = Object.fromEntries(
      Object.entries(state).filter(([name]) => name in definition.inputs.shape),
    );
    return {
      state: this.#withSecrets(state, secrets),
      ...(found.owner.claim !== ONLY_READ && {
        inputs: this.#withSecrets(inputs, secrets),
      }),
      program: this.#withSecrets(programOf(definition, inputs), secrets),
    };
  }

  /** Makes the object as declared. @throws IncompleteError whose outputs are a whole state */
  async update(request: UpdateRequest): Promise<UpdateResponse> {
    const { definition, session } = this;
    const { kind } = definition;
    const { id, urn } = request;
    const { last, secrets: ofState } = this.#lastOf(
      session.unfinished.get(urn)?.outputs ?? request.state,
    );
    const { values: news, secrets } = this.#inputsToWrite(request.inputs);
    const inputs = withIgnored(definition, news, last, request.ignoreChanges);
    const settings = fieldsMarked(definition.inputs, "setting");
    const changed = changedInputs(
      definition.inputs,
      this.#normalize(last),
      inputs,
    ).filter((name) => !settings.includes(name));
    const isNothingSent =
      changed.length === 0 && !pendingWork(definition, last, inputs);
    if (isNothingSent || request.dryRun) {
      const state = isNothingSent
        ? stateOf(
            definition,
            declaredValues(definition, last, last, inputs),
            last.owner,
          )
        : this.#plannedState(inputs, last);
      return { state: this.#withSecrets(state, secrets) };
    }
    const update = async (context: OperationContext) => {
      const here = await session.workspaceOf({ kind, id, owner: last.owner });
      const owner = claimed(last.owner ?? here);
      this.#guard.enter("written", id, { ...last, owner }, urn);
      try {
        const outputs = await definition.update({
          ...context,
          id,
          inputs,
          last,
          changed: new Set(changed),
        });
        return stateOf(
          definition,
          declaredValues(definition, outputs, last, inputs),
          owner,
        );
      } catch (error) {
        throw withOwner(explainGone(kind, id, error), owner);
      }
    };
    const hidden = new Set([...secrets, ...ofState]);
    const given = { inputs, secrets: hidden, last };
    const state = await this.#write(urn, given, update);
    return { state: this.#withSecrets(state, secrets) };
  }

  /**
   * Deletes the object. It is no error if the object is gone already, which a read must
   * confirm. If another resource of the program has the object, the object stays.
   * @throws WorkspaceMismatchError when the state belongs to another workspace
   */
  delete(request: DeleteRequest): Promise<void> {
    return this.session.deletions.run(() => this.#delete(request));
  }

  async #delete({ id, state, urn }: DeleteRequest): Promise<void> {
    const { definition, session } = this;
    const { kind } = definition;
    const { ledger } = session;
    const { last, secrets } = this.#lastOf(state);
    ledger.mention(urn);
    await this.#write(urn, { inputs: last, secrets }, async (operation) => {
      const context = { ...operation, id, last };
      await session.workspaceOf({ kind, id, owner: last.owner });
      // An object that exists once would be given back before the replacement has taken
      // it over.
      const asking = definition.leave ? undefined : urn;
      const { object, self } = this.#guard.namesOf(id, last, asking);
      const decision = this.#guard.ask("delete", object, self, id);
      if (decision === "leaves it" && definition.leave)
        return definition.leave(context);
      if (decision === "leaves it")
        return urn !== undefined && ledger.holder(object)?.urn === urn
          ? context.log(
              "warning",
              `${kind} ${id} was not replaced, because its replacement has adopt and took over the same object. Remove adopt from the program, and replace it again.`,
            )
          : context.log(
              "info",
              `${kind} ${id} was not deleted, because another resource of the program has it.`,
            );
      try {
        await definition.delete(context);
      } catch (error) {
        if (!(error instanceof NotFoundError)) throw error;
        // The answer may be that of another server (docs/assumptions.md, A6).
        session.reads.drop();
        if (await definition.read(context))
          throw new ContradictionError(error, `a read has ${id}`);
      }
      ledger.forget(object);
      // The rules of an environment have its ID.
      if (session.suspected.delete(object))
        await context.log(
          "info",
          `${kind} ${id}, which a warning of this update names, is not left over: this update has deleted it.`,
        );
    });
  }

  /**
   * Removes `adopt` from the inputs if the create replaces a resource. Otherwise it
   * would adopt the object that the replacement deletes or, after a rename, an object
   * of somebody else.
   */
  #withoutAdoptInReplacement<G extends { readonly values: Values }>(
    given: G,
    urn: string | undefined,
    isUpdate = false,
  ): G {
    const replaces = !isUpdate && this.session.ledger.hasResource(urn);
    if (!replaces || !this.definition.adoption) return given;
    const { adopt: _, ...values } = given.values;
    return { ...given, values };
  }

  /** Failures for paths of options that match nothing. */
  #checkOptions(
    options: NonNullable<CheckRequest["options"]>,
    inputs: Values,
    last: Values,
  ): readonly CheckFailure[] {
    return (["ignoreChanges", "replaceOnChanges"] as const)
      .flatMap((option) =>
        unmatchedPaths(this.definition, option, options[option], inputs, last),
      )
      .map((reason) => ({ property: "", reason }));
  }

  /** Failures of an update in place; none for a replacement. */
  #checkUpdate(
    last: Values,
    inputs: Values,
    secrets: ReadonlySet<string>,
  ): readonly CheckFailure[] {
    const { definition } = this;
    const changed = changedInputs(definition.inputs, last, inputs);
    const immutable = fieldsMarked(definition.inputs, "immutable");
    return changed.some((name) => immutable.includes(name))
      ? []
      : (definition.validateUpdate?.(last, inputs, { secrets }) ?? []);
  }

  /**
   * Failures of a create that only the service or the ledger knows. Enters the object
   * that the create will take over into the ledger.
   */
  #checkNew(
    given: Given,
    urn: string | undefined,
  ): Promise<readonly CheckFailure[]> {
    const { definition } = this;
    const { inputs } = given;
    const { ledger } = this.session;
    const guard = this.#guard;
    const known = Object.fromEntries(
      Object.entries(inputs).filter(([, value]) => !containsUnknown(value)),
    );
    const { onePerEnvironment } = definition;
    return this.#explained(urn, given, async (context) => {
      try {
        // An ID may be that of the default environment. A program without an ID may be
        // that of an existing resource, whose preview makes no call.
        const { workspace } =
          onePerEnvironment && known.environment !== undefined
            ? await this.session.workspace()
            : {};
        const onlyOne = guard.onlyOne(inputs, workspace);
        // Without a URN, the ledger cannot tell whether a known object belongs to this
        // resource.
        const mayReplace = urn
          ? ledger.hasResource(urn)
          : onlyOne !== undefined && ledger.holder(onlyOne) !== undefined;
        if (urn && onlyOne !== undefined)
          guard.take("wanted", onlyOne, { urn });
        const request = { ...context, inputs: known, mayReplace };
        const failures = (await definition.beforeCreate?.(request)) ?? [];
        if (failures.length > 0) return failures;
        let found = await findToAdopt(definition, context, inputs);
        if (!mayReplace)
          found ??= await findByName(definition, context, inputs, urn);
        if (!found) return [];
        guard.take("wanted", found.id, { urn });
        await context.log("info", describeAdoption(definition, found, inputs));
        return [];
      } catch (error) {
        const isRefused =
          error instanceof OwnershipError ||
          error instanceof AdoptionError ||
          error instanceof LookupError;
        if (!isRefused) throw error;
        const property = onePerEnvironment ? "" : "adopt";
        return [{ property, reason: error.message }];
      }
    });
  }

  #missingKey(): CheckFailure {
    const { client } = this.session;
    const reason = this.session.isFirst("missing key")
      ? missingManagementKey(client.configuration)
      : "No management key is configured; an error above says where to set one.";
    return { property: "", reason };
  }

  /**
   * The state that a preview expects: the inputs, the outputs that follow from them,
   * and in an update the outputs that no update changes.
   */
  #plannedState(
    inputs: Values,
    last?: Values & Owned,
  ): Record<string, unknown> {
    const { definition } = this;
    const { outputs, inputs: schema } = definition;
    const computed: Record<string, unknown> = Object.fromEntries(
      Object.keys(outputs.shape)
        .filter((name) => !(name in schema.shape))
        .map((name) => [name, UNKNOWN]),
    );
    if (last)
      for (const name of fieldsMarked(outputs, "stable"))
        computed[name] = last[name];
    else Object.assign(computed, definition.planned?.(inputs));
    // Outputs that the service chooses only if the program does not declare them.
    for (const [name, field] of Object.entries(schema.shape)) {
      const { computedAs } = fieldMeta(field as z.ZodType);
      if (computedAs && inputs[name] !== undefined)
        computed[computedAs] = inputs[name];
    }
    return stateOf(definition, { ...computed, ...inputs }, last?.owner);
  }

  /** Values in which every secret is marked as one. */
  #withSecrets(values: Values, secrets: ReadonlySet<string> = new Set()) {
    const { outputs } = this.definition;
    const following = fieldsMarked(outputs, "secretWith").filter((name) =>
      secrets.has(fieldMeta(outputs.shape[name] as z.ZodType).secretWith ?? ""),
    );
    const own = fieldsMarked(outputs, "secret");
    return withSecrets(values, [...own, ...following, ...secrets]);
  }

  /** The values of a state, with every setting, and the names of secret ones. @throws StateError */
  #lastOf(state: Properties) {
    const { values, secrets } = this.#inputsOf(state);
    assertReadable(this.definition, values);
    return { last: values as Values & Owned, secrets };
  }

  /** Checked inputs with every setting, and the names of secret ones. */
  #inputsOf(properties: Properties): ReturnType<typeof bareProperties> {
    const { values, secrets } = bareProperties(properties);
    return { values: withSettings(this.definition.inputs, values), secrets };
  }

  /**
   * Inputs as the check leaves them, and what it refuses. Between the check and this
   * call, a policy's remediation may have set inputs without their defaults, or rules as
   * a list. Values of enumerations that this version does not know pass, as some do in
   * the check. Refused inputs may have a form that cannot be normalised; they stay.
   */
  #checkedInputs(properties: Properties) {
    const { values: given, secrets } = this.#inputsOf(properties);
    const { inputs } = this.definition;
    const { values, failures } = checkInputs(inputs, given, given);
    const form = failures.length > 0 ? values : this.#normalize(values);
    return { given, declared: values, values: form, secrets, failures };
  }

  /** Inputs for a create or an update. @throws OperationError for what the check refuses */
  #inputsToWrite(properties: Properties) {
    const checked = this.#checkedInputs(properties);
    const { given, declared, secrets, failures } = checked;
    const known = Object.entries(declared).filter(([, one]) => one !== UNKNOWN);
    const [failure] =
      failures.length > 0
        ? failures
        : this.#validate(Object.fromEntries(known), given, secrets);
    if (!failure) return checked;
    const { property, reason } = failure;
    const why = property === "" ? reason : `${property}: ${reason}`;
    throw new OperationError(
      `A remediation of a policy has set inputs of this ${this.definition.kind} that cannot be used. Correct that policy. Nothing was sent.\n${redactorOf([declared], secrets)(why)}`,
    );
  }

  /**
   * What the kind itself refuses in known values that pass their schema.
   * @param inputs before their defaults, with unknown values
   */
  #validate(known: Values, inputs: Values, secrets: ReadonlySet<string>) {
    const { configuration } = this.session.client;
    const given = new Set(Object.keys(toState(inputs)));
    const context = { configuration, given, secrets };
    return this.definition.validate?.(known, context) ?? [];
  }

  #normalize<V extends Values>(inputs: V): V {
    return (this.definition.normalize?.(inputs) as V | undefined) ?? inputs;
  }

  /**
   * Runs work that may change an object, and drops the lists that were read before. What
   * the work leaves unfinished is kept for a repetition in the same run.
   */
  async #write<T>(
    urn: string | undefined,
    given: Given,
    work: (context: OperationContext) => Promise<T>,
  ): Promise<T> {
    const { reads, unfinished } = this.session;
    try {
      const done = await this.#explained(urn, given, work);
      unfinished.delete(urn);
      return done;
    } catch (error) {
      if (urn !== undefined && error instanceof IncompleteError)
        unfinished.set(urn, error);
      throw error;
    } finally {
      reads.drop();
    }
  }

  /**
   * Runs work, and prepares its errors for the user. No message and no error shows
   * values that the program or the state marks as secret.
   */
  async #explained<T>(
    urn: string | undefined,
    given: Given,
    work: (context: OperationContext) => Promise<T>,
  ): Promise<T> {
    const { definition, session } = this;
    const { client } = session;
    const own = fieldsMarked(definition.outputs, "secret");
    const hidden = new Set([...given.secrets, ...own]);
    const redact = redactorOf([given.inputs, given.last ?? {}], hidden);
    const log = session.logFor(urn);
    try {
      return await work({
        session,
        client,
        secrets: given.secrets,
        log: (severity, message) => log(severity, redact(message)),
      });
    } catch (error) {
      const known = explainFailure(definition, client, error, given);
      if (!(known instanceof IncompleteError)) throw known;
      const outputs = this.#withSecrets({ ...known.outputs }, given.secrets);
      throw new IncompleteError(known.id, outputs, known.cause);
    }
  }
}
