import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { fileError } from "../../cli/src/errors";
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
  expect([read("none"), read("."), read("file/a")]).toEqual([
    "none cannot be read: there is no such file.",
    ". cannot be read: it is a folder.",
    "file/a cannot be read: a part of its path is a file.",
  ]);
  expect([write("none/a"), write(".")]).toEqual([
    "none/a cannot be written: its folder is not there.",
    ". cannot be written: it is a folder.",
  ]);
  const denied = Object.assign(new Error("no"), { code: "EACCES" });
  expect(fileError("a", "written", denied).message).toSay("files/not-writable");
});
