import { beforeAll, expect, it } from "vitest";
import { LocalWorkspace } from "../../../helpers/local-workspace";
import { openForTests } from "../../../helpers/open-for-tests";
import { DevidProcess } from "../../devid-process";

const workspace = openForTests(new LocalWorkspace());
beforeAll(async () => {
  await workspace.call("POST", "/environments", { name: "Staging" }, "eu");
});

const eu = () => ({
  DEVID_ENDPOINT: workspace.url,
  DEVID_MANAGEMENT_KEY_EU: workspace.service.workspaces.eu.managementKey,
});

it("says which workspace the keys reach, and never a key", async () => {
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

it("answers the same as JSON", async () => {
  const { secretKey } = workspace.service.workspaces.eu;
  const env = { ...eu(), DEVID_REGION: "eu", DEVID_SECRET_KEY: secretKey };
  const { code, stdout } = await DevidProcess.run(["whoami", "--json"], env);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    version: 1,
    region: "eu",
    managementKey: "from environment DEVID_MANAGEMENT_KEY_EU",
    secretKey: "from environment DEVID_SECRET_KEY",
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
  ["is another region's", () => workspace.service.workspaces.us.secretKey],
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

it("exits with 1 and says where it looked when the key is missing", async () => {
  const env = { DEVID_ENDPOINT: workspace.url };
  const { code, stdout, stderr } = await DevidProcess.run(["whoami"], env);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toContain(
    "environment DEVID_MANAGEMENT_KEY_US, then DEVID_MANAGEMENT_KEY",
  );
});

it("exits with 1 when the key is another region's nobody knows, without showing it", async () => {
  const env = {
    DEVID_ENDPOINT: workspace.url,
    DEVID_MANAGEMENT_KEY: "not-a-key-at-all",
  };
  const { code, stderr } = await DevidProcess.run(["whoami"], env);
  expect(code).toBe(1);
  expect(stderr).toContain("401");
  expect(stderr).not.toContain("not-a-key-at-all");
});

it("exits with 3 when nothing answers", async () => {
  const env = {
    DEVID_ENDPOINT: "http://127.0.0.1:9",
    DEVID_MANAGEMENT_KEY: "any-key",
  };
  const { code, stderr } = await DevidProcess.run(["whoami"], env);
  expect(code).toBe(3);
  expect(stderr).toContain("http://127.0.0.1:9 could not be reached");
});
