import type { ChildProcess } from "node:child_process";
import { status, type ServerWritableStream } from "@grpc/grpc-js";
import {
  RunPluginResponse,
  type RunPluginRequest,
} from "@pulumi/pulumi/proto/language_pb";
import { CallError, write } from "./answer.js";
import type { ChildExit, ChildProcesses } from "./child-processes.js";
import { runtimeOptions } from "./runtime-options.js";
import { sdkScript, type SdkScript } from "./sdk-script.js";

/** The call that starts a plugin, and carries its output until it ends. */
export type PluginCall = ServerWritableStream<
  RunPluginRequest,
  RunPluginResponse
>;

/** How to start a plugin's process. */
export interface PluginProcess {
  /** Path of the SDK's script that runs the plugin. */
  script: string;
  args: readonly string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
}

/** Starts a plugin's process. Cancelling the call ends the process. */
export function startPlugin(
  call: PluginCall,
  { script, args, cwd, env }: PluginProcess,
  children: ChildProcesses,
): { child: ChildProcess; exit: Promise<ChildExit> } {
  const options = runtimeOptions(call.request.getInfo());
  const started = children.start(
    process.execPath,
    [...options.nodeArgs, script, ...args],
    { cwd, env, stdio: ["ignore", "pipe", "pipe"] },
  );
  call.on("cancelled", () => void children.end(started.child));
  if (call.cancelled) void children.end(started.child);
  return started;
}

/** Sends how a process ended, which is the last message of the call. */
export async function sendExit(
  call: PluginCall,
  exit: ChildExit,
): Promise<void> {
  if ("failure" in exit) {
    throw new CallError(status.INTERNAL, exit.failure.message);
  }
  // By convention, the exit code of a process that a signal ended is above 128.
  const code = "code" in exit ? exit.code : 130;
  await write(call, new RunPluginResponse().setExitcode(code));
}

/** The environment that a request describes as a list of `NAME=value`. */
export function requestEnvironment(
  request: RunPluginRequest,
): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = {};
  for (const entry of request.getEnvList()) {
    const at = entry.indexOf("=", 1);
    if (at > 0) env[entry.slice(0, at)] = entry.slice(at + 1);
  }
  return env;
}

/**
 * Finds a script of the SDK. If it is missing, the call fails with a message that says
 * what to do.
 */
export function resolveScript(folder: string, script: SdkScript): string {
  try {
    return sdkScript(folder, script);
  } catch (error) {
    throw new CallError(status.FAILED_PRECONDITION, (error as Error).message);
  }
}
