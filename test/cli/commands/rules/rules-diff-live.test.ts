import { beforeAll, describe, expect, it } from "vitest";
import { LocalWorkspace } from "../../../helpers/local-workspace";
import { openForTests } from "../../../helpers/open-for-tests";
import { CliFolder, CRAWLERS, PHONES } from "../../cli-folder";
import {
  previewOutput,
  ruleSetArgs,
  UNKNOWN,
} from "../../sources/review/preview-output";
import { failed, succeeded } from "../../devid-process";

const workspace = openForTests(new LocalWorkspace());
const folder = CliFolder.forTests("rules diff", workspace);
let staging: string;
beforeAll(async () => {
  await workspace.enforce([CRAWLERS, PHONES]);
  staging = await workspace.newEnvironment("Staging");
  await workspace.enforce([CRAWLERS], staging);
  for (const name of ["Twin", "Twin"]) await workspace.newEnvironment(name);
});

describe("devid rules diff with live rules", () => {
  it("exits with 0 when a file has the rules in force", async () => {
    const { code, stdout } = await folder.run([
      folder.rules(CRAWLERS, PHONES),
      "live",
    ]);
    const { environment } = workspace.service.workspaces.us;
    expect(code).toBe(0);
    expect(stdout).toBe(
      `rules.json -> live (Default, ${environment})\n\nNo differences.\n`,
    );
  });

  it.each(["Staging", "its ID"])(
    "reads the environment by %s",
    async (which) => {
      const named = which === "Staging" ? which : staging;
      const args = [
        "live",
        folder.rules(CRAWLERS, PHONES),
        "--environment",
        named,
      ];
      const { code, stdout } = await folder.run(args);
      expect(code).toBe(2);
      expect(stdout).toContain(`live (Staging, ${staging}) -> rules.json\n`);
      expect(stdout).toContain("+   2 phones allow added after crawlers\n");
    },
  );

  it("reads another region with --region", async () => {
    const { eu } = workspace.service.workspaces;
    const { stdout } = await succeeded(
      folder.run([folder.rules(), "live", "--region", "eu"], {
        DEVID_MANAGEMENT_KEY_EU: eu.managementKey,
      }),
    );
    expect(stdout).toContain(eu.environment);
  });

  it("compares a rule in force as text when it cannot parse the rule", async () => {
    const expression = "http.request.asn == 64512";
    const record = { ...CRAWLERS, id: "tr_1", status: "enabled", expression };
    await workspace.fault({
      match: { method: "GET", path: "/management/filtering-rules" },
      times: 1,
      then: { status: 200, body: { data: [record] } },
    });
    const { code, stdout } = await folder.run(["live", folder.rules(CRAWLERS)]);
    expect(code).toBe(2);
    expect(stdout).toContain(`${expression} -> ${CRAWLERS.expression}\n`);
    expect(stdout).toContain(
      "cannot tell which requests are decided otherwise",
    );
  });

  it("lists the existing environments when the given one does not exist", async () => {
    const args = ["live", folder.rules(), "--environment", "Production"];
    const stderr = await failed(folder.run(args));
    expect(stderr).toSay("diff/unknown-environment");
    expect(stderr).toContain(`${staging} (Staging)`);
  });

  it("asks for the ID of an environment when several have its name", async () => {
    const args = ["live", folder.rules(), "--environment", "Twin"];
    expect(await failed(folder.run(args))).toSay("diff/several-environments");
  });

  it("refuses --environment when neither side is live", async () => {
    const set = folder.rules();
    expect(
      await failed(folder.run([set, set, "--environment", "Staging"])),
    ).toContain("neither side is live");
  });

  describe("beside a preview", () => {
    const unwrapped = (text: string) => text.replace(/\s+/g, " ");
    const preview = (...rules: object[]) =>
      folder.file(
        "preview.json",
        previewOutput(
          { op: "update", name: "main", before: {}, after: ruleSetArgs([]) },
          {
            op: "update",
            name: "staging",
            id: staging,
            before: ruleSetArgs([], { environment: staging }),
            after: ruleSetArgs(rules, { environment: staging }),
          },
          {
            op: "create",
            name: "new",
            after: ruleSetArgs([CRAWLERS], { environment: UNKNOWN }),
          },
        ),
      );

    it("reads the environment of the chosen rule set", async () => {
      const args = ["live", preview(CRAWLERS), "--resource", "staging"];
      const same = await folder.run(args);
      expect(same).toMatchObject({ code: 0, stderr: "" });
      expect(unwrapped(same.stdout)).toContain(
        `live (Staging, ${staging}) -> preview.json (staging, ${staging})`,
      );
      const other = workspace.service.workspaces.us.environment;
      const named = await folder.run([...args, "--environment", other]);
      expect(named.stdout).toContain(
        `live (Default, ${other}) -> preview.json`,
      );
    });

    it("has no rules when the environment does not exist yet", async () => {
      const args = [preview(), "live", "--resource", "new"];
      const { code, stdout } = await folder.run(args);
      expect(code).toBe(2);
      expect(unwrapped(stdout)).toContain(
        "preview.json (new) -> live (an environment that is not there yet) -",
      );
      expect(stdout).toContain("crawlers deny  removed");
    });
  });
});
