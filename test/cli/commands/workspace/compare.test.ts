import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { expectGolden } from "../../../helpers/golden";
import { localForTests } from "../../../helpers/local-for-tests";
import { CRAWLERS } from "../../cli-folder";
import { DevidProcess } from "../../devid-process";
import { folderForEachTest } from "../../../helpers/test-folder";

type Region = "us" | "eu" | "ap";
type Json = Record<string, unknown>;

const workspace = localForTests();
let folder: string;
folderForEachTest((path) => (folder = path));

const env = () => {
  const { us, eu, ap } = workspace.service.workspaces;
  return {
    DEVID_ENDPOINT: workspace.url,
    DEVID_MANAGEMENT_KEY_US: us.managementKey,
    DEVID_MANAGEMENT_KEY_EU: eu.managementKey,
    DEVID_MANAGEMENT_KEY_AP: ap.managementKey,
  };
};
const devid = (...args: string[]) => DevidProcess.run(args, env());
const post = (region: Region, path: string, body: Json) =>
  workspace.make(path, body, region);

/** Creates a shop's workspace, with the given differences between regions. */
async function shop(
  region: Region,
  { limit = 5, hook = "enabled", rule = "sdk.platform.is_android" } = {},
) {
  const staging = await post(region, "/environments", { name: "Staging" });
  for (const environment of [undefined, staging.id]) {
    const { id } = await post(region, "/api-keys", {
      name: "Shop | server",
      type: "secret",
      environment,
    });
    const change = { rate_limit: environment ? limit : 5 };
    await workspace.call("PATCH", `/api-keys/${id}`, change, region);
  }
  await post(region, "/webhooks", {
    url: "https://hooks.example/a",
    status: hook,
    environment: staging.id,
  });
  const rules = [
    CRAWLERS,
    { name: "phones", expression: rule, action: "deny" },
  ];
  await workspace.enforce(rules, staging.id, region);
  return staging.id;
}

/** Creates two shops that differ: `eu` also has one more key and one webhook fewer. */
async function twoShops(): Promise<void> {
  await shop("us");
  await post("us", "/webhooks", { url: "https://hooks.example/us-only" });
  await shop("eu", {
    limit: 50,
    hook: "disabled",
    rule: "sdk.platform.is_ios",
  });
  await post("eu", "/api-keys", { name: "eu only", type: "public" });
}

it("shows the differences", async () => {
  await twoShops();
  const { code, stdout } = await devid("compare", "us", "eu");
  // The service generates these IDs.
  const shown = stdout.replaceAll(
    /\b(tok|wh|ae)_\w{16}\b/g,
    "$1_AbCdEfGhIjKlMnOp",
  );
  expectGolden("compare/two-shops.txt", shown);
  expect(code).toBe(2);
  const markdown = await devid("compare", "us", "eu", "--format=markdown");
  expect(markdown.stdout).toMatch(
    /^- changed API key `Shop \| server`, in `Staging` .*rateLimit `5` -> `50`$/m,
  );
});

it("compares each further region with the first", async () => {
  await twoShops();
  await shop("ap");
  await post("ap", "/webhooks", { url: "https://hooks.example/us-only" });
  const [eu, ap, both] = [
    await devid("compare", "us", "eu"),
    await devid("compare", "us", "ap"),
    await devid("compare", "us", "eu", "ap"),
  ];
  expect(both.stdout).toBe(`${eu.stdout}\n${ap.stdout}`);
  expect(both.code).toBe(2);
  const { stdout } = await devid("compare", "us", "eu", "ap", "--json");
  const { comparisons } = JSON.parse(stdout) as {
    comparisons: { b: string; objects: unknown[] }[];
  };
  expect(comparisons.map(({ b, objects }) => [b, objects.length])).toEqual([
    ["eu", 4],
    ["ap", 0],
  ]);
  expect(await devid("compare", "ap", "ap", "ap")).toMatchObject({ code: 0 });
});

it("names the rules that it cannot compare when the service does not list them, and does not exit with 0", async () => {
  await shop("us");
  await shop("eu", { rule: "sdk.platform.is_ios" });
  const body = { error: { code: "c", message: "no list" } };
  const match = { method: "GET", path: "/management/filtering-rules" };
  await workspace.fault({ match, times: 1, then: { status: 405, body } });
  const text = await devid("compare", "us", "eu");
  expect(text.stdout).toSay("compare/rules-not-listed");
  expect(text.code).toBe(2);
  await workspace.fault({ match, then: { status: 404, body } });
  const markdown = await devid("compare", "us", "eu", "--format", "markdown");
  expect(markdown.stdout).toContain("Not compared: filtering rules");
  await workspace.call("POST", "/api-keys", { name: "more", type: "public" });
  const json = await devid("compare", "us", "eu", "--json");
  expect(JSON.parse(json.stdout)).toMatchObject({
    objects: [{ change: "removed", name: "more" }],
    ruleSets: [],
    notCompared: [
      { what: "filtering rules", side: "us" },
      { what: "filtering rules", side: "eu" },
    ],
  });
  expect(json.code).toBe(2);
  // An export records which objects it could not read.
  const out = join(folder, "program");
  await devid("export", "--out", out);
  await workspace.forgetFaults();
  const exported = await devid("compare", out, "us");
  expect(exported.code).toBe(2);
  expect(exported.stdout).toContain("Not compared: filtering rules");
}, 60_000);

it("compares two environments with different names", async () => {
  const id = await shop("us");
  await workspace.call("POST", `/environments/${id}`, { name: "Shop 1" });
  await shop("us");
  const same = await devid("compare", "us/Shop 1", "us/Staging");
  expect(same.stdout).toBe("us/Shop 1 -> us/Staging\n\nNo differences.\n");
  const other = await devid("compare", "us/Shop 1", "us/Default", "--json");
  expect(other.code).toBe(2);
  expect(JSON.parse(other.stdout)).toMatchObject({
    objects: expect.arrayContaining([
      expect.objectContaining({ change: "removed", name: "Shop | server" }),
    ]) as unknown,
  });
});

it("compares one environment of two regions", async () => {
  await twoShops();
  const { stdout } = await devid(
    "compare",
    "us",
    "eu",
    "--environment=Default",
  );
  expect(stdout).not.toContain("Shop | server");
  expect(stdout).toContain("added API key eu only");
});

it("compares a workspace with its export", async () => {
  await twoShops();
  const out = join(folder, "program");
  const only = ["--environment=Staging", "--include=api-keys,webhooks"];
  for (const part of [[], only]) {
    expect((await devid("export", "--force", "--out", out, ...part)).code).toBe(
      0,
    );
    const same = await devid("compare", out, "us");
    expect(same).toMatchObject({ code: 0 });
    const other = await devid("compare", "eu", out);
    expect(other.code).toBe(2);
    expect(other.stdout).toContain("rateLimit 50 -> 5");
  }
  writeFileSync(join(out, "api-keys.ts"), "");
  // Pulumi changes this file when a stack is created.
  writeFileSync(join(out, "Pulumi.us.yaml"), "encryptionsalt: v1:abc\n");
  const { stderr } = await devid("compare", out, "us");
  expect(stderr).toContain("changed since: api-keys.ts.");
}, 90_000);

it.each([
  [["us", "mars"], 1, '"mars" is neither a region'],
  [["us", "eu/None"], 1, 'no environment "None"'],
  [["us", "."], 1, "it is not a folder that devid export wrote"],
])("exits for %j with %d", async (sides, expected, message) => {
  const { code, stderr, stdout } = await devid("compare", ...sides);
  expect({ code, stdout }).toEqual({ code: expected, stdout: "" });
  expect(stderr).toContain(message);
});

it("refuses two regions whose keys are for one workspace", async () => {
  const { us } = workspace.service.workspaces;
  for (const sides of [
    ["us", "eu"],
    ["us/Default", "eu"],
  ]) {
    const { code, stdout, stderr } = await DevidProcess.run(
      ["compare", ...sides],
      {
        DEVID_ENDPOINT: workspace.url,
        DEVID_MANAGEMENT_KEY_US: us.managementKey,
        DEVID_MANAGEMENT_KEY_EU: us.managementKey,
      },
    );
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain(
      `${sides[0]} and eu are one and the same workspace`,
    );
    expect(stderr).toContain(
      `default environment is ${us.environment} (Default)`,
    );
    expect(stderr).toContain("(from environment DEVID_MANAGEMENT_KEY_EU)");
  }
});

it("shows the IDs of both objects, and counts a renamed environment as one difference", async () => {
  const id = await shop("us");
  const other = await shop("eu");
  const body = { name: "Trial" };
  await workspace.eu("POST", `/environments/${other}`, { body });
  const { stdout } = await devid("compare", "us", "eu");
  expect(stdout).toBe(
    `us -> eu\n\n  - changed environment Staging (${id} -> ${other})\n    name "Staging" -> "Trial"\n\n1 difference: 1 changed.\n`,
  );
  const json = JSON.parse(
    (await devid("compare", "us", "eu", "--json")).stdout,
  ) as unknown;
  expect(json).toMatchObject({
    objects: [{ name: "Staging", ids: { before: id, after: other } }],
  });
});

it("hides keys in rules, unless --show-secrets is given", async () => {
  const key = "q7Rw2Lx9Kp4Tz8Vb3Nc6Md1Fg5Hj0QsA";
  await shop("us");
  await shop("eu", { rule: `sdk.version == '${key}'` });
  for (const format of ["text", "json"]) {
    const args = ["compare", "us", "eu", "--format", format];
    const { code, stdout } = await devid(...args);
    expect(code).toBe(2);
    expect(stdout).toContain("[redacted]");
    expect(stdout).not.toContain(key);
  }
  const shown = await devid("compare", "us", "eu", "--show-secrets");
  expect(shown.stdout).toContain(key);
});
