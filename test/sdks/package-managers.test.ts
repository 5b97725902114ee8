import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { ENGINE_VERSION } from "@devid/engine";
import { beforeAll, describe, expect, it } from "vitest";
import { PackedPackages } from "../helpers/packed-packages";
import { PUBLIC_ENTRIES } from "../helpers/public-entries";
import { PUBLISHED } from "../helpers/published";
import { folderForTests } from "../helpers/test-folder";

// A project that installs our packed packages with each package manager. Their
// dependencies come from the registry. The project uses every entry in each way that
// Node.js and TypeScript support.

const run = promisify(execFile);
const TSC = resolve(__dirname, "../../node_modules/typescript/bin/tsc");
const NAMES = PUBLIC_ENTRIES.map(({ name }) => name);

const folder = folderForTests();

let packages: PackedPackages;
beforeAll(async () => {
  packages = await PackedPackages.ofThisRun();
});

/**
 * The manager's install command, and the member of package.json that overrides a
 * dependency.
 */
const MANAGERS = [
  {
    manager: "npm",
    install: ["npm", "install", "--ignore-scripts"],
    overrides: (files: object) => ({ overrides: files }),
  },
  {
    manager: "pnpm",
    install: ["npx", "--yes", "pnpm@9", "install", "--ignore-scripts"],
    overrides: (files: object) => ({ resolutions: files }),
  },
  {
    manager: "yarn",
    // Yarn 1 refuses packages that require Node.js 22, such as a dependency of Fastify;
    // other managers only warn.
    install: [
      ...["npx", "--yes", "yarn@1", "install"],
      ...["--ignore-scripts", "--ignore-engines"],
    ],
    overrides: (files: object) => ({ resolutions: files }),
  },
];

const RESOLUTIONS = [
  { moduleResolution: "node10", module: "commonjs" },
  { moduleResolution: "node16", module: "node16" },
  { moduleResolution: "bundler", module: "esnext" },
];

describe.each(MANAGERS)("$manager", ({ manager, install, overrides }) => {
  const project = join(folder, manager);
  const write = (name: string, text: string) =>
    writeFileSync(join(project, name), text);

  it("installs the packages", async () => {
    const files = Object.fromEntries(
      PUBLISHED.map((one) => [
        one.name,
        `file:${packages.tarball(one.folder)}`,
      ]),
    );
    // Newer versions of Pulumi's package require a newer Node.js than ours.
    const pulumi = { "@pulumi/pulumi": ENGINE_VERSION };
    mkdirSync(project);
    write(
      "package.json",
      JSON.stringify({
        name: "shop",
        private: true,
        dependencies: { ...files, ...pulumi, "@types/node": "^20" },
        ...overrides({ ...files, ...pulumi }),
      }),
    );
    const [command = "", ...args] = install;
    await run(command, args, { cwd: project, maxBuffer: 1 << 28 });
  });

  it("has entries for import and for require", async () => {
    write("main.mjs", NAMES.map((name) => `import "${name}";\n`).join(""));
    write("main.cjs", NAMES.map((name) => `require("${name}");\n`).join(""));
    for (const main of ["main.mjs", "main.cjs"])
      await run(process.execPath, [main], { cwd: project });
  });

  it.each(RESOLUTIONS)(
    "has types for moduleResolution $moduleResolution",
    async ({ moduleResolution, module }) => {
      write(
        "types.ts",
        NAMES.map(
          (name, at) => `import * as e${at} from "${name}";\nvoid e${at};\n`,
        ).join(""),
      );
      write(
        "first.ts",
        'import { createClient } from "@devid/sdk";\ncreateClient({}).webhooks.list();\n',
      );
      const options = [
        ...["--noEmit", "--strict", "--esModuleInterop", "--target", "es2022"],
        ...["--module", module, "--moduleResolution", moduleResolution],
      ];
      // The SDK is also used by programs without `skipLibCheck`.
      for (const files of [["--skipLibCheck", "types.ts"], ["first.ts"]]) {
        const { stdout } = await run(
          process.execPath,
          [TSC, ...options, ...files],
          { cwd: project },
        ).catch((error: { stdout: string }) => error);
        expect(stdout).toBe("");
      }
    },
  );
});
