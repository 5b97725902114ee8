import { randomUUID } from "node:crypto";
import {
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { connect } from "node:net";
import { refuseOtherThanFile, StartError } from "./service-errors";

/** A file that says where a running service listens, and with which keys. */
export class ReadyFile {
  private readonly text: string;

  constructor(
    private readonly path: string,
    content: { readonly url: string },
  ) {
    this.text = `${JSON.stringify(content)}\n`;
  }

  /**
   * Removes the ready file of a killed service, so that nobody reads its dead address.
   * The file of a service that answers stays. Throws StartError when the path is no
   * plain file, because the ready file would replace it.
   */
  static async removeLeftOver(path: string): Promise<void> {
    refuseOtherThanFile("Ready file", path);
    try {
      const text = readFileSync(path, "utf8");
      const { url } = JSON.parse(text) as { readonly url: string };
      if (await isDead(new URL(url))) rmSync(path);
    } catch {
      // There is no file, or it is none of a service and `write` replaces it.
    }
  }

  /**
   * Writes the file by renaming a finished draft, so that nobody ever reads
   * half of it. Throws StartError.
   */
  write(): void {
    const draft = `${this.path}.${randomUUID()}`;
    try {
      writeFileSync(draft, this.text, { mode: 0o600 });
      renameSync(draft, this.path);
    } catch (error) {
      if (existsSync(draft)) rmSync(draft);
      throw new StartError(
        `Ready file ${this.path} cannot be written: ${(error as NodeJS.ErrnoException).code ?? String(error)}.`,
      );
    }
  }

  /** Removes the file, unless another service has replaced it with its own. */
  remove(): void {
    try {
      if (readFileSync(this.path, "utf8") === this.text) rmSync(this.path);
    } catch {
      // The file is gone already.
    }
  }
}

/** Whether nothing listens at an address of this machine. */
function isDead({ hostname, port }: URL): Promise<boolean> {
  const host = hostname.replace(/^\[|\]$/g, "");
  return new Promise((resolve) => {
    const socket = connect({ host, port: Number(port) });
    const end = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(500, () => end(false));
    socket.on("connect", () => end(false));
    socket.on("error", () => end(true));
  });
}
