import { isDeepStrictEqual } from "node:util";
import { Checkpoints } from "./checkpoints";
import { containsPath, parsePath, resetPath } from "./property-path";
import {
  copyOf,
  isSecretValue,
  secretValue,
  UNKNOWN_TEXT,
  type Properties,
} from "./property-value";
import { CallError, type Difference, type Provider } from "./provider";
import {
  DependencyGraph,
  dependencyUrns,
  nameOf,
  typesOf,
  urnOf,
  type Resource,
  type Snapshot,
} from "./resource";

/** Another place that a resource had: what is left out is as it is now. */
export interface Alias {
  readonly type?: string;
  readonly name?: string;
  /** URN; null for none. */
  readonly parent?: string | null;
}

/** A resource as the program registers it. */
export interface Goal {
  readonly type: string;
  readonly name: string;
  readonly isCustom: boolean;
  readonly parent?: string | undefined;
  readonly properties: Properties;
  readonly dependencies: readonly string[];
  readonly propertyDependencies: Readonly<Record<string, readonly string[]>>;
  /** Empty for a component. */
  readonly provider: string;
  readonly aliases: readonly Alias[];
  readonly additionalSecretOutputs: readonly string[];
  readonly protect?: boolean;
  readonly retainOnDelete?: boolean;
  readonly deletedWith?: string | undefined;
  readonly ignoreChanges?: readonly string[];
  readonly replaceOnChanges?: readonly string[];
  readonly deleteBeforeReplace?: boolean;
  /** ID of an existing object that is to be imported. */
  readonly importId?: string;
}

/** What a program gets for a resource. */
export interface Registered {
  readonly urn: string;
  /** The text for unknown values where a preview, or a failure, leaves it unknown. */
  readonly id: string;
  readonly outputs: Properties;
}

/** Runs a program; `register` gives it the resources. */
export type RunProgram = (
  register: (goal: Goal) => Promise<Registered>,
) => Promise<void>;

/** The options of a command. */
export interface DeploymentOptions {
  readonly isPreview?: boolean;
  /** Reads every object first. */
  readonly refresh?: "only" | "first" | undefined;
  readonly continueOnError?: boolean;
  /** URNs. */
  readonly targets?: readonly string[] | undefined;
  readonly excludes?: readonly string[] | undefined;
  readonly replaces?: readonly string[] | undefined;
  readonly targetDependents?: boolean;
}

/** What a deployment works with. */
export interface EngineHost {
  provider(reference: string): Provider;
  /** Keeps the state that `snapshot` answers now. It never returns to an engine that is killed there. */
  save(snapshot: () => Snapshot): Promise<void>;
  print(text: string, urn?: string): void;
  /** Told of each step that is carried out. */
  onStep(op: string, urn: string): void;
}

/** What a step does. */
interface Step {
  readonly op: string;
  readonly urn: string;
  /** The resource after the step, or before where there is none after. */
  readonly res: Resource;
  readonly old?: Resource | undefined;
  readonly isSkippedCreate?: boolean;
  readonly new?: Resource | undefined;
  apply(): Promise<void>;
  /** Answers the program. */
  done?(): void;
  /** Answers the program where the step failed or was left out. */
  fail?(): void;
}

/** The engine ends a command, after it has printed why. */
class Bail extends Error {
  override readonly name = "Bail";
}

class ProtectedError extends Error {
  override readonly name = "ProtectedError";
}

/**
 * One command of the engine on one stack: a model of the step generator and the step
 * executor of Pulumi 3.246 (pkg/resource/deploy). Names follow theirs, so that the two
 * can be read side by side.
 */
export class Deployment {
  readonly #checkpoints: Checkpoints;
  readonly #aliased = new Map<string, string>();
  readonly #aliases = new Map<string, string>();
  #prev: Resource[];
  #olds = new Map<string, Resource>();
  #depGraph: DependencyGraph;
  readonly #creates = new Set<string>();
  readonly #sames = new Set<string>();
  readonly #updates = new Set<string>();
  readonly #replaces = new Set<string>();
  readonly #deletes = new Set<string>();
  readonly #urns = new Set<string>();
  readonly #skippedCreates = new Set<string>();
  readonly #imports = new Set<string>();
  readonly #pendingDeletes = new Set<Resource>();
  readonly #erroredSteps: Step[] = [];
  readonly #skipped = new Set<string>();
  readonly #running = new Set<Promise<void>>();
  readonly #targetsActual: Set<string>;
  #turn: Promise<void> = Promise.resolve();
  #cancel: () => void = () => undefined;
  readonly #cancelled = new Promise<void>((resolve) => {
    this.#cancel = resolve;
  });
  #isCancelled = false;
  #hasFailed = false;

  constructor(
    private readonly stack: string,
    last: Snapshot,
    private readonly options: DeploymentOptions,
    private readonly host: EngineHost,
  ) {
    const { resources, pending } = copyOf(last);
    this.#prev = [...resources];
    this.#olds = oldsOf(this.#prev);
    this.#depGraph = new DependencyGraph(this.#prev);
    this.#targetsActual = new Set(options.targets);
    this.#checkpoints = new Checkpoints(
      this.#prev,
      pending,
      this.#aliased,
      (snapshot) =>
        options.isPreview ? Promise.resolve() : host.save(snapshot),
    );
  }

  /** Runs the command; without a program, it deletes everything. Answers whether it went well. */
  async run(program?: RunProgram): Promise<boolean> {
    const { refresh, replaces, isPreview } = this.options;
    if (refresh) {
      await this.#refresh();
      if (this.#hasFailed) return this.#failed();
      if (refresh === "only") return true;
    }
    for (const urn of replaces ?? [])
      if (!this.#olds.has(urn)) {
        this.host.print(`No resource named ${urn} found.`);
        return this.#failed();
      }
    const ended = program?.((goal) => this.#register(goal)).catch((error) => {
      this.host.print(`error: ${messageOf(error)}`);
      this.#fail();
    });
    await Promise.race([ended, this.#cancelled]);
    if (!this.#isCancelled) {
      await Promise.all(this.#running);
      this.#checkTargets();
      if (!this.#isCancelled)
        await this.#performDeletes().catch((error: unknown) =>
          this.#report(error),
        );
    }
    while (this.#running.size > 0) await Promise.all(this.#running);
    if (!isPreview) await this.#checkpoints.write();
    return this.#hasFailed ? this.#failed() : true;
  }

  #failed(): boolean {
    this.host.print("error: update failed");
    return false;
  }

  #fail(): void {
    this.#hasFailed = true;
    this.#isCancelled = true;
    this.#cancel();
  }

  #report(error: unknown, urn?: string): void {
    if (!(error instanceof Bail))
      this.host.print(`error: ${messageOf(error)}`, urn);
    this.#fail();
  }

  #checkTargets(): void {
    for (const urn of this.options.targets ?? [])
      if (
        !this.#olds.has(urn) &&
        !this.#urns.has(urn) &&
        !this.#prev.some((one) => one.urn === urn)
      ) {
        this.host.print(
          `error: Target ${urn} could not be found in the stack.`,
        );
        this.#hasFailed = true;
      }
  }

  // The step generator.

  /** Generates the steps of a resource, one resource at a time, and starts them. */
  #register(goal: Goal): Promise<Registered> {
    return new Promise((resolve) => {
      this.#turn = this.#turn.then(async () => {
        if (this.#isCancelled) return;
        const urn = urnOf(this.stack, goal.parent, goal.type, goal.name);
        try {
          await this.#start(await this.#generateSteps(goal, urn, resolve));
        } catch (error) {
          this.#report(error, urn);
        }
      });
    });
  }

  /** Starts a chain of steps, without those that depend on what has failed. */
  async #start(chain: readonly Step[]): Promise<void> {
    for (const { res } of this.#erroredSteps) this.#skipped.add(res.urn);
    const steps = chain.filter((step) => {
      const needed = [...dependencyUrns(step.res), step.res.parent ?? ""];
      if (!needed.some((urn) => this.#skipped.has(urn))) return true;
      this.#skipped.add(step.res.urn);
      step.fail?.();
      return false;
    });
    if (steps.length > 0) this.#execute(steps);
    await Promise.resolve();
  }

  #getOld(goal: Goal, urn: string): Resource | undefined {
    const { type, name, parent } = goal;
    const urns = [urn];
    for (const alias of goal.aliases) {
      const above = alias.parent === undefined ? parent : alias.parent;
      urns.push(
        urnOf(
          this.stack,
          above ?? undefined,
          alias.type ?? type,
          alias.name ?? name,
        ),
      );
    }
    const parentAlias = parent && this.#aliases.get(parent);
    if (parent && parentAlias)
      for (const alias of [{}, ...goal.aliases] as Alias[]) {
        const own = alias.name ?? name;
        const inherited = own.startsWith(nameOf(parent))
          ? nameOf(parentAlias) + own.slice(nameOf(parent).length)
          : own;
        urns.push(
          urnOf(this.stack, parentAlias, alias.type ?? type, inherited),
        );
      }
    for (const one of urns) {
      const old = this.#olds.get(one);
      if (!old) continue;
      if (one !== urn) {
        if (this.#urns.has(one) || this.#aliased.has(one)) {
          this.host.print(
            `error: Duplicate resource alias '${one}' applied to ${urn}.`,
            urn,
          );
          throw new Bail();
        }
        this.#aliased.set(one, urn);
        this.#aliases.set(urn, one);
      }
      return old;
    }
    return undefined;
  }

  async #generateSteps(
    goal: Goal,
    urn: string,
    resolve: (registered: Registered) => void,
  ): Promise<Step[]> {
    if (this.#urns.has(urn)) {
      this.host.print(`error: Duplicate resource URN '${urn}'.`, urn);
      throw new Bail();
    }
    let old = this.#getOld(goal, urn);
    this.#urns.add(urn);
    const answer = (resource: Resource) =>
      resolve({
        urn,
        id: resource.id === "" ? UNKNOWN_TEXT : resource.id,
        outputs: resource.outputs,
      });
    if (
      goal.isCustom &&
      goal.importId !== undefined &&
      goal.importId !== old?.id
    ) {
      const imported = await this.#import(goal, urn, old);
      this.#imports.add(urn);
      old = imported;
    }
    const recreating = this.#deletes.has(urn);
    const provider = goal.isCustom
      ? this.host.provider(goal.provider)
      : undefined;
    const isTargeted = this.#isIncluded(urn, goal);
    const fresh = recreating || this.#isTargetedReplace(urn, old) || !old;
    let inputs = copyOf(goal.properties);
    if (old)
      for (const ignored of goal.ignoreChanges ?? []) {
        const path = parsePath(ignored);
        if (path && !resetPath(path, copyOf(old.inputs), inputs))
          this.host.print(
            `cannot ignore changes in added or removed elements of the path: "${ignored}"`,
            urn,
          );
      }
    const isPreview = this.options.isPreview === true;
    const check = async (news: Properties, olds?: Properties) => {
      if (!provider) return news;
      const checked = await provider.check({
        urn,
        news,
        isPreview,
        ...(olds && { olds }),
      });
      for (const { property, reason } of checked.failures)
        this.host.print(
          property === ""
            ? `error: ${goal.type} resource '${goal.name}' has a problem: ${reason}`
            : `error: ${goal.type} resource '${goal.name}': property ${property} value {${JSON.stringify(checked.inputs[property])}} has a problem: ${reason}`,
          urn,
        );
      if (checked.failures.length > 0) throw new Bail();
      return checked.inputs;
    };
    if (!isTargeted) inputs = old?.inputs ?? {};
    else
      inputs = fresh
        ? await check(copyOf(goal.properties))
        : await check(inputs, old?.inputs);
    const made: Resource = {
      urn,
      type: goal.type,
      isCustom: goal.isCustom,
      isDeleted: false,
      isPendingReplacement: false,
      isTainted: false,
      id: "",
      inputs,
      outputs: {},
      parent: goal.parent,
      protect: goal.protect ?? false,
      retainOnDelete: goal.retainOnDelete ?? false,
      deletedWith: goal.deletedWith,
      dependencies: [...goal.dependencies],
      propertyDependencies: copyOf(goal.propertyDependencies) as Record<
        string,
        string[]
      >,
      initErrors: [],
      provider: goal.provider,
      additionalSecretOutputs: goal.additionalSecretOutputs,
      ignoreChanges: goal.ignoreChanges ?? [],
      replaceOnChanges: goal.replaceOnChanges ?? [],
    };
    const steps = await (async () => {
      if (recreating) {
        this.#deletes.delete(urn);
        this.#replaces.add(urn);
        return [this.#createStep(made, answer, old)];
      }
      if (isTargeted && this.options.targets) this.#targetsActual.add(urn);
      if (old) {
        if (!isTargeted) return this.#untargetedSteps(old, urn, answer);
        return this.#stepsFromDiff({
          goal,
          urn,
          old,
          made,
          provider,
          check,
          answer,
        });
      }
      if (!isTargeted) {
        this.#sames.add(urn);
        this.#skippedCreates.add(urn);
        return [this.#skippedCreateStep(made, answer)];
      }
      this.#creates.add(urn);
      return [this.#createStep(made, answer)];
    })();
    return this.#validated(steps);
  }

  /** Refuses steps that depend on what `--target` leaves out. */
  #validated(steps: Step[]): Step[] {
    const { targets, replaces, isPreview } = this.options;
    if (!targets && !replaces) return steps;
    for (const step of steps) {
      if (!step.new || step.isSkippedCreate) continue;
      const needed = [...dependencyUrns(step.new), step.new.parent ?? ""];
      for (const urn of needed.filter((one) => this.#skippedCreates.has(one))) {
        this.host.print(
          `error: Resource '${step.urn}' depends on '${urn}' which was was not specified in --target list.`,
          step.urn,
        );
        this.#hasFailed = true;
        if (!isPreview) throw new Bail();
        this.#skippedCreates.delete(urn);
      }
    }
    return steps;
  }

  async #import(
    goal: Goal,
    urn: string,
    old: Resource | undefined,
  ): Promise<Resource> {
    const id = goal.importId ?? "";
    const read = await this.host.provider(goal.provider).read({ urn, id });
    if (read.id === "") throw new Error(`resource '${id}' does not exist`);
    const imported: Resource = {
      urn,
      type: goal.type,
      isCustom: true,
      isDeleted: false,
      isPendingReplacement: false,
      isTainted: false,
      id: read.id,
      inputs: read.inputs ?? {},
      outputs: read.outputs,
      parent: goal.parent,
      protect: goal.protect ?? false,
      retainOnDelete: goal.retainOnDelete ?? false,
      deletedWith: goal.deletedWith,
      dependencies: [...goal.dependencies],
      propertyDependencies: {},
      initErrors: [],
      provider: goal.provider,
      additionalSecretOutputs: goal.additionalSecretOutputs,
      ignoreChanges: goal.ignoreChanges ?? [],
      replaceOnChanges: goal.replaceOnChanges ?? [],
    };
    if (old) old.isDeleted = true;
    await this.#checkpoints.begin("importing", imported);
    await this.#checkpoints.end(imported, { made: imported });
    return imported;
  }

  /** Keeps a resource that `--target` leaves out, and all that it depends on, as they are. */
  #untargetedSteps(
    old: Resource,
    urn: string,
    answer: (resource: Resource) => void,
  ): Step[] {
    const keep = (resource: Resource, isRoot: boolean): Step[] => {
      if (resource.isDeleted) return [];
      this.#urns.add(resource.urn);
      this.#sames.add(urn).add(resource.urn);
      const before = [
        ...dependencyUrns(resource),
        ...(resource.parent === undefined ? [] : [resource.parent]),
      ].flatMap((needed) => {
        if (this.#hasGeneratedStep(needed)) return [];
        const found = this.#olds.get(needed);
        if (!found) throw new Bail();
        return keep(found, false);
      });
      const kept = copyOf(resource);
      return [
        ...before,
        this.#sameStep(resource, kept, isRoot ? answer : undefined),
      ];
    };
    return keep(old, true);
  }

  async #stepsFromDiff(event: {
    readonly goal: Goal;
    readonly urn: string;
    readonly old: Resource;
    readonly made: Resource;
    readonly provider: Provider | undefined;
    readonly check: (news: Properties) => Promise<Properties>;
    readonly answer: (resource: Resource) => void;
  }): Promise<Step[]> {
    const { goal, urn, old, made, provider, check, answer } = event;
    const isPreview = this.options.isPreview === true;
    let found: Difference;
    if (this.#isTargetedReplace(urn, old))
      found = {
        changes: true,
        replaces: ["id"],
        deleteBeforeReplace: false,
      };
    else if (provider)
      found = await provider.diff({
        urn,
        id: old.id,
        oldInputs: old.inputs,
        oldOutputs: old.outputs,
        news: made.inputs,
        ignoreChanges: goal.ignoreChanges ?? [],
        isPreview,
      });
    else
      found = {
        changes: !isDeepStrictEqual(old.inputs, made.inputs),
        replaces: [],
        deleteBeforeReplace: false,
      };
    const hasInitErrors = old.initErrors.length > 0;
    found = withReplaceOnChanges(
      found,
      goal.replaceOnChanges ?? [],
      hasInitErrors,
    );
    const isReplaced =
      (found.changes && isReplacement(found)) || old.isPendingReplacement;
    if (isReplaced) {
      if (made.protect && old.protect) {
        this.host.print(
          `error: unable to replace resource "${urn}" as it is currently marked for protection.`,
          urn,
        );
        this.#hasFailed = true;
        if (!isPreview) throw new Bail();
      }
      if (goal.importId !== undefined)
        throw new Error(
          "previously-imported resources that still specify an ID may not be replaced; please remove the `import` declaration from your program",
        );
      this.#replaces.add(urn);
      if (provider && !this.#isTargetedReplace(urn, old))
        made.inputs = await check(copyOf(goal.properties));
      if (!(goal.deleteBeforeReplace ?? found.deleteBeforeReplace))
        return [this.#createStep(made, answer, old, { isOldLeft: true })];
      return [
        ...(await this.#dependentDeletes(old)),
        ...(old.isPendingReplacement
          ? []
          : [this.#deleteStep(old, { isReplaced: true, isPending: true })]),
        this.#createStep(made, answer, old),
      ];
    }
    if (found.changes || hasInitErrors) {
      this.#updates.add(urn);
      return [this.#updateStep(old, made, goal, answer)];
    }
    if (this.#imports.has(urn)) {
      answer(old);
      return [];
    }
    this.#sames.add(urn);
    return [this.#sameStep(old, made, answer)];
  }

  /** Deletes of what a resource that is deleted before its replacement takes along. */
  async #dependentDeletes(root: Resource): Promise<Step[]> {
    const condemned = await this.#dependentReplacements(root);
    return condemned.toReversed().flatMap((resource) => {
      if (this.#pendingDeletes.has(resource)) return [];
      if (!resource.isDeleted && resource.protect) {
        this.host.print(
          `error: unable to replace resource "${resource.urn}" as part of replacing "${root.urn}" as it is currently marked for protection.`,
          root.urn,
        );
        throw new Bail();
      }
      this.#deletes.add(resource.urn);
      this.#pendingDeletes.add(resource);
      return [
        this.#deleteStep(
          resource,
          resource.isDeleted ? {} : { isReplaced: true, isPending: true },
        ),
      ];
    });
  }

  async #dependentReplacements(root: Resource): Promise<Resource[]> {
    const replaced = new Set([root.urn]);
    const found: Resource[] = [];
    const impossible = new Set([
      ...this.#creates,
      ...this.#sames,
      ...this.#updates,
      ...this.#deletes,
      ...this.#replaces,
    ]);
    if (!this.#depGraph.has(root)) return [];
    for (const one of this.#depGraph.dependingOn(root, impossible, {
      children: false,
    })) {
      if (!one.isCustom) continue;
      const news = copyOf(one.inputs);
      let isAffected = false;
      for (const name of Object.keys(news))
        if (one.propertyDependencies[name]?.some((urn) => replaced.has(urn))) {
          isAffected = true;
          news[name] = UNKNOWN_TEXT;
        }
      if (!isAffected) continue;
      const difference = await this.host.provider(one.provider).diff({
        urn: one.urn,
        id: one.id,
        oldInputs: one.inputs,
        oldOutputs: one.outputs,
        news,
        ignoreChanges: one.ignoreChanges,
        isPreview: true,
      });
      if (
        !isReplacement(
          withReplaceOnChanges(difference, one.replaceOnChanges, false),
        )
      )
        continue;
      found.push(one);
      replaced.add(one.urn);
    }
    return found;
  }

  #isIncluded(urn: string, needs: Goal): boolean {
    const { targets, excludes, targetDependents } = this.options;
    if (targets) {
      if (targets.includes(urn)) return true;
      if (!targetDependents) return false;
      return [
        ...needs.dependencies,
        ...Object.values(needs.propertyDependencies).flat(),
        needs.deletedWith ?? "",
        needs.parent ?? "",
      ].some((one) => this.#targetsActual.has(one));
    }
    return !excludes?.includes(urn);
  }

  #isTargetedReplace(urn: string, old: Resource | undefined): boolean {
    return this.options.replaces?.includes(urn) || old?.isTainted === true;
  }

  #hasGeneratedStep(urn: string): boolean {
    return [
      this.#creates,
      this.#sames,
      this.#updates,
      this.#deletes,
      this.#replaces,
    ].some((urns) => urns.has(urn));
  }

  #isOperatedOn(given: string): boolean {
    const urn = this.#aliased.get(given) ?? given;
    return [this.#sames, this.#updates, this.#replaces].some((urns) =>
      urns.has(urn),
    );
  }

  // What follows the program.

  async #performDeletes(): Promise<void> {
    const { targets, excludes, isPreview, targetDependents } = this.options;
    const allowed = targets && (await this.#deletableWith(targets));
    const kept = excludes && this.#neededBy(excludes);
    const steps: Step[] = [];
    const sames: Step[] = [];
    for (const res of this.#prev) {
      const isTargeted =
        (!allowed || allowed.has(res.urn)) && !kept?.has(res.urn);
      if (!isTargeted) {
        if (!this.#isOperatedOn(res.urn) && !res.isDeleted)
          sames.push(this.#sameStep(res, copyOf(res)));
        continue;
      }
      if (res.isDeleted) {
        if (this.#pendingDeletes.has(res)) continue;
        this.#deletes.add(res.urn);
        steps.push(this.#deleteStep(res, { isReplaced: true }));
      } else if (!this.#isOperatedOn(res.urn)) {
        this.#deletes.add(res.urn);
        steps.push(
          res.isPendingReplacement
            ? this.#removePendingStep(res)
            : this.#deleteStep(res),
        );
      }
    }
    const unspecified = steps.filter(
      ({ urn }) => targets && !targets.includes(urn) && !targetDependents,
    );
    for (const { urn } of unspecified)
      this.host.print(
        `error: Resource '${urn}' will be destroyed but was not specified in --target list.`,
        urn,
      );
    if (unspecified.length > 0) {
      this.#hasFailed = true;
      if (!isPreview) throw new Bail();
    }
    for (const same of sames) await same.apply();
    await this.#executeDeletes(steps);
  }

  async #deletableWith(targets: readonly string[]): Promise<Set<string>> {
    const found = new Set<string>();
    const left = this.#prev.filter(({ urn }) => targets.includes(urn));
    for (let next = left.shift(); next; next = left.shift()) {
      if (found.has(next.urn)) continue;
      found.add(next.urn);
      left.push(...this.#depGraph.dependingOn(next, found, { children: true }));
    }
    for (const res of this.#prev)
      if (found.has(res.urn))
        for (const one of await this.#dependentReplacements(res))
          found.add(one.urn);
    return found;
  }

  #neededBy(excludes: readonly string[]): Set<string> {
    const found = new Set<string>();
    const left = this.#prev.filter(({ urn }) => excludes.includes(urn));
    for (let next = left.shift(); next; next = left.shift()) {
      if (found.has(next.urn)) continue;
      found.add(next.urn);
      left.push(...this.#depGraph.dependenciesOf(next));
    }
    return found;
  }

  /** Runs deletes in groups, those first on which nothing depends. */
  async #executeDeletes(steps: readonly Step[]): Promise<void> {
    const graph = new DependencyGraph(this.#prev);
    const stepOf = new Map(steps.map((step) => [step.res, step]));
    const condemned = new Set(stepOf.keys());
    const chains: Step[][] = [];
    while (condemned.size > 0) {
      const free = [...condemned].filter(
        (res) =>
          ![...graph.dependenciesOf(res)].some((one) => condemned.has(one)),
      );
      if (free.length === 0) throw new Error("The state has a circle.");
      for (const res of free) condemned.delete(res);
      chains.unshift(free.flatMap((res) => stepOf.get(res) ?? []));
    }
    for (const chain of chains) {
      const needed = new Set<Resource>();
      for (const { res, old } of this.#erroredSteps)
        for (const one of [res, old])
          if (one && this.#depGraph.has(one))
            for (const dependency of this.#depGraph.transitiveDependenciesOf(
              one,
            ))
              needed.add(dependency);
      for (const step of chain)
        if (!needed.has(step.res)) this.#execute([step]);
      await Promise.all(this.#running);
      if (this.#isCancelled) return;
    }
  }

  async #refresh(): Promise<void> {
    const { targets, excludes } = this.options;
    const refreshed = new Map<Resource, Resource | undefined>();
    await Promise.all(
      this.#prev.map(async (res) => {
        if (targets && !targets.includes(res.urn)) return;
        if (excludes?.includes(res.urn)) return;
        if (!res.isCustom || res.isPendingReplacement) return;
        try {
          refreshed.set(res, await this.#refreshed(res));
        } catch (error) {
          this.host.print(`error: ${messageOf(error)}`, res.urn);
          this.#hasFailed = true;
        }
      }),
    );
    const referenceable = new Set<string>();
    const resources: Resource[] = [];
    for (const res of this.#prev) {
      const now = refreshed.has(res) ? refreshed.get(res) : res;
      if (!now) continue;
      now.dependencies = now.dependencies.filter((urn) =>
        referenceable.has(urn),
      );
      now.propertyDependencies = Object.fromEntries(
        Object.entries(now.propertyDependencies).map(([name, urns]) => [
          name,
          urns.filter((urn) => referenceable.has(urn)),
        ]),
      );
      if (now.deletedWith !== undefined && !referenceable.has(now.deletedWith))
        now.deletedWith = undefined;
      resources.push(now);
      referenceable.add(now.urn);
    }
    for (const res of resources)
      if (res.parent !== undefined && !referenceable.has(res.parent))
        res.parent = undefined;
    this.#prev = resources;
    this.#olds = oldsOf(resources);
    this.#depGraph = new DependencyGraph(resources);
    this.#checkpoints.base = resources;
    await this.#checkpoints.write();
  }

  async #refreshed(old: Resource): Promise<Resource | undefined> {
    const { urn } = old;
    const provider = this.host.provider(old.provider);
    const read = await provider.read({
      urn,
      id: old.id,
      state: { inputs: old.inputs, outputs: old.outputs },
    });
    if (read.id === "") return undefined;
    const now: Resource = {
      ...copyOf(old),
      id: read.id,
      initErrors: [],
      inputs: read.inputs ?? old.inputs,
      outputs: read.outputs,
    };
    await provider.diff({
      urn,
      id: now.id,
      oldInputs: now.inputs,
      oldOutputs: now.outputs,
      news: old.inputs,
      ignoreChanges: old.ignoreChanges,
      isPreview: this.options.isPreview === true,
    });
    markSecrets(now);
    return now;
  }

  // The step executor.

  #execute(chain: readonly Step[]): void {
    const work = (async () => {
      for (const step of chain) {
        if (this.#isCancelled) return;
        try {
          if (!step.isSkippedCreate) this.host.onStep(step.op, step.urn);
          await step.apply();
          step.done?.();
        } catch (error) {
          this.#stepFailed(step, error);
          return;
        }
      }
    })();
    this.#running.add(work);
    void work.finally(() => this.#running.delete(work));
  }

  #stepFailed(step: Step, error: unknown): void {
    this.#hasFailed = true;
    this.host.print(`error: ${messageOf(error)}`, step.urn);
    if (this.options.continueOnError || error instanceof ProtectedError) {
      step.fail?.();
      this.#erroredSteps.push(step);
    } else {
      this.#isCancelled = true;
      this.#cancel();
    }
  }

  #sameStep(
    old: Resource,
    made: Resource,
    answer?: (resource: Resource) => void,
  ): Step {
    return {
      op: "same",
      urn: made.urn,
      res: made,
      old,
      new: made,
      apply: () => {
        made.id = old.id;
        made.outputs = old.outputs;
        markSecrets(made);
        this.#checkpoints.note({ done: old, made });
        return Promise.resolve();
      },
      done: () => answer?.(made),
    };
  }

  #skippedCreateStep(
    made: Resource,
    answer: (resource: Resource) => void,
  ): Step {
    return {
      op: "same",
      urn: made.urn,
      res: made,
      new: made,
      isSkippedCreate: true,
      apply: () => Promise.resolve(),
      done: () => answer(made),
    };
  }

  #createStep(
    made: Resource,
    answer: (resource: Resource) => void,
    old?: Resource,
    { isOldLeft = false } = {},
  ): Step {
    const { urn } = made;
    const isPreview = this.options.isPreview === true;
    const finish = () => {
      markSecrets(made);
      if (old && isOldLeft) old.isDeleted = true;
      const done = old?.isPendingReplacement ? old : undefined;
      return this.#checkpoints.end(made, { made, done });
    };
    return {
      op: old ? "create-replacement" : "create",
      urn,
      res: made,
      old,
      new: made,
      apply: async () => {
        await this.#checkpoints.begin("creating", made);
        if (!made.isCustom) return finish();
        const provider = this.host.provider(made.provider);
        if (isPreview && !provider.supportsPreview) {
          made.outputs = copyOf(made.inputs);
          return finish();
        }
        try {
          const answered = await provider.create({
            urn,
            inputs: made.inputs,
            isPreview,
          });
          made.id = answered.id;
          made.outputs = answered.outputs;
        } catch (error) {
          if (!(error instanceof CallError) || !error.kept) {
            await this.#checkpoints.end(made);
            throw error;
          }
          made.id = error.kept.id;
          made.outputs = error.kept.outputs;
          made.initErrors = [...error.kept.reasons];
          await finish();
          throw error;
        }
        if (made.id === "" && !isPreview)
          throw new Error("provider did not return an ID from Create");
        await finish();
      },
      done: () => answer(made),
      fail: () => answer({ ...made, id: "", outputs: {} }),
    };
  }

  #updateStep(
    old: Resource,
    made: Resource,
    goal: Goal,
    answer: (resource: Resource) => void,
  ): Step {
    const { urn } = made;
    const isPreview = this.options.isPreview === true;
    const finish = () => {
      markSecrets(made);
      return this.#checkpoints.end(made, { done: old, made });
    };
    return {
      op: "update",
      urn,
      res: made,
      old,
      new: made,
      apply: async () => {
        made.id = old.id;
        made.outputs = old.outputs;
        await this.#checkpoints.begin("updating", made);
        if (!made.isCustom) return finish();
        const provider = this.host.provider(made.provider);
        if (isPreview && !provider.supportsPreview) {
          made.outputs = copyOf(made.inputs);
          return finish();
        }
        try {
          const answered = await provider.update({
            urn,
            id: old.id,
            oldInputs: old.inputs,
            oldOutputs: old.outputs,
            news: made.inputs,
            ignoreChanges: goal.ignoreChanges ?? [],
            isPreview,
          });
          made.outputs = answered.outputs;
        } catch (error) {
          if (!(error instanceof CallError) || !error.kept) {
            await this.#checkpoints.end(made);
            throw error;
          }
          made.outputs = error.kept.outputs;
          made.initErrors = [...error.kept.reasons];
          await finish();
          throw error;
        }
        await finish();
      },
      done: () => answer(made),
      fail: () => answer({ ...made, id: "", outputs: {} }),
    };
  }

  #deleteStep(
    old: Resource,
    { isReplaced = false, isPending = false } = {},
  ): Step {
    const { urn } = old;
    return {
      op: isReplaced ? "delete-replaced" : "delete",
      urn,
      res: old,
      old,
      apply: async () => {
        if (!isReplaced && old.protect)
          throw new ProtectedError(
            `resource "${urn}" cannot be deleted because it is protected.`,
          );
        if (this.options.isPreview) return;
        const isLeft =
          old.retainOnDelete ||
          !old.isCustom ||
          (old.deletedWith !== undefined && this.#deletes.has(old.deletedWith));
        await this.#checkpoints.begin("deleting", old);
        try {
          if (!isLeft)
            await this.host.provider(old.provider).delete({
              urn,
              id: old.id,
              inputs: old.inputs,
              outputs: old.outputs,
            });
        } catch (error) {
          await this.#checkpoints.end(old);
          throw error;
        }
        if (isPending) old.isPendingReplacement = true;
        await this.#checkpoints.end(old, isPending ? {} : { done: old });
      },
    };
  }

  #removePendingStep(old: Resource): Step {
    return {
      op: "remove-pending-replace",
      urn: old.urn,
      res: old,
      old,
      apply: async () => {
        this.#checkpoints.note({ done: old });
        await Promise.resolve();
      },
    };
  }
}

/** The resources of a state by their URNs, without those that wait for their deletion. */
const oldsOf = (resources: readonly Resource[]) =>
  new Map(
    resources
      .filter(({ isDeleted }) => !isDeleted)
      .map((one): [string, Resource] => [one.urn, one]),
  );

/** Marks outputs as secret that the program says are, or whose inputs are. */
function markSecrets({
  inputs,
  outputs,
  additionalSecretOutputs,
}: Resource): void {
  for (const [name, value] of Object.entries(outputs))
    if (
      !isSecretValue(value) &&
      (additionalSecretOutputs.includes(name) || isSecretValue(inputs[name]))
    )
      outputs[name] = secretValue(value);
}

const isReplacement = ({ replaces, detailed = {} }: Difference) =>
  replaces.length > 0 || Object.values(detailed).some(Boolean);

function withReplaceOnChanges(
  found: Difference,
  paths: readonly string[],
  hasInitErrors: boolean,
): Difference {
  if (!found.changes && !hasInitErrors) return found;
  const parsed = paths.map((path) => parsePath(path) ?? []);
  const matches = (text: string) => {
    const path = parsePath(text);
    return path !== undefined && parsed.some((one) => containsPath(one, path));
  };
  const keys = new Set(found.replaces);
  for (const key of found.changedKeys ?? []) if (matches(key)) keys.add(key);
  const isInit = hasInitErrors && matches("#initerror");
  if (isInit) keys.add("#initerror");
  return {
    ...found,
    changes: found.changes || isInit,
    replaces: [...keys],
    ...(found.detailed && {
      detailed: Object.fromEntries(
        Object.entries(found.detailed).map(([path, replaces]) => [
          path,
          replaces || matches(path),
        ]),
      ),
    }),
  };
}

const messageOf = (error: unknown) =>
  error instanceof Error ? error.message : String(error);

/** The type of a resource, by its URN. */
export const ownType = (urn: string): string =>
  typesOf(urn).split("$").at(-1) ?? "";
