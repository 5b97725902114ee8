import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import {
  ForeignFileError,
  IndirectPathError,
  OtherPartError,
  readExport,
  writeProgram,
  type ExportedProgram,
} from "@devid/clone";
import { describe, expect, it } from "vitest";
import { workspaceOf } from "../workspace-of";
import { folderForEachTest } from "../../helpers/test-folder";

let folder: string;
folderForEachTest((path) => (folder = path));

type ExportedPart = ExportedProgram["part"];
const WHOLE: ExportedPart = { region: "us", workspace: "ae_1" };
const program = (
  texts: Record<string, string>,
  part: ExportedPart = WHOLE,
): ExportedProgram => ({
  ...{ files: new Map(Object.entries(texts)), part },
  ...{ names: {}, whole: workspaceOf(), resources: 0, leftOut: [], unread: [] },
});
const read = (path: string) => readFileSync(join(folder, path), "utf8");
const edit = (path: string, text: string) =>
  writeFileSync(join(folder, path), text);

it("says in words which file cannot be written", () => {
  edit("file", "");
  folder = join(folder, "file", "program");
  expect(() => writeProgram(folder, program({ "index.ts": "1" }))).toThrow(
    `${join(folder, ".devid-export.json")} cannot be read: a part of its path is a file.`,
  );
});

it("says in words why the file of an export cannot be read", () => {
  const file = join(folder, "workspace.json");
  symlinkSync(file, file);
  expect(() => readExport(folder)).toThrow(`${file} cannot be read`);
});

it("creates the folder and its subfolders", () => {
  folder = join(folder, "a", "b");
  const files = program({ "index.ts": "1", "rules/default.yaml": "2" });
  expect(writeProgram(folder, files)).toEqual({
    written: ["index.ts", "rules/default.yaml"],
    removed: [],
    kept: [],
  });
  expect(read("rules/default.yaml")).toBe("2");
});

it("writes files that only their owner can read, also over files that others could read", () => {
  const umask = process.umask(0o022);
  const modes = () =>
    ["a", "rules/b", ".devid-export.json"].map(
      (path) => statSync(join(folder, path)).mode & 0o777,
    );
  writeProgram(folder, program({ a: "1", "rules/b": "1" }));
  expect(modes()).toEqual([0o600, 0o600, 0o600]);
  for (const path of ["a", ".devid-export.json"])
    chmodSync(join(folder, path), 0o644);
  writeProgram(folder, program({ a: "2", "rules/b": "1" }));
  expect(modes()).toEqual([0o600, 0o600, 0o600]);
  process.umask(umask);
});

it("overwrites its own changed files, and removes its own old files", () => {
  writeProgram(folder, program({ a: "1", b: "1", c: "1" }));
  edit("mine", "mine");
  expect(writeProgram(folder, program({ a: "1", b: "2" }))).toEqual({
    written: ["b"],
    removed: ["c"],
    kept: [],
  });
  expect([read("a"), read("b"), read("mine")]).toEqual(["1", "2", "mine"]);
  expect(existsSync(join(folder, "c"))).toBe(false);
});

it("knows its own files after a checkout that turned the ends of lines", () => {
  writeProgram(folder, program({ a: "1\n2\n", b: "1\n" }));
  edit("a", "1\r\n2\r\n");
  edit("b", "1\r\n");
  const again = program({ a: "1\n2\n", b: "2\n" });
  expect(writeProgram(folder, again).written).toEqual(["b"]);
  expect([read("a"), read("b")]).toEqual(["1\r\n2\r\n", "2\n"]);
});

it("writes nothing when one file is not its own, and names the file", () => {
  writeProgram(folder, program({ a: "1", b: "1", c: "1" }));
  edit("b", "by hand");
  edit("c", "by hand");
  edit("d", "by hand");
  const write = () => writeProgram(folder, program({ a: "2", b: "2", d: "2" }));
  expect(write).toThrow(ForeignFileError);
  expect(write).toThrow(/:\n {2}b\n {2}d\n {2}c\n.*--force/s);
  expect([read("a"), read("b"), read("d")]).toEqual([
    "1",
    "by hand",
    "by hand",
  ]);
});

it("accepts a file with the same text as its own", () => {
  edit("a", "1");
  expect(writeProgram(folder, program({ a: "1" })).written).toEqual([]);
});

it("overwrites the files of others with force", () => {
  edit("a", "by hand");
  writeProgram(folder, program({ a: "2" }), { force: true });
  expect(read("a")).toBe("2");
});

it("keeps stack config that Pulumi changed, even with force", () => {
  writeProgram(folder, program({ "Pulumi.us.yaml": "1" }));
  edit("Pulumi.us.yaml", "1\nencryptionsalt: v1:abc\n");
  for (const force of [false, true])
    expect(
      writeProgram(folder, program({ "Pulumi.us.yaml": "2" }), { force }).kept,
    ).toEqual(["Pulumi.us.yaml"]);
  expect(read("Pulumi.us.yaml")).toContain("encryptionsalt");
});

it("does not overwrite stack config that no export wrote", () => {
  edit("Pulumi.us.yaml", "encryptionsalt: v1:abc\n");
  const write = () => writeProgram(folder, program({ "Pulumi.us.yaml": "2" }));
  expect(write).toThrow(ForeignFileError);
});

describe("a folder with an export of another part", () => {
  const STAGING = { id: "ae_2", name: "Staging" };
  const of = (region: string, workspace = "ae_1") =>
    `\n  of the workspace in region ${region} whose default environment is ${workspace}`;
  const PARTS: readonly (readonly [Partial<ExportedPart>, string])[] = [
    [
      { include: ["environments", "api-keys"] },
      `environments, api-keys${of("us")}`,
    ],
    [{ exclude: ["*:shop-*"] }, `everything without *:shop-*${of("us")}`],
    [
      { environment: STAGING },
      `everything in environment Staging (ae_2)${of("us")}`,
    ],
    [{ region: "eu" }, `everything${of("eu")}`],
    [{ workspace: "ae_9" }, `everything${of("us", "ae_9")}`],
  ];

  it.each(PARTS)("is left unchanged: %j", (part, another) => {
    writeProgram(folder, program({ a: "1", b: "1", c: "1" }));
    const other = program({ a: "1", b: "2", d: "2" }, { ...WHOLE, ...part });
    const write = () => writeProgram(folder, other);
    expect(write).toThrow(OtherPartError);
    expect(write).toSay("export/another-part-is-there", { another });
    expect(readdirSync(folder).sort()).toEqual([
      ".devid-export.json",
      "a",
      "b",
      "c",
    ]);
    expect(writeProgram(folder, other, { force: true })).toEqual({
      written: ["b", "d"],
      removed: ["c"],
      kept: [],
    });
    expect(writeProgram(folder, other).written).toEqual([]);
    expect(() => writeProgram(folder, program({ a: "1" }))).toThrow(
      OtherPartError,
    );
  });

  it("is the same part when its environment has another name", () => {
    const named = (name: string) => ({
      ...WHOLE,
      environment: { ...STAGING, name },
    });
    writeProgram(folder, program({ a: "1" }, named("Staging")));
    const again = program({ a: "2" }, named("Trial"));
    expect(writeProgram(folder, again).written).toEqual(["a"]);
  });
});

it("is left unchanged when a newer devid wrote it, with an error of one sentence", () => {
  writeProgram(folder, program({ a: "1" }));
  edit(".devid-export.json", JSON.stringify({ version: 99, files: {} }));
  expect(() =>
    writeProgram(folder, program({ a: "2" }), { force: true }),
  ).toSay("export/of-a-newer-devid", { folder });
  expect(read("a")).toBe("1");
});

it("refuses a folder that is a file", () => {
  edit("file", "");
  const write = () => writeProgram(join(folder, "file"), program({ a: "1" }));
  expect(write).toSay("export/not-a-folder");
});

describe("a link or special file in the place of an exported file", () => {
  const FILES = { "index.ts": "1", "rules/shop.yaml": "1" };
  let outside: string;
  folderForEachTest((path) => (outside = path));
  const link = (to: string, path: string) =>
    symlinkSync(to, join(folder, path));
  /** What is in the place, by what is said of it; the rest in brackets is not said. */
  const places: Readonly<Record<string, () => void>> = {
    "index.ts: a symbolic link": () => link(join(outside, "file"), "index.ts"),
    "index.ts: a symbolic link (to a missing file)": () =>
      link(join(outside, "new"), "index.ts"),
    "rules: a symbolic link": () => link(outside, "rules"),
    ".devid-export.json: a symbolic link": () =>
      link(join(outside, "file"), ".devid-export.json"),
    "index.ts: not a file": () =>
      execFileSync("mkfifo", [join(folder, "index.ts")]),
    "rules: not a folder": () => edit("rules", ""),
  };

  it.each(Object.entries(places))(
    "is left unchanged, with or without force: %s",
    (what, make) => {
      writeFileSync(join(outside, "file"), "theirs");
      make();
      for (const force of [false, true]) {
        const write = () => writeProgram(folder, program(FILES), { force });
        expect(write).toThrow(IndirectPathError);
        expect(write).toThrow(what.replace(/ \(.*/, ""));
      }
      expect(readdirSync(outside)).toEqual(["file"]);
      expect(readFileSync(join(outside, "file"), "utf8")).toBe("theirs");
    },
  );

  it("is left unchanged when the next export would only remove a file", () => {
    writeProgram(folder, program(FILES));
    cpSync(join(folder, "rules"), outside, { recursive: true });
    rmSync(join(folder, "rules"), { recursive: true });
    symlinkSync(outside, join(folder, "rules"));
    const write = () =>
      writeProgram(folder, program({ "index.ts": "1" }), { force: true });
    expect(write).toThrow(IndirectPathError);
    expect(readdirSync(outside)).toEqual(["shop.yaml"]);
  });

  it("is allowed for the folder itself", () => {
    const real = join(folder, "real");
    mkdirSync(real);
    symlinkSync(real, join(folder, "link"));
    writeProgram(join(folder, "link"), program(FILES));
    expect(readdirSync(real)).toContain("index.ts");
  });
});

it("removes nothing outside the folder, whatever the manifest says", () => {
  const inner = join(folder, "inner");
  writeProgram(inner, program({ a: "1" }));
  edit("outside", "1");
  const path = join(inner, ".devid-export.json");
  const manifest = readFileSync(path, "utf8").replace('"a"', '"../outside"');
  writeFileSync(path, manifest);
  writeProgram(inner, program({}));
  expect(readdirSync(folder).sort()).toEqual(["inner", "outside"]);
});
