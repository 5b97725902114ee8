import {
  appendFile,
  cp,
  mkdtemp,
  readFile,
  rm,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { engineHash } from "../../../tools/engine/src/build/engine-hash.js";

const original = path.resolve(__dirname, "../../../tools/engine");

describe("the hash of the engine's sources", () => {
  let clone: string;

  beforeEach(async () => {
    clone = await mkdtemp(path.join(tmpdir(), "devid-clone-"));
    for (const folder of ["go", "src/language-host"]) {
      await cp(path.join(original, folder), path.join(clone, folder), {
        recursive: true,
      });
    }
  });

  afterEach(() => rm(clone, { recursive: true, force: true }));

  it("is the same for every folder of a clone and for all line endings", async () => {
    const hash = await engineHash();
    expect(hash).toMatch(/^[0-9a-f]{12}$/);
    expect(await engineHash(clone)).toBe(hash);
    const file = path.join(clone, "src/language-host/main.ts");
    const text = await readFile(file, "utf8");
    await writeFile(file, text.replaceAll("\n", "\r\n"));
    expect(await engineHash(clone)).toBe(hash);
  });

  it.each([
    "src/language-host/main.ts",
    "go/cli/go.mod",
    "go/cli/go.sum",
    "go/language-hosts/nodejs/main.go",
  ])("changes with %s", async (file) => {
    await appendFile(path.join(clone, file), "\n// changed\n");
    expect(await engineHash(clone)).not.toBe(await engineHash());
  });

  it("changes when the language host gets a new file", async () => {
    await writeFile(path.join(clone, "src/language-host/new.ts"), "");
    expect(await engineHash(clone)).not.toBe(await engineHash());
  });
});
