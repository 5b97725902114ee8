import { Server } from "@grpc/grpc-js";
import { LanguageRuntimeService } from "@pulumi/pulumi/proto/language_grpc_pb";
import { listen, MESSAGE_LIMITS } from "./answer.js";
import { ChildProcesses } from "./child-processes.js";
import { languageRuntime } from "./language-runtime.js";

/**
 * The Node.js language host: the engine starts it, reads the port from the
 * first line of stdout, and calls it over gRPC.
 *
 * Arguments: `[--logtostderr] [-v=N] [--tracing URL] ENGINE_ADDRESS`.
 */
async function main(args: readonly string[]): Promise<void> {
  const engineAddress = args.at(-1) ?? "";
  const children = new ChildProcesses();
  const server = new Server(MESSAGE_LIMITS);
  server.addService(
    LanguageRuntimeService,
    languageRuntime(engineAddress, children),
  );

  let ending = false;
  const end = (): void => {
    if (ending) return;
    ending = true;
    server.forceShutdown();
    void children.endAll().then(() => process.exit(0));
  };
  process.on("SIGINT", end);
  process.on("SIGTERM", end);

  const port = await listen(server);
  process.stdout.write(`${port}\n`);
  // The engine holds the other end of stdin. When stdin ends, the engine has ended.
  process.stdin.on("end", end).on("error", end).resume();
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`pulumi-language-nodejs: ${String(error)}\n`);
  process.exit(1);
});
