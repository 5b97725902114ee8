import { RunPluginResponse } from "@pulumi/pulumi/proto/language_pb";
import { sendOutput } from "./answer.js";
import type { ChildProcesses } from "./child-processes.js";
import {
  requestEnvironment,
  resolveScript,
  sendExit,
  startPlugin,
  type PluginCall,
} from "./plugin-process.js";

/** Runs a plugin that is a folder of JavaScript or TypeScript. */
export async function runPlugin(
  call: PluginCall,
  children: ChildProcesses,
): Promise<void> {
  const { request } = call;
  const folder =
    request.getInfo()?.getProgramDirectory() || request.getProgram();
  const { child, exit } = startPlugin(
    call,
    {
      script: resolveScript(folder, "run-plugin"),
      args: [folder, ...request.getArgsList()],
      cwd: request.getPwd() || folder,
      env: requestEnvironment(request),
    },
    children,
  );
  const message = () => new RunPluginResponse();
  await Promise.all([
    sendOutput(call, child.stdout, (chunk) => message().setStdout(chunk)),
    sendOutput(call, child.stderr, (chunk) => message().setStderr(chunk)),
  ]);
  await sendExit(call, await exit);
}
