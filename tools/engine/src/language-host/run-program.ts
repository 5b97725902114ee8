import type { ServerUnaryCall } from "@grpc/grpc-js";
import { RunResponse, type RunRequest } from "@pulumi/pulumi/proto/language_pb";
import { describeExit, type ChildProcesses } from "./child-processes.js";
import { runtimeOptions } from "./runtime-options.js";
import { sdkScript } from "./sdk-script.js";

/** Exit code of a program whose error the SDK has already shown to the user. */
const EXIT_AFTER_SHOWN_ERROR = 32;

/**
 * Runs a Pulumi program to its end.
 *
 * An error of the program is part of the answer and never a gRPC error.
 */
export async function runProgram(
  call: ServerUnaryCall<RunRequest, RunResponse>,
  engineAddress: string,
  children: ChildProcesses,
): Promise<RunResponse> {
  const { request } = call;
  const options = runtimeOptions(request.getInfo());
  const folder = programFolder(request);
  let script: string;
  try {
    script = sdkScript(folder, "run");
  } catch (error) {
    return new RunResponse().setError((error as Error).message);
  }

  const args = [
    ...options.nodeArgs,
    script,
    ...runArguments(request, engineAddress),
  ];
  const { child, exit } = children.start(process.execPath, args, {
    cwd: folder,
    env: {
      ...process.env,
      PULUMI_CONFIG: JSON.stringify(
        Object.fromEntries(request.getConfigMap().getEntryList()),
      ),
      PULUMI_CONFIG_SECRET_KEYS: JSON.stringify(
        request.getConfigsecretkeysList(),
      ),
      PULUMI_NODEJS_TYPESCRIPT: String(options.typescript),
      ...(options.tsconfig && {
        PULUMI_NODEJS_TSCONFIG_PATH: options.tsconfig,
      }),
    },
    // The engine shows what this host prints.
    stdio: ["ignore", "inherit", "inherit"],
  });
  call.on("cancelled", () => void children.end(child));

  const ended = await exit;
  const response = new RunResponse();
  if ("code" in ended && ended.code === 0) return response;
  if ("code" in ended && ended.code === EXIT_AFTER_SHOWN_ERROR) {
    return response.setBail(true);
  }
  return response.setError(`The program ${describeExit(ended)}.`);
}

function programFolder(request: RunRequest): string {
  return request.getInfo()?.getProgramDirectory() || request.getPwd();
}

function runArguments(request: RunRequest, engineAddress: string): string[] {
  const info = request.getInfo();
  const flags: Record<string, string | undefined> = {
    monitor: request.getMonitorAddress(),
    engine: engineAddress,
    organization: request.getOrganization(),
    project: request.getProject(),
    "root-directory": info?.getRootDirectory(),
    stack: request.getStack(),
    pwd: programFolder(request),
    parallel: String(request.getParallel()),
  };
  const args = Object.entries(flags).flatMap(([name, value]) =>
    value ? [`--${name}`, value] : [],
  );
  if (request.getDryrun()) args.push("--dry-run");
  const entryPoint = info?.getEntryPoint() || request.getProgram() || ".";
  return [...args, entryPoint, ...request.getArgsList()];
}
