import type { ResourceDefinition } from "../../provider/src/definition/define-resource";
import { loadKind } from "../../provider/src/kinds";
import { settingsOf } from "../provider/settings-of";
import { DynamicProvider } from "../simulation/dynamic-provider";
import { LocalWorkspace } from "./local-workspace";
import { ProviderHost, type Kind } from "./provider-host";

/**
 * The simulation's dynamic provider, without a simulation around it: in the test's own
 * process, from the sources, with real calls. `DynamicHost` has Pulumi's own host; the
 * tests of the adapters show that both answer the same.
 */
export class HandlerHost extends ProviderHost {
  #started: DynamicProvider | undefined;

  /** The settings are those of the engine, such as `devid:endpoint`. A workspace may be opened later. */
  constructor(
    private readonly given: Readonly<Record<string, string>> | LocalWorkspace,
  ) {
    super("dynamic");
  }

  protected get provider(): DynamicProvider {
    return (this.#started ??= this.#start());
  }

  #start(): DynamicProvider {
    const print = (text: string) => void (this.stderr += `${text}\n`);
    const { given } = this;
    const settings =
      given instanceof LocalWorkspace ? settingsOf(given) : given;
    return new DynamicProvider(
      {
        settings: Object.fromEntries(
          Object.entries(settings).map(([key, value]) => [
            key.replace("devid:", ""),
            value,
          ]),
        ),
        log: (_, text) => Promise.resolve(print(text)),
        stderr: print,
      },
      (kind) =>
        loadKind[
          kind as Kind
        ]() as Promise<unknown> as Promise<ResourceDefinition>,
    );
  }

  /** Ends the process. The next call starts that of the next `pulumi` command. */
  async stop(): Promise<void> {
    await this.#started?.cancel();
    this.#started = undefined;
  }
}
