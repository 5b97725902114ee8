import { dependencyUrns } from "./resource";
import type { DeploymentOptions, EngineHost } from "./engine-host";
import { ProtectedError, type Step } from "./steps";

/** Ends a command after the reason was printed. */
export class Bail extends Error {
  override readonly name = "Bail";
}

/** Runs the steps of one command, in parallel, until one fails (pkg/resource/deploy/step_executor.go). */
export class StepExecutor {
  readonly erroredSteps: Step[] = [];
  readonly #skipped = new Set<string>();
  readonly #running = new Set<Promise<void>>();
  #cancel: () => void = () => undefined;
  /** Settles when the command is to end. */
  readonly cancelled = new Promise<void>((resolve) => {
    this.#cancel = resolve;
  });
  #isCancelled = false;
  #hasFailed = false;

  constructor(
    private readonly options: DeploymentOptions,
    private readonly host: EngineHost,
  ) {}

  get isCancelled(): boolean {
    return this.#isCancelled;
  }

  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  /** Makes the command fail after its remaining steps. */
  noteFailure(): void {
    this.#hasFailed = true;
  }

  /** Ends the command. */
  fail(): void {
    this.#hasFailed = true;
    this.#isCancelled = true;
    this.#cancel();
  }

  /** Prints an error, and ends the command. */
  report(error: unknown, urn?: string): void {
    if (!(error instanceof Bail))
      this.host.print(`error: ${messageOf(error)}`, urn);
    this.fail();
  }

  /** Resolves when no step runs any more. */
  async idle(): Promise<void> {
    await Promise.all(this.#running);
  }

  get isIdle(): boolean {
    return this.#running.size === 0;
  }

  /** Starts a chain of steps, without steps that depend on a failed step. */
  async start(chain: readonly Step[]): Promise<void> {
    for (const { res } of this.erroredSteps) this.#skipped.add(res.urn);
    const steps = chain.filter((step) => {
      const needed = [...dependencyUrns(step.res), step.res.parent ?? ""];
      if (!needed.some((urn) => this.#skipped.has(urn))) return true;
      this.#skipped.add(step.res.urn);
      step.fail?.();
      return false;
    });
    if (steps.length > 0) this.execute(steps);
    await Promise.resolve();
  }

  /** Starts a chain of steps. */
  execute(chain: readonly Step[]): void {
    const work = (async () => {
      for (const [at, step] of chain.entries()) {
        if (this.#isCancelled) return;
        try {
          if (!step.isSkippedCreate) this.host.onStep(step.op, step.urn);
          await step.apply();
          step.done?.();
        } catch (error) {
          this.#stepFailed(step, error);
          // After a failed delete before a replacement, the real engine waits for ever
          // with continueOnError (DeleteStep.Fail tells the program nothing). A person
          // then ends the command.
          if (!step.fail && chain.slice(at).some((later) => "fail" in later))
            this.fail();
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
      this.erroredSteps.push(step);
    } else {
      this.fail();
    }
  }
}

/** The message of an error. */
export const messageOf = (error: unknown) =>
  error instanceof Error ? error.message : String(error);
