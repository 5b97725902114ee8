import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { transformSync } from "esbuild";
import { beforeAll, expect, it } from "vitest";
import { PackedPackages } from "../helpers/packed-packages";
import { folderForTests } from "../helpers/test-folder";
import { textOf } from "../helpers/repository";
import { blocksOf } from "../helpers/page-blocks";

// The routes for webhooks that the README of the SDK shows, with the frameworks of the
// registry.

const run = promisify(execFile);
const README = textOf("sdk/README.md");
const folder = folderForTests();

/** The first block of a language with these words. */
function block(language: string, words: string): string {
  const found = blocksOf(README, language).find((code) => code.includes(words));
  return found ?? expect.fail(`No block has ${words}`);
}

beforeAll(async () => {
  const packages = await PackedPackages.ofThisRun();
  const names = ["express", "fastify", "hono", packages.tarball("sdk")];
  writeFileSync(join(folder, "package.json"), "{}");
  await run("npm", ["install", "--ignore-scripts", ...names], { cwd: folder });
  const { code } = transformSync(block("ts", "function receive("), {
    loader: "ts",
  });
  const keys = 'const newSigningKey = "new", oldSigningKey = "old";\n';
  writeFileSync(join(folder, "receive.mjs"), keys + code);
}, 120_000);

const BODY = '{"event_id":"w-1","timestamp":1}';

/** Of each framework, what stands before its block, and a function that posts a request. */
const FRAMEWORKS = [
  [
    "// Express",
    'import express from "express"; const app = express();',
    `const server = app.listen(0);
const post = (init) => fetch(\`http://127.0.0.1:\${server.address().port}/webhook\`, init);`,
  ],
  [
    "// Fastify",
    'import fastify from "fastify"; const app = fastify();',
    `const url = await app.listen({ port: 0 });
const post = (init) => fetch(url + "/webhook", init);`,
  ],
  [
    "// Hono",
    'import { Hono } from "hono"; const app = new Hono();',
    'const post = (init) => app.request("/webhook", init);',
  ],
  [
    "// Next.js",
    "",
    'const post = (init) => POST(new Request("http://127.0.0.1/", init));',
  ],
  [
    "// AWS Lambda",
    "",
    `const post = async ({ headers, body }) => {
  const [plain, packed] = [body, Buffer.from(body).toString("base64")];
  const answer = await handler({ body: plain, isBase64Encoded: false, headers });
  const same = await handler({ body: packed, isBase64Encoded: true, headers });
  return { status: answer.statusCode === same.statusCode && answer.statusCode };
};`,
  ],
] as const;

it.each(FRAMEWORKS)(
  "%s takes a signed delivery and refuses another",
  async (words, before, post) => {
    writeFileSync(
      join(folder, "program.mjs"),
      `import { signWebhook, WEBHOOK_SIGNATURE_HEADER } from "@devid/sdk/webhooks";
import { receive } from "./receive.mjs";
${before}
${block("js", words)}
${post}
for (const key of ["old", "stranger"]) {
  const signature = await signWebhook('${BODY}', key);
  const headers = { "content-type": "application/json", [WEBHOOK_SIGNATURE_HEADER]: signature };
  console.log((await post({ method: "POST", headers, body: '${BODY}' })).status);
}
process.exit();
`,
    );
    const { stdout } = await run(process.execPath, ["program.mjs"], {
      cwd: folder,
    });
    expect(stdout).toMatch(/^w-1\n(w-1\n)?200\n403\n$/);
  },
);
