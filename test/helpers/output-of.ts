import { once } from "node:events";
import type { ChildProcess } from "node:child_process";

/** What a process printed until it ended. */
export interface Output {
  /** 1 if a signal ended the process. */
  readonly code: number;
  /** Standard output. */
  readonly text: string;
  /** Standard output and standard error, in the order in which they arrived. */
  readonly said: string;
}

/** Waits until a process has ended. */
export async function outputOf(child: ChildProcess): Promise<Output> {
  let text = "";
  let said = "";
  child.stdout?.on("data", (chunk: Buffer) => (text += chunk.toString()));
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk: Buffer) => (said += chunk.toString()));
  const [code] = (await once(child, "close")) as [number | null];
  return { code: code ?? 1, text, said };
}
