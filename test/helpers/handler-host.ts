import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import {
  Handler,
  HostSession,
} from "../../provider/src/adapters/dynamic/handler";
import type { ResourceDefinition } from "../../provider/src/definition/define-resource";
import { loadKind } from "../../provider/src/kinds";
import {
  HostError,
  struct,
  type CheckAnswer,
  type DiffAnswer,
  type Host,
  type Kind,
  type Properties,
  type StateAnswer,
} from "./dynamic-host";

type Load = () => Promise<ResourceDefinition>;

/** What an error of a handler says about an object that exists all the same. */
interface Incomplete extends Error {
  readonly id?: string;
  readonly properties?: Properties;
  readonly reasons?: string[];
}

/**
 * The handlers of our dynamic provider, called as Pulumi's dynamic provider host calls
 * them, in the test's own process and from the sources. `DynamicHost` has the host itself;
 * the tests of the adapters show that both answer the same.
 */
export class HandlerHost implements Host {
  stderr = "";
  readonly #handlers = new Map<Kind, Handler>();
  readonly #session: HostSession;

  /** The settings are those of the engine, such as `devid:endpoint`. */
  constructor(settings: Readonly<Record<string, string>>) {
    this.#session = new HostSession((_, text) => {
      this.#print(text);
      return Promise.resolve();
    });
    const get = (key: string) => settings[key];
    this.#session.configure({ get, require: get } as never);
  }

  /** All output has arrived, because no process lies between. */
  allOutput(): Promise<string> {
    return Promise.resolve(this.stderr);
  }

  stop(): Promise<void> {
    this.#session.current.cancel();
    return Promise.resolve();
  }

  check(kind: Kind, news: Properties, olds?: Properties): Promise<CheckAnswer> {
    return this.#printed(async () => {
      const checked = await this.#handler(kind).check(
        olds === undefined ? {} : sent(olds),
        sent(news),
      );
      return {
        inputs: received(checked.inputs),
        failures: (checked.failures ?? []).map(({ reason: text }) => {
          const [, property = "", reason = text] =
            /^([\w[\]."'-]+): (.*)$/s.exec(text) ?? [];
          return { property, reason };
        }),
      };
    });
  }

  diff(
    kind: Kind,
    id: string,
    olds: Properties,
    news: Properties,
  ): Promise<DiffAnswer> {
    return this.#printed(async () => {
      const handler = this.#handler(kind);
      const { changes, replaces } = await handler.diff(
        id,
        sent(olds),
        sent(news),
      );
      return { changes: changes === true, replaces: replaces ?? [] };
    });
  }

  create(kind: Kind, inputs: Properties): Promise<StateAnswer> {
    return this.#keeping(async () => {
      const made = await this.#handler(kind).create(sent(inputs));
      return { id: made.id, properties: received(made.outs) };
    });
  }

  read(
    kind: Kind,
    id: string,
    state: Properties,
  ): Promise<StateAnswer & { readonly inputs: Properties }> {
    return this.#printed(async () => {
      const found = await this.#handler(kind).read(id, sent(state));
      return {
        id: found.id ?? "",
        properties: received(found.props),
        inputs: received(found.inputs),
      };
    });
  }

  update(
    kind: Kind,
    id: string,
    olds: Properties,
    news: Properties,
  ): Promise<Properties> {
    return this.#keeping(async () => {
      const handler = this.#handler(kind);
      const updated = await handler.update(id, sent(olds), sent(news));
      return received(updated.outs);
    });
  }

  delete(kind: Kind, id: string, state: Properties): Promise<void> {
    return this.#printed(() => this.#handler(kind).delete(id, sent(state)));
  }

  #handler(kind: Kind): Handler {
    let handler = this.#handlers.get(kind);
    if (handler === undefined) {
      const load = loadKind[kind] as () => Promise<unknown>;
      handler = new Handler(load as Load, this.#session);
      this.#handlers.set(kind, handler);
    }
    return handler;
  }

  #print(text: string): void {
    this.stderr += `${text}\n`;
  }

  /** The host prints the errors of these calls, and loses what they say about an object. */
  async #printed<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const { message, stack } = error as Error;
      this.#print(`${String(error)}: ${stack}`);
      throw new HostError(message);
    }
  }

  /** The host passes on what the errors of these calls say about an object. */
  async #keeping<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const {
        message,
        id,
        properties = {},
        reasons = [],
      } = error as Incomplete;
      if (!id) throw new HostError(message);
      throw new HostError(message, {
        id,
        properties: received(properties),
        reasons,
      });
    }
  }
}

/** The engine passes this property on with all others. */
const PROVIDER = { __provider: "the text of the provider" };

/** Properties as a call has them. */
const sent = (properties: Properties): Properties =>
  encoded({ ...properties, ...PROVIDER });

/** Properties of an answer, to which the host adds the provider's text. */
function received(properties: unknown): Properties {
  const all = { ...(properties as Properties | undefined), ...PROVIDER };
  const { __provider, ...rest } = encoded(all);
  return rest;
}

/** A copy as the engine's protocol passes it on. */
const encoded = (properties: Properties): Properties =>
  Struct.deserializeBinary(struct(properties).serializeBinary()).toJavaScript();
