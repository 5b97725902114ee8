import { credentials, Metadata } from "@grpc/grpc-js";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
import type { EngineLog } from "../session/session";

const SEVERITIES = { info: LogSeverity.INFO, warning: LogSeverity.WARNING };

/**
 * Options of every connection between the engine and its plugins: messages up to 400
 * MiB, and no proxy from the environment.
 */
export const CONNECTION = {
  "grpc.enable_http_proxy": 0,
  "grpc.max_receive_message_length": 400 * 1024 * 1024,
  "grpc.max_send_message_length": 400 * 1024 * 1024,
};

/** Longest wait for the engine, which is on this machine. */
const DEADLINE_MS = 2_000;

/**
 * Shows messages among the diagnostics of the engine at an address. If a call
 * fails, the message goes to standard error, which the engine shows as well.
 */
export function engineLog(
  address: () => string | undefined = lastArgument,
): EngineLog {
  return async (severity, text, urn) => {
    try {
      await log(onThisMachine(address()), SEVERITIES[severity], text, urn);
    } catch {
      console.error(text);
    }
  };
}

/** The last argument of a provider's process, which is the engine's address. */
const lastArgument = () => process.argv.at(-1);

function onThisMachine(address = ""): string {
  if (/^127\.0\.0\.1:\d+$/.test(address)) return address;
  throw new Error(`"${address}" is not the address of an engine.`);
}

function log(
  address: string,
  severity: LogSeverity,
  text: string,
  urn = "",
): Promise<void> {
  const client = new EngineClient(
    address,
    credentials.createInsecure(),
    CONNECTION,
  );
  const request = new LogRequest()
    .setSeverity(severity)
    .setMessage(text)
    .setUrn(urn);
  const options = { deadline: Date.now() + DEADLINE_MS };
  return new Promise((resolve, reject) => {
    client.log(request, new Metadata(), options, (error) => {
      client.close();
      if (error) reject(error);
      else resolve();
    });
  });
}
