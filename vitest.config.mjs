import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import TestOrder from "./test/helpers/test-order.mjs";
import {
  findChromium,
  missingTools,
  TOOLS,
} from "./test/helpers/tools-here.mjs";

const src = (path) => fileURLToPath(new URL(path, import.meta.url));

// Tests see the sources; the processes that they start see the built code.
const SOURCES = "sdk rules review warehouse provider clone service policy";
const alias = [
  ...SOURCES.split(" ").flatMap((folder) => {
    const manifest = readFileSync(src(`${folder}/package.json`), "utf8");
    const { name, exports } = JSON.parse(manifest);
    return Object.entries(exports).map(([subpath, { default: built }]) => ({
      find: new RegExp(`^${name}${subpath.slice(1)}$`),
      replacement: src(
        built.replace(/^\.\/\w+\/(.*)\.js$/, `${folder}/src/$1.ts`),
      ),
    }));
  }),
  {
    find: /^@devid\/example-own-policies\/policies$/,
    replacement: src("examples/own-policies/policies.ts"),
  },
  { find: /^@devid\/cli$/, replacement: src("cli/src/main.ts") },
  { find: /^@devid\/engine$/, replacement: src("tools/engine/src/index.ts") },
];

const chromium = findChromium();
const missing = missingTools();

const SETUP = [
  "test/helpers/loopback-only.ts",
  "test/helpers/own-stubs.ts",
  "test/helpers/property-seed.ts",
  "test/helpers/sentences.ts",
];

const project = (name, include, options = {}) => ({
  resolve: { alias },
  test: {
    name,
    include,
    exclude: ["**/node_modules/**", "**/dist/**"],
    setupFiles: SETUP,
    // A test that passes only on its second try is named at the end of the run.
    retry: process.env.TESTS_MAY_RETRY === "no" ? 0 : 1,
    provide: { chromium },
    // A page on a loaded machine answers late. A poll that succeeds ends at once.
    expect: { poll: { timeout: 15_000 } },
    // A test with the tag of a tool that is missing here is skipped.
    tags: Object.entries(TOOLS).map(([name, description]) => ({
      name,
      description,
    })),
    tagsFilter: missing.map((tool) => `!${tool}`),
    ...options,
  },
});

const EXCLUDED = ["**/dist/**", "**/node_modules/**"];

// Tests of browsers and engines come after the others.
const LAST = { sequence: { groupOrder: 1 } };

const UNIT = {
  exclude: ["**/*.{e2e,deep}.test.ts", ...EXCLUDED],
  testTimeout: 30_000,
  hookTimeout: 30_000,
  sequence: { groupOrder: 0 },
};

const ENGINE = {
  globalSetup: "test/helpers/run-folder.ts",
  testTimeout: 240_000,
  hookTimeout: 240_000,
  // A second try would begin in the state that the first one left.
  retry: 0,
  ...LAST,
};

// The simulation replaces timers and clocks. A library that makes a timer once for its
// process keeps a replaced one, so these files share their process with no other.
const SIMULATION = { isolate: true, hookTimeout: 60_000 };

export default defineConfig({
  test: {
    // Tests wait for the service, browsers and engines: a third worker uses the
    // time on two cores.
    // Recorded files are written by one.
    maxWorkers: process.env.UPDATE_GOLDEN === "1" ? 1 : 3,
    // A run transforms only what has changed since the run before it.
    experimental: {
      fsModuleCache: true,
      fsModuleCachePath: src("node_modules/.cache/vitest"),
    },
    // Many short-lived objects in long-lived workers: fewer, larger collections.
    execArgv: ["--max-semi-space-size=64"],
    sequence: { sequencer: TestOrder },
    reporters: ["default", "./test/helpers/closing-line-reporter.mjs"],
    projects: [
      project(
        "unit",
        [
          "test/{contract,sdk,rules,review,warehouse,provider,clone,service,cli,policy,engine,repository}/**/*.test.ts",
        ],
        {
          isolate: false,
          ...UNIT,
          setupFiles: [...SETUP, "test/helpers/no-pauses.ts"],
        },
      ),
      project("simulation", ["test/simulation/**/*.test.ts"], {
        ...UNIT,
        ...SIMULATION,
      }),
      project("browser", ["test/browser/**/*.test.ts"], {
        isolate: false,
        exclude: ["**/*.{e2e,deep}.test.ts", ...EXCLUDED],
        testTimeout: 60_000,
        hookTimeout: 60_000,
        ...LAST,
      }),
      project("e2e", ["test/**/*.e2e.test.ts"], {
        exclude: EXCLUDED,
        isolate: false,
        ...ENGINE,
        provide: { chromium, forms: ["dynamic"] },
      }),
      // What takes minutes: `npm run test:deep`.
      project(
        "deep",
        ["test/**/*.{deep,forms.e2e}.test.ts", "test/release/**/*.test.ts"],
        {
          exclude: EXCLUDED,
          ...SIMULATION,
          ...ENGINE,
          provide: { chromium, forms: ["plugin"] },
        },
      ),
      // ClickHouse and Trino take 1 GB of disk and a minute to start, so the gate leaves them out.
      project("warehouses", ["test/warehouses/**/*.test.ts"], {
        maxWorkers: 1,
        testTimeout: 900_000,
        hookTimeout: 900_000,
        // Vitest wants a group of its own for another count of workers.
        sequence: { groupOrder: 2 },
      }),
      // The SDKs of other languages, compiled: minutes, so the gate leaves them out.
      project("sdks", ["test/sdks/**/*.test.ts"], {
        isolate: false,
        globalSetup: "test/helpers/run-folder.ts",
        testTimeout: 900_000,
        hookTimeout: 900_000,
        ...LAST,
      }),
    ],
  },
});
