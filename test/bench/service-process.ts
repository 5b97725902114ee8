import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { residentOf } from "./process-tree";

const CLI = require.resolve("@devid/cli/bin/devid.js");
const SAMPLE_MS = 100;

/** A `devid serve` process whose memory is measured. */
export class ServiceProcess {
  readonly #timer: NodeJS.Timeout;
  #peakBytes = 0;

  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
    readonly secretKey: string,
  ) {
    this.#timer = setInterval(() => this.#sample(), SAMPLE_MS);
  }

  /** Starts the process on a data file, without a rate limit. */
  static async start(data: string): Promise<ServiceProcess> {
    const child = spawn(
      process.execPath,
      [
        CLI,
        "serve",
        "--port",
        "0",
        "--json",
        "--rate-limit",
        "off",
        "--data",
        data,
      ],
      { stdio: ["ignore", "pipe", "ignore"] },
    );
    const [line] = (await once(child.stdout, "data")) as [Buffer];
    const ready = JSON.parse(line.toString()) as {
      url: string;
      workspaces: { us: { secretKey: string } };
    };
    return new ServiceProcess(child, ready.url, ready.workspaces.us.secretKey);
  }

  /** The highest resident memory so far, in megabytes. */
  get peakMegabytes(): number {
    return this.#peakBytes / 1e6;
  }

  async control(path: string, body: unknown): Promise<void> {
    const answer = await fetch(`${this.url}/_local${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
    await answer.arrayBuffer();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    const ended = once(this.child, "exit");
    this.child.kill("SIGTERM");
    await ended;
  }

  #sample(): void {
    const bytes = residentOf(this.child.pid ?? 0);
    this.#peakBytes = Math.max(this.#peakBytes, bytes);
  }
}
