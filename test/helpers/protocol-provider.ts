import type { Metadata } from "@grpc/grpc-js";
import * as proto from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import {
  Struct,
  type JavaScriptValue,
} from "google-protobuf/google/protobuf/struct_pb";
import { pluginType } from "../../provider/src/definition/engine-names";
import {
  copyOf,
  withoutUnknown,
  type Properties,
} from "../simulation/engine/property-value";
import type {
  CheckRequest,
  CreateRequest,
  DeleteRequest,
  DiffRequest,
  Difference,
  Provider,
  ReadRequest,
} from "../simulation/engine/provider";
import { ownType } from "../simulation/engine/resource";

/**
 * A call of a provider failed. `kept` is an object that exists despite the
 * failure.
 */
export class HostError extends Error {
  override readonly name = "HostError";

  constructor(
    message: string,
    readonly kept?: {
      readonly id: string;
      readonly properties: Properties;
      readonly reasons: string[];
    },
  ) {
    super(message);
  }
}

/** What a failed call answers. */
interface Failure {
  readonly details?: string;
  readonly metadata?: unknown;
}

type Done<Answer> = (error: Failure | null, answer: Answer) => void;

/** The calls of the protocol that a `ProtocolProvider` makes. */
export type Call =
  | "configure"
  | Exclude<keyof Provider, "supportsPreview">
  | "invoke";

/** Sends a call, and waits for its answer. Throws a `HostError`. */
export const answer = <Answer>(
  send: (done: Done<Answer>) => unknown,
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const sending = send((error, value) =>
      error
        ? reject(new HostError(error.details ?? "", keptIn(error)))
        : resolve(value),
    );
    if (sending instanceof Promise) sending.catch(reject);
  });

/** A provider that is called with the messages of the engine's protocol. */
export class ProtocolProvider implements Provider {
  readonly supportsPreview = true;

  constructor(
    private readonly send: (
      call: Call,
      request: unknown,
      done: Done<never>,
    ) => unknown,
  ) {}

  async configure(settings: Properties, name = "default"): Promise<void> {
    const request = new proto.ConfigureRequest()
      .setArgs(struct(settings))
      .setName(name)
      .setUrn(`urn:pulumi:stack::project::pulumi:providers:devid::${name}`)
      .setId("provider")
      .setAcceptsecrets(true)
      .setAcceptresources(true);
    await this.#ask("configure", request);
  }

  async check({ news, olds = {}, isPreview, ...about }: CheckRequest) {
    const checked = await this.#ask<proto.CheckResponse>(
      "check",
      named(new proto.CheckRequest(), about)
        .setNews(sent(news, isPreview))
        .setOlds(sent(olds, isPreview)),
    );
    return {
      inputs: plain(checked.getInputs()),
      failures: checked.getFailuresList().map((failure) => ({
        property: failure.getProperty(),
        reason: failure.getReason(),
      })),
    };
  }

  async diff({ isPreview, ...request }: DiffRequest) {
    const found = await this.#ask<proto.DiffResponse>(
      "diff",
      compared(new proto.DiffRequest(), request, isPreview).setNews(
        sent(request.news, isPreview),
      ),
    );
    return { ...differenceOf(found), changedKeys: found.getDiffsList() };
  }

  async create({ inputs, isPreview, ...about }: CreateRequest) {
    const made = await this.#ask<proto.CreateResponse>(
      "create",
      named(new proto.CreateRequest(), about)
        .setProperties(sent(inputs, isPreview))
        .setPreview(isPreview),
    );
    return { id: made.getId(), outputs: plain(made.getProperties()) };
  }

  async read({ id, state, ...about }: ReadRequest) {
    const request = named(new proto.ReadRequest(), about)
      .setId(id)
      .setProperties(sent(state?.outputs ?? {}, false));
    if (state?.inputs) request.setInputs(sent(state.inputs, false));
    const found = await this.#ask<proto.ReadResponse>("read", request);
    const inputs = found.getInputs();
    return {
      id: found.getId(),
      outputs: plain(found.getProperties()),
      ...(inputs && { inputs: plain(inputs) }),
    };
  }

  async update({ isPreview, ...request }: DiffRequest) {
    const updated = await this.#ask<proto.UpdateResponse>(
      "update",
      compared(new proto.UpdateRequest(), request, false)
        .setNews(sent(request.news, isPreview))
        .setPreview(isPreview),
    );
    return { outputs: plain(updated.getProperties()) };
  }

  async delete({ id, inputs, outputs, ...about }: DeleteRequest) {
    await this.#ask(
      "delete",
      named(new proto.DeleteRequest(), about)
        .setId(id)
        .setOldInputs(sent(inputs, false))
        .setProperties(sent(outputs, false)),
    );
  }

  /** Calls a data source. */
  async invoke(name: string, args: Properties = {}) {
    const found = await this.#ask<proto.InvokeResponse>(
      "invoke",
      new proto.InvokeRequest()
        .setTok(pluginType(name))
        .setArgs(sent(args, false)),
    );
    return {
      result: plain(found.getReturn()),
      failures: found.getFailuresList().map((failure) => failure.toObject()),
    };
  }

  async cancel(): Promise<void> {
    await this.#ask("cancel", new Empty());
  }

  #ask<Answer>(call: Call, request: unknown): Promise<Answer> {
    return answer<Answer>((done) => this.send(call, request, done));
  }
}

type About = Pick<CheckRequest, "urn" | "type">;

/** Names the resource that a request is about. */
function named<
  Request extends {
    setUrn(urn: string): unknown;
    setType(type: string): unknown;
  },
>(request: Request, { urn, type = ownType(urn) }: About): Request {
  request.setUrn(urn);
  request.setType(type);
  return request;
}

/** Sets what a diff and an update have in common. */
function compared<Request extends proto.DiffRequest | proto.UpdateRequest>(
  request: Request,
  given: Omit<DiffRequest, "isPreview">,
  keepsUnknown: boolean,
): Request {
  named(request, given).setId(given.id);
  request.setOldInputs(sent(given.oldInputs, keepsUnknown));
  request.setOlds(sent(given.oldOutputs, keepsUnknown));
  request.setIgnorechangesList([...given.ignoreChanges]);
  return request;
}

/** Properties as the engine sends them: unknown values only in a preview. */
const sent = (properties: Properties, keepsUnknown: boolean) =>
  struct(
    keepsUnknown
      ? copyOf(properties)
      : (withoutUnknown(copyOf(properties)) as Properties),
  );

/** Properties as a message has them. */
export const struct = (properties: Properties) =>
  Struct.fromJavaScript(properties as Record<string, JavaScriptValue>);

/** Properties as the engine receives them. */
export const plain = (properties: Struct | undefined): Properties =>
  properties?.toJavaScript() ?? {};

const KINDS = Object.entries(proto.PropertyDiff.Kind);

/** The answer to a diff in plain values. */
export function differenceOf(found: proto.DiffResponse) {
  const properties: NonNullable<Difference["properties"]> = {};
  found
    .getDetaileddiffMap()
    .forEach((difference: proto.PropertyDiff, path: string) => {
      const [name = ""] =
        KINDS.find(([, kind]) => kind === difference.getKind()) ?? [];
      properties[path] = name.toLowerCase();
    });
  return {
    changes: found.getChanges() === proto.DiffResponse.DiffChanges.DIFF_SOME,
    replaces: found.getReplacesList(),
    properties,
  };
}

/** The object that exists although a call failed, as the metadata of the error has it. */
function keptIn({ metadata }: Failure) {
  const [packed] =
    (metadata as Metadata | undefined)?.get("grpc-status-details-bin") ?? [];
  if (!Buffer.isBuffer(packed)) return undefined;
  const failed = Status.deserializeBinary(packed)
    .getDetailsList()[0]
    ?.unpack(
      (bytes) => proto.ErrorResourceInitFailed.deserializeBinary(bytes),
      "pulumirpc.ErrorResourceInitFailed",
    );
  if (!failed) return undefined;
  return {
    id: failed.getId(),
    properties: plain(failed.getProperties()),
    reasons: failed.getReasonsList(),
  };
}
