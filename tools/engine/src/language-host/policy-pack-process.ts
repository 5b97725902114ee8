import type { Readable } from "node:stream";
import { createInterface } from "node:readline";
import type { AnalyzerStackConfigureRequest } from "@pulumi/pulumi/proto/analyzer_pb";
import { RunPluginResponse } from "@pulumi/pulumi/proto/language_pb";
import { sendOutput, write } from "./answer.js";
import { describeExit, type ChildProcesses } from "./child-processes.js";
import {
  requestEnvironment,
  sendExit,
  startPlugin,
  type PluginCall,
} from "./plugin-process.js";

/** The input of the start of a policy pack. */
export interface PolicyPackStart {
  folder: string;
  script: string;
  /** Undefined if no stack is involved, for example when a pack is published. */
  stack: AnalyzerStackConfigureRequest | undefined;
}

/**
 * Starts a policy pack.
 *
 * @returns two promises. `port` resolves when the pack listens, and rejects if the pack
 * ends before. `done` resolves when the pack has ended, and its output and exit code
 * are sent.
 */
export function startPolicyPack(
  call: PluginCall,
  { folder, script, stack }: PolicyPackStart,
  children: ChildProcesses,
): { port: Promise<number>; done: Promise<void> } {
  const { child, exit } = startPlugin(
    call,
    {
      script,
      args: [...call.request.getArgsList(), folder],
      cwd: folder,
      env: { ...requestEnvironment(call.request), ...stackEnvironment(stack) },
    },
    children,
  );
  let ready: (port: number) => void = () => undefined;
  const listening = new Promise<number>((resolve) => (ready = resolve));
  const ended = exit.then((how): never => {
    throw new Error(
      `The policy pack in ${folder} ${describeExit(how)} before it was ready.`,
    );
  });
  const output = Promise.all([
    sendAfterPort(call, child.stdout, ready),
    sendOutput(call, child.stderr, (chunk) =>
      new RunPluginResponse().setStderr(chunk),
    ),
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
    } else {
      const text = Buffer.from(`${line}\n`);
      await write(call, new RunPluginResponse().setStdout(text));
    }
  }
}

/** The variables from which a policy pack's SDK reads the stack. */
function stackEnvironment(
  stack: AnalyzerStackConfigureRequest | undefined,
): NodeJS.ProcessEnv {
  if (stack === undefined) return {};
  const config = Object.fromEntries(stack.getConfigMap().getEntryList());
  return {
    PULUMI_CONFIG: JSON.stringify(config),
    PULUMI_CONFIG_SECRET_KEYS: JSON.stringify(stack.getConfigSecretKeysList()),
    PULUMI_NODEJS_ORGANIZATION: stack.getOrganization(),
    PULUMI_NODEJS_PROJECT: stack.getProject(),
    PULUMI_NODEJS_STACK: stack.getStack(),
    PULUMI_NODEJS_DRY_RUN: String(stack.getDryRun()),
    PULUMI_ORGANIZATION: stack.getOrganization(),
    PULUMI_PROJECT: stack.getProject(),
    PULUMI_STACK: stack.getStack(),
    PULUMI_DRY_RUN: String(stack.getDryRun()),
  };
}
