import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { DuckDBInstance } from "@duckdb/node-api";
import { beforeAll, describe, expect, it } from "vitest";
import { previewOutput, ruleSetArgs } from "./sources/review/preview-output";
import { LocalWorkspace } from "../helpers/local-workspace";
import { openForTests } from "../helpers/open-for-tests";
import { commandsOf } from "../helpers/page-commands";
import { folderForTests } from "../helpers/test-folder";
import { UNTHROTTLED } from "../helpers/unthrottled";
import { BIN, DevidProcess } from "./devid-process";
import { textOf } from "../helpers/repository";

// The commands of pages as they stand, in a repository with a rule file, on a local service
// with events. test/e2e/page-commands.deep.test.ts runs those that need an engine or a
// preview, and test/warehouses asks ClickHouse.

const PAGES = [
  "README.md",
  "cli/README.md",
  "docs/events.md",
  "docs/impact.md",
  "docs/local-service.md",
  "docs/review.md",
  "docs/rule-set-guards.md",
  "docs/rules-diff.md",
  "docs/troubleshooting.md",
  "docs/warehouse.md",
];
const ELSEWHERE = /^(npm|pulumi) |--plan |"clickhouse:|devid serve | \.pulumi/;

const run = promisify(execFile);
const folder = folderForTests();
const workspace = openForTests(new LocalWorkspace());

const RULE = { expression: "sdk.platform.is_ios", action: "deny" };
/** A preview with a rule set that is new. */
const PREVIEW = previewOutput({
  op: "create",
  name: "rules",
  after: ruleSetArgs([{ name: "ios", ...RULE }]),
});

const EVENTS = Array.from({ length: 200 }, (_, n) => ({
  timestamp: Date.now() - n * 600_000,
  user_agent: n % 5 ? "Mozilla/5.0" : "curl/8.5.0",
  ip_address: "203.0.113.5",
}));

beforeAll(async () => {
  const rule = "  - { name: scripts, expression: EXPRESSION, action: deny }\n";
  const tests = "tests: [{ name: nobody, request: {}, expect: allow }]\n";
  const rulesWith = (expression: string) =>
    `rules:\n${rule.replace("EXPRESSION", expression)}${tests}`;
  const git = (...args: string[]) =>
    execFileSync(
      "git",
      ["-c", "user.name=a", "-c", "user.email=a@b.example", ...args],
      { cwd: folder },
    );
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  write("rules.yaml", rulesWith("http.user_agent.is_ai_bot"));
  write("main/rules.yaml", rulesWith("http.user_agent.is_ai_bot"));
  git("init", "--quiet", "--initial-branch", "main");
  git("add", "rules.yaml");
  git("commit", "--quiet", "--message", "Rules");
  git("tag", "v1.2");
  git("update-ref", "refs/remotes/origin/main", "main");
  git("switch", "--quiet", "--create", "change");
  write("rules.yaml", rulesWith("http.user_agent.string startsWith 'curl/'"));
  git("commit", "--quiet", "--all", "--message", "Scripts are denied");
  write("preview.json", PREVIEW);
  await workspace.control("/us/events", EVENTS);
  await workspace.control("/us/drn/VISITOR_ID", {});
  await succeeds(
    "npx --no devid events export --out events.ndjson --since 30d",
  );
  mkdirSync(join(folder, "events"));
  const page = textOf("docs/events.md");
  const [, statement = ""] = /```sql\n(COPY .*)\n```/.exec(page) ?? [];
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  await connection.run(statement.replace(/'(?=events)/g, () => `'${folder}/`));
  connection.closeSync();
});

const environment = () => ({
  ...UNTHROTTLED,
  ...workspace.env,
  PATH: process.env.PATH,
  HOME: folder,
});

/** Runs a command line in the repository. Fails if a program of it reports an error. */
async function succeeds(command: string): Promise<void> {
  const line = command
    .replaceAll("npx --no devid", `"${process.execPath}" "${BIN}"`)
    .replaceAll("http://127.0.0.1:8787", workspace.url)
    .replaceAll("curl ", "curl --silent --show-error --fail-with-body ");
  const { code = 0, stderr } = (await run("bash", ["-c", line], {
    cwd: folder,
    env: environment(),
  }).catch((error: unknown) => error)) as { code?: number; stderr: string };
  // 2: differences, findings or failing tests.
  expect([0, 2], `${command}\n${stderr}`).toContain(code);
}

describe.each(PAGES)("%s", (page) => {
  it.each(commandsOf(page).filter((one) => !ELSEWHERE.test(one)))(
    "%s",
    async (command) => {
      await succeeds(command);
    },
  );
});

const SERVICES = [
  "docs/local-service.md",
  "docs/official-clients.md",
  "SKILL.md",
]
  .flatMap(commandsOf)
  .filter((command) => command.startsWith("npx --no devid serve "));

it.each(SERVICES)("%s", async (command) => {
  const [, , , ...args] = command.replace(/ +#.*$/, "").split(" ");
  const devid = DevidProcess.start(
    [...args, "--port", "0"],
    {},
    "ignore",
    folder,
  );
  await devid.firstLine();
  devid.child.kill("SIGTERM");
  expect(await devid.ended()).toBe(0);
});
