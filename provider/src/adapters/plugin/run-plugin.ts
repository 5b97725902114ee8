import {
  Server,
  ServerCredentials,
  status,
  type sendUnaryData,
  type ServerUnaryCall,
  type ServerWritableStream,
  type UntypedServiceImplementation,
} from "@grpc/grpc-js";
import { PluginInfo, type PluginAttach } from "@pulumi/pulumi/proto/plugin_pb";
import {
  ResourceProviderService,
  type IResourceProviderServer,
} from "@pulumi/pulumi/proto/provider_grpc_pb";
import { ProviderHandshakeResponse } from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { fstatSync } from "node:fs";
import { CONNECTION, engineLog } from "../engine-log";
import type { AnsweredAtOnce, PluginCalls } from "./plugin-service";

/**
 * Runs the provider plugin: prints its port, and then answers the engine until
 * the engine sends a signal or closes standard input.
 * @param readFile reads a text file of the package by its name: `package.json`,
 * `schema.json`
 */
export async function runPlugin(
  readFile: (name: string) => string,
): Promise<void> {
  const { version } = JSON.parse(readFile("package.json")) as {
    version: string;
  };
  let engine = process.argv.at(-1);
  const log = engineLog(() => engine);
  let calls: Promise<PluginCalls> | undefined;
  const load = () =>
    (calls ??= import("./plugin-service.js").then(({ pluginCalls }) =>
      pluginCalls({ readFile, log }),
    ));
  const atOnce: Pick<IResourceProviderServer, AnsweredAtOnce> = {
    handshake(call, done) {
      engine = call.request.getEngineAddress();
      const answer = new ProviderHandshakeResponse()
        .setAcceptSecrets(true)
        .setAcceptResources(true)
        .setAcceptOutputs(true)
        .setSupportsAutonamingConfiguration(false);
      done(null, answer);
      // The next call needs the definitions. Loading them blocks the process, so
      // loading begins some turns of the event loop later, when this answer has been
      // sent.
      setTimeout(() => void load(), 10);
    },
    attach({ request }: { readonly request: PluginAttach }, done) {
      engine = request.getAddress();
      done(null, new Empty());
    },
    getPluginInfo(_call, done) {
      done(null, new PluginInfo().setVersion(version));
    },
  };
  const server = new Server(CONNECTION);
  server.addService(ResourceProviderService, { ...deferred(load), ...atOnce });
  const port = await listen(server);
  endWithEngine();
  // Without the port, no engine can call.
  process.stdout.once("error", ({ message }) => {
    process.stderr.write(`The port cannot be told to the engine: ${message}\n`);
    process.exit(1);
  });
  process.stdout.write(`${port}\n`);
}

type AnyUnaryCall = ServerUnaryCall<unknown, unknown>;
type AnyStream = ServerWritableStream<unknown, unknown>;
type AnyHandler = (
  call: AnyUnaryCall | AnyStream,
  done?: sendUnaryData<unknown>,
) => void;

/** A handler for every call, which first waits for the code that answers it. */
function deferred(
  load: () => Promise<PluginCalls>,
): UntypedServiceImplementation {
  const handler =
    (name: string): AnyHandler =>
    (call, done) => {
      load().then(
        (calls) => (calls as Record<string, AnyHandler>)[name]?.(call, done),
        (error: unknown) => {
          const failed = { code: status.INTERNAL, details: String(error) };
          if (done) done(failed);
          else call.emit("error", failed);
        },
      );
    };
  const names = Object.keys(ResourceProviderService);
  return Object.fromEntries(names.map((name) => [name, handler(name)]));
}

function listen(server: Server): Promise<number> {
  const credentials = ServerCredentials.createInsecure();
  return new Promise((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", credentials, (error, port) =>
      error ? reject(error) : resolve(port),
    );
  });
}

/** Ends the process with the engine that started it. */
function endWithEngine(): void {
  const end = () => process.exit(0);
  process.once("SIGINT", end).once("SIGTERM", end);
  // A language host starts plugins without standard input, and ends them with a signal.
  const input = fstatSync(0);
  if (input.isFIFO() || input.isSocket()) process.stdin.on("end", end).resume();
}
