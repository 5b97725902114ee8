import type { Readable } from "node:stream";
import {
  ServerCredentials,
  status,
  type handleServerStreamingCall,
  type handleUnaryCall,
  type Server,
  type ServerUnaryCall,
  type ServerWritableStream,
} from "@grpc/grpc-js";

/** A failure with a gRPC status of its own, so that a caller can recognise it. */
export class CallError extends Error {
  override readonly name = "CallError";

  constructor(
    readonly code: status,
    message: string,
  ) {
    super(message);
  }
}

/** Makes a gRPC handler of a function that returns or throws. */
export function answer<Request, Response>(
  work: (
    call: ServerUnaryCall<Request, Response>,
  ) => Response | Promise<Response>,
): handleUnaryCall<Request, Response> {
  return (call, callback) => {
    Promise.resolve()
      .then(() => work(call))
      .then(
        (response) => callback(null, response),
        (error: unknown) => callback(toStatus(error)),
      );
  };
}

/**
 * Makes a gRPC handler of a function that writes to its stream and returns or throws.
 *
 * The stream always ends. A failure is an `error` event with `code` and `details`. With
 * any other event the engine would wait for ever.
 */
export function stream<Request, Response>(
  work: (call: ServerWritableStream<Request, Response>) => Promise<void>,
): handleServerStreamingCall<Request, Response> {
  return (call) => {
    work(call).then(
      () => call.end(),
      (error: unknown) => call.emit("error", toStatus(error)),
    );
  };
}

/** Writes to a stream, and waits while the receiver is slower than we are. */
export function write<Request, Response>(
  call: ServerWritableStream<Request, Response>,
  response: Response,
): Promise<void> {
  return new Promise((resolve) => {
    if (call.cancelled || call.write(response)) {
      resolve();
      return;
    }
    const go = (): void => {
      call.off("drain", go).off("cancelled", go);
      resolve();
    };
    call.on("drain", go).on("cancelled", go);
  });
}

/** Sends the output of a process as it comes, each piece in a message, until it ends. */
export async function sendOutput<Request, Response>(
  call: ServerWritableStream<Request, Response>,
  output: Readable | null,
  messageOf: (chunk: Buffer) => Response,
): Promise<void> {
  if (output === null) return;
  for await (const chunk of output)
    await write(call, messageOf(chunk as Buffer));
}

/**
 * The gRPC status of a thrown value: the code of a {@link CallError}, otherwise
 * UNKNOWN.
 */
export function toStatus(error: unknown): { code: status; details: string } {
  if (error instanceof CallError) {
    return { code: error.code, details: error.message };
  }
  const details = error instanceof Error ? error.message : String(error);
  return { code: status.UNKNOWN, details };
}

const MAX_MESSAGE_BYTES = 400 * 1024 * 1024;

/** Message limits of every connection between the engine and its plugins: 400 MiB. */
export const MESSAGE_LIMITS = {
  "grpc.max_receive_message_length": MAX_MESSAGE_BYTES,
  "grpc.max_send_message_length": MAX_MESSAGE_BYTES,
};

/** Lets a server listen on a free port of the loopback address, and returns the port. */
export function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    const credentials = ServerCredentials.createInsecure();
    server.bindAsync("127.0.0.1:0", credentials, (error, port) => {
      if (error) reject(error);
      else resolve(port);
    });
  });
}
