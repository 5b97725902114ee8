import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { credentials } from "@grpc/grpc-js";
import { LanguageRuntimeClient } from "@pulumi/pulumi/proto/language_grpc_pb";
import { ProgramInfo } from "@pulumi/pulumi/proto/language_pb";
import { bundleNodeHost } from "../../../tools/engine/src/build/build-engine.js";

/** The bundled language host as a process, with a client and the folder of a program. */
export interface LanguageHostProcess {
  process: ChildProcessWithoutNullStreams;
  client: LanguageRuntimeClient;
  /** The folder of a program without packages. */
  folder: string;
  info: ProgramInfo;
  /** Writes a file of the program. */
  write(file: string, content: string): Promise<void>;
  /** Links the packages of this repository into the program's folder. */
  linkPackages(): Promise<void>;
  stop(): Promise<void>;
}

/** Bundles the language host and starts it as the engine does. */
export async function startLanguageHost(): Promise<LanguageHostProcess> {
  const root = await mkdtemp(path.join(tmpdir(), "devid-host-"));
  const folder = path.join(root, "program");
  await mkdir(folder);
  await bundleNodeHost(root);
  const script = path.join(root, "pulumi-language-nodejs");
  const host = spawn(script, ["--logtostderr", "-v=3", "127.0.0.1:1"]);
  const ended = once(host, "exit");
  const lines = createInterface({ input: host.stdout });
  const [port] = (await once(lines, "line")) as [string];
  const client = new LanguageRuntimeClient(
    `127.0.0.1:${port}`,
    credentials.createInsecure(),
  );
  return {
    process: host,
    client,
    folder,
    info: new ProgramInfo()
      .setRootDirectory(folder)
      .setProgramDirectory(folder)
      .setEntryPoint("."),
    async write(file, content) {
      const target = path.join(folder, file);
      await mkdir(path.dirname(target), { recursive: true });
      await writeFile(target, content);
    },
    linkPackages: () =>
      symlink(
        path.resolve(__dirname, "../../../node_modules"),
        path.join(folder, "node_modules"),
        "junction",
      ),
    async stop() {
      client.close();
      host.stdin.end();
      await ended;
      await rm(root, { recursive: true, force: true });
    },
  };
}
