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
  type GeneratePackageRequest,
  type GeneratePackageResponse,
  type GenerateProgramRequest,
  type GenerateProgramResponse,
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
import { answer, stream, toStatus } from "./answer.js";
import type { ChildProcesses } from "./child-processes.js";
import { startCodeWriter } from "./code-writer.js";
import { installDependencies } from "./install-dependencies.js";
import { programDependencies } from "./packages/program-dependencies.js";
import { requiredPackages } from "./packages/required-packages.js";
import { runPlugin } from "./run-plugin.js";
import { runPolicyPack } from "./run-policy-pack.js";
import { runProgram } from "./run-program.js";

/**
 * The service `pulumirpc.LanguageRuntime`.
 *
 * Some calls have no handler here, such as the calls of `pulumi convert`. gRPC answers
 * them with UNIMPLEMENTED, and the engine can handle that.
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
  > = answer(({ request }) => {
    const folder = request.getInfo()?.getProgramDirectory() ?? "";
    const packages = requiredPackages(folder);
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
  > = answer(({ request }) => {
    const found = programDependencies(
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

  let starting: ReturnType<typeof startCodeWriter> | undefined;
  const codeWriter = () =>
    (starting ??= startCodeWriter(engineAddress, children));
  const generateProgram: handleUnaryCall<
    GenerateProgramRequest,
    GenerateProgramResponse
  > = ({ request }, done) => {
    codeWriter().then(
      (writer) => writer.generateProgram(request, done),
      (error: unknown) => done(toStatus(error)),
    );
  };
  const generatePackage: handleUnaryCall<
    GeneratePackageRequest,
    GeneratePackageResponse
  > = ({ request }, done) => {
    codeWriter().then(
      (writer) => writer.generatePackage(request, done),
      (error: unknown) => done(toStatus(error)),
    );
  };

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
    generateProgram,
    generatePackage,
    cancel,
  };
}
