import type { ILanguageRuntimeServer } from "@pulumi/pulumi/proto/language_grpc_pb";
import {
  AboutResponse,
  GetRequiredPackagesResponse,
} from "@pulumi/pulumi/proto/language_pb";
import { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { ENGINE_VERSION } from "../engine-version.js";
import { answer, stream, toStatus } from "./answer.js";
import type { ChildProcesses } from "./child-processes.js";
import { startCodeWriter } from "./code-writer.js";
import { installDependencies } from "./install-dependencies.js";
import { requiredPackages } from "./required-packages.js";
import { runPlugin, runPolicyPack } from "./run-plugin.js";
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
) {
  let starting: ReturnType<typeof startCodeWriter> | undefined;
  const codeWriter = () =>
    (starting ??= startCodeWriter(engineAddress, children));
  return {
    getPluginInfo: answer(() => new PluginInfo().setVersion(ENGINE_VERSION)),
    getRequiredPackages: answer(({ request }) => {
      const folder = request.getInfo()?.getProgramDirectory() ?? "";
      const packages = requiredPackages(folder);
      return new GetRequiredPackagesResponse().setPackagesList(packages);
    }),
    about: answer(() =>
      new AboutResponse()
        .setExecutable(process.execPath)
        .setVersion(process.version),
    ),
    run: answer((call) => runProgram(call, engineAddress, children)),
    installDependencies: stream((call) => installDependencies(call, children)),
    runPlugin: stream((call) =>
      call.request.getKind() === "analyzer"
        ? runPolicyPack(call, children)
        : runPlugin(call, children),
    ),
    generateProgram: ({ request }, done) => {
      codeWriter().then(
        (writer) => writer.generateProgram(request, done),
        (error: unknown) => done(toStatus(error)),
      );
    },
    generatePackage: ({ request }, done) => {
      codeWriter().then(
        (writer) => writer.generatePackage(request, done),
        (error: unknown) => done(toStatus(error)),
      );
    },
    cancel: answer(async () => {
      await children.endAll();
      return new Empty();
    }),
  } satisfies Partial<ILanguageRuntimeServer>;
}
