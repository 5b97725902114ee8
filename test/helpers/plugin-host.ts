import path from "node:path";
import {
  revealed,
  secretValue as secret,
  UNKNOWN_TEXT,
  type Properties,
} from "../simulation/engine/property-value";
import { ProcessHost } from "./process-host";

/** The engine's own form of values. */
export { revealed, secret, UNKNOWN_TEXT };

const PROVIDER = path.resolve(__dirname, "../../provider");
const START = `require("./dist/adapters/plugin/run-plugin.js").runPlugin((name) => require("node:fs").readFileSync(name, "utf8"))`;

/** Runs the built provider plugin in a separate process, and calls it as the engine does. */
export class PluginHost extends ProcessHost {
  /**
   * Starts a plugin. The settings are those of its provider, such as `endpoint`.
   * Without a launcher, the compiled code runs.
   */
  static async start(
    settings?: Properties,
    launcher: readonly string[] = ["-e", START, "--"],
  ): Promise<PluginHost> {
    const process = await this.startProcess(launcher, PROVIDER);
    const host = new PluginHost("plugin", process);
    if (settings) await host.configure(settings);
    return host;
  }

  invoke(...request: Parameters<ProcessHost["provider"]["invoke"]>) {
    return this.provider.invoke(...request);
  }

  cancel(): Promise<void> {
    return this.provider.cancel();
  }

  /** Closes standard input, as the engine does. */
  protected override end(): void {
    this.child.stdin.end();
  }
}
