import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";

const SERVICE = resolve(__dirname, "../../../service");
const SCRIPT = resolve(SERVICE, "dist/browser-agent/script.mjs");
const built = () => readFileSync(SCRIPT, "utf8");

it("the script is less than 15 KB when gzipped", () => {
  expect(gzipSync(built()).length).toBeLessThan(15_000);
});

it("the script has no imports, and nothing from Node", () => {
  expect(built()).not.toMatch(/\bimport(?:\s*[({*"']|\s+\w)|\brequire\(|node:/);
});

it("the script is up to date with its sources (else: npm run build)", async () => {
  const { bundleAgent } = (await import(
    pathToFileURL(resolve(SERVICE, "bundle.mjs")).href
  )) as {
    readonly bundleAgent: (options: { write: boolean }) => Promise<{
      outputFiles: readonly { text: string }[];
    }>;
  };
  const { outputFiles } = await bundleAgent({ write: false });
  expect(outputFiles[0]?.text === built()).toBe(true);
});

it("the script exports the functions that pages call", async () => {
  const module = (await import(pathToFileURL(SCRIPT).href)) as object;
  expect(Object.keys(module).sort()).toEqual([
    "FingerprintError",
    "isFingerprintError",
    "start",
    "withoutDefault",
  ]);
});

it("the script can be imported on a server, where start() reports that it needs a page", async () => {
  const { start } = (await import(pathToFileURL(SCRIPT).href)) as {
    start: (options: object) => unknown;
  };
  expect(() => start({ apiKey: "key" })).toThrow(
    "start() runs in the page of a browser only",
  );
});
