import { status, type ServerWritableStream } from "@grpc/grpc-js";
import {
  InstallDependenciesResponse,
  type InstallDependenciesRequest,
} from "@pulumi/pulumi/proto/language_pb";
import { CallError, sendOutput } from "./answer.js";
import { describeExit, type ChildProcesses } from "./child-processes.js";

/** Installs the npm packages of a plugin, as `pulumi package add` asks for, showing the output as it comes. */
export async function installDependencies(
  call: ServerWritableStream<
    InstallDependenciesRequest,
    InstallDependenciesResponse
  >,
  children: ChildProcesses,
): Promise<void> {
  const { request } = call;
  const folder =
    request.getInfo()?.getProgramDirectory() || request.getDirectory();
  const { child, exit } = children.start("npm", ["install"], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
  });
  call.on("cancelled", () => void children.end(child));
  const message = () => new InstallDependenciesResponse();
  await Promise.all([
    sendOutput(call, child.stdout, (chunk) => message().setStdout(chunk)),
    sendOutput(call, child.stderr, (chunk) => message().setStderr(chunk)),
  ]);
  const ended = await exit;
  if ("code" in ended && ended.code === 0) return;
  throw new CallError(
    status.UNKNOWN,
    `\`npm install\` in ${folder} ${describeExit(ended)}.`,
  );
}
