import { expect, it } from "vitest";
import { ReviewRepository } from "../../sources/review/review-repository";
import { CliFolder, CRAWLERS, PHONES } from "../../cli-folder";
import { failed } from "../../devid-process";

const folder = CliFolder.forEachTest("rules diff");

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
  expect(await folder.run([spelt, folder.rules(CRAWLERS, other)])).toEqual({
    code: 0,
    stdout: "spelt.yaml -> rules.json\n\nNo differences.\n",
    stderr: "",
  });
});

it("exits with 2 and shows what differs, in 80 columns and without colours", async () => {
  const before = folder.file("before.json", { rules: [CRAWLERS] });
  const after = folder.rules(PHONES, CRAWLERS);
  const { code, stdout, stderr } = await folder.run([before, after]);
  expect({ code, stderr }).toEqual({ code: 2, stderr: "" });
  expect(stdout).toContain("before.json -> rules.json\n");
  expect(stdout).toContain("+   1 phones allow added at the front\n");
  expect(stdout).toContain("\n1 change: 1 added. In total: ");
  for (const line of stdout.split("\n"))
    expect(line.length).toBeLessThanOrEqual(80);
  expect(stdout).not.toContain("\u001b");
});

it("prints JSON and Markdown", async () => {
  const before = folder.file("before.json", { rules: [CRAWLERS] });
  const after = folder.rules(PHONES, CRAWLERS);
  const json = await folder.run([before, after, "--json"]);
  expect(json.code).toBe(2);
  expect(JSON.parse(json.stdout)).toMatchObject({
    version: 1,
    a: "before.json",
    b: "rules.json",
    changes: [{ kind: "added", after: "", position: 1 }],
  });
  const markdown = await folder.run([before, after, "--format", "markdown"]);
  expect(markdown.code).toBe(2);
  expect(markdown.stdout).toContain(
    "| 1 | `phones` | `allow` | added at the front<br>`sdk.platform.is_ios` |",
  );
});

it("refuses a file with a mistake, and names the place", async () => {
  const wrong = folder.file(
    "wrong.yaml",
    "rules:\n  - name: a\n    expression: sdk.platfrm.is_ios\n    action: deny\n",
  );
  expect(await folder.run([wrong, folder.rules(CRAWLERS)])).toMatchObject({
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
  expect(await failed(folder.run([folder.rules(CRAWLERS), broken]))).toContain(
    "broken.yaml:3:5 rules[0].acton: is not known",
  );
});

it("reads the rules that a preview would put in force", async () => {
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
  const text = JSON.stringify({ steps });
  const file = folder.rules(CRAWLERS, PHONES);
  const preview = "preview.json";
  // Some shells write a byte order mark in front of what they redirect, PowerShell 5 UTF-16.
  for (const encoding of ["utf16le", "utf8"] as const) {
    folder.file(preview, Buffer.from(`\ufeff${text}`, encoding));
    const one = await folder.run([file, preview, "--resource", "b"]);
    expect(one.code).toBe(2);
    expect(one.stdout).toMatch(/^rules\.json -> preview\.json \(b\)\n/);
    expect(one.stdout).toContain("-     phones allow removed\n");
  }
  // Every command refuses a rule file in UTF-16, as a deployment does.
  const utf16 = folder.file("16.json", Buffer.from("\ufeff{}", "utf16le"));
  const refused = await failed(folder.run([file, utf16]));
  expect(refused).toContain("16.json:1:1 this is not UTF-8");
  const several = await folder.run([file, preview]);
  expect(several).toMatchObject({ code: 1, stdout: "" });
  expect(several.stderr).toContain("choose one with --resource: a, b.");
  // A preview alone is compared with the rules in force, which need a key.
  const alone = [preview, "--resource", "b", "--environment", "ae_1"];
  expect((await folder.run(alone)).stderr).toContain("The management API key");
});

it("compares with a version in git, as a review does", async () => {
  const repository = new ReviewRepository();
  try {
    const rules = repository.file("rules.json", { rules: [CRAWLERS] });
    repository.commit();
    repository.git("switch", "--quiet", "--create", "change");
    repository.file("rules.json", { rules: [CRAWLERS, PHONES] });
    for (const args of [[rules], ["main", rules], ["main:rules.json", rules]]) {
      const { code, stdout, stderr } = await folder.run(args);
      expect({ code, stderr }).toEqual({ code: 2, stderr: "" });
      expect(stdout).toMatch(/^(rules\.json of )?main at [0-9a-f]{10} -> /);
      expect(stdout).toContain("phones allow added");
    }
    const added = repository.file("added.json", { rules: [PHONES] });
    expect((await folder.run([added])).stderr).toBe(
      `devid: the file is not there at main at ${repository.git("rev-parse", "HEAD").slice(0, 10)}, so it is compared with no rules.\n`,
    );
  } finally {
    repository.close();
  }
});

it("refuses arguments that leave a side out, or name one too many", async () => {
  const rules = folder.rules(CRAWLERS);
  for (const [args, message] of [
    [[rules, rules, rules], "too many arguments"],
    [[], "Name the new rules"],
    [["live"], "Name what the live rules are compared with"],
  ] as const) {
    expect(await failed(folder.run(args))).toContain(message);
  }
});

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
    const { code, stdout } = await folder.run(args, env);
    expect(code).toBe(2);
    expect(stdout).not.toContain(configured);
    expect(stdout).not.toContain(made);
    expect(stdout).toContain("[redacted]");
  }
  const shown = await folder.run([before, after, "--show-secrets"], env);
  expect(shown.stdout).toContain(configured);
  expect(shown.stdout).toContain(made);
});
