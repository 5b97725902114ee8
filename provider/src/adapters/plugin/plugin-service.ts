import { type ClientOptions } from "@devid/sdk";
import { status } from "@grpc/grpc-js";
import type { IResourceProviderServer } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as proto from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { loadKind } from "../../kinds";
import { Session, type EngineLog } from "../../session/session";
import { answer, StatusError } from "./answer";
import {
  checkSettings,
  diffSettings,
  pluginResourceSettings,
  pluginSettings,
} from "../plugin-settings";
import { nameOfUrn, NEEDS_PROGRAM } from "../../definition/engine-names";
import { connect } from "../../definition/setting-sources";
import { fromStruct, toStruct } from "./property-codec";
import { ResourceCalls, toDiffResponse, toFailure } from "./resource-calls";

/** The calls that need no definitions. */
export type AnsweredAtOnce = "handshake" | "getPluginInfo" | "attach";

/** The calls of the engine that need the definitions. */
export type PluginCalls = {
  readonly [
    Call in keyof IResourceProviderServer as string extends Call
      ? never
      : Exclude<Call, AnsweredAtOnce>
  ]: IResourceProviderServer[Call];
};

/** What a plugin is made of. */
export interface PluginDependencies {
  /** Reads a text file of the package by its name. */
  readonly readFile: (name: string) => string;
  /** Shows messages to the user of the engine. */
  readonly log: EngineLog;
  /** For tests; default: the client's own. */
  readonly transport?: Pick<ClientOptions, "fetch">;
}

/** The resource provider service of one plugin process, which is one configured provider. */
export function pluginCalls({
  readFile,
  log,
  transport,
}: PluginDependencies): PluginCalls {
  let configured: Session | undefined;
  const ending = new AbortController();
  const session = () => {
    if (configured) return configured;
    throw new StatusError(
      status.FAILED_PRECONDITION,
      "The provider has no settings yet: the engine must call Configure first.",
    );
  };
  const redact = (text: string) => configured?.client.redact(text) ?? text;
  const resources = new ResourceCalls(loadKind, session);
  // The schemas of events are large, and few programs ask data sources
  // (docs/benchmarks.md, `npm run bench:load`).
  const invoke = async (request: proto.InvokeRequest) => {
    const { FunctionCalls } = await import("./function-calls.js");
    return new FunctionCalls(session).invoke(request);
  };

  const configure = (request: proto.ConfigureRequest) => {
    if (!request.getAcceptsecrets() || !request.getAcceptresources())
      throw new StatusError(
        status.FAILED_PRECONDITION,
        "This version of Pulumi would store the secrets of a plugin as plain text; upgrade Pulumi to 3.200 or later.",
      );
    const args = fromStruct(request.getArgs());
    const source = pluginSettings(
      args,
      request.getName() ?? nameOfUrn(request.getUrn() ?? ""),
      NEEDS_PROGRAM,
    );
    configured = new Session(
      (signal) =>
        connect([source], {
          ...transport,
          signal,
          // A created object must get into the state, even if the user cancels the
          // command.
          finishesWrites: true,
        }),
      log,
      pluginResourceSettings(args),
    );
    if (ending.signal.aborted) configured.cancel();
    return new proto.ConfigureResponse()
      .setAcceptsecrets(true)
      .setAcceptresources(true)
      .setAcceptoutputs(true)
      .setSupportspreview(true)
      .setSupportsAutonamingConfiguration(false);
  };
  const checkConfig = (request: proto.CheckRequest) => {
    const news = fromStruct(request.getNews());
    const name = request.getName() || nameOfUrn(request.getUrn());
    const { inputs, failures } = checkSettings(news, name);
    return new proto.CheckResponse()
      .setInputs(toStruct(inputs))
      .setFailuresList(failures.map((one) => toFailure(one, inputs, [])));
  };
  const diffConfig = (request: proto.DiffRequest) =>
    toDiffResponse(
      diffSettings(
        fromStruct(request.getOldInputs() ?? request.getOlds()),
        fromStruct(request.getNews()),
      ),
    );
  const getSchema = (request: proto.GetSchemaRequest) => {
    if (request.getVersion() !== 0)
      throw new StatusError(
        status.INVALID_ARGUMENT,
        `devid has a schema of version 0; the engine asks for version ${request.getVersion()}.`,
      );
    return new proto.GetSchemaResponse().setSchema(readFile("schema.json"));
  };
  const cancel = () => {
    ending.abort();
    configured?.cancel();
    return new Empty();
  };

  return {
    getSchema: answer(getSchema, redact),
    checkConfig: answer(checkConfig, redact),
    diffConfig: answer(diffConfig, redact),
    configure: answer(configure, redact),
    check: answer((request) => resources.check(request), redact),
    diff: answer((request) => resources.diff(request), redact),
    create: answer((request) => resources.create(request), redact),
    read: answer((request) => resources.read(request), redact),
    update: answer((request) => resources.update(request), redact),
    delete: answer((request) => resources.delete(request), redact),
    invoke: answer(invoke, redact),
    list: (call) =>
      call.emit("error", {
        code: status.UNIMPLEMENTED,
        details: "devid lists no objects: devid export does.",
      }),
    cancel: answer(cancel, redact),
    getMapping: answer(() => new proto.GetMappingResponse(), redact),
    getMappings: answer(() => new proto.GetMappingsResponse(), redact),
    parameterize: answer(() => notThere("parameters"), redact),
    call: answer(() => notThere("methods"), redact),
    construct: answer(() => notThere("components"), redact),
  };
}

function notThere(what: string): never {
  throw new StatusError(status.UNIMPLEMENTED, `devid has no ${what}.`);
}
