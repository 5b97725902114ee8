import type { ResourceDefinition } from "../../provider/src/definition/define-resource";
import { loadKind } from "../../provider/src/kinds";
import { settingsOf } from "../provider/settings-of";
import { DynamicProvider } from "../simulation/dynamic-provider";
import {
  namedInText,
  type CheckAnswer,
  type DiffAnswer,
  type Host,
  type Kind,
  type Properties,
  type StateAnswer,
} from "./dynamic-host";
import { LocalWorkspace } from "./local-workspace";

/**
 * The simulation's dynamic provider, without a simulation around it: in the test's own
 * process, from the sources, with real calls. `DynamicHost` has Pulumi's own host; the
 * tests of the adapters show that both answer the same.
 */
export class HandlerHost implements Host {
  stderr = "";
  #started: DynamicProvider | undefined;

  /** The settings are those of the engine, such as `devid:endpoint`. A workspace may be opened later. */
  constructor(
    private readonly given: Readonly<Record<string, string>> | LocalWorkspace,
  ) {}

  get #provider(): DynamicProvider {
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
      (kind) => loadKind[kind as Kind]() as Promise<unknown> as Definition,
    );
  }

  /** All output has arrived, because no process lies between. */
  allOutput(): Promise<string> {
    return Promise.resolve(this.stderr);
  }

  /** Ends the process. The next call starts that of the next `pulumi` command. */
  async stop(): Promise<void> {
    await this.#started?.cancel();
    this.#started = undefined;
  }

  async check(
    kind: Kind,
    news: Properties,
    olds?: Properties,
  ): Promise<CheckAnswer> {
    const { inputs, failures } = await this.#provider.check({
      urn: urnOf(kind),
      news: sent(news),
      ...(olds && { olds: sent(olds) }),
      isPreview: true,
    });
    return {
      inputs: received(inputs),
      failures: failures.map(({ reason }) => namedInText(reason)),
    };
  }

  async diff(
    kind: Kind,
    id: string,
    olds: Properties,
    news: Properties,
  ): Promise<DiffAnswer> {
    const { changes, replaces } = await this.#provider.diff({
      urn: urnOf(kind),
      id,
      oldInputs: {},
      oldOutputs: sent(olds),
      news: sent(news),
      ignoreChanges: [],
      isPreview: true,
    });
    return { changes, replaces };
  }

  async create(kind: Kind, news: Properties): Promise<StateAnswer> {
    const [urn, inputs] = [urnOf(kind), sent(news)];
    const made = await this.#provider.create({ urn, inputs, isPreview: false });
    return { id: made.id, properties: received(made.outputs) };
  }

  async read(
    kind: Kind,
    id: string,
    last: Properties,
  ): Promise<StateAnswer & { readonly inputs: Properties }> {
    const state = { inputs: {}, outputs: sent(last) };
    const found = await this.#provider.read({ urn: urnOf(kind), id, state });
    return {
      id: found.id,
      properties: received(found.outputs),
      inputs: received(found.inputs ?? {}),
    };
  }

  async update(
    kind: Kind,
    id: string,
    olds: Properties,
    news: Properties,
  ): Promise<Properties> {
    const { outputs } = await this.#provider.update({
      urn: urnOf(kind),
      id,
      oldInputs: {},
      oldOutputs: sent(olds),
      news: sent(news),
      ignoreChanges: [],
      isPreview: false,
    });
    return received(outputs);
  }

  delete(kind: Kind, id: string, state: Properties): Promise<void> {
    const [urn, outputs] = [urnOf(kind), sent(state)];
    return this.#provider.delete({ urn, id, inputs: {}, outputs });
  }
}

type Definition = Promise<ResourceDefinition>;

const urnOf = (kind: Kind) => `urn:pulumi:test::test::dynamic:${kind}::test`;

/** Properties as the engine has them, with the provider's text. */
const sent = (properties: Properties): Properties => ({
  ...properties,
  __provider: "the text of the provider",
});

/** The properties of an answer, without that text. */
const received = ({ __provider, ...rest }: Properties): Properties => rest;
