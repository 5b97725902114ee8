import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parse } from "yaml";
import { LocalWorkspace } from "../helpers/local-workspace";
import { openForTests } from "../helpers/open-for-tests";
import { DevidProcess } from "./devid-process";

const HOSTILE =
  "x\n::error::y\u001b]0;t\u0007\u009b2J\u202e\u2066\rz\n  ##[error]w";

const RAW =
  // oxlint-disable-next-line no-control-regex
  /[\0-\b\v\f\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]|\r(?!\n)/;

const workspace = openForTests(new LocalWorkspace());
const folder = mkdtempSync(join(tmpdir(), "devid-hostile-"));
let env: Record<string, string>;

beforeAll(async () => {
  const { managementKey, secretKey } = workspace.service.workspaces.us;
  env = {
    DEVID_ENDPOINT: workspace.url,
    DEVID_MANAGEMENT_KEY: managementKey,
    DEVID_SECRET_KEY: secretKey,
  };
  await workspace.call("POST", "/environments", { name: HOSTILE });
  const rules = [
    { name: HOSTILE, expression: "sdk.platform.is_ios", action: "deny" },
  ];
  await workspace.call("POST", "/filtering-rules/bulk", {
    mode: "overwrite",
    rules,
  });
  const tests = [{ name: HOSTILE, request: {}, expect: { deny: HOSTILE } }];
  writeFileSync(join(folder, "a.json"), JSON.stringify({ rules, tests }));
  writeFileSync(
    join(folder, "b.json"),
    JSON.stringify({
      rules: [
        {
          name: HOSTILE,
          expression: `sdk.version == ${JSON.stringify(HOSTILE)}`,
          action: "deny",
        },
        {
          name: `2${HOSTILE}`,
          expression: `sdk.wrong.${HOSTILE}`,
          action: "deny",
        },
      ],
    }),
  );
});

afterAll(() => rmSync(folder, { recursive: true }));

it.each([
  ["whoami"],
  ["whoami", "--json"],
  ["rules", "check", "b.json"],
  ["rules", "check", "b.json", "--json"],
  ["rules", "test", "a.json"],
  ["rules", "test", "a.json", "--json"],
  ["rules", "diff", "a.json", "live"],
  ["rules", "diff", "a.json", "b.json"],
  ["rules", "diff", "a.json", "live", "--json"],
  ["rules", "diff", "a.json", "live", "--format", "markdown"],
  ["rules", "review", "b.json", "--base", "a.json", "--no-impact"],
  ["rules", "review", "a.json", "--base", "live", "--json"],
  ["rules", "impact", "a.json"],
  ["rules", "in-force"],
  ["rules", "in-force", "--format", "json"],
  ["rules", "in-force", "--environment", HOSTILE],
  ["rules", "check", HOSTILE],
  ["rules", HOSTILE],
  [HOSTILE],
  ["drn", "get", HOSTILE],
  ["events", "get", HOSTILE],
])("devid %j writes no raw text", async (...args) => {
  const named = args.map((arg) =>
    /^[ab]\.json$/.test(arg) ? join(folder, arg) : arg,
  );
  const { stdout, stderr } = await DevidProcess.run(named, env);
  for (const written of [stdout, stderr]) {
    expect(written).not.toMatch(RAW);
    expect(written).not.toMatch(/^[ \t]*(?:::|##\[)/m);
  }
  expect(stdout + stderr).not.toBe("");
});

it("prints the rules in force as YAML that still means them", async () => {
  const { stdout } = await DevidProcess.run(["rules", "in-force"], env);
  expect(parse(stdout)).toMatchObject({ rules: [{ name: HOSTILE }] });
});
