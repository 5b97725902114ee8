import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { fileError } from "../../cli/src/errors";
import { removeFiles, writeTo } from "../../cli/src/output/write-output";
import { folderForTests } from "../helpers/test-folder";

const folder = folderForTests();

const failure = (work: () => unknown): unknown => {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error("Nothing failed.");
};

it("describes in words why a file cannot be used", () => {
  writeFileSync(join(folder, "file"), "");
  const read = (path: string) =>
    fileError(
      path,
      "read",
      failure(() => readFileSync(join(folder, path))),
    ).message;
  const write = (path: string) =>
    fileError(
      path,
      "written",
      failure(() => writeFileSync(join(folder, path), "")),
    ).message;
  expect(read("none")).toSay("files/missing", { path: "none" });
  expect(read(".")).toSay("files/read-of-a-folder");
  expect(read("file/a")).toSay("files/below-a-file", { path: "file/a" });
  expect(write("none/a")).toSay("files/no-folder", { path: "none/a" });
  expect(write(".")).toSay("files/write-to-a-folder");
  const denied = Object.assign(new Error("no"), { code: "EACCES" });
  expect(fileError("a", "written", denied).message).toSay("files/not-writable");
});

it("says in words why a file cannot be written or removed", () => {
  mkdirSync(join(folder, "folder"));
  const path = join(folder, "folder");
  for (const work of [
    () => writeTo(path, ""),
    () => writeTo(path, "", { flag: "a" }),
    () => removeFiles(path),
  ])
    expect(failure(work)).toMatchObject({
      name: "UsageError",
      message: expect.stringMatching(/folder cannot be written: /) as string,
    });
});

it("every command writes files by functions that say so", () => {
  const sources = resolve(__dirname, "../../cli/src");
  const direct = readdirSync(sources, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts") && !path.startsWith("output"))
    .filter((path) =>
      /\b(writeFile|appendFile|rm|mkdir|openSync|rename)(Sync)?\(/.test(
        readFileSync(join(sources, path), "utf8"),
      ),
    );
  expect(direct).toEqual([]);
});
