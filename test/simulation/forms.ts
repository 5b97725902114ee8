import {
  pluginType,
  providerText,
} from "../../provider/src/definition/engine-names";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { Metadata, type sendUnaryData, type StatusObject } from "@grpc/grpc-js";
import * as proto from "@pulumi/pulumi/proto/provider_pb";
import { RESOURCE_URN } from "../../provider/src/definition/host-protocol";
import {
  pluginCalls,
  type PluginCalls,
} from "../../provider/src/adapters/plugin/plugin-service";
import { fieldsMarked } from "../../provider/src/definition/field";
import type { ResourceDefinition } from "../../provider/src/definition/define-resource";
import { loadKind } from "../../provider/src/kinds";
import { DynamicProvider, type ProcessParts } from "./dynamic-provider";
import {
  copyOf,
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
import { HostError, keptIn, struct } from "../helpers/dynamic-host";
import { plain } from "../helpers/plugin-host";
import { FORMS, type Form } from "../helpers/program-form";

/** Each story in both forms. */
export const inEachForm = <S extends object>(stories: readonly S[]) =>
  stories.flatMap((story) => FORMS.map((form) => ({ ...story, form })));

/** A call of a provider, in the form of the engine's debug log. */
export interface ProviderCall {
  readonly method: string;
  readonly urn: string;
  readonly request: unknown;
}

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
  return form === "dynamic"
    ? new DynamicProvider(parts, (kind) => Promise.resolve(definitionOf(kind)))
    : new Plugin(parts);
}

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
        .setArgs(struct(settings))
        .setAcceptsecrets(true)
        .setAcceptresources(true)
        .setName(name)
        .setUrn(
          `urn:pulumi:simulation::simulation::pulumi:providers:devid::${name}`,
        )
        .setId("provider"),
    );
  }

  async check({ urn, news, olds, isPreview }: CheckRequest) {
    const answer = await this.#ask<proto.CheckResponse>(
      "check",
      new proto.CheckRequest()
        .setUrn(urn)
        .setType(ownType(urn))
        .setNews(marked(news, isPreview))
        .setOlds(marked(olds ?? {}, isPreview)),
    );
    return {
      inputs: plain(answer.getInputs()),
      failures: answer.getFailuresList().map((failure) => ({
        property: failure.getProperty(),
        reason: failure.getReason(),
      })),
    };
  }

  async diff(request: DiffRequest) {
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

  async create({ urn, inputs, isPreview }: CreateRequest) {
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
      outputs: plain(answer.getProperties()),
    };
  }

  async read({ urn, id, state }: ReadRequest) {
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
      outputs: plain(answer.getProperties()),
      ...(inputs && { inputs: plain(inputs) }),
    };
  }

  async update(request: DiffRequest) {
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
    return { outputs: plain(answer.getProperties()) };
  }

  async delete({ urn, id, inputs, outputs }: DeleteRequest) {
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
      throw new HostError(`${failure.getProperty()} ${failure.getReason()}`);
    return plain(answer.getReturn());
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
        if (error) reject(hostError(error));
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

const hostError = ({ details = "", metadata }: Partial<StatusObject>) =>
  new HostError(
    details,
    metadata instanceof Metadata ? keptIn(metadata, plain) : undefined,
  );

const marked = (properties: Properties, keepsUnknown: boolean) =>
  struct(
    keepsUnknown
      ? copyOf(properties)
      : (withoutUnknown(copyOf(properties)) as Properties),
  );

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
