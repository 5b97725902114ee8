import {
  chmodSync,
  chownSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { CliFolder } from "../../cli-folder";
import { failed } from "../../devid-process";

const folder = CliFolder.forEachTest("rules fmt");

const rule = (expression: string) =>
  `# ours\nrules:\n  - name:   a\n    expression: ${expression} # why\n    action: deny\n`;
const LOOSE = rule("not   sdk.platform.is_ios   and true");
const TIDY = rule('"!sdk.platform.is_ios && true"');

const fmt = (...args: string[]) => folder.run(args);

describe("devid rules fmt", () => {
  it("formats the files that need it, names them, and leaves other files unchanged", async () => {
    const loose = folder.file("a.yaml", LOOSE);
    const tidy = folder.file("b.yaml", TIDY);
    const before = statSync(join(folder.path, tidy), { bigint: true }).mtimeNs;
    expect(await fmt(".")).toEqual({
      code: 0,
      stdout: `${loose}\n`,
      stderr: "",
    });
    expect(folder.read(loose)).toBe(TIDY);
    expect(statSync(join(folder.path, tidy), { bigint: true }).mtimeNs).toBe(
      before,
    );
    expect(await fmt(".")).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  it("leaves a file that is not UTF-8 unchanged, byte by byte", async () => {
    const bytes = Buffer.from(`${LOOSE}# sch\u00f6n\n`, "latin1");
    const path = folder.file("a.yaml", bytes);
    expect(await failed(fmt(path))).toContain(
      `${path}:6:6 this is not UTF-8; save the file as UTF-8`,
    );
    expect(readFileSync(join(folder.path, path)).equals(bytes)).toBe(true);
  });

  it("writes through a link, and keeps the mode and the owner of the file", async () => {
    const name = `${"a".repeat(250)}.yaml`;
    const path = folder.file(name, LOOSE);
    const target = join(folder.path, path);
    const isRoot = process.getuid?.() === 0;
    if (isRoot) chownSync(target, 1_234, 1_234);
    chmodSync(target, 0o640);
    symlinkSync(target, join(folder.path, "link.yaml"));
    // A commit hook names both.
    expect((await fmt(path, "link.yaml")).code).toBe(0);
    expect(folder.read(path)).toBe(TIDY);
    const { mode, uid } = statSync(target);
    expect(mode & 0o777).toBe(0o640);
    expect(uid).toBe(isRoot ? 1_234 : process.getuid?.());
    expect(readdirSync(folder.path).sort()).toEqual([name, "link.yaml"]);
  });

  it("writes nothing with --check", async () => {
    const loose = folder.file("a.yaml", LOOSE);
    const tidy = folder.file("b.yaml", TIDY);
    expect(await fmt("--check", loose, tidy)).toEqual({
      code: 2,
      stdout: `${loose}\n`,
      stderr: "",
    });
    expect(folder.read(loose)).toBe(LOOSE);
    expect(await fmt("--check", tidy)).toEqual({
      code: 0,
      stdout: "",
      stderr: "",
    });
  });

  it("prints JSON", async () => {
    const loose = folder.file("a.yaml", LOOSE);
    const tidy = folder.file("b.yaml", TIDY);
    const { stdout } = await fmt("--json", ".");
    expect(JSON.parse(stdout)).toEqual({
      version: 1,
      files: [
        { file: loose, changed: true },
        { file: tidy, changed: false },
      ],
    });
  });

  it("leaves a file with a mistake unchanged, formats the others, and exits with an error", async () => {
    const wrong = folder.file("a.yaml", rule("true   &&"));
    const loose = folder.file("b.yaml", LOOSE);
    const { code, stdout, stderr } = await fmt("--check", ".");
    expect(code).toBe(1);
    expect(stdout).toBe(`${loose}\n`);
    expect(stderr).toContain(`\n  ${wrong}:4:26 rule "a": `);
    await fmt(".");
    expect(folder.read(wrong)).toBe(rule("true   &&"));
    expect(folder.read(loose)).toBe(TIDY);
  });

  it("changes nothing in the quickstart", async () => {
    const path = resolve(
      __dirname,
      "../../../../examples/quickstart/rules.yaml",
    );
    expect(await fmt("--check", path)).toEqual({
      code: 0,
      stdout: "",
      stderr: "",
    });
  });
});
