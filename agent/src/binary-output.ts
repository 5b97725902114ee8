/**
 * Bytes of the service, such as a sealed result (docs/contract.md, "get()").
 * In JSON and as text they are base64 (docs/assumptions.md, A78).
 */
export class BinaryOutput {
  readonly #base64: string;

  /** Takes base64 with padding. */
  constructor(base64: string) {
    this.#base64 = base64;
  }

  base64(): string {
    return this.#base64;
  }

  byteArray(): Uint8Array<ArrayBuffer> {
    return Uint8Array.from(atob(this.#base64), (character) =>
      character.charCodeAt(0),
    );
  }

  blob(): Blob {
    return new Blob([this.byteArray()]);
  }

  toJSON(): string {
    return this.#base64;
  }

  toString(): string {
    return this.#base64;
  }
}
