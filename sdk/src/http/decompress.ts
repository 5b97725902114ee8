import { promisify } from "node:util";
import {
  brotliDecompress,
  gunzip,
  inflate,
  type InputType,
  type ZlibOptions,
} from "node:zlib";

/** The decoder for each `Content-Encoding` that answers may have. */
const DECODERS = new Map<
  string,
  (bytes: InputType, options: ZlibOptions) => Promise<Buffer>
>([
  ["gzip", promisify(gunzip)],
  ["x-gzip", promisify(gunzip)],
  ["deflate", promisify(inflate)],
  ["br", promisify(brotliDecompress)],
]);

/**
 * The body of an answer as it was before it was compressed.
 * @param encoding `Content-Encoding` of the answer: its encodings in the order in which
 * they were applied
 * @param maxLength maximum number of bytes of the result
 * @throws an error with the code `ERR_BUFFER_TOO_LARGE` for a longer result,
 * `UNKNOWN_CONTENT_ENCODING` for an unknown encoding, and `Z_DATA_ERROR` for damaged bytes
 */
export async function decompress(
  bytes: Uint8Array,
  encoding: string,
  maxLength: number,
): Promise<Uint8Array> {
  let decoded = bytes;
  for (const name of encoding.toLowerCase().split(",").reverse()) {
    const coding = name.trim();
    if (coding === "" || coding === "identity") continue;
    const decode = DECODERS.get(coding);
    if (!decode)
      throw Object.assign(
        new Error(
          `An answer has an unknown compression: ${JSON.stringify(coding)}.`,
        ),
        { code: "UNKNOWN_CONTENT_ENCODING" },
      );
    decoded = await decode(decoded, { maxOutputLength: maxLength }).catch(
      (error: NodeJS.ErrnoException) => {
        if (error.code === "ERR_BUFFER_TOO_LARGE") throw error;
        // Brotli's codes look like those of wrong calls of Node.
        throw Object.assign(error, { code: "Z_DATA_ERROR" });
      },
    );
  }
  return decoded;
}
