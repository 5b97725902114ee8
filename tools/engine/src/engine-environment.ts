import path from "node:path";
import { pathToFileURL } from "node:url";

/** Where an isolated engine keeps its things; all paths are absolute. */
export interface EngineEnvironmentOptions {
  /** The engine's own home (plugins, credentials), instead of `~/.pulumi`. */
  home: string;
  /** Existing folder that holds the state of stacks. */
  backendDir: string;
  /** File with the passphrase that encrypts the stacks' secrets. */
  passphraseFile: string;
  /** `pulumi` executable whose folder comes first on PATH. */
  enginePath?: string;
  /** Whether output may have colours; false by default. */
  color?: boolean;
}

/**
 * Variables that keep an engine away from the user's own Pulumi set-up and
 * from the network: own home, state in files, no update check, no plugin
 * downloads, no backups of state.
 *
 * Find the engine first: its path does not depend on these variables, but a
 * search in their presence would. Variables that are `undefined` here are
 * removed by `child_process` from `{ ...process.env, ...engineEnvironment(…) }`.
 */
export function engineEnvironment(
  options: EngineEnvironmentOptions,
): NodeJS.ProcessEnv {
  const { home, backendDir, passphraseFile, enginePath, color } = options;
  const env: NodeJS.ProcessEnv = {
    PULUMI_HOME: home,
    PULUMI_BACKEND_URL: pathToFileURL(backendDir).href,
    PULUMI_CONFIG_PASSPHRASE_FILE: passphraseFile,
    PULUMI_CONFIG_PASSPHRASE: undefined,
    PULUMI_ACCESS_TOKEN: undefined,
    PULUMI_STACK: undefined,
    PULUMI_SKIP_UPDATE_CHECK: "true",
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
    PULUMI_DIY_BACKEND_DISABLE_CHECKPOINT_BACKUPS: "true",
  };
  if (!color) env.NO_COLOR = "1";
  if (enginePath !== undefined) {
    const folders = [path.dirname(enginePath), process.env.PATH];
    env.PATH = folders.filter(Boolean).join(path.delimiter);
  }
  return env;
}
