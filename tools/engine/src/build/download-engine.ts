import path from "node:path";
import type { EngineBuilder } from "./build-engine.js";
import { packageFolder } from "../engine-files.js";
import { EngineError } from "../errors.js";
import { ENGINE_VERSION } from "../engine-version.js";
import { withProgress } from "./progress.js";
import { runCommand } from "./run-command.js";

const TIMEOUT_MS = 300_000;

/**
 * Downloads the official engine into a folder with Pulumi's own installer.
 *
 * The installer has no time limit and starts other processes. It therefore runs
 * in a separate process, which is ended after five minutes with everything that
 * it started.
 *
 * @throws EngineError with the end of the installer's output.
 */
export const downloadEngine: EngineBuilder = async (folder, context) => {
  const { report, env, signal } = context;
  const doing = `downloading the Pulumi CLI ${ENGINE_VERSION}`;
  await withProgress({ doing, usually: "under a minute", report }, async () => {
    const script = path.join(packageFolder, "dist/build/install-official.js");
    const { exitCode, output } = await runCommand(
      process.execPath,
      [script, ENGINE_VERSION, folder],
      { env, signal, timeoutMs: TIMEOUT_MS },
    );
    if (exitCode !== 0) {
      throw new EngineError(output.split("\n").slice(-4).join("\n"));
    }
  });
};
