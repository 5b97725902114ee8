import type { Readable } from "node:stream";
import { status, type ServerWritableStream } from "@grpc/grpc-js";
import {
  InstallDependenciesResponse,
  type InstallDependenciesRequest,
} from "@pulumi/pulumi/proto/language_pb";
import { CallError, write } from "./answer.js";
import { describeExit, type ChildProcesses } from "./child-processes.js";
import { runtimeOptions } from "./runtime-options.js";

type InstallCall = ServerWritableStream<
  InstallDependenciesRequest,
  InstallDependenciesResponse
>;

/** Installs the npm packages of a program, plugin or policy pack, showing the output as it comes. */
export async function installDependencies(
  call: InstallCall,
  children: ChildProcesses,
): Promise<void> {
  const { request } = call;
  const folder =
    request.getInfo()?.getProgramDirectory() || request.getDirectory();
  const { packageManager } = runtimeOptions(request.getInfo());
  const { child, exit } = children.start(packageManager, ["install"], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
  });
  call.on("cancelled", () => void children.end(child));
  await Promise.all([
    send(call, child.stdout, "stdout"),
    send(call, child.stderr, "stderr"),
  ]);
  const ended = await exit;
  if ("code" in ended && ended.code === 0) return;
  throw new CallError(
    status.UNKNOWN,
    `\`${packageManager} install\` in ${folder} ${describeExit(ended)}.`,
  );
}

async function send(
  call: InstallCall,
  stream: Readable | null,
  kind: "stdout" | "stderr",
): Promise<void> {
  if (stream === null) return;
  for await (const chunk of stream) {
    const response = new InstallDependenciesResponse();
    if (kind === "stdout") response.setStdout(chunk as Buffer);
    else response.setStderr(chunk as Buffer);
    await write(call, response);
  }
}
