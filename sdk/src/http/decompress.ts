import { promisify } from "node:util";
import {
  brotliDecompress,
  gunzip,
  inflate,
  type InputType,
  type ZlibOptions,
} from "node:zlib";

/** Names of `Content-Encoding` that answers may have, and what undoes each. */
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
 * @param encoding `Content-Encoding` of the answer: what was done to it, in order
 * @param maxLength most bytes of the result
 * @throws an error with the code `ERR_BUFFER_TOO_LARGE` for a longer result,
 * `UNKNOWN_CONTENT_ENCODING` for a name that is not known, and a code of zlib for
 * bytes that are damaged
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
        new Error(`An answer is compressed as ${JSON.stringify(coding)}.`),
        { code: "UNKNOWN_CONTENT_ENCODING" },
      );
    decoded = await decode(decoded, { maxOutputLength: maxLength });
  }
  return decoded;
}
