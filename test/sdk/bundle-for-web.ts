import { dirname, resolve } from "node:path";
import { build, type Platform } from "esbuild";

const MANIFEST = resolve(__dirname, "../../sdk/package.json");

/**
 * What an application that is made of `code` carries of the built package, as
 * one ES module. An import of the package is one of its ES modules; undici is
 * left out, because a bundle for Node loads it beside itself and others have
 * their own `fetch`.
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
    external: ["undici"],
    write: false,
    logLevel: "silent",
  });
  return outputFiles[0]?.text ?? "";
}

/** Signs a delivery and reads it with the right key and with a wrong one; ends in `answer`. */
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
