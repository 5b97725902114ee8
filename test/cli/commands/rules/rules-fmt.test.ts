import {
  chmodSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { DevidProcess } from "../../devid-process";
import { folderForEachTest } from "../../../helpers/test-folder";

let folder: string;
folderForEachTest((path) => (folder = path));

const file = (name: string, text: string) => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

const rule = (expression: string) =>
  `# ours\nrules:\n  - name:   a\n    expression: ${expression} # why\n    action: deny\n`;
const LOOSE = rule("not   sdk.platform.is_ios   and true");
const TIDY = rule('"!sdk.platform.is_ios && true"');

const fmt = (...args: string[]) => DevidProcess.run(["rules", "fmt", ...args]);

describe("devid rules fmt", () => {
  it("formats the files that need it, names them, and leaves other files unchanged", async () => {
    const loose = file("a.yaml", LOOSE);
    const tidy = file("b.yaml", TIDY);
    const before = statSync(tidy, { bigint: true }).mtimeNs;
    expect(await fmt(folder)).toEqual({
      code: 0,
      stdout: `${loose}\n`,
      stderr: "",
    });
    expect(readFileSync(loose, "utf8")).toBe(TIDY);
    expect(statSync(tidy, { bigint: true }).mtimeNs).toBe(before);
    expect(await fmt(folder)).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  it("leaves a file that is not UTF-8 unchanged, byte by byte", async () => {
    const path = join(folder, "a.yaml");
    const bytes = Buffer.from(`${LOOSE}# sch\u00f6n\n`, "latin1");
    writeFileSync(path, bytes);
    const { code, stderr } = await fmt(path);
    expect(code).toBe(1);
    expect(stderr).toContain(
      `${path}:6:6 this is not UTF-8; save the file as UTF-8`,
    );
    expect(readFileSync(path).equals(bytes)).toBe(true);
  });

  it("writes through a link, and keeps the mode of the file", async () => {
    const path = file("a.yaml", LOOSE);
    chmodSync(path, 0o640);
    const link = join(folder, "link.yaml");
    symlinkSync(path, link);
    expect((await fmt(link)).code).toBe(0);
    expect(readFileSync(path, "utf8")).toBe(TIDY);
    expect(statSync(path).mode & 0o777).toBe(0o640);
    expect(readdirSync(folder).sort()).toEqual(["a.yaml", "link.yaml"]);
  });

  it("writes nothing with --check", async () => {
    const loose = file("a.yaml", LOOSE);
    const tidy = file("b.yaml", TIDY);
    expect(await fmt("--check", loose, tidy)).toEqual({
      code: 2,
      stdout: `${loose}\n`,
      stderr: "",
    });
    expect(readFileSync(loose, "utf8")).toBe(LOOSE);
    expect(await fmt("--check", tidy)).toEqual({
      code: 0,
      stdout: "",
      stderr: "",
    });
  });

  it("prints JSON", async () => {
    const loose = file("a.yaml", LOOSE);
    const tidy = file("b.yaml", TIDY);
    const { stdout } = await fmt("--json", folder);
    expect(JSON.parse(stdout)).toEqual({
      version: 1,
      files: [
        { file: loose, changed: true },
        { file: tidy, changed: false },
      ],
    });
  });

  it("leaves a file with a mistake unchanged, formats the others, and exits with an error", async () => {
    const wrong = file("a.yaml", rule("true   &&"));
    const loose = file("b.yaml", LOOSE);
    const { code, stdout, stderr } = await fmt("--check", folder);
    expect(code).toBe(1);
    expect(stdout).toBe(`${loose}\n`);
    expect(stderr).toContain(`\n  ${wrong}:4:26 rule "a": `);
    await fmt(folder);
    expect(readFileSync(wrong, "utf8")).toBe(rule("true   &&"));
    expect(readFileSync(loose, "utf8")).toBe(TIDY);
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
