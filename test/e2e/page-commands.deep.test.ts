import { cpSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LocalWorkspace } from "../helpers/local-workspace";
import { commandsOf } from "../helpers/page-commands";
import { UserShell } from "../helpers/user-shell";
import { openForTests } from "../helpers/open-for-tests";
import { ROOT } from "../helpers/repository";

// The commands of pages that need an engine or a preview, as they stand and in their order.
// test/cli/page-commands.e2e.test.ts runs the other commands.

/** Pages that a reader follows one after the other, with one stack. */
interface Scene {
  readonly pages: readonly string[];
  /** Commands that have brought the reader to the pages. */
  readonly before?: readonly string[];
}

const SELECTED = ["pulumi stack init prod"];
const DEPLOYED = [...SELECTED, "pulumi up --yes --skip-preview"];
const EDITED = [
  "git init --quiet --initial-branch main && git add rules.yaml",
  "git -c user.name=a -c user.email=a@b.example commit --quiet --message Rules",
  "sed -i.old s/is_crawler_bot/is_ai_bot/ rules.yaml",
];

const SCENES: readonly Scene[] = [
  { pages: ["docs/getting-started.md"], before: SELECTED },
  {
    pages: ["docs/installation-configuration.md", "provider/README.md"],
    before: SELECTED,
  },
  { pages: ["docs/adoption.md"], before: SELECTED },
  { pages: ["SKILL.md"] },
  {
    pages: [
      "docs/drift.md",
      "docs/review.md",
      "docs/rules-diff.md",
      "docs/impact.md",
      "docs/rule-set-guards.md",
      "docs/policies.md",
    ],
    before: [...DEPLOYED, ...EDITED],
  },
  {
    // The state is lost.
    pages: ["docs/recovery.md"],
    before: [...DEPLOYED, "rm -r .engine/state/.pulumi/stacks"],
  },
  { pages: ["examples/README.md"] },
];

/**
 * Commands that install something or keep a service up, and those with a file or a version
 * in git that other tests have.
 */
const OTHERS =
  /^npm |devid serve |^pulumi package add|--base |main\/|impact rules\.yaml/;

const PROGRAM = `const devid = require("@devid/pulumi");

const key = new devid.ApiKey("shop", { name: "Shop", type: "public", rateLimit: 50 });
new devid.FilteringRuleSet("rules", {
  rulesFile: "rules.yaml",
  expectedInForce: process.env.EXPECTED_IN_FORCE,
});

exports.token = key.token;
`;

const FILES = {
  "Pulumi.yaml": "name: shop\nruntime: nodejs\nmain: index.js\n",
  "index.js": PROGRAM,
  "rules.yaml": `rules:
  - name: block-crawlers
    expression: http.user_agent.is_crawler_bot
    action: deny
tests:
  - name: a crawler is denied
    request: { userAgent: Googlebot/2.1 }
    expect: { deny: block-crawlers }
`,
  "policies.json": '{"max-rules": {"max": 40}}',
};

describe.each(SCENES)("$pages", ({ pages, before = [] }) => {
  const workspace = openForTests(new LocalWorkspace());
  let shell: UserShell;

  beforeAll(async () => {
    shell = await UserShell.open({
      ...workspace.env,
      PULUMI_SKIP_CONFIRMATIONS: "true",
    });
    const { folder } = shell;
    for (const [name, text] of Object.entries(FILES))
      writeFileSync(join(folder, name), text);
    symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
    for (const example of ["examples/own-policies", "examples/regions"])
      cpSync(join(ROOT, example), join(folder, example), { recursive: true });
    await workspace.control("/us/events", [{ user_agent: "Mozilla/5.0" }]);
    for (const command of before) await shell.ok(command);
  });
  afterAll(() => shell?.close());

  describe.each(pages)("%s", (page) => {
    /** What the shell of the reader keeps: its variables and its folder. */
    const kept: string[] = [];

    it.each(commandsOf(page).filter((one) => !OTHERS.test(one)))(
      "%s",
      async (command) => {
        const line = command.replaceAll("http://127.0.0.1:8787", workspace.url);
        if (/^(export|cd) /.test(line)) {
          kept.push(line);
          return;
        }
        const { managementKey } = workspace.service.workspaces.us;
        const { code, text } = await shell.run([...kept, line].join(" && "), {
          input: line.includes("--secret") ? `${managementKey}\n` : "",
        });
        // 2: differences, findings or failing tests.
        expect([0, 2], text).toContain(code);
      },
    );
  });
});
