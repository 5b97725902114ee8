import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { snakeKeys } from "../../sdk/src/wire/casing";
import type { Kind } from "../helpers/provider-host";
import { EngineStack, TESTS } from "../helpers/engine-stack";
import { pluginProject, yamlHostSettings } from "../helpers/form-stack";
import { localForTest } from "../helpers/local-for-tests";
import { LocalWorkspace } from "../helpers/local-workspace";
import { pythonRuntime } from "../helpers/python-runtime";
import { shellCommands } from "../helpers/shell-commands";
import { KINDS, LEAST_INPUTS } from "../provider/kind-rows";
import { COLLECTIONS } from "../simulation/kinds";
import { openForTest, openForTests } from "../helpers/open-for-tests";
import { rule } from "../rules/diff/rule";

// The code that `pulumi import` prints is a complete program in each language.

const project = (runtime: unknown, more?: object) =>
  pluginProject("shop", runtime, more);

/** The printed code, by its file: the runtime of the program, and what makes the code a program. */
const PROGRAMS: Readonly<
  Record<
    string,
    {
      readonly runtime: (stack: EngineStack) => unknown;
      readonly tags?: string[];
      readonly take: (folder: string) => void;
    }
  >
> = {
  "imported.yaml": {
    runtime: () => "yaml",
    take(folder) {
      const code = readFileSync(join(folder, "imported.yaml"), "utf8");
      const program = project("yaml", parse(code) as object);
      writeFileSync(join(folder, "Pulumi.yaml"), program);
    },
  },
  "imported.ts": {
    runtime: () => "nodejs",
    take: (folder) =>
      writeFileSync(join(folder, "index.ts"), 'import "./imported";\n'),
  },
  "imported.py": {
    runtime: pythonRuntime,
    tags: ["python"],
    take: (folder) =>
      writeFileSync(join(folder, "__main__.py"), "import imported\n"),
  },
};

/** A stack of an empty program. */
const openStack = async (workspace: LocalWorkspace) =>
  EngineStack.open(
    { ...workspace.env, ...(await yamlHostSettings()) },
    { "Pulumi.yaml": project("yaml"), "index.ts": "", "__main__.py": "" },
  );

describe.each(Object.entries(PROGRAMS))(
  "%s",
  (file, { runtime, tags, take }) => {
    const workspace = openForTests(new LocalWorkspace());

    it(
      "imports an object of each kind, from an environment without filtering rules",
      { tags },
      async () => {
        const stack = await openForTest(openStack(workspace));
        const program = project(await runtime(stack));
        writeFileSync(join(stack.workFolder, "Pulumi.yaml"), program);
        const made = async (path: string, body: object) =>
          (await workspace.make(path, body)).id;
        const environment = await made("/environments", { name: "Theirs" });
        const key = { name: "Their key", type: "secret", environment };
        const hook = { url: "https://theirs.example/hook", environment };
        const verified = (await workspace.control("/us/webhooks", {
          ...hook,
          verified: true,
        })) as { id: string };
        const sealing = (await workspace.list("encryption-keys")).find(
          (one) => one.environment === environment,
        );
        const ids: Partial<Record<Kind, unknown>> = {
          Environment: environment,
          ApiKey: await made("/api-keys", key),
          Webhook: await made("/webhooks", hook),
          FilteringRuleSet: environment,
          EncryptionKey: sealing?.id,
          WebhookVerification: verified.id,
        };
        for (const kind of KINDS)
          ids[kind] ??= await made(
            `/${COLLECTIONS[kind]}`,
            snakeKeys(LEAST_INPUTS[kind]),
          );
        const resources = Object.entries(ids).map(([kind, id]) => ({
          type: `devid:index:${kind}`,
          name: `their${kind}`,
          id,
        }));
        const list = join(stack.workFolder, "import.json");
        writeFileSync(list, JSON.stringify({ resources }));
        const { code, said, changes } = await stack.operate(
          ...["import", "--yes", "--skip-preview", "--protect=false"],
          ...["--file", list, "--out", file],
        );
        expect({ code, said, changes }).toMatchObject({
          code: 0,
          changes: { import: resources.length },
        });
        expect(said).not.toMatch(/failed|warning/i);
        take(stack.workFolder);
        // The stack itself, too.
        const unchanged = { same: resources.length + 1 };
        expect((await stack.preview("--expect-no-changes")).changes).toEqual(
          unchanged,
        );
        expect(await stack.up()).toEqual(unchanged);
      },
    );
  },
);

it("imports the list of an export with the command of docs/cloning.md, and then has nothing to do", async () => {
  const workspace = await localForTest();
  const stack = await openForTest(openStack(workspace));
  const environment = await workspace.newEnvironment("Staging");
  const key = { name: "Staging server", type: "secret", environment };
  await workspace.call("POST", "/api-keys", key);
  const url = "https://hooks.shop.example/fraud";
  await workspace.call("POST", "/webhooks", { url });
  for (const place of [undefined, environment])
    await workspace.enforce([rule("ios", "sdk.platform.is_ios")], place);
  const commands = join(TESTS, "../node_modules/.bin");
  const exported = await stack.shell(
    `PATH="${commands}:$PATH" devid export --region us --out exported`,
  );
  expect(exported).toMatchObject({ code: 0 });
  const list = join(stack.workFolder, "import.json");
  copyFileSync(join(stack.workFolder, "exported/import.json"), list);
  const { resources } = JSON.parse(readFileSync(list, "utf8")) as {
    resources: unknown[];
  };
  const page = readFileSync(join(TESTS, "../docs/cloning.md"), "utf8");
  const [command = ""] = shellCommands(page, "In another language");
  expect(command).toMatch(/^pulumi import /);
  const imported = await stack.operate(
    ...command.split(" ").slice(1),
    ...["--yes", "--skip-preview", "--protect=false"],
  );
  expect(imported).toMatchObject({
    code: 0,
    changes: { import: resources.length },
  });
  const code = readFileSync(join(stack.workFolder, "program.yaml"), "utf8");
  const program = project("yaml", parse(code) as object);
  writeFileSync(join(stack.workFolder, "Pulumi.yaml"), program);
  const mark = await workspace.mark();
  expect(await stack.up()).toEqual({ same: resources.length + 1 });
  expect(await workspace.writesSince(mark)).toEqual([]);
});
