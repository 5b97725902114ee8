import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
// @ts-expect-error: a script without types.
import * as script from "../../tools/install-lines.mjs";

const ROOT = resolve(__dirname, "../..");
const { withInstallLines, pages, isPublished } = script as {
  withInstallLines: (
    page: string,
    text: string,
    isPublished: boolean,
  ) => string;
  pages: () => string[];
  isPublished: () => boolean;
};

const textOf = (page: string) => readFileSync(join(ROOT, page), "utf8");

it("every install line says how it is done until the packages are published, and no longer", () => {
  const published = isPublished();
  const wrong = pages().filter(
    (page) => withInstallLines(page, textOf(page), published) !== textOf(page),
  );
  expect(wrong, "npm run gen writes the sentences").toEqual([]);
});

it("the switch adds and removes the sentence, and nothing else", () => {
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

it("no page installs one of our packages outside such a block", () => {
  const loose = pages().flatMap((page) =>
    textOf(page)
      .replaceAll(/^```sh\n[^]*?^```$/gm, "")
      .split("\n")
      .filter((line) => /npm (install|i) .*@devid\//.test(line))
      .map((line) => `${page}: ${line}`),
  );
  expect(loose).toEqual([]);
});

it("npm run pack makes a tarball of each package that is published", () => {
  const { scripts } = JSON.parse(textOf("package.json")) as {
    scripts: Record<string, string>;
  };
  const folder = mkdtempSync(join(tmpdir(), "devid-pack-"));
  try {
    const [npm = "", ...args] = (scripts.pack ?? "").split(" ");
    const at = args.indexOf("--pack-destination");
    args[at + 1] = folder;
    execFileSync(npm, [...args, "--ignore-scripts"], {
      cwd: ROOT,
      stdio: "ignore",
    });
    const names = readdirSync(folder).map((file) => file.replace(/-\d.*$/, ""));
    expect(names.sort()).toEqual(
      [
        "agent",
        "cli",
        "policy",
        "pulumi",
        "rules",
        "sdk",
        "service",
        "warehouse",
      ].map((name) => `devid-${name}`),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}, 60_000);
