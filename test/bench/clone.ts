import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { EngineStack, TESTS } from "../helpers/engine-stack";
import { LocalWorkspace } from "../helpers/local-workspace";
import { USERS_START } from "../helpers/quick-programs";
import { rule } from "../rules/diff/rule";
import { figure, type Figure } from "./figure";

const run = promisify(execFile);
const CLI = require.resolve("@devid/cli/bin/devid.js");

const ENVIRONMENTS = 3;
const API_KEYS = 140;
const WEBHOOKS = 40;

/**
 * Exports a workspace of 190 objects and creates them in an empty workspace, at 5
 * requests a second on both sides: 3 environments, 140 API keys, 40 webhooks, 4 rule
 * sets and 3 encryption keys. 28 keys and 3 encryption keys need an update after their
 * creation.
 */
export async function clone(): Promise<Figure[]> {
  const source = await LocalWorkspace.start();
  const target = await LocalWorkspace.start({ rateLimit: 5 });
  const parent = mkdtempSync(join(tmpdir(), "devid-bench-"));
  try {
    await fill(source);
    const program = join(parent, "workspace");
    await run(
      process.execPath,
      [CLI, "export", "--region", "us", "--out", program],
      { env: { ...process.env, ...source.env } },
    );
    const stack = await EngineStack.open(
      { ...USERS_START, ...target.env, DEVID_REQUESTS_PER_SECOND: "5" },
      program,
    );
    // Pulumi.yaml of the program names the plugin in its own packages.
    symlinkSync(
      join(TESTS, "../node_modules"),
      join(stack.folder, "node_modules"),
    );
    try {
      const startedAt = performance.now();
      await stack.up();
      const seconds = (performance.now() - startedAt) / 1_000;
      const calls = await target.requestsSince(0);
      const count = (method: string) =>
        calls.filter((call) => call.method === method).length;
      return [
        figure("clone of 190 objects at 5 requests/s", seconds, "s", {
          atMost: 52,
        }),
        ...["POST", "PATCH", "GET"].map((method) =>
          figure(`its ${method} calls`, count(method), ""),
        ),
      ];
    } finally {
      stack.close();
    }
  } finally {
    rmSync(parent, { recursive: true, force: true });
    await source.close();
    await target.close();
  }
}

async function fill(workspace: LocalWorkspace): Promise<void> {
  for (const { id } of await workspace.list("api-keys"))
    await workspace.call("DELETE", `/api-keys/${String(id)}`);
  const environments = [workspace.service.workspaces.us.environment];
  for (let n = 1; n <= ENVIRONMENTS; n++)
    environments.push(await workspace.newEnvironment(`Stage ${n}`));
  for (let n = 0; n < API_KEYS; n++) {
    const environment = environments[n % environments.length];
    const type = n % 2 ? "secret" : "public";
    const key = { name: `Key ${n}`, type, environment };
    const { id } = await workspace.make("/api-keys", key);
    if (n % 5 === 0)
      await workspace.call("PATCH", `/api-keys/${id}`, { rate_limit: 2 });
  }
  for (let n = 0; n < WEBHOOKS; n++)
    await workspace.make("/webhooks", { url: `https://hooks.example/${n}` });
  for (const environment of environments)
    await workspace.enforce(
      [rule("bots", "http.user_agent.is_crawler_bot")],
      environment,
    );
  for (const { id, environment } of await workspace.list("encryption-keys"))
    if (environment !== environments[0])
      await workspace.call("PATCH", `/encryption-keys/${String(id)}`, {
        status: "enabled",
      });
}
