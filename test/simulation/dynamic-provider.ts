import {
  Handler,
  HostSession,
} from "../../provider/src/adapters/dynamic/handler";
import type { ResourceDefinition } from "../../provider/src/definition/define-resource";
import type { EngineLog } from "../../provider/src/session/session";
import { HostError, plain, struct } from "../helpers/protocol-provider";
import {
  annotateSecrets,
  copyOf,
  revealed,
  withoutUnknown,
  type Properties,
} from "./engine/property-value";
import type {
  Provider,
  CheckRequest,
  CreateRequest,
  DeleteRequest,
  DiffRequest,
  ReadRequest,
} from "./engine/provider";
import { ownType } from "./engine/resource";

/** The settings and connections of a provider process. */
export interface ProcessParts {
  /** `managementKey`, `region` and so on. */
  readonly settings: Readonly<Record<string, string>>;
  /** Name of an explicit provider; absent for the default one. */
  readonly providerName?: string | undefined;
  /** Default: the client's own. */
  readonly fetch?: (url: URL, init: RequestInit) => Promise<Response>;
  readonly log: EngineLog;
  /** What the process writes to standard error. */
  readonly stderr: (text: string) => void;
}

/** A model of Pulumi's dynamic provider host (`cmd/dynamic-provider`) with our handlers. */
export class DynamicProvider implements Provider {
  readonly supportsPreview = false;
  readonly #handlers = new Map<string, Handler>();
  readonly #session: HostSession;

  /** `load` returns the definition of a kind. */
  constructor(
    private readonly parts: ProcessParts,
    private readonly load: (kind: string) => Promise<ResourceDefinition>,
  ) {
    const { settings, providerName, fetch, log } = parts;
    const prefix = providerName === undefined ? "devid:" : "devid.Provider:";
    this.#session = new HostSession(log, fetch ? { fetch } : {});
    const get = (key: string) =>
      key.startsWith(prefix) ? settings[key.slice(prefix.length)] : undefined;
    this.#session.configure({ get, require: get } as never);
  }

  async check({ news, olds, isPreview, ...about }: CheckRequest) {
    const result = await this.#withErrorText(() =>
      this.#handler(about).check(
        sent(olds ?? {}, isPreview),
        sent(news, isPreview),
      ),
    );
    const inputs = received({
      ...(result.inputs as Properties),
      __provider: news.__provider,
    });
    annotateSecrets(inputs, news);
    return { inputs, failures: copyOf(result.failures ?? []) };
  }

  async diff({ id, oldOutputs, news, isPreview, ...about }: DiffRequest) {
    const found = await this.#withErrorText(() =>
      this.#handler(about).diff(
        id,
        sent(oldOutputs, isPreview),
        sent(news, isPreview),
      ),
    );
    return {
      changes: found.changes === true,
      replaces: found.replaces ?? [],
    };
  }

  async create({ inputs, ...about }: CreateRequest) {
    const props = sent(inputs, false);
    const made = await this.#keptErrors(inputs, () =>
      this.#handler(about).create(props),
    );
    const outputs = received({
      ...(made.outs as Properties),
      __provider: props.__provider,
    });
    annotateSecrets(outputs, inputs);
    return { id: made.id, outputs };
  }

  async read({ id, state, ...about }: ReadRequest) {
    const last = sent(state?.outputs ?? {}, false);
    const found: { id?: string; props?: Properties; inputs?: Properties } =
      await this.#withErrorText(() => this.#handler(about).read(id, last));
    // An import has no provider text, so the host could not load the provider. Only the
    // states of `devid export` come from such a read.
    const own = "__provider" in last ? { __provider: last.__provider } : {};
    const outputs = received({ ...found.props, ...own });
    const inputs = found.inputs && received({ ...found.inputs, ...own });
    if (state) annotateSecrets(outputs, state.outputs);
    if (state && inputs) annotateSecrets(inputs, state.inputs ?? {});
    return { id: found.id ?? "", outputs, ...(inputs && { inputs }) };
  }

  async update({ id, oldOutputs, news, ...about }: DiffRequest) {
    const props = sent(news, false);
    const updated = await this.#keptErrors(news, () =>
      this.#handler(about).update(id, sent(oldOutputs, false), props),
    );
    const outputs = received({
      ...(updated.outs as Properties),
      __provider: props.__provider,
    });
    annotateSecrets(outputs, news);
    return { outputs };
  }

  async delete({ id, outputs, ...about }: DeleteRequest) {
    await this.#withErrorText(() =>
      this.#handler(about).delete(id, sent(outputs, false)),
    );
  }

  /** Pulumi's host does nothing. */
  cancel(): Promise<void> {
    return Promise.resolve();
  }

  #handler({
    urn,
    type = ownType(urn),
  }: Pick<CheckRequest, "urn" | "type">): Handler {
    const kind = type.split(":").at(-1) ?? "";
    let handler = this.#handlers.get(kind);
    if (!handler) {
      handler = new Handler(() => this.load(kind), this.#session);
      this.#handlers.set(kind, handler);
    }
    return handler;
  }

  /** The host prints the errors of these calls, and loses what they say about an object. */
  async #withErrorText<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      this.parts.stderr(`${String(error)}: ${(error as Error).stack ?? ""}`);
      throw new HostError((error as Error).message);
    }
  }

  /** The host passes on what the errors of these calls say about an object. */
  async #keptErrors<T>(news: Properties, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const {
        message,
        id,
        properties = {},
        reasons = [],
      } = error as Error & {
        readonly id?: string;
        readonly properties?: Properties;
        readonly reasons?: string[];
      };
      if (!id) throw new HostError(message);
      const kept = received(properties);
      annotateSecrets(kept, news);
      throw new HostError(message, { id, properties: kept, reasons });
    }
  }
}

/** Properties as the engine sends them to a provider that takes no secrets. */
const sent = (properties: Properties, keepsUnknown: boolean): Properties => {
  const plain = revealed(copyOf(properties));
  return keepsUnknown ? plain : (withoutUnknown(plain) as Properties);
};

/** Properties of an answer, after encoding and decoding as a protocol message. */
const received = (properties: Properties): Properties =>
  plain(struct(properties));
