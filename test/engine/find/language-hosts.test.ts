import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { cacheFolders } from "../../../tools/engine/src/find/cache-folders.js";
import { engineHash } from "../../../tools/engine/src/build/engine-hash.js";
import type { Engine } from "../../../tools/engine/src/find/find-engine.js";
import { findLanguageHost } from "../../../tools/engine/src/find/find-language-host.js";
import { findPythonEnvironment } from "../../../tools/engine/src/find/find-python-environment.js";

let root: string;
let env: NodeJS.ProcessEnv;
const report = () => {};

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), "devid-hosts-"));
  await mkdir(path.join(root, "bin"));
  env = {
    PATH: [path.join(root, "bin"), "/usr/bin", "/bin"].join(path.delimiter),
    XDG_CACHE_HOME: path.join(root, "cache"),
  };
});

afterEach(() => rm(root, { recursive: true, force: true }));

/** Puts a shell script on PATH. */
async function command(name: string, script: string): Promise<void> {
  const file = path.join(root, "bin", name);
  await writeFile(file, `#!/bin/sh\n${script}\n`);
  await chmod(file, 0o755);
}

describe("a language host", () => {
  /** A `go` command that builds a text file, and knows the source folder of a module. */
  const fakeGo = () =>
    command(
      "go",
      `case "$1" in
        build) while [ "$1" != -o ]; do shift; done; echo built > "$2"; chmod +x "$2" ;;
        list) echo '${root}/sdk' ;;
      esac`,
    );
  const engineIn = async (bin: string): Promise<Engine> => {
    await mkdir(bin, { recursive: true });
    const file = path.join(bin, "pulumi");
    return { path: file, version: "3.246.0", source: "cache" };
  };

  beforeEach(async () => {
    const scripts = path.join(root, "sdk/python/cmd");
    await mkdir(scripts, { recursive: true });
    const script = path.join(scripts, "pulumi-language-python-exec");
    await writeFile(script, "the script", { mode: 0o444 });
  });

  it("is found next to the engine", async () => {
    const bin = path.join(root, "theirs");
    const engine = await engineIn(bin);
    const host = path.join(bin, "pulumi-language-yaml");
    await writeFile(host, "", { mode: 0o755 });
    const found = await findLanguageHost("yaml", engine, { env, report });
    expect(found).toBe(host);
  });

  it.each(["yaml", "python"] as const)(
    "for %s is built for an engine that we did not build",
    async (language) => {
      await fakeGo();
      const engine = await engineIn(path.join(root, "theirs"));
      const host = await findLanguageHost(language, engine, { env, report });
      expect(path.basename(host)).toBe(`pulumi-language-${language}`);
      expect(await readdir(path.join(root, "theirs"))).toEqual([]);
    },
  );

  it("is built into an engine that we built, with its script next to it", async () => {
    await fakeGo();
    const { built } = cacheFolders(env, await engineHash());
    const bin = path.join(built, "bin");
    const engine = await engineIn(bin);
    const host = await findLanguageHost("python", engine, { env, report });
    expect(host).toBe(path.join(bin, "pulumi-language-python"));
    const script = path.join(bin, "pulumi-language-python-exec");
    expect(await readFile(script, "utf8")).toBe("the script");
  });
});

describe("the environment of Python programs", () => {
  const find = () => findPythonEnvironment({ env, report });

  it("is created once for each Python", async () => {
    const made = `case "$2" in
      venv) mkdir -p "$3/bin"; cp "$0" "$3/bin/python" ;;
      pip) echo "$@" >> '${root}/installed' ;;
      *) echo "VERSION" ;;
    esac`;
    await command("python3", made.replace("VERSION", "Python 3.11"));
    const first = await find();
    expect(await find()).toBe(first);
    const installed = await readFile(path.join(root, "installed"), "utf8");
    expect(installed).toMatch(/^-m pip install .*pulumi==3\.246\.0.*\n$/);
    await command("python3", made.replace("VERSION", "Python 3.12"));
    expect(await find()).not.toBe(first);
  });

  it("is removed when its creation fails, and the error says what it needs", async () => {
    await command(
      "python3",
      `case "$2" in venv) echo "ensurepip is not available"; exit 1 ;; esac`,
    );
    await expect(find()).rejects.toThrow(
      /making a virtual environment: ensurepip is not available\n.*Python 3\.10 or later.*apt-get install python3-venv/,
    );
    const { builds } = cacheFolders(env, await engineHash());
    const left = await readdir(builds);
    expect(left.filter((name) => name.startsWith("python"))).toEqual([]);
  });

  it("needs Python, and says so when Python is missing", async () => {
    env.PATH = path.join(root, "bin");
    await expect(find()).rejects.toThrow(
      /looking for Python: .*python3.*\nThey need Python 3\.10/,
    );
  });
});
