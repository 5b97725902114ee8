import { beforeAll, expect, it } from "vitest";
import { LocalWorkspace } from "../../../helpers/local-workspace";
import { openForTests } from "../../../helpers/open-for-tests";
import { DevidProcess, succeeded } from "../../devid-process";

const workspace = openForTests(new LocalWorkspace());
beforeAll(async () => {
  await workspace.call("POST", "/environments", { name: "Staging" }, "eu");
});

const eu = () => ({
  DEVID_ENDPOINT: workspace.url,
  DEVID_MANAGEMENT_KEY_EU: workspace.service.workspaces.eu.managementKey,
});

it("names the workspace of the keys, and never a key", async () => {
  const args = ["whoami", "--region", "eu"];
  const { code, stdout, stderr } = await DevidProcess.run(args, eu());
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const lines = stdout.trimEnd().split("\n");
  const { environment } = workspace.service.workspaces.eu;
  expect(lines.map((line) => line.replace(/\s+/g, " "))).toEqual([
    "Region eu",
    `Management API ${workspace.url}/management (version 2025-11-20)`,
    "Management key from environment DEVID_MANAGEMENT_KEY_EU, accepted",
    `Events API ${workspace.url}/eu`,
    `Device reputation ${workspace.url}`,
    "Secret key not set",
    `Environments ${environment} Default (default)`,
    expect.stringMatching(/^ ae_\S+ Staging$/) as string,
  ]);
  expect(stdout).not.toContain(eu().DEVID_MANAGEMENT_KEY_EU);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
});

it("prints the same as JSON", async () => {
  const { secretKey } = workspace.service.workspaces.eu;
  const env = { ...eu(), DEVID_REGION: "eu", DEVID_SECRET_KEY: secretKey };
  const { stdout } = await succeeded(
    DevidProcess.run(["whoami", "--json"], env),
  );
  expect(JSON.parse(stdout)).toMatchObject({
    version: 1,
    region: "eu",
    managementKey: "from environment DEVID_MANAGEMENT_KEY_EU",
    secretKey: "from environment DEVID_SECRET_KEY",
    isManagementKeyAccepted: true,
    isSecretKeyAccepted: true,
    environments: [
      { name: "Default", isDefault: true },
      { name: "Staging", isDefault: false },
    ],
  });
  expect(stdout).not.toContain(secretKey);
});

it.each([
  ["nobody knows", () => "not-a-key-at-all"],
  [
    "belongs to another region",
    () => workspace.service.workspaces.us.secretKey,
  ],
  ["is public", () => workspace.service.workspaces.eu.publicKey],
])("exits with 1 for a secret key that %s", async (_, key) => {
  const env = { ...eu(), DEVID_SECRET_KEY: key() };
  const args = ["whoami", "--region", "eu"];
  const { code, stdout, stderr } = await DevidProcess.run(args, env);
  expect(code).toBe(1);
  expect(stdout).toMatch(/^Management key .*, accepted$/m);
  expect(stdout).toMatch(/^Secret key .* DEVID_SECRET_KEY, refused$/m);
  expect(stderr).toMatch(/^devid: .*\b40[13]\b/);
  expect(stdout + stderr).not.toContain(key());
});

it("exits with 1 and names the places where it looked when the key is missing", async () => {
  const env = { DEVID_ENDPOINT: workspace.url };
  const { code, stdout, stderr } = await DevidProcess.run(["whoami"], env);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toContain(
    "environment DEVID_MANAGEMENT_KEY_US, then DEVID_MANAGEMENT_KEY",
  );
  // The command line reads no stack config.
  expect(stderr).not.toContain("pulumi config");
});

it("exits with 1 for a refused management key, and still checks the secret key", async () => {
  const { secretKey } = workspace.service.workspaces.us;
  const env = {
    DEVID_ENDPOINT: workspace.url,
    DEVID_MANAGEMENT_KEY: "not-a-key-at-all",
    DEVID_SECRET_KEY: secretKey,
  };
  const { code, stdout, stderr } = await DevidProcess.run(["whoami"], env);
  expect(code).toBe(1);
  expect(stdout).toMatch(/^Management key .* DEVID_MANAGEMENT_KEY, refused$/m);
  expect(stdout).toMatch(/^Secret key .* DEVID_SECRET_KEY, accepted$/m);
  expect(stdout).not.toContain("Environments");
  expect(stderr).toContain("401");
  expect(stderr).not.toContain("not-a-key-at-all");

  const wrong = { ...env, DEVID_SECRET_KEY: "nor-is-this-a-key" };
  const both = await DevidProcess.run(["whoami", "--json"], wrong);
  expect(both.code).toBe(1);
  const errors = both.stderr.trimEnd().split("\n");
  expect(errors.map((line) => JSON.parse(line) as unknown)).toMatchObject(
    [1, 1].map((exitCode) => ({ version: 1, error: { exitCode } })),
  );
  expect(JSON.parse(both.stdout)).toMatchObject({
    isManagementKeyAccepted: false,
    isSecretKeyAccepted: false,
  });
});

it("does not call a key refused because a gateway refuses the call", async () => {
  const page = { "content-type": "text/html" };
  const then = { status: 403, body: "<html>", headers: page };
  await workspace.fault({ match: { surface: "management" }, then });
  const { code, stdout, stderr } = await DevidProcess.run(
    ["whoami", "--region", "eu"],
    eu(),
  );
  await workspace.forgetFaults();
  expect(code).toBe(1);
  expect(stdout).toBe("");
  expect(stderr).toContain("may come from a proxy or gateway");
});

it("checks a secret key without a management key", async () => {
  const env = {
    DEVID_ENDPOINT: workspace.url,
    DEVID_SECRET_KEY: workspace.service.workspaces.us.secretKey,
  };
  const { code, stdout, stderr } = await DevidProcess.run(["whoami"], env);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toMatch(/^Management key +not set$/m);
  expect(stdout).toMatch(/^Secret key .*, accepted$/m);
});
