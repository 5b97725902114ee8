import path from "node:path";
import { pathToFileURL } from "node:url";

/** The locations of an isolated engine; all paths are absolute. */
export interface EngineEnvironmentOptions {
  /**
   * The engine's own home for plugins and credentials, used instead of
   * `~/.pulumi`.
   */
  home: string;
  /** Existing folder that holds the state of stacks. */
  backendDir: string;
  /** File with the passphrase that encrypts the stacks' secrets. */
  passphraseFile: string;
  /** Path of a `pulumi` executable; its folder comes first on PATH. */
  enginePath: string;
  /** Whether output may have colours; false by default. */
  color?: boolean;
}

/**
 * Variables that isolate an engine from the user's own Pulumi set-up and from
 * the network: its own home, state in files, no update check, no plugin
 * downloads, and no backups of state.
 *
 * Find the engine before you set these variables: they would change where the
 * search looks. `child_process` removes the variables that are `undefined` here
 * from `{ ...process.env, ...engineEnvironment(…) }`.
 */
export function engineEnvironment(
  options: EngineEnvironmentOptions,
): NodeJS.ProcessEnv {
  const { home, backendDir, passphraseFile, enginePath, color } = options;
  const backend = pathToFileURL(backendDir);
  // Otherwise a kill can leave a file beside the state empty, and the engine then refuses
  // the state (docs/troubleshooting.md, "failed to load checkpoint").
  backend.searchParams.set("metadata", "skip");
  return {
    PULUMI_HOME: home,
    PULUMI_BACKEND_URL: backend.href,
    PULUMI_CONFIG_PASSPHRASE_FILE: passphraseFile,
    PULUMI_CONFIG_PASSPHRASE: undefined,
    PULUMI_ACCESS_TOKEN: undefined,
    PULUMI_STACK: undefined,
    PULUMI_SKIP_UPDATE_CHECK: "true",
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
    PULUMI_DIY_BACKEND_DISABLE_CHECKPOINT_BACKUPS: "true",
    ...(!color && { NO_COLOR: "1" }),
    PATH: [path.dirname(enginePath), process.env.PATH]
      .filter(Boolean)
      .join(path.delimiter),
  };
}
