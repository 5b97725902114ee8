import { execFile, execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { startService, type Service } from "@devid/service";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ROOT } from "../helpers/repository";

const TOOL = join(ROOT, "tools/bun");
const run = promisify(execFile);

let bun: string;
let service: Service;
beforeAll(async () => {
  // 100 MB that no other test needs. The package of this platform holds Bun itself.
  execFileSync("npm", ["ci", "--ignore-scripts"], { cwd: TOOL });
  const packages = join(TOOL, "node_modules/@oven");
  const [own = ""] = readdirSync(packages);
  bun = join(packages, own, "bin/bun");
  service = await startService({ port: 0, logLevel: "silent" });
  const hangs = { match: { path: "*/api-keys" }, then: "hang" };
  await fetch(`${service.url}/_local/faults`, {
    ...{ method: "POST", body: JSON.stringify(hangs) },
    headers: { "content-type": "application/json" },
  });
}, 120_000);
afterAll(() => service.close());

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
  const { secretKey, managementKey } = service.workspaces.us;
  const { stdout } = await run(bun, ["--eval", head + name + PROGRAM], {
    cwd: ROOT,
    env: {
      DEVID_ENDPOINT: service.url,
      DEVID_SECRET_KEY: secretKey,
      DEVID_MANAGEMENT_KEY: managementKey,
    },
  });
  expect(JSON.parse(stdout)).toEqual([
    1,
    0,
    "event_not_found",
    "ECONNREFUSED",
    "CallTimeoutError",
  ]);
});
