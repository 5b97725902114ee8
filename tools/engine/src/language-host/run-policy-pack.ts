import { RunPluginResponse } from "@pulumi/pulumi/proto/language_pb";
import { write } from "./answer.js";
import type { ChildProcesses } from "./child-processes.js";
import { resolveScript, type PluginCall } from "./plugin-process.js";
import { startPolicyPack } from "./policy-pack-process.js";
import { PolicyPackProxy } from "./policy-pack-proxy.js";

/**
 * Runs a policy pack behind a proxy.
 *
 * A pack reads the stack's configuration from its environment when it starts. But the
 * engine sends the configuration over gRPC, after the start. So the proxy listens
 * first, and starts the pack when the configuration has arrived.
 */
export async function runPolicyPack(
  call: PluginCall,
  children: ChildProcesses,
): Promise<void> {
  const folder =
    call.request.getInfo()?.getProgramDirectory() || call.request.getProgram();
  const script = resolveScript(folder, "run-policy-pack");

  let finish: (done?: Promise<void>) => void = () => undefined;
  const finished = new Promise<void>((resolve) => (finish = resolve));
  call.on("cancelled", () => finish());
  const proxy = new PolicyPackProxy((stack) => {
    const pack = startPolicyPack(call, { folder, script, stack }, children);
    finish(pack.done);
    return pack.port;
  });
  try {
    const port = Buffer.from(`${await proxy.listen()}\n`);
    await write(call, new RunPluginResponse().setStdout(port));
    await finished;
  } finally {
    proxy.close();
  }
}
