import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";

const AGENT = resolve(__dirname, "../../agent");
const built = (name: string) =>
  readFileSync(resolve(AGENT, "dist", name), "utf8");

interface BundleAgent {
  readonly bundleAgent: (options: {
    write: boolean;
  }) => Promise<{ files: readonly { path: string; text: string }[] }>;
}

describe.each(["index.mjs", "script.mjs"])("the agent's %s", (name) => {
  it("is less than 15 KB when gzipped", () => {
    expect(gzipSync(built(name)).length).toBeLessThan(15_000);
  });

  it("has no imports, and nothing from Node", () => {
    expect(built(name)).not.toMatch(/\bimport\s*[({*"'\w]|\brequire\(|node:/);
  });

  it("is up to date with its sources (else: npm run build)", async () => {
    const { bundleAgent } = (await import(
      pathToFileURL(resolve(AGENT, "bundle.mjs")).href
    )) as BundleAgent;
    const { files: fresh } = await bundleAgent({ write: false });
    const file = fresh.find(({ path }) => path.endsWith(`/${name}`));
    expect(file?.text === built(name)).toBe(true);
  });

  it("exports the functions that pages call", async () => {
    const module = (await import(
      pathToFileURL(resolve(AGENT, "dist", name)).href
    )) as object;
    expect(Object.keys(module)).toEqual(
      expect.arrayContaining([
        "FingerprintError",
        "isFingerprintError",
        "start",
        "withoutDefault",
      ]),
    );
  });

  it("can be imported on a server, where start() reports that it needs a page", async () => {
    const { start } = (await import(
      pathToFileURL(resolve(AGENT, "dist", name)).href
    )) as { start: (options: object) => unknown };
    expect(() => start({ apiKey: "key" })).toThrow(
      "start() runs in the page of a browser only",
    );
  });
});
