import { expect, it } from "vitest";
import { commandsOf } from "../helpers/page-commands";
import { FILES } from "../helpers/sources";
import { textOf } from "../helpers/repository";

// Every page with commands is run by a test that reads the page, or is here with a reason.

/** The tests that run the commands of the pages that they name. */
const RUNNERS = [
  "test/cli/page-commands.e2e.test.ts",
  "test/e2e/page-commands.deep.test.ts",
  "test/e2e/cloning-page.ts",
  "test/e2e/plugin-added.e2e.test.ts",
  "test/e2e/see-it-work.e2e.test.ts",
  "test/provider/unit-tests-page.e2e.test.ts",
  "test/service/tests-page.e2e.test.ts",
].map(textOf);

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
  const isRun = (page: string) =>
    RUNNERS.some((text) =>
      ["", "../"].some((up) => text.includes(`"${up}${page}"`)),
    );
  expect(pages.filter((page) => !isRun(page)).sort()).toEqual(
    Object.keys(NOT_RUN),
  );
});
