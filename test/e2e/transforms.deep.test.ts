import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { EngineStack, PLUGIN, TESTS } from "../helpers/engine-stack";
import { LocalWorkspace } from "../helpers/local-workspace";
import { openForTests } from "../helpers/open-for-tests";

const workspace = openForTests(new LocalWorkspace());
let stack: EngineStack;
beforeAll(async () => {
  const { managementKey } = workspace.service.workspaces.us;
  stack = await EngineStack.open(
    {
      DEVID_ENDPOINT: workspace.url,
      DEVID_MANAGEMENT_KEY: managementKey,
      PATH: `${PLUGIN}:${process.env.PATH}`,
    },
    join(TESTS, "e2e", "transforms"),
  );
}, 60_000);
afterAll(() => stack.close());

const DELETED_WITH = 'The ApiKey "till" has the option deletedWith.';

it.each([
  ["stack", "deletedWith", DELETED_WITH],
  ["parent", "deletedWith", DELETED_WITH],
  ["old stack", "ignoreChanges", "ignoreChanges has 'nmae'"],
  ["resource", "replaceOnChanges", "replaceOnChanges has 'nmae'"],
])(
  "an option that a transform of the %s sets is checked in both forms: %s",
  async (by, option, sentence) => {
    for (const form of ["@devid/pulumi", "@devid/pulumi/plugin"]) {
      const settings = JSON.stringify({ package: form, by, option });
      writeFileSync(join(stack.folder, "transforms.json"), settings);
      expect(await stack.failing("preview")).toContain(sentence);
    }
  },
);
