import { join } from "node:path";

/**
 * Leaves out a second build of undici's HTTP parser, for processors with SIMD: the plain
 * one works everywhere, and the answers of an API are small. Leaves out HTTP/2, which no
 * connection of ours offers, and what turns `FormData` into a body, which no request of
 * ours has. Together two fifths of undici's bytes.
 */
export const smallerUndici = {
  name: "one HTTP parser",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /llhttp_simd-wasm\.js$/ }, ({ resolveDir }) => ({
      path: join(resolveDir, "../llhttp/llhttp-wasm.js"),
    }));
    onLoad({ filter: /client-h2\.js$|web[\\/]fetch[\\/]body\.js$/ }, () => ({
      contents: "",
    }));
  },
};
