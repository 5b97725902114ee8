import { once } from "node:events";
import path from "node:path";
import { ProcessHost } from "./process-host";
import { QUICK_START } from "./quick-programs";
import { ROOT } from "./repository";

const HOST = require.resolve("@pulumi/pulumi/cmd/dynamic-provider");
const MARK_WHEN_READ = path.resolve(__dirname, "mark-when-read.cjs");
const END_OF_OUTPUT = "(end of output)\n";

/**
 * Runs Pulumi's dynamic provider host in a separate process, with our built
 * provider, and calls it as the engine does.
 */
export class DynamicHost extends ProcessHost {
  /**
   * Starts a host. The settings are those of the engine, such as
   * `devid:endpoint`.
   */
  static async start(settings?: Record<string, string>): Promise<DynamicHost> {
    const args = ["--require", MARK_WHEN_READ, HOST];
    const process = await this.startProcess(args, ROOT, QUICK_START);
    const host = new DynamicHost("dynamic", process);
    if (settings) await host.configure(settings);
    return host;
  }

  override async allOutput(): Promise<string> {
    this.child.kill("SIGUSR2");
    while (!this.stderr.includes(END_OF_OUTPUT))
      await once(this.child.stderr, "data");
    this.stderr = this.stderr.replace(END_OF_OUTPUT, "");
    return this.stderr;
  }
}
