import { loadKinds } from "./forms";
import { InProcessService } from "./service";
import { Telling, type Step, type Story, type Told } from "./story";
import type { Form } from "./forms";
import { VirtualTime } from "./virtual-time";

/** Runs stories on one service. */
export class Simulator {
  private constructor(
    private readonly service: InProcessService,
    private readonly time: VirtualTime,
  ) {}

  static async start(): Promise<Simulator> {
    const time = new VirtualTime();
    const simulator = new Simulator(await InProcessService.start(time), time);
    await loadKinds();
    // The first call loads modules while time moves on. This story makes the first
    // call.
    await simulator.tell(WARMING_UP("dynamic"));
    await simulator.tell(WARMING_UP("plugin"));
    return simulator;
  }

  /** Runs a whole story. It ends at the first violation, unless `goesOn` is set. */
  tell({ form, seed, steps }: Story, { goesOn = false } = {}): Promise<Told> {
    return this.telling(form, seed, async (telling) => {
      for (const step of steps) {
        await telling.step(step);
        if (telling.violations.length > 0 && !goesOn) return telling.told();
      }
      await telling.end();
      return telling.told();
    });
  }

  /** Begins a story, with virtual time until `work` ends. */
  telling<T>(
    form: Form,
    seed: number,
    work: (telling: Telling) => Promise<T>,
  ): Promise<T> {
    return this.#inVirtualTime(async () =>
      work(await Telling.begin(this.service, this.time, form, seed)),
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
  }: Story): Promise<
    <T>(work: (telling: Telling) => Promise<T>) => Promise<T>
  > {
    const begun = await this.telling(form, seed, async (telling) => {
      for (const step of steps) await telling.step(step);
      return telling;
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
      this.time.dropTimers();
      this.time.uninstall();
    }
  }

  close(): Promise<void> {
    return this.service.close();
  }
}

const WARMING_UP = (form: Form): Story => ({
  form,
  seed: 1,
  steps: [
    {
      do: "declare",
      resource: {
        name: "key",
        kind: "ApiKey",
        args: { name: "Key", type: "secret" },
      },
    },
    { do: "up" },
    {
      do: "declare",
      resource: {
        name: "key",
        kind: "ApiKey",
        args: { name: "Key two", type: "secret" },
      },
    },
    { do: "up" },
    { do: "refresh" },
    { do: "destroy" },
  ] satisfies Step[],
});
