import { expect, it } from "vitest";
import { commandsOf } from "../helpers/page-commands";
import { FILES } from "../helpers/sources";
import { textOf } from "../helpers/repository";

// Every page with commands is run by a test that reads the page, or is here with a reason.

const RUNNERS: Readonly<Record<string, readonly string[]>> = {
  "test/cli/page-commands.e2e.test.ts": [
    "README.md",
    "cli/README.md",
    "docs/events.md",
    "docs/impact.md",
    "docs/local-service.md",
    "docs/official-clients.md",
    "docs/review.md",
    "docs/rule-set-guards.md",
    "docs/rules-diff.md",
    "docs/troubleshooting.md",
    "docs/warehouse.md",
  ],
  "test/e2e/page-commands.deep.test.ts": [
    "SKILL.md",
    "docs/adoption.md",
    "docs/drift.md",
    "docs/getting-started.md",
    "docs/installation-configuration.md",
    "docs/policies.md",
    "docs/recovery.md",
    "examples/README.md",
    "provider/README.md",
  ],
  "test/e2e/cloning-page.ts": ["docs/cloning.md"],
  "test/e2e/plugin-yaml.e2e.test.ts": ["docs/plugin.md"],
  "test/e2e/see-it-work.e2e.test.ts": ["docs/see-it-work.md"],
  "test/provider/unit-tests-page.e2e.test.ts": ["docs/unit-tests.md"],
  "test/service/tests-page.e2e.test.ts": ["docs/local-service-in-tests.md"],
};

const NOT_RUN: Readonly<Record<string, string>> = {
  "CONTRIBUTING.md": "they run the tests themselves",
  "policy/README.md": "docs/policies.md has the same command with `up`",
};

/** A page that only installs: test/repository/install-lines.test.ts reads it. */
const onlyInstalls = (page: string) =>
  commandsOf(page).every((command) => command.startsWith("npm install "));

it("every page with commands is run by a test, or says here why not", () => {
  const pages = FILES.filter(
    (path) => path.endsWith(".md") && !path.startsWith("test/"),
  ).filter((page) => commandsOf(page).length > 0 && !onlyInstalls(page));
  const named = [...Object.values(RUNNERS).flat(), ...Object.keys(NOT_RUN)];
  expect(pages.sort()).toEqual(named.sort());
});

it.each(Object.entries(RUNNERS))("%s reads its pages", (test, pages) => {
  const text = textOf(test);
  expect(pages.filter((page) => !text.includes(`${page}"`))).toEqual([]);
});
