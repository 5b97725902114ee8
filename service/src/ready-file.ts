import { randomUUID } from "node:crypto";
import {
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { connect } from "node:net";
import { fileProblem } from "@devid/sdk/errors";
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
   * The file of a service that answers stays. Throws StartError for any other file.
   */
  static async removeLeftOver(path: string): Promise<void> {
    const url = addressIn(path);
    if (url && (await isDead(url))) rmSync(path);
  }

  /**
   * Writes the file by renaming a finished draft, so that nobody ever reads
   * half of it. Throws StartError.
   */
  write(): void {
    // It may have become another file since the start began, such as the data file.
    addressIn(this.path);
    const draft = `${this.path}.${randomUUID()}`;
    try {
      writeFileSync(draft, this.text, { mode: 0o600 });
      renameSync(draft, this.path);
    } catch (error) {
      if (existsSync(draft)) rmSync(draft);
      throw new StartError(
        `Ready file ${this.path} cannot be written: ${fileProblem(error, "written")}.`,
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

/**
 * The address in a ready file; undefined without a file and for an empty one. Throws
 * StartError for any other file, which a ready file would replace.
 */
function addressIn(path: string): URL | undefined {
  refuseOtherThanFile("Ready file", path);
  try {
    const text = existsSync(path) ? readFileSync(path, "utf8") : "";
    if (text === "") return undefined;
    return new URL((JSON.parse(text) as { readonly url: string }).url);
  } catch {
    throw new StartError(
      `Ready file ${path} would replace a file that is none of a service. Name another file.`,
    );
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
