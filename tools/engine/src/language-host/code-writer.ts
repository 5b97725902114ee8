import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import { credentials, status } from "@grpc/grpc-js";
import { LanguageRuntimeClient } from "@pulumi/pulumi/proto/language_grpc_pb";
import { CODE_WRITER, isExecutable } from "../engine-files.js";
import { CallError, MESSAGE_LIMITS } from "./answer.js";
import { describeExit, type ChildProcesses } from "./child-processes.js";

/**
 * Starts the program that writes TypeScript programs and SDKs. The program consists of
 * Pulumi's own Go code, and is in the folder of this host.
 *
 * @returns a client of it.
 * @throws CallError if the program is missing.
 */
export async function startCodeWriter(
  engineAddress: string,
  children: ChildProcesses,
): Promise<LanguageRuntimeClient> {
  const file = path.join(__dirname, CODE_WRITER);
  if (!(await isExecutable(file))) {
    throw new CallError(
      status.UNIMPLEMENTED,
      `This engine writes no TypeScript code: ${file} is missing. \`npm run engine\` builds it, with Go.`,
    );
  }
  const { child, exit } = children.start(file, [engineAddress], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = exit.then((how): never => {
    throw new Error(`${file} ${describeExit(how)} before it was ready.`);
  });
  if (child.stdout === null) return ended;
  const line = once(createInterface({ input: child.stdout }), "line");
  const [port] = (await Promise.race([line, ended])) as [string];
  return new LanguageRuntimeClient(
    `127.0.0.1:${port}`,
    credentials.createInsecure(),
    MESSAGE_LIMITS,
  );
}
