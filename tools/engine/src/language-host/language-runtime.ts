import type {
  handleServerStreamingCall,
  handleUnaryCall,
  UntypedServiceImplementation,
} from "@grpc/grpc-js";
import {
  AboutResponse,
  DependencyInfo,
  GetProgramDependenciesResponse,
  GetRequiredPackagesResponse,
  type AboutRequest,
  type GetProgramDependenciesRequest,
  type GetRequiredPackagesRequest,
  type InstallDependenciesRequest,
  type InstallDependenciesResponse,
  type RunPluginRequest,
  type RunPluginResponse,
  type RunRequest,
  type RunResponse,
} from "@pulumi/pulumi/proto/language_pb";
import { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { ENGINE_VERSION } from "../engine-version.js";
import { answer, stream } from "./answer.js";
import type { ChildProcesses } from "./child-processes.js";
import { installDependencies } from "./install-dependencies.js";
import { programDependencies } from "./program-dependencies.js";
import { requiredPackages } from "./required-packages.js";
import { runPlugin } from "./run-plugin.js";
import { runPolicyPack } from "./run-policy-pack.js";
import { runProgram } from "./run-program.js";

/**
 * The service `pulumirpc.LanguageRuntime`.
 *
 * Generating code and packages is left out: gRPC answers UNIMPLEMENTED to
 * calls that have no handler here, and the engine copes with that.
 */
export function languageRuntime(
  engineAddress: string,
  children: ChildProcesses,
): UntypedServiceImplementation {
  const getPluginInfo: handleUnaryCall<Empty, PluginInfo> = answer(() =>
    new PluginInfo().setVersion(ENGINE_VERSION),
  );

  const getRequiredPackages: handleUnaryCall<
    GetRequiredPackagesRequest,
    GetRequiredPackagesResponse
  > = answer(async ({ request }) => {
    const folder = request.getInfo()?.getProgramDirectory() ?? "";
    const packages = await requiredPackages(folder);
    return new GetRequiredPackagesResponse().setPackagesList(packages);
  });

  const about: handleUnaryCall<AboutRequest, AboutResponse> = answer(() =>
    new AboutResponse()
      .setExecutable(process.execPath)
      .setVersion(process.version),
  );

  const getProgramDependencies: handleUnaryCall<
    GetProgramDependenciesRequest,
    GetProgramDependenciesResponse
  > = answer(async ({ request }) => {
    const found = await programDependencies(
      request.getInfo()?.getProgramDirectory() ?? request.getPwd(),
      request.getTransitivedependencies(),
    );
    const list = found.map(({ name, version }) =>
      new DependencyInfo().setName(name).setVersion(version),
    );
    return new GetProgramDependenciesResponse().setDependenciesList(list);
  });

  const run: handleUnaryCall<RunRequest, RunResponse> = answer((call) =>
    runProgram(call, engineAddress, children),
  );

  const install: handleServerStreamingCall<
    InstallDependenciesRequest,
    InstallDependenciesResponse
  > = stream((call) => installDependencies(call, children));

  const plugin: handleServerStreamingCall<RunPluginRequest, RunPluginResponse> =
    stream((call) =>
      call.request.getKind() === "analyzer"
        ? runPolicyPack(call, children)
        : runPlugin(call, children),
    );

  const cancel: handleUnaryCall<Empty, Empty> = answer(async () => {
    await children.endAll();
    return new Empty();
  });

  return {
    getPluginInfo,
    getRequiredPackages,
    about,
    getProgramDependencies,
    run,
    installDependencies: install,
    runPlugin: plugin,
    cancel,
  };
}
