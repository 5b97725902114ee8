import { createClient, resolveConfiguration } from "@devid/sdk";
import type * as pulumi from "@pulumi/pulumi";
import type {
  CheckFailure,
  ResourceDefinition,
} from "../../definition/define-resource";
import { settingSources } from "../../definition/provider-settings";
import { Lifecycle } from "../../lifecycle/lifecycle";
import { Session, type Log } from "../../session/session";
import { toHostError } from "./to-host-error";
import { fromWire, toWire, type WireProperties } from "./wire";

type Config = pulumi.dynamic.ConfigureRequest["config"];

/** The configured provider of a host: all its resources share one session. */
export class HostSession {
  #config: Config | undefined;
  #session: Session | undefined;

  /** `log` shows texts to whoever runs the engine. */
  constructor(private readonly log: Log) {}

  /** Takes the configuration, which is the same for every kind of one host. */
  configure(config: Config): void {
    this.#config ??= config;
  }

  /** @throws ConfigurationError for settings that cannot be used */
  get current(): Session {
    const config = this.#config;
    return (this.#session ??= new Session(
      (signal) =>
        createClient(
          resolveConfiguration(settingSources((key) => config?.get(key))),
          { signal },
        ),
      this.log,
    ));
  }
}

/** A resource definition as Pulumi's dynamic provider host calls it. */
export class Handler implements pulumi.dynamic.ResourceProvider {
  constructor(
    private readonly definition: ResourceDefinition,
    private readonly session: HostSession,
  ) {}

  // The host uses a provider before this has settled: nothing here may wait.
  // eslint-disable-next-line @typescript-eslint/require-await
  async configure(request: pulumi.dynamic.ConfigureRequest): Promise<void> {
    this.session.configure(request.config);
  }

  async check(
    olds: WireProperties,
    news: WireProperties,
  ): Promise<pulumi.dynamic.CheckResult> {
    return carried(news, async () => {
      const { inputs, failures } = await this.#lifecycle.check({
        news: fromWire(news),
        // The host passes an empty object where there are none.
        ...("__provider" in olds && { olds: fromWire(olds) }),
      });
      return { inputs: toWire(inputs), failures: failures.map(inWords) };
    });
  }

  async diff(
    id: string,
    olds: WireProperties,
    news: WireProperties,
  ): Promise<pulumi.dynamic.DiffResult> {
    return carried(news, async () => {
      const { changes, replaces, deleteBeforeReplace, summary } =
        this.#lifecycle.diff({
          id,
          state: fromWire(olds),
          news: fromWire(news),
        });
      if (summary) await this.session.current.tell(undefined)("info", summary);
      return { changes, replaces: [...replaces], deleteBeforeReplace };
    });
  }

  async create(inputs: WireProperties): Promise<pulumi.dynamic.CreateResult> {
    return carried(inputs, async () => {
      const made = await this.#lifecycle.create({ inputs: fromWire(inputs) });
      return { id: made.id, outs: toWire(made.state) };
    });
  }

  async read(
    id: string,
    last: WireProperties,
  ): Promise<pulumi.dynamic.ReadResult> {
    const state = "schemaVersion" in last ? fromWire(last) : undefined;
    const found = await carried(last, () =>
      this.#lifecycle.read({ id, ...(state && { state }) }),
    );
    // An empty id tells the engine that the object is gone.
    if (!found) return { id: "", props: {} };
    return { id, props: toWire(found.state), inputs: toWire(found.inputs) };
  }

  async update(
    id: string,
    olds: WireProperties,
    news: WireProperties,
  ): Promise<pulumi.dynamic.UpdateResult> {
    return carried(news, async () => {
      const { state } = await this.#lifecycle.update({
        id,
        state: fromWire(olds),
        inputs: fromWire(news),
      });
      return { outs: toWire(state) };
    });
  }

  async delete(id: string, olds: WireProperties): Promise<void> {
    await carried(olds, () =>
      this.#lifecycle.delete({ id, state: fromWire(olds) }),
    );
  }

  get #lifecycle(): Lifecycle {
    return new Lifecycle(this.definition, this.session.current);
  }
}

/**
 * A failure with its property in its words. Where a failure names an input, the
 * engine prints the value of that input, a secret one too.
 */
const inWords = ({ property, reason }: CheckFailure) => ({
  property: "",
  reason: property === "" ? reason : `${property}: ${reason}`,
});

/** Does work whose errors the host can pass on. */
async function carried<T>(
  { __provider }: WireProperties,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toHostError(error, __provider);
  }
}
