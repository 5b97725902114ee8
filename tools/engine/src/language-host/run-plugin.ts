import type { Readable } from "node:stream";
import { createInterface } from "node:readline";
import { status, type ServerWritableStream } from "@grpc/grpc-js";
import type { AnalyzerStackConfigureRequest } from "@pulumi/pulumi/proto/analyzer_pb";
import {
  RunPluginResponse,
  type RunPluginRequest,
} from "@pulumi/pulumi/proto/language_pb";
import { CallError, sendOutput, write } from "./answer.js";
import {
  describeExit,
  type ChildExit,
  type ChildProcesses,
} from "./child-processes.js";
import { PolicyPackProxy } from "./policy-pack-proxy.js";
import { runtimeOptions, sdkScript, type SdkScript } from "./run-program.js";

/** The call that starts a plugin, and carries its output until it ends. */
type PluginCall = ServerWritableStream<RunPluginRequest, RunPluginResponse>;

/** Runs a plugin that is a folder of JavaScript or TypeScript. */
export async function runPlugin(
  call: PluginCall,
  children: ChildProcesses,
): Promise<void> {
  const { request } = call;
  const folder = folderOf(request);
  const { child, exit } = startPlugin(call, children, {
    script: resolveScript(folder, "run-plugin"),
    args: [folder, ...request.getArgsList()],
    cwd: request.getPwd() || folder,
    env: requestEnvironment(request),
  });
  await Promise.all([
    sendOutput(call, child.stdout, (chunk) => message().setStdout(chunk)),
    sendOutput(call, child.stderr, (chunk) => message().setStderr(chunk)),
  ]);
  await sendExit(call, await exit);
}

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
  const script = resolveScript(folderOf(call.request), "run-policy-pack");
  let finish: (done?: Promise<void>) => void = () => undefined;
  const finished = new Promise<void>((resolve) => (finish = resolve));
  call.on("cancelled", () => finish());
  const proxy = new PolicyPackProxy((stack) => {
    const pack = startPolicyPack(call, script, stack, children);
    finish(pack.done);
    return pack.port;
  });
  try {
    const port = Buffer.from(`${await proxy.listen()}\n`);
    await write(call, message().setStdout(port));
    await finished;
  } finally {
    proxy.close();
  }
}

/**
 * Starts a policy pack.
 *
 * @param stack undefined if no stack is involved, for example when a pack is published
 * @returns two promises. `port` resolves when the pack listens, and rejects if the pack
 * ends before. `done` resolves when the pack has ended, and its output and exit code
 * are sent.
 */
function startPolicyPack(
  call: PluginCall,
  script: string,
  stack: AnalyzerStackConfigureRequest | undefined,
  children: ChildProcesses,
): { port: Promise<number>; done: Promise<void> } {
  const folder = folderOf(call.request);
  const { child, exit } = startPlugin(call, children, {
    script,
    args: [...call.request.getArgsList(), folder],
    cwd: folder,
    env: { ...requestEnvironment(call.request), ...stackEnvironment(stack) },
  });
  let ready: (port: number) => void = () => undefined;
  const listening = new Promise<number>((resolve) => (ready = resolve));
  const ended = exit.then((how): never => {
    throw new Error(
      `The policy pack in ${folder} ${describeExit(how)} before it was ready.`,
    );
  });
  const output = Promise.all([
    sendAfterPort(call, child.stdout, ready),
    sendOutput(call, child.stderr, (chunk) => message().setStderr(chunk)),
  ]);
  return {
    port: Promise.race([listening, ended]),
    done: output.then(async () => sendExit(call, await exit)),
  };
}

/** Reads the port from the first line of a pack's output, and sends the rest. */
async function sendAfterPort(
  call: PluginCall,
  stdout: Readable | null,
  ready: (port: number) => void,
): Promise<void> {
  if (stdout === null) return;
  let isReady = false;
  for await (const line of createInterface({ input: stdout })) {
    if (!isReady && /^\d+$/.test(line.trim())) {
      isReady = true;
      ready(Number(line));
    } else await write(call, message().setStdout(Buffer.from(`${line}\n`)));
  }
}

/** The variables from which a policy pack's SDK reads the stack. */
function stackEnvironment(
  stack: AnalyzerStackConfigureRequest | undefined,
): NodeJS.ProcessEnv {
  if (stack === undefined) return {};
  const config = Object.fromEntries(stack.getConfigMap().getEntryList());
  const place = {
    ORGANIZATION: stack.getOrganization(),
    PROJECT: stack.getProject(),
    STACK: stack.getStack(),
    DRY_RUN: String(stack.getDryRun()),
  };
  return {
    PULUMI_CONFIG: JSON.stringify(config),
    PULUMI_CONFIG_SECRET_KEYS: JSON.stringify(stack.getConfigSecretKeysList()),
    ...Object.fromEntries(
      Object.entries(place).flatMap(([name, value]) => [
        [`PULUMI_NODEJS_${name}`, value],
        [`PULUMI_${name}`, value],
      ]),
    ),
  };
}

/** Starts a plugin's process. Cancelling the call ends the process. */
function startPlugin(
  call: PluginCall,
  children: ChildProcesses,
  start: {
    /** Path of the SDK's script that runs the plugin. */
    readonly script: string;
    readonly args: readonly string[];
    readonly cwd: string;
    readonly env: NodeJS.ProcessEnv;
  },
): ReturnType<ChildProcesses["start"]> {
  const { script, args, cwd, env } = start;
  const { nodeArgs } = runtimeOptions(call.request.getInfo());
  const started = children.start(
    process.execPath,
    [...nodeArgs, script, ...args],
    { cwd, env, stdio: ["ignore", "pipe", "pipe"] },
  );
  call.on("cancelled", () => void children.end(started.child));
  if (call.cancelled) void children.end(started.child);
  return started;
}

const message = () => new RunPluginResponse();

const folderOf = (request: RunPluginRequest) =>
  request.getInfo()?.getProgramDirectory() || request.getProgram();

/** Sends how a process ended, which is the last message of the call. */
async function sendExit(call: PluginCall, exit: ChildExit): Promise<void> {
  if ("failure" in exit) {
    throw new CallError(status.INTERNAL, exit.failure.message);
  }
  // By convention, the exit code of a process that a signal ended is above 128.
  const code = "code" in exit ? exit.code : 130;
  await write(call, message().setExitcode(code));
}

/** The environment that a request describes as a list of `NAME=value`. */
function requestEnvironment(request: RunPluginRequest): NodeJS.ProcessEnv {
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
function resolveScript(folder: string, script: SdkScript): string {
  try {
    return sdkScript(folder, script);
  } catch (error) {
    throw new CallError(status.FAILED_PRECONDITION, (error as Error).message);
  }
}
