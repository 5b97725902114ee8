import {
  Client,
  credentials,
  Server,
  type handleUnaryCall,
  type ServiceDefinition,
  type UntypedServiceImplementation,
} from "@grpc/grpc-js";
import { AnalyzerService } from "@pulumi/pulumi/proto/analyzer_grpc_pb";
import {
  AnalyzerHandshakeResponse,
  AnalyzerStackConfigureRequest,
} from "@pulumi/pulumi/proto/analyzer_pb";
import { answer, listen, MESSAGE_LIMITS, toStatus } from "./answer.js";

type Handler = handleUnaryCall<Buffer, Buffer>;

/**
 * Starts the pack, with or without a stack, and returns the port that the pack listens
 * on.
 */
export type StartPack = (
  stack: AnalyzerStackConfigureRequest | undefined,
) => Promise<number>;

const GRACE_MS = 1_000;
const EMPTY = Buffer.alloc(0);
const asIs = (message: Buffer): Buffer => message;

/**
 * Serves `pulumirpc.Analyzer` in front of a policy pack that may not have started.
 *
 * The proxy answers `Handshake` itself. `ConfigureStack` starts the pack. This call and
 * every other call are forwarded to the pack as unchanged bytes.
 */
export class PolicyPackProxy {
  readonly #server = new Server(MESSAGE_LIMITS);
  readonly #start: StartPack;
  #pack: Promise<Client> | undefined;

  constructor(start: StartPack) {
    this.#start = start;
  }

  /** @returns the port. */
  listen(): Promise<number> {
    const service: Record<string, unknown> = {};
    const handlers: UntypedServiceImplementation = {};
    for (const [name, method] of Object.entries(AnalyzerService)) {
      service[name] = {
        ...method,
        requestSerialize: asIs,
        requestDeserialize: asIs,
        responseSerialize: asIs,
        responseDeserialize: asIs,
      };
      handlers[name] = this.#forward(method.path);
    }
    const { configureStack, cancel } = AnalyzerService;
    handlers.handshake = answer<Buffer, Buffer>(() =>
      Buffer.from(new AnalyzerHandshakeResponse().serializeBinary()),
    );
    handlers.configureStack = this.#configureStack(configureStack.path);
    handlers.cancel = this.#cancel(cancel.path);
    this.#server.addService(service as ServiceDefinition, handlers);
    return listen(this.#server);
  }

  /** Ends every connection after all pending answers are sent. */
  close(): void {
    const timer = setTimeout(() => this.#server.forceShutdown(), GRACE_MS);
    this.#server.tryShutdown(() => clearTimeout(timer));
    this.#pack?.then((client) => client.close()).catch(() => undefined);
  }

  #configureStack(path: string): Handler {
    const forward = this.#forward(path);
    return (call, callback) => {
      // If the pack cannot start, the next forwarded call reports the failure.
      void this.#client(
        AnalyzerStackConfigureRequest.deserializeBinary(call.request),
      );
      forward(call, callback);
    };
  }

  #cancel(path: string): Handler {
    const forward = this.#forward(path);
    return (call, callback) => {
      if (this.#pack) forward(call, callback);
      else callback(null, EMPTY);
    };
  }

  #forward(path: string): Handler {
    return (call, callback) => {
      this.#client(undefined).then(
        (client) => {
          const { request } = call;
          const sent = client.makeUnaryRequest(
            path,
            asIs,
            asIs,
            request,
            callback,
          );
          call.on("cancelled", () => sent.cancel());
        },
        (error: unknown) => callback(toStatus(error)),
      );
    };
  }

  #client(stack: AnalyzerStackConfigureRequest | undefined): Promise<Client> {
    this.#pack ??= this.#start(stack).then(
      (port) =>
        new Client(
          `127.0.0.1:${port}`,
          credentials.createInsecure(),
          MESSAGE_LIMITS,
        ),
    );
    return this.#pack;
  }
}
