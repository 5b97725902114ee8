import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join, parse as parsePath } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, it } from "vitest";
import { parse } from "yaml";
import * as registry from "../../provider/src/registry";
import { EngineStack } from "../helpers/engine-stack";
import { pluginProject, yamlHostSettings } from "../helpers/form-stack";
import { LocalWorkspace } from "../helpers/local-workspace";
import { openForTests } from "../helpers/open-for-tests";
import { pythonRuntime } from "../helpers/python-runtime";
import { blockOf } from "../helpers/page-blocks";
import { textOf } from "../helpers/repository";

const run = promisify(execFile);

/** The parts of a `Pulumi.yaml` from the examples of a page. */
interface YamlProgram {
  readonly resources: Readonly<Record<string, unknown>>;
  readonly outputs: Readonly<Record<string, unknown>>;
}

const workspace = openForTests(new LocalWorkspace());

/** Closes each stack that a test has opened. */
const stacks: EngineStack[] = [];
afterAll(() => stacks.forEach((stack) => stack.close()));

/** The first example of a page in a language. */
const example = (page: string, language: string) =>
  blockOf(textOf(page), language);

/** The examples of several pages, deployed in a stack as one program. */
class DeclaredExamples {
  private constructor(
    private readonly stack: EngineStack,
    private readonly pages: readonly string[],
    private readonly outputs: object,
    private readonly mark: number,
  ) {}

  /** Deploys the examples in YAML. */
  static async up(
    region: "us" | "eu",
    pages: readonly string[],
  ): Promise<DeclaredExamples> {
    const stack = await EngineStack.open({
      DEVID_ENDPOINT: workspace.url,
      DEVID_REGION: region,
      DEVID_MANAGEMENT_KEY: workspace.service.workspaces[region].managementKey,
      ...(await yamlHostSettings()),
    });
    stacks.push(stack);
    const programs = pages.map(
      (page) => parse(example(page, "ya?ml")) as YamlProgram,
    );
    const resources = Object.assign(
      {},
      ...programs.map((program) => program.resources),
    ) as YamlProgram["resources"];
    const outputs = Object.assign(
      {},
      ...programs.map((program) => program.outputs),
    ) as YamlProgram["outputs"];
    const count = Object.keys(resources).length;
    declare(stack, "yaml", { resources, outputs });
    expect(await stack.up()).toEqual({ create: count + 1 });
    const said = await stack.outputs({ showSecrets: true });
    expect(Object.keys(said).sort()).toEqual(Object.keys(outputs).sort());
    return new DeclaredExamples(stack, pages, said, await workspace.mark());
  }

  /** Expects that the examples in Python declare the same resources. */
  async areSameInPython(): Promise<void> {
    const modules = this.#write("python", (index) => `example${index}.py`);
    const imports = modules.map((file) => `import ${parsePath(file).name}\n`);
    const { workFolder } = this.stack;
    writeFileSync(join(workFolder, "__main__.py"), imports.join(""));
    declare(this.stack, await pythonRuntime(this.stack));
    await this.#areSame();
  }

  /** Expects that the examples in TypeScript compile, and declare the same resources. */
  async areSameInTypescript(): Promise<void> {
    const modules = this.#write("ts", (index) => `example${index}.ts`);
    const exports = modules.map(
      (file) => `export * from "./${parsePath(file).name}";\n`,
    );
    const { workFolder } = this.stack;
    writeFileSync(join(workFolder, "index.ts"), exports.join(""));
    await run(
      process.execPath,
      [
        ...[require.resolve("typescript/bin/tsc"), "--noEmit", "--strict"],
        ...["--skipLibCheck", "--target", "es2022", "--module", "nodenext"],
        join(workFolder, "index.ts"),
      ],
      { cwd: workFolder },
    );
    declare(this.stack, "nodejs", { main: "index.ts" });
    await this.#areSame();
  }

  #write(language: string, name: (index: number) => string): string[] {
    return this.pages.map((page, index) => {
      const file = name(index);
      const path = join(this.stack.workFolder, file);
      writeFileSync(path, example(page, language));
      return file;
    });
  }

  /** The resources are the same when the update creates and deletes nothing. */
  async #areSame(): Promise<void> {
    const { create, delete: deleted } = await this.stack.up();
    expect({ create, deleted }).toEqual({});
    const said = await this.stack.outputs({ showSecrets: true });
    expect(said).toEqual(this.outputs);
    expect(await workspace.writesSince(this.mark)).toEqual([]);
  }
}

function declare(
  { workFolder }: EngineStack,
  runtime: unknown,
  more?: object,
): void {
  const project = pluginProject("declared", runtime, more);
  writeFileSync(join(workFolder, "Pulumi.yaml"), project);
}

let ofResources: DeclaredExamples;

it("the examples of all resources declare the same in YAML and TypeScript", async () => {
  // The example of a verification names a webhook that must be there, and whose receiver
  // must answer: webhook-verification.forms.e2e.test.ts has one.
  const pages = Object.keys(registry)
    .filter((kind) => kind !== "WebhookVerification")
    .map(
      (kind) =>
        `docs/resources/${kind.replaceAll(/(?<=.)[A-Z]/g, "-$&").toLowerCase()}.md`,
    );
  ofResources = await DeclaredExamples.up("us", pages);
  await ofResources.areSameInTypescript();
});

it(
  "the examples of all resources declare the same in Python",
  { tags: ["python"] },
  async () => {
    await ofResources.areSameInPython();
  },
);

it("the README's first examples declare the same in YAML and TypeScript", async () => {
  const examples = await DeclaredExamples.up("eu", ["README.md"]);
  await examples.areSameInTypescript();
});
