import {
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { fillAwkwardly } from "../../../helpers/awkward-workspace";
import { LocalWorkspace } from "../../../helpers/local-workspace";
import { openForTests } from "../../../helpers/open-for-tests";
import { CliFolder } from "../../cli-folder";
import { lineWith } from "../../../helpers/sentences";
import { failed, succeeded } from "../../devid-process";

const workspace = openForTests(new LocalWorkspace());
const folder = CliFolder.forEachTest("export --out program", workspace);
beforeAll(async () => {
  await fillAwkwardly(workspace);
});

const out = () => join(folder.path, "program");
const devid = (...args: string[]) =>
  folder.run(args, {
    DEVID_MANAGEMENT_KEY: "",
    DEVID_MANAGEMENT_KEY_US: workspace.service.workspaces.us.managementKey,
  });

it("writes the program, and reports its progress and its result", async () => {
  const { stdout, stderr } = await succeeded(devid());
  expect(stdout).toMatch(
    /^\d+ resources in .*program, (\d+) of \1 files written\.\nREADME\.md .*\n$/,
  );
  expect(stderr.split("\n")).toEqual(
    expect.arrayContaining([
      "Reading environments: 19",
      "Reading API keys: 20",
      "Reading webhooks: 18",
      "Reading encryption keys: 19",
      "Reading filtering rules: 20",
    ]),
  );
  expect(existsSync(join(out(), "import.json"))).toBe(true);
});

it("writes files that only this user can read, because an address may hold a password", async () => {
  const umask = process.umask(0o022);
  await devid();
  process.umask(umask);
  const files = readdirSync(out(), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  expect(files.length).toBeGreaterThan(20);
  for (const path of files)
    expect([path, statSync(path).mode & 0o777]).toEqual([path, 0o600]);
});

it("says in plain words that an object belongs to an environment that the list lacks", async () => {
  const [first] = await workspace.list("environments");
  await workspace.fault({
    match: { path: "/management/environments" },
    times: 1,
    then: { status: 200, body: JSON.stringify({ data: [first] }) },
  });
  const stderr = await failed(devid());
  expect(stderr).toContain("Was it deleted meanwhile? Export again.");
  expect(stderr).not.toMatch(/^\s+at /m);
  expect(existsSync(out())).toBe(false);
});

it("overwrites its own files without a message", async () => {
  await devid();
  const { stdout } = await succeeded(devid("--json"));
  expect(JSON.parse(stdout)).toMatchObject({
    version: 1,
    written: [],
    removed: [],
    kept: [],
    leftOut: [],
  });
});

it("does not overwrite a changed file without --force", async () => {
  await devid();
  const path = join(out(), "webhooks.ts");
  writeFileSync(path, "// mine\n");
  expect(await failed(devid())).toContain("webhooks.ts");
  expect(readFileSync(path, "utf8")).toBe("// mine\n");
  expect((await devid("--force")).code).toBe(0);
  expect(readFileSync(path, "utf8")).toContain("new devid.Webhook(");
});

it("an empty name of a folder is not this folder", async () => {
  expect(await failed(devid("--out", ""))).toContain("is a variable not set?");
  expect(existsSync(join(folder.path, ".devid-export.json"))).toBe(false);
});

it("exports the chosen objects", async () => {
  const { stdout } = await succeeded(
    devid("--environment=class", "--include=environments, api-keys", "--json"),
  );
  expect(JSON.parse(stdout)).toMatchObject({ resources: 2 });
  expect(existsSync(join(out(), "webhooks.ts"))).toBe(false);
});

it("does not export another part over an earlier export without --force, and names the files that it removed", async () => {
  await devid("--include=api-keys,webhooks");
  const refused = await failed(devid("--include=api-keys"));
  expect(refused).toContain(
    "has another export, so nothing was written.\nIt has:\n  api-keys, webhooks\n",
  );
  expect(refused).toContain("would be removed:\n  webhooks.ts\n");
  expect(existsSync(join(out(), "webhooks.ts"))).toBe(true);
  const { stdout } = await succeeded(devid("--include=api-keys", "--force"));
  expect(stdout).toContain(
    "\nRemoved, because this export does not have them:\n  webhooks.ts\n",
  );
  expect(readFileSync(join(out(), "Pulumi.yaml"), "utf8")).toContain(
    "name: devid-workspace-only-api-keys\n",
  );
  expect(existsSync(join(out(), "webhooks.ts"))).toBe(false);
});

it("exits with 2 when no object has the name, and writes nothing", async () => {
  const { code, stdout, stderr } = await devid("--include", "*:shoop-*");
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(lineWith("--include", stderr)).toSay("export/no-object-of-the-name");
  expect(existsSync(out())).toBe(false);
  const asJson = await devid("--include", "*:shoop-*", "--json");
  expect(asJson.code).toBe(2);
  expect(JSON.parse(asJson.stdout)).toMatchObject({
    resources: 0,
    written: [],
  });
});

it.each([
  [["--include", "keys"], `"keys" is neither a kind (`],
  [["--environment", "none"], `has no environment "none"`],
  [["--region", "eu"], "DEVID_MANAGEMENT_KEY_EU"],
])("exits with 1 for %j, and writes nothing", async (args, message) => {
  expect(await failed(devid(...args))).toContain(message);
  expect(existsSync(out())).toBe(false);
});

/** Makes the service answer its list of rules with an error. */
async function withoutRules(status: number, run: () => Promise<void>) {
  await workspace.fault({
    match: { method: "GET", path: "/management/filtering-rules" },
    then: { status, body: { error: { code: "c", message: "no list" } } },
  });
  try {
    await run();
  } finally {
    await workspace.forgetFaults();
  }
}

describe("when the service does not list rules", () => {
  it.each([403, 404, 405, 501])(
    "everything else is written, and the output and the report name what is left out: %i",
    (status) =>
      withoutRules(status, async () => {
        const { stdout, stderr } = await succeeded(devid());
        const reason = `Listing filtering rules failed: ${status} c: no list.`;
        expect(stderr).toContain(
          `The filtering rules could not be read and are left out: ${reason}\n`,
        );
        expect(lineWith("Left out", stdout)).toSay("export/rules-left-out");
        const read = (path: string) => readFileSync(join(out(), path), "utf8");
        expect(read("REPORT.md")).toContain(
          `## Could not be read\n\nThe service did not list these`,
        );
        expect(read("REPORT.md")).toContain(`- filtering rules: \`${reason}\``);
        expect(read("REPORT.md")).toContain("`takeOver: true`");
        expect(read("index.ts")).not.toContain("rule-sets");
        expect(read("api-keys.ts")).toContain("new devid.ApiKey");
        expect(read("import.json")).not.toContain("FilteringRuleSet");
      }),
  );

  it("the rules of an earlier export stay in the program", async () => {
    await devid();
    await withoutRules(403, async () => {
      const stderr = await failed(devid());
      expect(stderr).toContain("could not be read and are left out");
      expect(stderr).toContain("so nothing was written");
      expect(stderr).toContain("rules/default.yaml");
    });
    expect(existsSync(join(out(), "rule-sets.ts"))).toBe(true);
  });

  it("an export of rules only fails, and an export of other kinds does not mention rules", () =>
    withoutRules(404, async () => {
      expect(await failed(devid("--include", "rules"))).toMatch(
        /Nothing was written.* 404 c: no list/,
      );
      expect(existsSync(out())).toBe(false);
      const keys = await succeeded(devid("--include", "api-keys", "--json"));
      expect(JSON.parse(keys.stdout)).toMatchObject({ unread: [] });
    }));

  it("any other error ends the export", () =>
    withoutRules(500, async () => {
      expect(await failed(devid())).toContain("500 c: no list");
      expect(existsSync(out())).toBe(false);
    }));
});
