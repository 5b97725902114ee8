import { resolve } from "node:path";
import { createContext, runInContext } from "node:vm";
import { build, type BuildOptions } from "esbuild";
import { expect, it } from "vitest";

const entry = resolve(__dirname, "../../../sdk/src/webhooks/webhooks.ts");

const options = {
  entryPoints: [entry],
  bundle: true,
  platform: "browser",
  format: "iife",
  globalName: "webhooks",
  write: false,
  metafile: true,
  logLevel: "silent",
} as const satisfies BuildOptions;

it("webhooks are verified and parsed where there is Web Crypto and nothing of Node", async () => {
  // A bundle for browsers fails where a module of Node is asked for.
  const { outputFiles, metafile } = await build(options);
  expect(Object.keys(metafile.inputs)).not.toContainEqual(
    expect.stringContaining("undici"),
  );
  const context = createContext({ crypto, TextEncoder, TextDecoder, URL });
  runInContext(outputFiles[0]?.text ?? "", context);
  const answer = (await runInContext(
    `(async () => {
      const body = '{"event_id":"1.a","timestamp":1}';
      const header = await webhooks.signWebhook(body, "key-2");
      const event = await webhooks.parseWebhook(body, header, ["key-1", "key-2"]);
      const problem = await webhooks
        .parseWebhook(body, header, "key-1")
        .catch((error) => error.problem);
      return JSON.stringify({ id: event.event_id, problem });
    })()`,
    context,
  )) as string;
  expect(JSON.parse(answer)).toEqual({ id: "1.a", problem: "unsigned" });
});
