import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type EngineStack, TESTS } from "../helpers/engine-stack";
import { FormStack } from "../helpers/form-stack";
import { FORMS_OF_TIER } from "../helpers/forms-of-tier";
import { LocalWorkspace } from "../helpers/local-workspace";
import { changeInDashboard, DRIFTING } from "../clone/drift/drifting-program";
import { openForTests } from "../helpers/open-for-tests";

// `devid drift` on a stack of a real engine.

const COMMANDS = join(TESTS, "../node_modules/.bin");

describe.each(FORMS_OF_TIER)("a %s program", (name) => {
  const workspace = openForTests(new LocalWorkspace());
  let form: FormStack;
  let stack: EngineStack;

  beforeAll(async () => {
    form = await FormStack.open(name, workspace.env);
    form.declare({ resources: DRIFTING });
    stack = form.engine;
    // The keys that every local service has at its start.
    const keys = await workspace.list("api-keys");
    const file = join(stack.workFolder, "allowed.txt");
    writeFileSync(
      file,
      keys.map(({ id }) => `${String(id)} # mine\n`).join(""),
    );
    await stack.up();
  });

  afterAll(() => form.close());

  const shell = (command: string) =>
    stack.shell(`PATH="${COMMANDS}:$PATH"\n${command}`);

  it("has not drifted after an update", async () => {
    const { code, output } = await shell(
      "devid drift . --stack test --allowed allowed.txt",
    );
    expect(output).toMatch(/\/test has not drifted\n$/);
    expect(code).toBe(0);
  });

  it("names an override that no resource uses", async () => {
    const overrides = JSON.stringify({ ApiKey: { kpet: { rateLimit: 1 } } });
    const { output } = await shell(
      `pulumi config set --stack test devid:overrides '${overrides}'
devid drift . --stack test --allowed allowed.txt 2>&1
pulumi config rm --stack test devid:overrides`,
    );
    expect(output).toMatch(
      /Warning: .* devid:overrides .* ApiKey "kpet", .* are gone, kept\./,
    );
  });

  it("has drifted when somebody changed each kind of object, also according to a preview with a refresh", async () => {
    await changeInDashboard(workspace);
    const bare = await shell(
      "pulumi preview --stack test --json --show-sames >p.json; devid drift --plan p.json --allowed allowed.txt --json 2>p.log",
    );
    const refreshed = await shell(
      "pulumi preview --stack test --refresh --json --show-sames >r.json; devid drift --plan r.json --allowed allowed.txt --json 2>r.log",
    );
    expect([bare.code, refreshed.code]).toEqual([2, 2]);
    expect(refreshed.output).toBe(bare.output);
    const { resources, unmanaged } = JSON.parse(bare.output) as {
      resources: { resource: string; drift: string }[];
      unmanaged: { what: string }[];
    };
    expect(
      resources.map(({ resource, drift }) => `${resource} ${drift}`).sort(),
    ).toEqual([
      'ApiKey "gone" deleted',
      'ApiKey "kept" changed',
      'EncryptionKey "sealing" changed',
      'Environment "staging" changed',
      'FilteringRuleSet "rules" changed',
      'Webhook "hook" changed',
    ]);
    expect(unmanaged.map(({ what }) => what)).toEqual(["webhook"]);
  });
});
