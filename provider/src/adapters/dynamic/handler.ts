import { createClient, resolveConfiguration, type Client } from "@devid/sdk";
import type * as pulumi from "@pulumi/pulumi";
import type { ResourceDefinition } from "../../definition/define-resource";
import { Lifecycle, type Properties } from "../../lifecycle/lifecycle";
import { settingSources } from "../../definition/provider-settings";
import type { ReadCount } from "../../session/read-count";
import { tellEngine } from "./tell-engine";
import { toHostError } from "./to-host-error";

type Config = pulumi.dynamic.ConfigureRequest["config"];

/** A resource definition as Pulumi's dynamic provider host calls it. */
export class Handler implements pulumi.dynamic.ResourceProvider {
  readonly #lifecycle: Lifecycle;
  #config: Config | undefined;
  #client: Client | undefined;

  constructor(definition: ResourceDefinition, reads: ReadCount) {
    this.#lifecycle = new Lifecycle(definition, tellEngine, reads);
  }

  // The host uses a provider before this has settled: nothing here may wait.
  // eslint-disable-next-line @typescript-eslint/require-await
  async configure(request: pulumi.dynamic.ConfigureRequest): Promise<void> {
    this.#config = request.config;
    this.#client = undefined;
  }

  // eslint-disable-next-line @typescript-eslint/require-await
  async check(
    _olds: Properties,
    news: Properties,
  ): Promise<pulumi.dynamic.CheckResult> {
    return this.#lifecycle.check(this.client, own(news));
  }

  async diff(
    id: string,
    olds: Properties,
    news: Properties,
  ): Promise<pulumi.dynamic.DiffResult> {
    const { summary, ...difference } = this.#lifecycle.diff(
      own(olds),
      own(news),
      id,
    );
    if (summary) await tellEngine("info", this.client.redact(summary));
    return difference;
  }

  async create(inputs: Properties): Promise<pulumi.dynamic.CreateResult> {
    return carried(inputs, async () => {
      const { id, state } = await this.#lifecycle.create(
        this.client,
        own(inputs),
      );
      return { id, outs: state };
    });
  }

  async read(id: string, last: Properties): Promise<pulumi.dynamic.ReadResult> {
    const found = await carried(last, () =>
      this.#lifecycle.read(this.client, id, own(last)),
    );
    // An empty id tells the engine that the object is gone.
    if (!found) return { id: "", props: {} };
    return { id, props: found.state, inputs: found.inputs };
  }

  async update(
    id: string,
    olds: Properties,
    news: Properties,
  ): Promise<pulumi.dynamic.UpdateResult> {
    return carried(news, async () => ({
      outs: await this.#lifecycle.update(this.client, id, own(olds), own(news)),
    }));
  }

  async delete(id: string, olds: Properties): Promise<void> {
    await carried(olds, () =>
      this.#lifecycle.delete(this.client, id, own(olds)),
    );
  }

  private get client(): Client {
    const config = this.#config;
    return (this.#client ??= createClient(
      resolveConfiguration(settingSources((key) => config?.get(key))),
    ));
  }
}

/** Properties without those that belong to the engine. */
function own({ __provider, ...properties }: Properties): Properties {
  return properties;
}

/** Does work whose errors the host can pass on. */
async function carried<T>(
  { __provider }: Properties,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toHostError(error, __provider);
  }
}
