import { loadKinds } from "./forms";
import { InProcessService } from "./service";
import { stepsOf } from "./story-language";
import { StoryRun, type Story, type StoryResult } from "./story";
import type { Form } from "../helpers/program-form";
import { VirtualTime } from "./virtual-time";

/** Runs stories on one service. */
export class Simulator {
  readonly #time = new VirtualTime();
  #service: InProcessService | undefined;

  async open(): Promise<void> {
    this.#service = await InProcessService.start(this.#time);
    await loadKinds();
    // The first call loads modules while time moves on. This story makes the first
    // call.
    await this.play(WARMING_UP("dynamic"));
    await this.play(WARMING_UP("plugin"));
  }

  private get service(): InProcessService {
    if (!this.#service) throw new Error("The simulator is not open yet.");
    return this.#service;
  }

  /** Runs a whole story. It ends at the first violation, unless `continuesAfterViolation` is set. */
  play(
    { form, seed, steps }: Story,
    { continuesAfterViolation = false } = {},
  ): Promise<StoryResult> {
    return this.run(form, seed, async (run) => {
      for (const step of steps) {
        await run.step(step);
        if (run.violations.length > 0 && !continuesAfterViolation)
          return run.result();
      }
      await run.end();
      return run.result();
    });
  }

  /** Begins a story, with virtual time until `work` ends. */
  run<T>(
    form: Form,
    seed: number,
    work: (run: StoryRun) => Promise<T>,
  ): Promise<T> {
    return this.#inVirtualTime(async () =>
      work(await StoryRun.begin(this.service, this.#time, form, seed)),
    );
  }

  /**
   * Plays the beginning of a story once. The result plays a continuation from there, and can be
   * called many times.
   */
  async beginning({
    form,
    seed,
    steps,
  }: Story): Promise<<T>(work: (run: StoryRun) => Promise<T>) => Promise<T>> {
    const begun = await this.run(form, seed, async (run) => {
      for (const step of steps) await run.step(step);
      return run;
    });
    this.service.keep("before the trouble");
    return (work) =>
      this.#inVirtualTime(() => {
        this.service.returnTo("before the trouble");
        return work(begun.copy());
      });
  }

  async #inVirtualTime<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } finally {
      this.#time.dropTimers();
      this.#time.uninstall();
    }
  }

  async close(): Promise<void> {
    await this.#service?.close();
  }
}

const WARMING_UP = (form: Form): Story => ({
  form,
  seed: 1,
  steps: stepsOf(
    `declare key: ApiKey {name: Key, type: secret}
     up
     declare key: ApiKey {name: Key two, type: secret}
     up
     refresh
     destroy`,
  ),
});
