import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { FORMS, inForm } from "../../../helpers/program-form";
import { CRAWLERS, PHONES, RulesDiffFolder } from "./rules-diff-folder";

let folder: RulesDiffFolder;

beforeEach(() => {
  folder = new RulesDiffFolder();
});

afterEach(() => folder.close());

it("exits with 0 when only the spelling differs", async () => {
  const spelt = folder.file(
    "spelt.yaml",
    `rules:
  - name: crawlers
    expression: ( http.user_agent . is_crawler_bot )
    action: deny
  - { name: phones, expression: not not sdk.platform.is_ios, action: allow }
`,
  );
  const other = { ...PHONES, expression: "!!sdk.platform.is_ios" };
  expect(await folder.diff([spelt, folder.rules(CRAWLERS, other)])).toEqual({
    code: 0,
    stdout: "spelt.yaml -> rules.json\n\nNo differences.\n",
    stderr: "",
  });
});

it("exits with 2 and shows what differs, in 80 columns and without colours", async () => {
  const before = folder.file("before.json", { rules: [CRAWLERS] });
  const after = folder.rules(PHONES, CRAWLERS);
  const { code, stdout, stderr } = await folder.diff([before, after]);
  expect({ code, stderr }).toEqual({ code: 2, stderr: "" });
  expect(stdout).toContain("before.json -> rules.json\n");
  expect(stdout).toContain("+   1 phones allow added at the front\n");
  expect(stdout).toContain("\n1 change: 1 added.\n");
  for (const line of stdout.split("\n"))
    expect(line.length).toBeLessThanOrEqual(80);
  expect(stdout).not.toContain("\u001b");
});

it("prints JSON and Markdown", async () => {
  const before = folder.file("before.json", { rules: [CRAWLERS] });
  const after = folder.rules(PHONES, CRAWLERS);
  const json = await folder.diff([before, after, "--json"]);
  expect(json.code).toBe(2);
  expect(JSON.parse(json.stdout)).toMatchObject({
    version: 1,
    a: "before.json",
    b: "rules.json",
    changes: [{ kind: "added", after: "", position: 1 }],
  });
  const out = join(folder.path, "diff.json");
  const written = await folder.diff([before, after, "--json", "--out", out]);
  expect(written).toEqual({ code: 2, stdout: "", stderr: "" });
  expect(JSON.parse(readFileSync(out, "utf8"))).toMatchObject({ a: before });
  const markdown = await folder.diff([before, after, "--format", "markdown"]);
  expect(markdown.code).toBe(2);
  expect(markdown.stdout).toContain(
    "| 1 | `phones` | `allow` | added at the front<br>`sdk.platform.is_ios` |",
  );
});

it("refuses a file with a mistake, at its place", async () => {
  const wrong = folder.file(
    "wrong.yaml",
    "rules:\n  - name: a\n    expression: sdk.platfrm.is_ios\n    action: deny\n",
  );
  expect(await folder.diff([wrong, folder.rules(CRAWLERS)])).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringMatching(
      /^devid: The rule file is not valid:\n {2}\S*wrong.yaml:3:21 rule "a": sdk.platfrm is not known/,
    ) as string,
  });
  const broken = folder.file(
    "broken.yaml",
    "rules:\n  - name: a\n    acton: deny\n",
  );
  const { code, stderr } = await folder.diff([folder.rules(CRAWLERS), broken]);
  expect(code).toBe(1);
  expect(stderr).toContain("broken.yaml:3:5 rules[0].acton: is not known");
});

it("says what cannot be read", async () => {
  const missing = join(folder.path, "none.yaml");
  expect(await folder.diff([missing, "live"])).toEqual({
    code: 1,
    stdout: "",
    stderr: "devid: none.yaml cannot be read: there is no such file.\n",
  });
});

it.each(FORMS)(
  "reads the rules that a preview would put in force: %s",
  async (form) => {
    const { name, ...rule } = CRAWLERS;
    const rules = { [name]: { ...rule, status: "enabled", after: "" } };
    const state = {
      type: "pulumi-nodejs:dynamic/devid:FilteringRuleSet",
      inputs: { rules },
    };
    const steps = ["a", "b"].map((name) => ({
      op: "create",
      urn: `urn:pulumi:test::shop::${state.type}::${name}`,
      newState: state,
    }));
    const text = inForm(form, JSON.stringify({ steps }));
    const preview = folder.file("preview.json", text);
    const one = await folder.diff([
      folder.rules(CRAWLERS, PHONES),
      preview,
      "--resource",
      "b",
    ]);
    expect(one.code).toBe(2);
    expect(one.stdout).toMatch(/^rules\.json -> preview\.json \(b\)\n/);
    expect(one.stdout).toContain("-     phones allow removed\n");
    const several = await folder.diff([
      folder.rules(CRAWLERS, PHONES),
      preview,
    ]);
    expect(several).toMatchObject({ code: 1, stdout: "" });
    expect(several.stderr).toContain("choose one with --resource: a, b.");
  },
);

it("hides keys in text and JSON, unless --show-secrets is given", async () => {
  const configured = "the-key-of-this-workspace";
  const made = "q7Rw2Lx9Kp4Tz8Vb3Nc6Md1Fg5Hj0QsA";
  const before = folder.rules(CRAWLERS);
  const asks = (key: string) => `'${key}' in http.request.headers['X-Proxy']`;
  const after = folder.file("keys.json", {
    rules: [
      CRAWLERS,
      { name: configured, expression: asks(configured), action: "deny" },
      { name: "made", expression: asks(made), action: "deny" },
    ],
  });
  const env = { DEVID_SECRET_KEY_EU: configured };
  for (const format of ["text", "json"]) {
    const args = [before, after, "--format", format];
    const { code, stdout } = await folder.diff(args, env);
    expect(code).toBe(2);
    expect(stdout).not.toContain(configured);
    expect(stdout).not.toContain(made);
    expect(stdout).toContain("[redacted]");
  }
  const shown = await folder.diff([before, after, "--show-secrets"], env);
  expect(shown.stdout).toContain(configured);
  expect(shown.stdout).toContain(made);
});
