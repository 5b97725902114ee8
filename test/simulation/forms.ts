import {
  pluginType,
  providerText,
} from "../../provider/src/definition/engine-names";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { Metadata, type sendUnaryData, type StatusObject } from "@grpc/grpc-js";
import * as proto from "@pulumi/pulumi/proto/provider_pb";
import {
  Struct,
  type JavaScriptValue,
} from "google-protobuf/google/protobuf/struct_pb";
import {
  Handler,
  HostSession,
} from "../../provider/src/adapters/dynamic/handler";
import { RESOURCE_URN } from "../../provider/src/definition/host-protocol";
import {
  pluginCalls,
  type PluginCalls,
} from "../../provider/src/adapters/plugin/plugin-service";
import { fieldsMarked } from "../../provider/src/definition/field";
import type { ResourceDefinition } from "../../provider/src/definition/define-resource";
import { loadKind } from "../../provider/src/kinds";
import type { EngineLog } from "../../provider/src/session/session";
import {
  annotateSecrets,
  copyOf,
  revealed,
  withoutUnknown,
  type Properties,
} from "./engine/property-value";
import { CallError, type Provider } from "./engine/provider";
import { ownType } from "./engine/resource";
import { keptIn } from "../helpers/dynamic-host";

/** The two forms of the resources. */
export type Form = "dynamic" | "plugin";

/** The settings and connections of a provider process. */
export interface ProcessParts {
  /** `managementKey`, `region` and so on. */
  readonly settings: Readonly<Record<string, string>>;
  /** Name of an explicit provider; absent for the default one. */
  readonly providerName?: string | undefined;
  readonly fetch: (url: URL, init: RequestInit) => Promise<Response>;
  readonly log: EngineLog;
  /** What the process writes to standard error. */
  readonly stderr: (text: string) => void;
}

/** A call of a provider, in the form of the engine's debug log. */
export interface ProviderCall {
  readonly method: string;
  readonly urn: string;
  readonly request: unknown;
}

const kindOf = (urn: string) => ownType(urn).split(":").at(-1) ?? "";

/**
 * Definitions by kind. They are loaded before stories, because no time may pass while a
 * module loads.
 */
const definitions: Record<string, ResourceDefinition> = {};

/** Loads the modules that a provider process loads on first use. */
export async function loadKinds(): Promise<void> {
  for (const [kind, load] of Object.entries(loadKind))
    definitions[kind] = await load();
}

/** The definition of a kind. */
export const definitionOf = (kind: string): ResourceDefinition => {
  const found = definitions[kind];
  if (found) return found;
  throw new Error(`There is no kind ${kind}.`);
};

/** The outputs that a resource's class marks as secret. The plugin itself marks secrets. */
export const additionalSecretOutputs = (
  form: Form,
  kind: string,
): readonly string[] =>
  form === "dynamic" ? fieldsMarked(definitionOf(kind).outputs, "secret") : [];

/** Starts a provider process of a form. */
export function startProvider(form: Form, parts: ProcessParts): Provider {
  return form === "dynamic" ? new DynamicProvider(parts) : new Plugin(parts);
}

/** A model of Pulumi's dynamic provider host (`cmd/dynamic-provider`) with our handlers. */
class DynamicProvider implements Provider {
  readonly supportsPreview = false;
  readonly #handlers = new Map<string, Handler>();
  readonly #session: HostSession;

  constructor(private readonly parts: ProcessParts) {
    const { settings, providerName, fetch, log } = parts;
    const prefix = providerName === undefined ? "devid:" : "devid.Provider:";
    this.#session = new HostSession(log, { fetch });
    const get = (key: string) =>
      key.startsWith(prefix) ? settings[key.slice(prefix.length)] : undefined;
    this.#session.configure({ get, require: get } as never);
  }

  async check({
    urn,
    news,
    olds,
    isPreview,
  }: Parameters<Provider["check"]>[0]) {
    const result = await this.#withErrorText(() =>
      this.#handler(urn).check(
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

  async diff({
    urn,
    id,
    oldOutputs,
    news,
    isPreview,
  }: Parameters<Provider["diff"]>[0]) {
    const found = await this.#withErrorText(() =>
      this.#handler(urn).diff(
        id,
        sent(oldOutputs, isPreview),
        sent(news, isPreview),
      ),
    );
    return {
      changes: found.changes === true,
      replaces: found.replaces ?? [],
      deleteBeforeReplace: found.deleteBeforeReplace === true,
    };
  }

  async create({ urn, inputs }: Parameters<Provider["create"]>[0]) {
    const props = sent(inputs, false);
    const made = await this.#keptErrors(inputs, () =>
      this.#handler(urn).create(props),
    );
    const outputs = received({
      ...(made.outs as Properties),
      __provider: props.__provider,
    });
    annotateSecrets(outputs, inputs);
    return { id: made.id, outputs };
  }

  async read({ urn, id, state }: Parameters<Provider["read"]>[0]) {
    const last = sent(state?.outputs ?? {}, false);
    const found: { id?: string; props?: Properties; inputs?: Properties } =
      await this.#withErrorText(() => this.#handler(urn).read(id, last));
    // An import has no provider text, so the host could not load the provider. Only the
    // states of `devid export` come from such a read.
    const own = "__provider" in last ? { __provider: last.__provider } : {};
    const outputs = received({ ...found.props, ...own });
    const inputs = found.inputs && received({ ...found.inputs, ...own });
    if (state) annotateSecrets(outputs, state.outputs);
    if (state && inputs) annotateSecrets(inputs, state.inputs);
    return { id: found.id ?? "", outputs, ...(inputs && { inputs }) };
  }

  async update({
    urn,
    id,
    oldOutputs,
    news,
  }: Parameters<Provider["update"]>[0]) {
    const props = sent(news, false);
    const updated = await this.#keptErrors(news, () =>
      this.#handler(urn).update(id, sent(oldOutputs, false), props),
    );
    const outputs = received({
      ...(updated.outs as Properties),
      __provider: props.__provider,
    });
    annotateSecrets(outputs, news);
    return { outputs };
  }

  async delete({ urn, id, outputs }: Parameters<Provider["delete"]>[0]) {
    await this.#withErrorText(() =>
      this.#handler(urn).delete(id, sent(outputs, false)),
    );
  }

  /** Pulumi's host does nothing. */
  cancel(): Promise<void> {
    return Promise.resolve();
  }

  #handler(urn: string): Handler {
    const kind = kindOf(urn);
    let handler = this.#handlers.get(kind);
    if (!handler) {
      handler = new Handler(
        () => Promise.resolve(definitionOf(kind)),
        this.#session,
      );
      this.#handlers.set(kind, handler);
    }
    return handler;
  }

  async #withErrorText<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      this.parts.stderr(`${String(error)}: ${(error as Error).stack ?? ""}`);
      throw new CallError((error as Error).message);
    }
  }

  async #keptErrors<T>(news: Properties, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const { message, id, properties, reasons } = error as Error & {
        readonly id?: string;
        readonly properties?: Properties;
        readonly reasons?: string[];
      };
      if (!id) throw new CallError(message);
      const outputs = received(properties ?? {});
      annotateSecrets(outputs, news);
      throw new CallError(message, { id, outputs, reasons: reasons ?? [] });
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
  toProperties(toStruct(properties));

/** The plugin's calls, with messages of the engine's protocol. */
export class Plugin implements Provider {
  readonly supportsPreview = true;
  readonly #calls: PluginCalls;
  readonly #configured: Promise<proto.ConfigureResponse>;

  constructor({ settings, providerName, fetch, log }: ProcessParts) {
    this.#calls = pluginCalls({
      readFile: () => "{}",
      log,
      transport: { fetch },
    });
    const name = providerName ?? "default";
    this.#configured = this.#ask<proto.ConfigureResponse>(
      "configure",
      new proto.ConfigureRequest()
        .setArgs(toStruct(settings))
        .setAcceptsecrets(true)
        .setAcceptresources(true)
        .setName(name)
        .setUrn(
          `urn:pulumi:simulation::simulation::pulumi:providers:devid::${name}`,
        )
        .setId("provider"),
    );
  }

  async check({
    urn,
    news,
    olds,
    isPreview,
  }: Parameters<Provider["check"]>[0]) {
    const answer = await this.#ask<proto.CheckResponse>(
      "check",
      new proto.CheckRequest()
        .setUrn(urn)
        .setType(ownType(urn))
        .setNews(marked(news, isPreview))
        .setOlds(marked(olds ?? {}, isPreview)),
    );
    return {
      inputs: toProperties(answer.getInputs()),
      failures: answer.getFailuresList().map((failure) => ({
        property: failure.getProperty(),
        reason: failure.getReason(),
      })),
    };
  }

  async diff(request: Parameters<Provider["diff"]>[0]) {
    const { urn, id, oldInputs, oldOutputs, news, isPreview } = request;
    const answer = await this.#ask<proto.DiffResponse>(
      "diff",
      new proto.DiffRequest()
        .setUrn(urn)
        .setType(ownType(urn))
        .setId(id)
        .setOldInputs(marked(oldInputs, isPreview))
        .setOlds(marked(oldOutputs, isPreview))
        .setNews(marked(news, isPreview))
        .setIgnorechangesList([...request.ignoreChanges]),
    );
    const { DIFF_SOME } = proto.DiffResponse.DiffChanges;
    const detailed: Record<string, boolean> = {};
    answer
      .getDetaileddiffMap()
      .forEach((difference: proto.PropertyDiff, path: string) => {
        detailed[path] = REPLACING.includes(difference.getKind());
      });
    return {
      changes: answer.getChanges() === DIFF_SOME,
      replaces: answer.getReplacesList(),
      deleteBeforeReplace: answer.getDeletebeforereplace(),
      changedKeys: answer.getDiffsList(),
      detailed,
    };
  }

  async create({ urn, inputs, isPreview }: Parameters<Provider["create"]>[0]) {
    const answer = await this.#ask<proto.CreateResponse>(
      "create",
      new proto.CreateRequest()
        .setUrn(urn)
        .setType(ownType(urn))
        .setProperties(marked(inputs, isPreview))
        .setPreview(isPreview),
    );
    return {
      id: answer.getId(),
      outputs: toProperties(answer.getProperties()),
    };
  }

  async read({ urn, id, state }: Parameters<Provider["read"]>[0]) {
    const request = new proto.ReadRequest()
      .setUrn(urn)
      .setType(ownType(urn))
      .setId(id)
      .setProperties(marked(state?.outputs ?? {}, false));
    if (state) request.setInputs(marked(state.inputs, false));
    const answer = await this.#ask<proto.ReadResponse>("read", request);
    const inputs = answer.getInputs();
    return {
      id: answer.getId(),
      outputs: toProperties(answer.getProperties()),
      ...(inputs && { inputs: toProperties(inputs) }),
    };
  }

  async update(request: Parameters<Provider["update"]>[0]) {
    const { urn, id, oldInputs, oldOutputs, news, isPreview } = request;
    const answer = await this.#ask<proto.UpdateResponse>(
      "update",
      new proto.UpdateRequest()
        .setUrn(urn)
        .setType(ownType(urn))
        .setId(id)
        .setOldInputs(marked(oldInputs, false))
        .setOlds(marked(oldOutputs, false))
        .setNews(marked(news, isPreview))
        .setIgnorechangesList([...request.ignoreChanges])
        .setPreview(isPreview),
    );
    return { outputs: toProperties(answer.getProperties()) };
  }

  async delete({
    urn,
    id,
    inputs,
    outputs,
  }: Parameters<Provider["delete"]>[0]) {
    await this.#ask(
      "delete",
      new proto.DeleteRequest()
        .setUrn(urn)
        .setType(ownType(urn))
        .setId(id)
        .setOldInputs(marked(inputs, false))
        .setProperties(marked(outputs, false)),
    );
  }

  /** Calls a data source. */
  async invoke({ name, args }: { name: string; args: Properties }) {
    const answer = await this.#ask<proto.InvokeResponse>(
      "invoke",
      new proto.InvokeRequest()
        .setTok(pluginType(name))
        .setArgs(marked(args, false)),
    );
    const [failure] = answer.getFailuresList();
    if (failure)
      throw new CallError(`${failure.getProperty()} ${failure.getReason()}`);
    return toProperties(answer.getReturn());
  }

  async cancel() {
    await this.#ask("cancel", new Empty());
  }

  async #ask<Answer>(
    call: keyof PluginCalls,
    request: unknown,
  ): Promise<Answer> {
    if (call !== "configure") await this.#configured;
    return new Promise<Answer>((resolve, reject) => {
      const done: sendUnaryData<unknown> = (error, answer) => {
        if (error) reject(callError(error));
        else resolve(answer as Answer);
      };
      const handle = this.#calls[call] as (
        call: { readonly request: unknown },
        done: sendUnaryData<unknown>,
      ) => void;
      handle({ request }, done);
    });
  }
}

const { Kind } = proto.PropertyDiff;

const REPLACING: readonly proto.PropertyDiff.Kind[] = [
  Kind.ADD_REPLACE,
  Kind.UPDATE_REPLACE,
  Kind.DELETE_REPLACE,
];

function callError({ details = "", metadata }: Partial<StatusObject>) {
  const kept = metadata instanceof Metadata && keptIn(metadata, toProperties);
  if (!kept) return new CallError(details);
  const { id, properties: outputs, reasons } = kept;
  return new CallError(details, { id, outputs, reasons });
}

const toStruct = (properties: Properties) =>
  Struct.fromJavaScript(properties as Record<string, JavaScriptValue>);

const marked = (properties: Properties, keepsUnknown: boolean) =>
  toStruct(
    keepsUnknown
      ? copyOf(properties)
      : (withoutUnknown(copyOf(properties)) as Properties),
  );

const toProperties = (struct: Struct | undefined): Properties =>
  struct?.toJavaScript() ?? {};

/** Properties that the class of a dynamic resource adds. */
export const dynamicProperties = (
  kind: string,
  secretInputs: readonly string[],
  urn?: string,
): Properties => ({
  __provider: providerText(kind),
  ...(urn !== undefined && { [RESOURCE_URN]: urn }),
  ...(secretInputs.length > 0 && { __secretInputs: [...secretInputs].sort() }),
});
