import { createRequire } from "node:module";
import path from "node:path";
import type { ServerUnaryCall } from "@grpc/grpc-js";
import {
  RunResponse,
  type ProgramInfo,
  type RunRequest,
} from "@pulumi/pulumi/proto/language_pb";
import { describeExit, type ChildProcesses } from "./child-processes.js";

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

/** The options under `runtime.options` of a Pulumi.yaml that this host knows. */
export function runtimeOptions(info: ProgramInfo | undefined): {
  /** Whether TypeScript is compiled when it is loaded; default true. */
  typescript: boolean;
  /** Path of another tsconfig.json. */
  tsconfig: string | undefined;
  /** Arguments of Node.js itself. */
  nodeArgs: string[];
} {
  const given: Record<string, unknown> =
    info?.getOptions()?.toJavaScript() ?? {};
  const text = (name: string): string | undefined => {
    const value = given[name];
    return typeof value === "string" && value !== "" ? value : undefined;
  };
  return {
    typescript: given.typescript !== false,
    tsconfig: text("tsconfig"),
    nodeArgs: text("nodeargs")?.split(/\s+/) ?? [],
  };
}

/** A script of `@pulumi/pulumi` that runs user code. */
export type SdkScript = "run" | "run-plugin" | "run-policy-pack";

/**
 * The path of a script of the `@pulumi/pulumi` that a folder's code uses.
 *
 * @throws Error that says what to do if the package is not installed there.
 */
export function sdkScript(folder: string, script: SdkScript): string {
  const request = `@pulumi/pulumi/cmd/${script}`;
  try {
    return createRequire(path.join(folder, "index.js")).resolve(request);
  } catch {
    throw new Error(
      `Cannot find module '${request}' from ${folder}: ` +
        "it looks like its dependencies are not installed; run `npm install` there.",
    );
  }
}
