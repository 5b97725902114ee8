import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import type { Service } from "@devid/service";
import { vi } from "vitest";

const PROGRAM =
  "require('@devid/service').startService(JSON.parse(process.argv[1])).catch((e) => { console.error(e); process.exit(1); })";

/** The built service in its own process, which can be killed. */
export class ServiceProcess {
  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
    readonly managementKey: string,
  ) {}

  static async start(data: string): Promise<ServiceProcess> {
    const readyFile = `${data}.ready`;
    const options = {
      port: 0,
      data,
      readyFile,
      rateLimit: "off",
      logLevel: "silent",
    };
    const child = spawn(
      process.execPath,
      ["-e", PROGRAM, JSON.stringify(options)],
      { stdio: ["ignore", "ignore", "inherit"] },
    );
    await vi.waitFor(() => {
      if (!existsSync(readyFile)) throw new Error("The service is not ready.");
    }, 10_000);
    const { url, workspaces } = JSON.parse(
      readFileSync(readyFile, "utf8"),
    ) as Service;
    return new ServiceProcess(child, url, workspaces.us.managementKey);
  }

  /** Kills the process at once, whatever it does. May be called again. */
  async kill(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const exited = once(this.child, "exit");
    this.child.kill("SIGKILL");
    await exited;
  }
}
