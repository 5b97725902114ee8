import { credentials, Metadata } from "@grpc/grpc-js";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";

const SEVERITIES = { info: LogSeverity.INFO, warning: LogSeverity.WARNING };

/** Longest wait for the engine, which is on this machine. */
const DEADLINE_MS = 2_000;

/**
 * Shows a message among the engine's diagnostics; `urn` names the resource that it
 * is about. If the call fails, the message goes to standard error, which the
 * engine shows as well.
 */
export async function logToEngine(
  severity: keyof typeof SEVERITIES,
  text: string,
  urn?: string,
): Promise<void> {
  try {
    await log(engineAddress(), SEVERITIES[severity], text, urn);
  } catch {
    console.error(text);
  }
}

/** The engine's address: the last argument of a provider's process. */
function engineAddress(): string {
  const address = process.argv.at(-1) ?? "";
  if (/^127\.0\.0\.1:\d+$/.test(address)) return address;
  throw new Error(`"${address}" is no address of an engine.`);
}

function log(
  address: string,
  severity: LogSeverity,
  text: string,
  urn = "",
): Promise<void> {
  const client = new EngineClient(address, credentials.createInsecure(), {
    "grpc.enable_http_proxy": 0,
  });
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
