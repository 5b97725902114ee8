import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { version } from "../../../service/agent/agent";
import { packageFile } from "../../../service/src/package-files";
import { LocalWorkspace } from "../../helpers/local-workspace";
import { openForTests } from "../../helpers/open-for-tests";
import { openApi } from "../documented";
import { ROOT, textOf } from "../../helpers/repository";

const SERVICE = resolve(ROOT, "service");
const SCRIPT = packageFile("./browser-agent/script.mjs");
const built = () => readFileSync(SCRIPT, "utf8");
const imported = (path: string) =>
  import(pathToFileURL(path).href) as Promise<unknown>;

const local = openForTests(new LocalWorkspace());

it.each(["us/web/v4/local-public-us", "eu/web/v4/any?region=eu"])(
  "is served at %s to pages of any origin",
  async (path) => {
    const headers = { origin: "https://shop.example" };
    const answer = await fetch(`${local.url}/${path}`, { headers });
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "text/javascript; charset=utf-8",
      "access-control-allow-origin": "*",
      // With a cached script, a browser would not notice a newer service.
      "cache-control": "no-cache",
    });
    expect((await answer.text()) === built()).toBe(true);
  },
);

it("is served in known regions only, and described in the OpenAPI document", async () => {
  const answer = await fetch(`${local.url}/mars/web/v4/local-public-us`);
  expect(answer.status).toBe(404);
  const { paths } = await openApi();
  const success = paths["/{region}/web/v4/{public_key}"]?.get?.responses["200"];
  expect(success?.content).toEqual({
    "text/javascript; charset=utf-8": { schema: { type: "string" } },
  });
});

it("is less than 15 KB when gzipped, has no imports and nothing from Node", () => {
  expect(gzipSync(built()).length).toBeLessThan(15_000);
  expect(built()).not.toMatch(/\bimport(?:\s*[({*"']|\s+\w)|\brequire\(|node:/);
});

it("is up to date with its sources (else: npm run build)", async () => {
  const { bundleAgent } = (await imported(resolve(SERVICE, "bundle.mjs"))) as {
    readonly bundleAgent: (options: { write: boolean }) => Promise<{
      outputFiles: readonly { text: string }[];
    }>;
  };
  const { outputFiles } = await bundleAgent({ write: false });
  expect(outputFiles[0]?.text === built()).toBe(true);
});

it("exports the functions that pages call, also on a server, where start() says that it needs a page", async () => {
  const script = (await imported(SCRIPT)) as {
    start: (options: object) => unknown;
  };
  expect(Object.keys(script).sort()).toEqual([
    "FingerprintError",
    "isFingerprintError",
    "start",
    "withoutDefault",
  ]);
  expect(() => script.start({ apiKey: "key" })).toThrow(
    "start() runs in the page of a browser only",
  );
});

it("has the version of package.json", () => {
  const text = readFileSync(resolve(SERVICE, "package.json"), "utf8");
  expect(version).toBe((JSON.parse(text) as { version: string }).version);
});

// contract: agent-6, agent-27
it("its page gives the contract's advice about times and the prefix", () => {
  const text = textOf("docs/browser-agent.md").replace(/\s+/g, " ");
  expect(text).toMatch(/1 second between `start\(\)` and `get\(\)`/);
  expect(text).toMatch(/`timeout` below 2000/);
  expect(text).toMatch(/changed `storageKeyPrefix` loses/);
});
