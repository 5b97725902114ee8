import type { Server, ServerCredentials } from "@grpc/grpc-js";

const MAX_MESSAGE_BYTES = 400 * 1024 * 1024;

/** Message limits of every connection between the engine and its plugins: 400 MiB. */
export const MESSAGE_LIMITS = {
  "grpc.max_receive_message_length": MAX_MESSAGE_BYTES,
  "grpc.max_send_message_length": MAX_MESSAGE_BYTES,
};

/** Lets a server listen on a free port of the loopback address, and returns the port. */
export function listen(
  server: Server,
  credentials: ServerCredentials,
): Promise<number> {
  return new Promise((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", credentials, (error, port) => {
      if (error) reject(error);
      else resolve(port);
    });
  });
}
