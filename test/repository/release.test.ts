import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
// @ts-expect-error: a script without types.
import * as manifests from "../../tools/packages/manifests.mjs";
// @ts-expect-error: a script without types.
import * as check from "../../tools/release/release-check.mjs";
// @ts-expect-error: a script without types.
import * as notes from "../../tools/release/release-notes.mjs";
// @ts-expect-error: a script without types.
import * as state from "../../tools/release/release-state.mjs";
// @ts-expect-error: a script without types.
import * as versions from "../../tools/release/release-version.mjs";
import { ROOT, textOf } from "../helpers/repository";

// The steps of the release workflow.

const { refusal } = check as {
  refusal: (release: {
    repository: string;
    host?: string;
    version: string;
    changelog: string;
  }) => string | undefined;
};
const { withVersion } = versions as {
  withVersion: (
    changelog: string,
    version: string,
    changesets: readonly object[],
  ) => string;
};
const { sectionOf } = notes as {
  sectionOf: (changelog: string, version: string) => string | undefined;
};
const { hasChangesets } = state as {
  hasChangesets: (files: readonly string[]) => boolean;
};

const CHANGELOG = "# Changelog\n\nAbout it.\n\n## 0.1.0\n\n- First.\n";

describe("a release is refused", () => {
  const release = {
    repository: "https://code.example/shop/devid",
    host: "https://code.example/shop/devid",
    version: "0.1.0",
    changelog: CHANGELOG,
  };

  it("while the repository's address is a placeholder", () => {
    expect(refusal(release)).toBeUndefined();
    const { repository } = JSON.parse(textOf("package.json")) as {
      repository: { url: string };
    };
    const placeholder = repository.url.replace(/^git\+|\.git$/g, "");
    expect(refusal({ ...release, repository: placeholder })).toMatch(
      /is a placeholder/,
    );
  });

  it("in a repository that the packages do not name", () => {
    const host = "https://code.example/fork/devid";
    expect(refusal({ ...release, host })).toContain(`this is ${host}`);
  });

  it("without a section in the changelog", () => {
    const changelog = CHANGELOG.replace("0.1.0", "0.1.0 (unreleased)");
    expect(refusal({ ...release, changelog })).toContain('"## 0.1.0"');
  });
});

it("a version's section in the changelog lists the greatest changes first", () => {
  const changesets = [
    {
      releases: [{ name: "@devid/cli", type: "patch" }],
      summary: "A sentence\nover two lines.",
    },
    {
      releases: [
        { name: "@devid/sdk", type: "major" },
        { name: "@devid/cli", type: "minor" },
      ],
      summary: "Another name.",
    },
  ];
  const changelog = withVersion(CHANGELOG, "1.0.0", changesets);
  expect(changelog).toBe(
    `# Changelog\n\nAbout it.\n\n## 1.0.0\n\n- \`@devid/sdk\`, \`@devid/cli\`: **Breaking.** Another name.\n- \`@devid/cli\`: A sentence\n  over two lines.\n\n## 0.1.0\n\n- First.\n`,
  );
  expect(sectionOf(changelog, "0.1.0")).toBe("- First.");
  expect(sectionOf(changelog, "1.0.0")).toMatch(/^- `@devid\/sdk`/);
});

it("the README of the changeset folder is not a changeset", () => {
  expect(hasChangesets(["README.md", "config.json"])).toBe(false);
  expect(hasChangesets(["README.md", "brave-keys.md"])).toBe(true);
});

it("all packages have the same version (else: npm run gen)", () => {
  const { changesetSettings } = manifests as {
    changesetSettings: () => string;
  };
  const path = join(ROOT, ".changeset/config.json");
  expect(JSON.parse(readFileSync(path, "utf8"))).toEqual(
    JSON.parse(changesetSettings()),
  );
});
