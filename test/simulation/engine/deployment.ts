import { Checkpoints } from "./checkpoints";
import type { DeploymentOptions, EngineHost } from "./engine-host";
import type { RunProgram } from "./goal";
import { LastState } from "./last-state";
import { copyOf } from "./property-value";
import { refresh } from "./refresh";
import type { Resource, Snapshot } from "./resource";
import { StepExecutor } from "./step-executor";
import { StepGenerator } from "./step-generator";

/**
 * One command of the engine on one stack: a model of the step generator and the step
 * executor of Pulumi 3.246 (pkg/resource/deploy). Names are those of Pulumi, so that
 * the two sources can be read side by side.
 */
export class Deployment {
  readonly #last: LastState;
  readonly #checkpoints: Checkpoints;
  readonly #executor: StepExecutor;
  readonly #generator: StepGenerator;

  constructor(
    stack: string,
    last: Snapshot,
    private readonly options: DeploymentOptions,
    private readonly host: EngineHost,
  ) {
    const { resources, pending } = copyOf(last);
    const aliased = new Map<string, string>();
    this.#last = new LastState(resources);
    this.#checkpoints = new Checkpoints(
      resources,
      pending,
      aliased,
      (snapshot) =>
        options.isPreview ? Promise.resolve() : host.save(snapshot),
    );
    this.#executor = new StepExecutor(options, host);
    this.#generator = new StepGenerator(
      stack,
      this.#last,
      aliased,
      options,
      host,
      this.#checkpoints,
      this.#executor,
    );
  }

  /**
   * Runs the command. Without a program, it deletes everything. Returns whether the
   * command succeeded.
   */
  async run(program?: RunProgram): Promise<boolean> {
    const { refresh: refreshes, replaces, runsProgram } = this.options;
    const { isPreview, isDestroy } = this.options;
    const executor = this.#executor;
    const generator = this.#generator;
    // A destroy that runs the program refreshes everything before.
    if (refreshes && (!runsProgram || isDestroy)) {
      await this.#refresh();
      if (executor.hasFailed) return this.#failed();
      if (refreshes === "only") return true;
    }
    for (const urn of replaces ?? [])
      if (!this.#last.olds.has(urn)) {
        this.host.print(`No resource named ${urn} found.`);
        return this.#failed();
      }
    const ended = program?.((goal) => generator.register(goal)).catch(
      (error: unknown) => executor.report(error),
    );
    await Promise.race([ended, executor.cancelled]);
    if (!executor.isCancelled) {
      await executor.idle();
      generator.checkTargets();
      if (!executor.isCancelled)
        await (
          refreshes === "only"
            ? this.#refresh((one) => generator.isOperatedOn(one.urn))
            : generator.performDeletes()
        ).catch((error: unknown) => executor.report(error));
    }
    while (!executor.isIdle) await executor.idle();
    if (!isPreview) await this.#checkpoints.write();
    return executor.hasFailed ? this.#failed() : true;
  }

  /** Begins no further step, as after Ctrl-C. Running steps finish. */
  cancel(): void {
    this.#executor.fail();
  }

  async #refresh(isDone?: (resource: Resource) => boolean): Promise<void> {
    const { options, host } = this;
    const { resources } = this.#last;
    const executor = this.#executor;
    const now = await refresh(resources, options, host, executor, isDone);
    this.#last.replace(now);
    this.#checkpoints.base = now;
    await this.#checkpoints.write();
  }

  #failed(): boolean {
    this.host.print("error: update failed");
    return false;
  }
}
