import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import type { AddressInfo } from "node:net";
import { DevidProcess } from "../cli/devid-process";

/**
 * Runs the `devid` commands of shell scripts in this process. A separate process would
 * take most of a second to load the code that is already loaded here.
 */
export class DevidServer {
  private constructor(private readonly server: Server) {}

  static async start(): Promise<DevidServer> {
    const server = createServer((socket) => void answer(socket));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return new DevidServer(server);
  }

  /**
   * The last lines of a Bash script whose arguments are `devid` and its arguments. The
   * command runs in the folder and with the environment of the script. The script
   * prints the output of the command and has its exit code.
   */
  get command(): string {
    const { port } = this.server.address() as AddressInfo;
    return `exec 3<>/dev/tcp/127.0.0.1/${port}
{ printf '%s\\0' "$PWD" "$#" "$@"; env -0; printf '\\0'; } >&3
read -r code length <&3
head -c "$length" <&3
cat <&3 >&2
exit "$code"`;
  }

  async close(): Promise<void> {
    this.server.close();
    await once(this.server, "close");
  }
}

async function answer(socket: Socket): Promise<void> {
  const { folder, args, env } = await asked(socket);
  const { code, stdout, stderr } = await DevidProcess.run(args, env, folder);
  const length = Buffer.byteLength(stdout);
  socket.end(`${code ?? 1} ${length}\n${stdout}${stderr}`);
}

/** Reads what the script sends: texts that end with a NUL, and an empty text at the end. */
async function asked(socket: Socket) {
  let text = "";
  socket.setEncoding("utf8");
  while (!text.endsWith("\0\0")) {
    const [chunk] = (await once(socket, "data")) as [string];
    text += chunk;
  }
  const [folder = "", count, ...rest] = text.slice(0, -2).split("\0");
  const [, ...args] = rest.slice(0, Number(count));
  const env = rest.slice(Number(count)).map((entry) => {
    const end = entry.indexOf("=");
    return [entry.slice(0, end), entry.slice(end + 1)];
  });
  return {
    folder,
    args,
    env: Object.fromEntries(env) as Record<string, string>,
  };
}
