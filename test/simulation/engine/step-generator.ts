import { isDeepStrictEqual } from "node:util";
import type { Checkpoints } from "./checkpoints";
import { isReplacement, withReplaceOnChanges } from "./difference";
import type { DeploymentOptions, EngineHost } from "./engine-host";
import type { Goal, Registered } from "./goal";
import type { LastState } from "./last-state";
import { parsePath, resetPath } from "./property-path";
import { copyOf, UNKNOWN_TEXT, type Properties } from "./property-value";
import { comparing, type Difference, type Provider } from "./provider";
import {
  DependencyGraph,
  dependencyUrns,
  urnOf,
  type Needs,
  type Registration,
  type Resource,
} from "./resource";
import { Bail, type StepExecutor } from "./step-executor";
import { Steps, type Step } from "./steps";

/** The entry of a resource in the state before its step. */
export function resourceOf(
  goal: Goal,
  urn: string,
  inputs: Properties,
): Resource {
  const { name, properties, aliases, deleteBeforeReplace, ...kept } = goal;
  return {
    ...copyOf<Registration>(kept),
    ...{ urn, id: "", inputs, outputs: {}, initErrors: [] },
    ...{ isDeleted: false, isPendingReplacement: false },
  };
}

/** Makes the steps of one command, resource by resource (pkg/resource/deploy/step_generator.go). */
export class StepGenerator {
  readonly #steps: Steps;
  readonly #creates = new Set<string>();
  readonly #sames = new Set<string>();
  readonly #updates = new Set<string>();
  readonly #replaces = new Set<string>();
  readonly #deletes = new Set<string>();
  readonly #urns = new Set<string>();
  readonly #skippedCreates = new Set<string>();
  readonly #pendingDeletes = new Set<Resource>();
  readonly #refreshes = new Set<string>();
  /** The results of refreshes within the update. */
  readonly #refreshed = new Map<Resource, Resource>();
  /** The resources that the program of a destroy has registered. */
  readonly #toDelete: Resource[] = [];
  readonly #targetsActual: Set<string>;
  #turn: Promise<void> = Promise.resolve();

  /** @param aliased the present URN of each URN that an alias has named */
  constructor(
    private readonly stack: string,
    private readonly last: LastState,
    private readonly aliased: Map<string, string>,
    private readonly options: DeploymentOptions,
    private readonly host: EngineHost,
    checkpoints: Checkpoints,
    private readonly executor: StepExecutor,
  ) {
    this.#targetsActual = new Set(options.targets);
    this.#steps = new Steps(options, host, checkpoints, (urn) =>
      this.#deletes.has(urn),
    );
  }

  /** Fails the command if a target is neither in the state nor in the program. */
  checkTargets(): void {
    for (const urn of this.options.targets ?? [])
      if (
        !this.last.olds.has(urn) &&
        !this.#urns.has(urn) &&
        !this.last.resources.some((one) => one.urn === urn)
      ) {
        this.host.print(
          `error: Target ${urn} could not be found in the stack.`,
        );
        this.executor.noteFailure();
      }
  }

  /** Generates the steps of a resource, one resource at a time, and starts them. */
  register(goal: Goal): Promise<Registered> {
    const urn = urnOf(this.stack, goal.parent, goal.type, goal.name);
    return new Promise((resolve) => {
      this.#inTurn(urn, () => this.#generateSteps(goal, urn, resolve));
    });
  }

  /** Generates steps after all earlier steps are generated, and starts them. */
  #inTurn(urn: string, generate: () => Promise<Step[]>): void {
    this.#turn = this.#turn.then(async () => {
      if (this.executor.isCancelled) return;
      try {
        await this.executor.start(await generate());
      } catch (error) {
        this.executor.report(error, urn);
      }
    });
  }

  #getOld(goal: Goal, urn: string): Resource | undefined {
    const { type, name, parent } = goal;
    if (parent && [...this.aliased.values()].includes(parent))
      throw new Error("The model renames no resource that has children.");
    const urns = [
      urn,
      ...goal.aliases.map((alias) =>
        urnOf(this.stack, parent, alias.type ?? type, alias.name ?? name),
      ),
    ];
    for (const one of urns) {
      const old = this.last.olds.get(one);
      if (!old) continue;
      if (one !== urn) {
        if (this.#urns.has(one) || this.aliased.has(one)) {
          this.host.print(
            `error: Duplicate resource alias '${one}' applied to ${urn}.`,
            urn,
          );
          throw new Bail();
        }
        this.aliased.set(one, urn);
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
    if (this.aliased.has(urn)) {
      this.host.print(
        `error: Duplicate resource URN '${urn}' conflicting with alias on resource with URN '${this.aliased.get(urn)}'.`,
        urn,
      );
      throw new Bail();
    }
    const old = this.#getOld(goal, urn);
    this.#urns.add(urn);
    const { refresh, runsProgram, isDestroy } = this.options;
    if (
      !old ||
      !refresh ||
      !runsProgram ||
      isDestroy ||
      !this.#isIncluded(old.urn, old)
    )
      return this.#continueSteps(goal, urn, old, resolve);
    this.#refreshes.add(urn);
    const afterRefresh = (now: Resource | undefined) => {
      if (now) {
        this.last.graph.alias(now, old);
        this.#refreshed.set(old, now);
      }
      this.#inTurn(urn, () => this.#continueSteps(goal, urn, now, resolve));
    };
    const fail = (error: unknown) => this.executor.report(error, urn);
    return [this.#steps.refresh(old, afterRefresh, fail)];
  }

  /** Generates the steps of a resource, after its refresh if the update has one. */
  async #continueSteps(
    goal: Goal,
    urn: string,
    old: Resource | undefined,
    resolve: (registered: Registered) => void,
  ): Promise<Step[]> {
    const answer = (resource: Resource) =>
      resolve({
        urn,
        id: resource.id === "" ? UNKNOWN_TEXT : resource.id,
        outputs: resource.outputs,
      });
    const withoutProgram = this.#stepsWithoutUpdate(goal, urn, old, answer);
    if (withoutProgram) return withoutProgram;
    const recreating = this.#deletes.has(urn);
    const provider = goal.isCustom
      ? this.host.provider(goal.provider)
      : undefined;
    const isTargeted = this.#isIncluded(urn, goal);
    const fresh = recreating || this.#isTargetedReplace(urn) || !old;
    let inputs = copyOf(goal.properties);
    if (old)
      for (const ignored of goal.ignoreChanges) {
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
    const made = resourceOf(goal, urn, inputs);
    if (this.options.isDestroy) this.#toDelete.push(made);
    const steps = await (async () => {
      if (recreating) {
        this.#deletes.delete(urn);
        this.#replaces.add(urn);
        return [this.#steps.create(made, answer, old)];
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
        return [this.#steps.skippedCreate(made, answer)];
      }
      this.#creates.add(urn);
      return [this.#steps.create(made, answer)];
    })();
    return this.#validated(steps);
  }

  /**
   * The steps of a resource that the program registers in a refresh or a destroy.
   * Undefined if they are the steps of an update.
   */
  #stepsWithoutUpdate(
    goal: Goal,
    urn: string,
    old: Resource | undefined,
    answer: (resource: Resource) => void,
  ): Step[] | undefined {
    const { refresh, isDestroy } = this.options;
    if (refresh !== "only" && !isDestroy) return undefined;
    const isSkipped = [...dependencyUrns(goal), goal.parent ?? ""].some(
      (needed) => this.#skippedCreates.has(needed),
    );
    if (!goal.isCustom && !isSkipped) return undefined;
    const made = resourceOf(goal, urn, old?.inputs ?? copyOf(goal.properties));
    if (!old || (isDestroy && isSkipped)) {
      if (!isDestroy) this.#sames.add(urn);
      this.#skippedCreates.add(urn);
      if (old) made.outputs = old.outputs;
      return [this.#steps.skippedCreate(made, answer)];
    }
    if (!isDestroy) {
      answer(old);
      return [];
    }
    this.#sames.add(urn);
    this.#toDelete.push(made);
    return [this.#steps.same(old, made, answer)];
  }

  /** Makes the command fail: a preview after its other steps. */
  #refuse(): void {
    this.executor.noteFailure();
    if (!this.options.isPreview) throw new Bail();
  }

  /** Refuses steps that depend on resources that `--target` leaves out. */
  #validated(steps: Step[]): Step[] {
    const { targets, replaces } = this.options;
    if (!targets && !replaces) return steps;
    for (const step of steps) {
      if (!step.new || step.isSkippedCreate) continue;
      const needed = [...dependencyUrns(step.new), step.new.parent ?? ""];
      for (const urn of needed.filter((one) => this.#skippedCreates.has(one))) {
        this.host.print(
          `error: Resource '${step.urn}' depends on '${urn}' which was was not specified in --target list.`,
          step.urn,
        );
        this.#refuse();
        this.#skippedCreates.delete(urn);
      }
    }
    return steps;
  }

  /** Keeps a resource that `--target` leaves out, and all its dependencies, unchanged. */
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
        const found = this.last.olds.get(needed);
        if (!found) throw new Bail();
        return keep(found, false);
      });
      const kept = copyOf(resource);
      return [
        ...before,
        this.#steps.same(resource, kept, isRoot ? answer : undefined),
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
    if (this.#isTargetedReplace(urn))
      found = { changes: true, replaces: ["id"] };
    else if (provider)
      found = await provider.diff(
        comparing(old, made, goal.ignoreChanges, isPreview),
      );
    else
      found = {
        changes: !isDeepStrictEqual(old.inputs, made.inputs),
        replaces: [],
      };
    const hasInitErrors = old.initErrors.length > 0;
    found = withReplaceOnChanges(found, goal.replaceOnChanges, hasInitErrors);
    const isReplaced =
      (found.changes && isReplacement(found)) || old.isPendingReplacement;
    if (isReplaced) {
      if (made.protect && old.protect) {
        this.host.print(
          `error: unable to replace resource "${urn}" as it is currently marked for protection.`,
          urn,
        );
        this.#refuse();
      }
      this.#replaces.add(urn);
      if (provider && !this.#isTargetedReplace(urn))
        made.inputs = await check(copyOf(goal.properties));
      if (!goal.deleteBeforeReplace)
        return [this.#steps.create(made, answer, old, { isOldLeft: true })];
      return [
        ...(await this.#dependentDeletes(old)),
        ...(old.isPendingReplacement
          ? []
          : [this.#steps.delete(old, { isReplaced: true, isPending: true })]),
        this.#steps.create(made, answer, old),
      ];
    }
    if (found.changes || hasInitErrors) {
      this.#updates.add(urn);
      return [this.#steps.update(old, made, goal, answer)];
    }
    this.#sames.add(urn);
    return [this.#steps.same(old, made, answer)];
  }

  /** The deletes of the dependents of a resource that is deleted before its replacement. */
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
        this.#steps.delete(
          resource,
          resource.isDeleted ? {} : { isReplaced: true, isPending: true },
        ),
      ];
    });
  }

  async #dependentReplacements(root: Resource): Promise<Resource[]> {
    const replaced = new Set([root.urn]);
    const found: Resource[] = [];
    const impossible = new Set(this.#generated().flatMap((urns) => [...urns]));
    if (!this.last.graph.has(root)) return [];
    for (const one of this.last.graph.dependingOn(root, impossible, {
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
      const difference = await this.host
        .provider(one.provider)
        .diff(
          comparing(one, { ...one, inputs: news }, one.ignoreChanges, true),
        );
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

  #isIncluded(urn: string, needs: Needs): boolean {
    const { targets, excludes, targetDependents } = this.options;
    if (targets) {
      if (targets.includes(urn)) return true;
      if (!targetDependents) return false;
      return [...dependencyUrns(needs), needs.parent ?? ""].some((one) =>
        this.#targetsActual.has(one),
      );
    }
    return !excludes?.includes(urn);
  }

  #isTargetedReplace(urn: string): boolean {
    return this.options.replaces?.includes(urn) === true;
  }

  #hasGeneratedStep(urn: string): boolean {
    return this.#generated().some((urns) => urns.has(urn));
  }

  /** The URNs of the resources that have a step, by its kind. */
  #generated(): readonly ReadonlySet<string>[] {
    return [
      ...[this.#creates, this.#sames, this.#updates],
      ...[this.#deletes, this.#replaces],
    ];
  }

  /** Whether the program has registered a resource. */
  isOperatedOn(given: string): boolean {
    const urn = this.aliased.get(given) ?? given;
    return [this.#sames, this.#updates, this.#replaces, this.#refreshes].some(
      (urns) => urns.has(urn),
    );
  }

  /** Deletes the resources that the program no longer declares. */
  async performDeletes(): Promise<void> {
    const { targets, excludes, targetDependents } = this.options;
    const allowed = targets && (await this.#deletableWith(targets));
    const kept = excludes && this.#neededBy(excludes);
    const steps: Step[] = [];
    const sames: Step[] = [];
    const isIncluded = ({ urn }: Resource) =>
      (!allowed || allowed.has(urn)) && !kept?.has(urn);
    for (const last of this.last.resources) {
      const res = this.#refreshed.get(last) ?? last;
      if (!isIncluded(res)) {
        if (!this.isOperatedOn(res.urn) && !res.isDeleted)
          sames.push(this.#steps.same(res, copyOf(res)));
        continue;
      }
      if (res.isDeleted) {
        if (this.#pendingDeletes.has(res)) continue;
        this.#deletes.add(res.urn);
        steps.push(this.#steps.delete(res, { isReplaced: true }));
      } else if (!this.isOperatedOn(res.urn)) {
        this.#deletes.add(res.urn);
        steps.push(
          res.isPendingReplacement
            ? this.#steps.removePending(res)
            : this.#steps.delete(res),
        );
      }
    }
    for (const res of this.#toDelete.filter(isIncluded)) {
      this.#deletes.add(res.urn);
      steps.push(this.#steps.delete(res));
    }
    const unspecified = steps.filter(
      ({ urn }) => targets && !targets.includes(urn) && !targetDependents,
    );
    for (const { urn } of unspecified)
      this.host.print(
        `error: Resource '${urn}' will be destroyed but was not specified in --target list.`,
        urn,
      );
    if (unspecified.length > 0) this.#refuse();
    for (const same of sames) await same.apply();
    await this.#executeDeletes(steps);
  }

  async #deletableWith(targets: readonly string[]): Promise<Set<string>> {
    const found = new Set<string>();
    const left = this.last.resources.filter(({ urn }) => targets.includes(urn));
    for (let next = left.shift(); next; next = left.shift()) {
      if (found.has(next.urn)) continue;
      found.add(next.urn);
      left.push(
        ...this.last.graph.dependingOn(next, found, { children: true }),
      );
    }
    for (const res of this.last.resources)
      if (found.has(res.urn))
        for (const one of await this.#dependentReplacements(res))
          found.add(one.urn);
    return found;
  }

  #neededBy(excludes: readonly string[]): Set<string> {
    const found = new Set<string>();
    const left = this.last.resources.filter(({ urn }) =>
      excludes.includes(urn),
    );
    for (let next = left.shift(); next; next = left.shift()) {
      if (found.has(next.urn)) continue;
      found.add(next.urn);
      left.push(...this.last.graph.dependenciesOf(next));
    }
    return found;
  }

  /** Runs deletes in groups. Resources without dependents come first. */
  async #executeDeletes(steps: readonly Step[]): Promise<void> {
    const graph = new DependencyGraph([
      ...this.#toDelete,
      ...this.last.resources,
    ]);
    for (const [old, now] of this.#refreshed) graph.alias(now, old);
    const deleted = new DependencyGraph(this.#toDelete);
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
      for (const { res, old } of this.executor.erroredSteps)
        for (const one of [res, old])
          for (const among of [this.last.graph, deleted])
            if (one && among.has(one))
              for (const dependency of among.transitiveDependenciesOf(one))
                needed.add(dependency);
      for (const step of chain)
        if (!needed.has(step.res)) this.executor.execute([step]);
      await this.executor.idle();
      if (this.executor.isCancelled) return;
    }
  }
}
