/** Bytes as platforms give them: `ArrayBuffer`, `Uint8Array`, `Buffer`, `DataView` and so on. */
export type Bytes = ArrayBuffer | ArrayBufferView;

/** A copy of the bytes; undefined for anything that is not bytes. */
export function bytesOf(given: unknown): Uint8Array<ArrayBuffer> | undefined {
  if (ArrayBuffer.isView(given)) {
    const { buffer, byteOffset, byteLength } = given;
    return new Uint8Array(buffer, byteOffset, byteLength).slice();
  }
  // An ArrayBuffer of another realm, such as a test's, is not an `instanceof` of ours.
  return Object.prototype.toString.call(given) === "[object ArrayBuffer]"
    ? new Uint8Array(given as ArrayBuffer).slice()
    : undefined;
}
