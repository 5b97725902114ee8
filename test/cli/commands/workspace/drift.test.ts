import {
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { LocalWorkspace } from "../../../helpers/local-workspace";
import { openForTests } from "../../../helpers/open-for-tests";
import { makeObjects, RECORDED } from "../../../clone/drift/drifting-program";
import { DevidProcess } from "../../devid-process";

const workspace = openForTests(new LocalWorkspace());
let folder: string;
const file = (name: string) => join(folder, name);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "devid-drift-"));
});

beforeEach(async () => {
  await workspace.control("/reset", {});
  const keys = await workspace.list("api-keys");
  const lines = keys.map(({ id }) => `${String(id)} # from the start`);
  writeFileSync(file("allowed.txt"), `# Ours\n\n${lines.join("\n")}\n`);
  const ids = await makeObjects(workspace);
  const preview = Object.entries(ids).reduce(
    (text, [name, id]) => text.replaceAll(`<${name}>`, id),
    RECORDED,
  );
  writeFileSync(file("preview.json"), preview);
  rmSync(file("drift.md"), { force: true });
});

afterAll(() => rmSync(folder, { recursive: true }));

const devid = (...args: string[]) =>
  DevidProcess.run(
    [
      ...["drift", "--plan", file("preview.json")],
      ...["--allowed", file("allowed.txt"), ...args],
    ],
    {
      DEVID_ENDPOINT: workspace.url,
      DEVID_MANAGEMENT_KEY: workspace.service.workspaces.us.managementKey,
    },
  );

const asIssue = () =>
  devid("--stack", "prod", "--format", "markdown", "--out", file("drift.md"));

it("exits with 0 if nothing differs, and with 2 if something does", async () => {
  const { code, stdout } = await devid();
  expect([code, stdout]).toEqual([0, "declared/test has not drifted\n"]);
  await workspace.call("POST", "/webhooks", { url: "https://new.example/" });
  const drifted = await devid("--json");
  expect(drifted.code).toBe(2);
  expect(JSON.parse(drifted.stdout)).toMatchObject({
    version: 1,
    stack: "declared/test",
    resources: [],
    unmanaged: [{ what: "webhook", name: "https://new.example/" }],
    notJudged: [],
  });
});

it("recognises the objects of another stack by that stack's state", async () => {
  const other = await workspace.call("POST", "/webhooks", {
    url: "https://new.example/",
  });
  const state = { version: 3, deployment: { resources: [other] } };
  writeFileSync(file("other.json"), JSON.stringify(state));
  expect((await devid("--other-state", file("other.json"))).code).toBe(0);
  const { code, stderr } = await devid("--other-state", file("allowed.txt"));
  expect(code).toBe(1);
  expect(stderr).toSay("drift/no-state");
});

it("exits with 1 if a part cannot be judged", async () => {
  await workspace.control("/faults", {
    match: { path: "/management/webhooks" },
    then: {
      status: 403,
      body: { error: { code: "feature_not_enabled", message: "Not yours." } },
    },
  });
  const { code, stdout } = await devid();
  expect(code).toBe(1);
  expect(stdout).toContain("has not drifted, as far as it can be judged");
  expect(stdout).toContain("webhooks (us):");
});

it("writes into the report for an issue why there is no result", async () => {
  writeFileSync(
    file("preview.json"),
    JSON.stringify({
      diagnostics: [
        { severity: "error", message: "no key\n<!-- @all -->\u001b[31m" },
      ],
    }),
  );
  const { code, stdout } = await asIssue();
  expect([code, stdout]).toEqual([1, ""]);
  const report = readFileSync(file("drift.md"), "utf8");
  expect(report).toContain("### The drift of `prod` cannot be judged");
  expect(report).toMatch(
    /```text\n.*no key\n<!-- @all -->\\u\{1b\}\[31m\n```/s,
  );
});

it("gives the output of pulumi as the reason when there is no preview", async () => {
  writeFileSync(file("preview.json"), "");
  writeFileSync(file("plan.log"), "error: incorrect passphrase\n");
  const { code, stderr } = await devid("--plan-log", file("plan.log"));
  expect(code).toBe(1);
  expect(stderr).toMatch(/There is no preview .*: error: incorrect passphrase/);
});

it("exits with 3 if the service is not reachable, and says so in the report", async () => {
  await workspace.control("/faults", {
    match: { path: "/management/environments" },
    then: "reset",
  });
  const { code } = await asIssue();
  expect(code).toBe(3);
  expect(existsSync(file("drift.md"))).toBe(true);
});

it("names the objects that no state has, as a killed update leaves them, unless --ours-only is given", async () => {
  const { id } = (await workspace.call("POST", "/webhooks", {
    url: "https://left.example/hook",
  })) as { id: string };
  const all = await devid();
  expect(all.code).toBe(2);
  expect(all.stdout).toContain("In the workspace, and in no state:");
  expect(all.stdout).toContain(id);
  const ours = await devid("--ours-only");
  expect(ours.code).toBe(0);
  expect(ours.stdout).not.toContain(id);
});
