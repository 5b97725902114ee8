import { dirname, resolve } from "node:path";
import { build, type Platform } from "esbuild";

const MANIFEST = resolve(__dirname, "../../sdk/package.json");

/**
 * The bundle of an application with `code` and the parts of the built package that it
 * uses, as one ES module.
 */
export async function bundled(
  code: string,
  platform: Platform = "browser",
): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: resolve(dirname(MANIFEST), "..") },
    bundle: true,
    minify: true,
    format: "esm",
    platform,
    target: "es2022",
    write: false,
    logLevel: "silent",
  });
  return outputFiles[0]?.text ?? "";
}

/**
 * Signs a delivery and reads it with the right and with a wrong key. The result is
 * `answer`.
 */
export const RECEIVE = `
import { parseWebhook, signWebhook } from "@devid/sdk/webhooks";
const body = '{"event_id":"1.a","timestamp":1}';
const answer = (async () => {
  const header = await signWebhook(body, "key-2");
  const event = await parseWebhook(body, header, ["key-1", "key-2"]);
  const problem = await parseWebhook(body, header, "key-1").catch(
    (error) => error.problem,
  );
  return { id: event.event_id, problem };
})();
`;
