import type { ReadProgress } from "@devid/pulumi/clone";

/**
 * Says on standard error how far the reading of a workspace has come: on a
 * terminal as it goes, elsewhere a line for each kind when the next begins.
 */
export class ReadProgressLine {
  #last: ReadProgress | undefined;

  constructor(
    private readonly title: string,
    private readonly stream: NodeJS.WriteStream = process.stderr,
  ) {}

  readonly show = (progress: ReadProgress): void => {
    if (this.#last && this.#last.what !== progress.what) this.end();
    this.#last = progress;
    if (this.stream.isTTY) this.stream.write(`\r${this.#text(progress)}`);
  };

  /** Nothing more comes. */
  end(): void {
    if (!this.#last) return;
    const start = this.stream.isTTY ? "\r" : "";
    this.stream.write(`${start}${this.#text(this.#last)}\n`);
    this.#last = undefined;
  }

  #text({ what, count }: ReadProgress): string {
    return `${this.title}: ${count} ${what}`;
  }
}
