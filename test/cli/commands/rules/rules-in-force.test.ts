import { beforeAll, describe, expect, it } from "vitest";
import { parseRuleFile, rulesDigest, type Rule } from "../../../../rules/src";
import { LocalWorkspace } from "../../../helpers/local-workspace";
import { openForTests } from "../../../helpers/open-for-tests";
import { CliFolder, CRAWLERS, PHONES } from "../../cli-folder";
import { failed, succeeded } from "../../devid-process";

let staging: string;

const DENIED: Rule = {
  name: "crawlers",
  expression: CRAWLERS.expression,
  action: "deny",
  status: "disabled",
  denyWith: "Forbidden",
};

const workspace = openForTests(new LocalWorkspace());
const folder = CliFolder.forTests("rules", workspace);
beforeAll(async () => {
  staging = await workspace.newEnvironment("Staging");
  const rules = [
    { ...CRAWLERS, status: "disabled" },
    { ...PHONES, expression: "sdk.platform.is_ios\n  || false" },
  ];
  await workspace.enforce(rules, staging);
});

const inForce = (...args: string[]) => folder.run(["in-force", ...args]);

describe("devid rules in-force", () => {
  it("prints a rule file with the same meaning as the rules in force", async () => {
    const { stdout } = await succeeded(inForce("--environment", "Staging"));
    expect(parseRuleFile(stdout, "rules.yaml")).toMatchObject([
      { name: "crawlers", status: "disabled" },
      { name: "phones", expression: "sdk.platform.is_ios\n  || false" },
    ]);
    const file = folder.file("rules.yaml", stdout);
    const args = ["diff", file, "live", "--environment", "Staging"];
    expect(await folder.run(args)).toMatchObject({ code: 0 });
  });

  it("prints one line with the digest of the rules, which a file with the same rules has, too", async () => {
    const { stdout } = await inForce(
      ...["--environment", staging, "--format", "digest"],
    );
    const phones = {
      ...PHONES,
      expression: "sdk.platform.is_ios\n  || false",
      status: "enabled",
    } as Rule;
    expect(stdout).toBe(`${rulesDigest([DENIED, phones])}\n`);
  });

  it("writes JSON to a file", async () => {
    const out = "in-force.json";
    expect(await inForce("--format", "json", "--out", out)).toEqual({
      code: 0,
      stdout: "",
      stderr: "",
    });
    expect(JSON.parse(folder.read(out))).toEqual({
      version: 1,
      region: "us",
      environment: {
        id: workspace.service.workspaces.us.environment,
        name: "Default",
      },
      digest: rulesDigest([]),
      rules: [],
    });
  });

  it("exits with 3 when the service does not answer, and with 1 for an unknown environment", async () => {
    const gone = { DEVID_ENDPOINT: "http://127.0.0.1:9" };
    expect(await folder.run(["in-force"], gone)).toMatchObject({
      code: 3,
      stdout: "",
    });
    expect(await failed(inForce("--environment", "Nowhere"))).toSay(
      "in-force/unknown-environment",
    );
  });
});
