import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { FILES } from "./sources";

const ROOT = resolve(__dirname, "../..");

type Find = (
  environment: Record<string, string>,
) =>
  | { readonly path: string; readonly env: Record<string, string> }
  | undefined;

const find = (async () => {
  const path = join(ROOT, "test/helpers/tools-here.mjs");
  const { findChromium } = (await import(pathToFileURL(path).href)) as {
    findChromium: Find;
  };
  return findChromium;
})();

describe("the Chromium of the tests", () => {
  it("comes from DEVID_CHROMIUM, or else from PATH", async () => {
    const findChromium = await find;
    const folder = mkdtempSync(join(tmpdir(), "devid-path-"));
    const path = join(folder, "chromium-browser");
    writeFileSync(path, "", { mode: 0o700 });
    expect(findChromium({ PATH: `/nonexistent:${folder}` })).toEqual({
      path,
      env: {},
    });
    expect(
      findChromium({ PATH: folder, DEVID_CHROMIUM: "/opt/chromium" }),
    ).toEqual({ path: "/opt/chromium", env: {} });
    rmSync(folder, { recursive: true });
  });
});

it("a test that needs a browser or Python has the tag of that tool", () => {
  const untagged = FILES.filter((path) => /^test\/.*\.test\.ts$/.test(path))
    .map((path) => [path, readFileSync(join(ROOT, path), "utf8")] as const)
    .filter(
      ([, text]) =>
        isWithout(
          text,
          /from "\..*\/(helpers\/browser|shop-fixture)"/,
          "chromium",
        ) || isWithout(text, /from "\..*helpers\/python-runtime"/, "python"),
    );
  expect(untagged.map(([path]) => path)).toEqual([]);
});

const isWithout = (text: string, imported: RegExp, tag: string) =>
  imported.test(text) &&
  !text.startsWith(`// @module-tag ${tag}\n`) &&
  !text.includes(`{ tags: ["${tag}"] }`);
