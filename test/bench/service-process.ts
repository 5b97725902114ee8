import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { residentOf, secondsOf } from "./process-tree";

const PROGRAM = `require("@devid/service").startService({ port: 0, rateLimit: "off", logLevel: "silent", data: process.argv[1] })
  .then(({ url }) => console.log(url));`;

/** A local service in its own process, whose processor time and memory can be read. */
export class ServiceProcess {
  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
  ) {}

  /** @param data the data file */
  static async start(data: string): Promise<ServiceProcess> {
    const child = spawn(process.execPath, ["-e", PROGRAM, data], {
      stdio: ["ignore", "pipe", "inherit"],
      cwd: __dirname,
    });
    const [line] = (await once(child.stdout, "data")) as [Buffer];
    return new ServiceProcess(child, line.toString().trim());
  }

  get processorSeconds(): number {
    return secondsOf(this.child.pid ?? 0);
  }

  get residentMegabytes(): number {
    return residentOf(this.child.pid ?? 0) / 1e6;
  }

  async end(signal: "SIGTERM" | "SIGKILL"): Promise<void> {
    const ended = once(this.child, "exit");
    this.child.kill(signal);
    await ended;
  }
}
