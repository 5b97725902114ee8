import { expect, it } from "vitest";
import { PUBLISHED } from "../helpers/published";
// @ts-expect-error: a script without types.
import * as script from "../../tools/packages/install-lines.mjs";
import { textOf } from "../helpers/repository";

const { withInstallLines, pages, isPublished } = script as {
  withInstallLines: (
    page: string,
    text: string,
    isPublished: boolean,
  ) => string;
  pages: () => string[];
  isPublished: () => boolean;
};

it("every install line explains how to install until the packages are published, and not after that", () => {
  const published = isPublished();
  const wrong = pages().filter(
    (page) => withInstallLines(page, textOf(page), published) !== textOf(page),
  );
  expect(wrong, "npm run gen writes the sentences").toEqual([]);
});

it("npm run gen adds and removes the explanation, and nothing else", () => {
  const line = "```sh\nnpm install @devid/sdk\n```\n";
  const page = `A\n\n${line}\nB\n`;
  const unpublished = withInstallLines("sdk/README.md", page, false);
  expect(unpublished).toBe(
    `A\n\n${line}\nUntil the packages are published: [install from a clone](../docs/getting-started.md#install-from-a-clone).\n\nB\n`,
  );
  expect(withInstallLines("sdk/README.md", unpublished, false)).toBe(
    unpublished,
  );
  expect(withInstallLines("sdk/README.md", unpublished, true)).toBe(page);
});

it("no page installs one of our packages outside of such a block", () => {
  const loose = pages().flatMap((page) =>
    textOf(page)
      .replaceAll(/^```sh\n[^]*?^```$/gm, "")
      .split("\n")
      .filter((line) => /npm (install|i) .*@devid\//.test(line))
      .map((line) => `${page}: ${line}`),
  );
  expect(loose).toEqual([]);
});

it("sections about the time before publication exist until the packages are published, and not after that", () => {
  const sections = [
    ["docs/getting-started.md", "\n## Install from a clone\n"],
    ["examples/gitops/README.md", "\n## Until devid is published\n"],
  ] as const;
  for (const [page, heading] of sections)
    expect(textOf(page).includes(heading), page).toBe(!isPublished());
});

it("an installation from a clone includes all of our packages that it needs", () => {
  const needs = (name: string): string[] => {
    const { dependencies = {} } =
      PUBLISHED.find((one) => one.name === name)?.manifest ?? {};
    const ours = Object.keys(dependencies).filter((one) =>
      one.startsWith("@devid/"),
    );
    return [...new Set([name, ...ours.flatMap(needs)])];
  };
  const rows = [
    ...textOf("docs/getting-started.md").matchAll(
      /^\| `(@devid\/[^`]+)`.*\| `npm install \S*devid-(?:\{(.*)\}|(\w+))-/gm,
    ),
  ].map(([, name = "", several, one = ""]) => ({
    name,
    installed: (several ?? one).split(",").map((short) => `@devid/${short}`),
  }));
  expect(rows.length).toBeGreaterThan(4);
  for (const { name, installed } of rows)
    expect([...installed].sort(), name).toEqual(needs(name).sort());
});

it("no page runs a command of npm that could be a stranger's: the package is @devid/cli", () => {
  const wrong = pages().filter((page) =>
    /npx (?!--no )devid\b|"npx", "devid"/.test(textOf(page)),
  );
  expect(wrong).toEqual([]);
});

// Where the whole page is about a clone, `npm ci` has installed the command line.
const IN_A_CLONE = ["CONTRIBUTING.md"];

it("every page says how to install the command line that it runs", () => {
  const silent = pages().filter((page) => {
    const text = textOf(page);
    return (
      text.includes("npx --no devid") &&
      !/npm install .*@devid\/cli|\[Install `devid`\]\(/.test(text) &&
      !IN_A_CLONE.includes(page)
    );
  });
  expect(silent).toEqual([]);
});
