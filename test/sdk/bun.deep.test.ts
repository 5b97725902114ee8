import { execFile, execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, it } from "vitest";
import { LocalWorkspace } from "../helpers/local-workspace";
import { openForTests } from "../helpers/open-for-tests";
import { ROOT } from "../helpers/repository";

const TOOL = join(ROOT, "tools/bun");
const run = promisify(execFile);

let bun: string;
const local = openForTests(new LocalWorkspace());
beforeAll(async () => {
  // 100 MB that no other test needs. The package of this platform holds Bun itself.
  execFileSync("npm", ["ci", "--ignore-scripts"], { cwd: TOOL });
  const packages = join(TOOL, "node_modules/@oven");
  const [own = ""] = readdirSync(packages);
  bun = join(packages, own, "bin/bun");
  await local.fault({ match: { path: "*/api-keys" }, then: "hang" });
}, 120_000);

/** Reads and writes, a refusal, an unreachable service, and a call without an answer. */
const PROGRAM = `
const options = { ...optionsFromEnvironment(), retry: { maxAttempts: 1 } };
const client = createClient(options);
const nobody = createClient({ ...options, endpoint: "http://127.0.0.1:9" });
const failed = (error) => error.code ?? error.name;
(async () => {
  const { id } = await client.webhooks.create({ url: "https://shop.example" });
  await client.webhooks.delete(id);
  console.log(JSON.stringify([
    (await client.environments.list()).data.length,
    (await client.events.search()).events.length,
    await client.events.get("1.a").catch(failed),
    await nobody.webhooks.list().catch(failed),
    await client.apiKeys.list({ timeoutMs: 50 }).catch(failed),
  ]));
})();
`;

it.each([
  "import { createClient, optionsFromEnvironment } from",
  "const { createClient, optionsFromEnvironment } = require",
])("under Bun, the client works and tells failures: %s", async (head) => {
  const name = head.endsWith("from") ? '"@devid/sdk";' : '("@devid/sdk");';
  const { stdout } = await run(bun, ["--eval", head + name + PROGRAM], {
    ...{ cwd: ROOT, env: local.env },
  });
  const failures = ["event_not_found", "ECONNREFUSED", "CallTimeoutError"];
  expect(JSON.parse(stdout)).toEqual([1, 0, ...failures]);
});
